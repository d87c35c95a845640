-- Scenario, answer and model version stay together: an old report can be made again as it was.
-- Times are milliseconds since 1970 in UTC. A deleted sizing keeps its row until it is restored.
CREATE TABLE sizings (
    id            BLOB PRIMARY KEY NOT NULL,
    name          TEXT NOT NULL,
    scenario      TEXT NOT NULL,
    answer        TEXT NOT NULL,
    model_version TEXT NOT NULL,
    -- What the list shows, so that it need not read every answer.
    headline      TEXT NOT NULL,
    host          TEXT NOT NULL,
    likely        INTEGER NOT NULL,
    at_confidence INTEGER NOT NULL,
    binding       TEXT NOT NULL,
    unit_name     TEXT NOT NULL,
    created       INTEGER NOT NULL,
    updated       INTEGER NOT NULL,
    deleted       INTEGER
) STRICT;

CREATE INDEX sizings_by_update ON sizings (updated DESC, id DESC) WHERE deleted IS NULL;

CREATE TABLE overhead_models (
    id      TEXT PRIMARY KEY NOT NULL,
    model   TEXT NOT NULL,
    created INTEGER NOT NULL
) STRICT;
