#!/usr/bin/env bash
# vmfit bench oltp beside sysbench on one PostgreSQL: the same transactions, tables, rows, keys and threads, in the order
# A B B A, medians. Asked is a ratio of 0.95 to 1.05. Installs sysbench and PostgreSQL where they are missing (Debian, root).
#
#   benches/bench_oltp.sh                 both mixes
#   SECONDS_EACH=5 ROUNDS=3 benches/bench_oltp.sh read_only
#
# VMFIT         the binary, default target/release/vmfit
# THREADS       connections, default 1          TABLES, ROWS   default 4 tables of 10000 rows
# DISTRIBUTION  uniform (default) or special    ROUNDS         rounds of A B B A, default 2
# SECONDS_EACH  counted time of a run, default 10
# DURABLE       1: each commit waits for the disk, whose noise is then most of what is seen; default 0
set -euo pipefail
cd "$(dirname "$0")/.."

vmfit=${VMFIT:-target/release/vmfit}
threads=${THREADS:-1} tables=${TABLES:-4} rows=${ROWS:-10000} distribution=${DISTRIBUTION:-uniform}
rounds=${ROUNDS:-2} seconds=${SECONDS_EACH:-10} durable=${DURABLE:-0}
mixes=("$@")
[ "${#mixes[@]}" -gt 0 ] || mixes=(read_only read_write)
[ -x "$vmfit" ] || { echo "$vmfit is missing: cargo build --release, or set VMFIT" >&2; exit 2; }

missing=()
command -v sysbench >/dev/null || missing+=(sysbench)
compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || missing+=(postgresql)
if [ "${#missing[@]}" -gt 0 ]; then
  [ "$(id -u)" -eq 0 ] || { echo "install these first: ${missing[*]}" >&2; exit 1; }
  apt-get update --quiet
  DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "${missing[@]}"
fi
bin=$(dirname "$(compgen -G '/usr/lib/postgresql/*/bin/initdb' | sort -V | tail -1)")

# PostgreSQL refuses to run as root.
home=$(mktemp -d)
as=()
if [ "$(id -u)" -eq 0 ]; then
  chown postgres "$home"
  as=(runuser -u postgres --)
fi
stop() {
  (cd / && "${as[@]}" "$bin/pg_ctl" -D "$home/data" -m immediate stop >/dev/null 2>&1) || true
  rm -rf "$home"
}
trap stop EXIT
(
  cd /
  "${as[@]}" "$bin/initdb" -D "$home/data" -A trust -U postgres >/dev/null
  {
    echo "listen_addresses = ''"
    echo "unix_socket_directories = '$home'"
    echo "shared_buffers = 512MB"
    # What comes by itself now and then would strike one of the two.
    echo "autovacuum = off"
    echo "checkpoint_timeout = 1h"
    echo "max_wal_size = 8GB"
    [ "$durable" = 1 ] || echo "synchronous_commit = off"
  } | "${as[@]}" tee -a "$home/data/postgresql.conf" >/dev/null
  "${as[@]}" "$bin/pg_ctl" -D "$home/data" -l "$home/log" -w start >/dev/null
)
for name in ours theirs; do "$bin/createdb" -h "$home" -U postgres "$name"; done

# Transactions a second of vmfit: makes its tables anew, as does the other.
ours() {
  "$vmfit" bench oltp --database "postgres://postgres@localhost/ours?host=$home" --mix "$1" --scale "$tables" \
    --rows "$rows" --distribution "$distribution" --threads "$threads" --time "$seconds" --warmup 2 --format json |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["events_per_s"])'
}

theirs() {
  local common=(--db-driver=pgsql --pgsql-host="$home" --pgsql-user=postgres --pgsql-db=theirs --tables="$tables"
    --table-size="$rows" --rand-type="$distribution" --threads="$threads")
  sysbench "${common[@]}" "oltp_$1" prepare >/dev/null
  "$bin/vacuumdb" --quiet --analyze -h "$home" -U postgres theirs
  sysbench "${common[@]}" --time=2 "oltp_$1" run >/dev/null
  sysbench "${common[@]}" --time="$seconds" "oltp_$1" run | sed -n 's/.*transactions:.*(\([0-9.]*\) per sec.*/\1/p'
  sysbench "${common[@]}" "oltp_$1" cleanup >/dev/null
}

median() { printf '%s\n' "$@" | sort -g | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

echo "PostgreSQL $("$bin/postgres" --version | awk '{ print $3 }'), $tables tables of $rows rows, $distribution keys, $threads threads, $seconds s each"
printf '%-12s %12s %12s %8s\n' mix vmfit/s sysbench/s ratio
for mix in "${mixes[@]}"; do
  a=() b=()
  for ((round = 0; round < rounds; round++)); do
    a+=("$(ours "$mix")") b+=("$(theirs "$mix")")
    b+=("$(theirs "$mix")") a+=("$(ours "$mix")")
  done
  ma=$(median "${a[@]}") mb=$(median "${b[@]}")
  printf '%-12s %12.1f %12.1f %8.3f\n' "$mix" "$ma" "$mb" "$(awk "BEGIN { print $ma / $mb }")"
  printf '  vmfit: %s\n  sysbench: %s\n' "${a[*]}" "${b[*]}"
done
