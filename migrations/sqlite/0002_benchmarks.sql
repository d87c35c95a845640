-- A benchmark result is kept whole; the columns beside it are what the list shows and filters by.
CREATE TABLE benchmarks (
    id           BLOB PRIMARY KEY NOT NULL,
    mode         TEXT NOT NULL,
    hypervisor   TEXT NOT NULL,
    role         TEXT NOT NULL,
    cpu_model    TEXT NOT NULL,
    threads      INTEGER NOT NULL,
    events_per_s REAL NOT NULL,
    valid        INTEGER NOT NULL,
    result       TEXT NOT NULL,
    created      INTEGER NOT NULL
) STRICT;

CREATE INDEX benchmarks_by_time ON benchmarks (created DESC, id DESC);
