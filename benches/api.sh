#!/usr/bin/env bash
# Request rate of POST /api/v1/sizings against a bare axum handler that parses the same body and returns it
# (benches/echo.rs). Both servers run all the time; the load goes to them in turns, A B B A, so that a machine that slows
# down or warms up does so for both. Needs wrk.
#
# Usage: benches/api.sh [SCENARIO.json]
# Environment: ROUNDS (5), SECONDS_EACH (5), CONNECTIONS (16), THREADS (2), PROFILE (release), QUERY (such as ?curves=true),
# VARY (1: every body has another name, so that no part of the way can profit from repetition)
set -euo pipefail
cd "$(dirname "$0")/.."

scenario=${1:-fixtures/scenarios/example-dl580.json}
rounds=${ROUNDS:-5} each=${SECONDS_EACH:-5} connections=${CONNECTIONS:-16} threads=${THREADS:-2} profile=${PROFILE:-release}
command -v wrk >/dev/null || { echo "wrk is missing: apt-get install wrk" >&2; exit 1; }

cargo build --quiet --locked --profile "$profile" --features bench --bin vmfit --bin bench-echo
built="${CARGO_TARGET_DIR:-target}/$([ "$profile" = dev ] && echo debug || echo "$profile")"

work=$(mktemp -d)
# Copies: another build must not replace what is being measured.
cp "$built/vmfit" "$built/bench-echo" "$work"
pids=()
cleanup() { for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done; rm -rf "$work"; }
trap cleanup EXIT

cat >"$work/post.lua" <<EOF
wrk.method = "POST"
wrk.headers["content-type"] = "application/json"
local file = assert(io.open("$(realpath "$scenario")", "rb"))
wrk.body = file:read("*a")
file:close()
if "${VARY:-0}" == "1" then
  local before, after = wrk.body:match('^(.-"name"%s*:%s*")(.*)$')
  local number = 0
  -- Threads have interpreters of their own: the address of a table tells them apart.
  local own = tostring({}):gsub("[^%w]", "")
  function request()
    number = number + 1
    return wrk.format(nil, nil, nil, before .. own .. " " .. number .. " " .. after)
  end
end
EOF

# Starts a server and sets $address to what its first line ends with.
start() {
  local log="$work/$1"; shift
  "$@" >"$log" 2>"$log.err" &
  pids+=($!)
  for _ in $(seq 100); do
    address=$(sed -n '1s/.* //p' "$log")
    [ -n "$address" ] && return
    sleep 0.1
  done
  cat "$log.err" >&2
  exit 1
}
start vmfit.log "$work/vmfit" serve --listen 127.0.0.1:0 --database "sqlite://$work/bench.db"; sizing="$address/api/v1/sizings${QUERY:-}"
start echo.log "$work/bench-echo"; echo_server="$address/"

code=$(curl --silent --output /dev/null --write-out '%{http_code}' --header 'content-type: application/json' --data @"$scenario" "$sizing")
[ "$code" = 200 ] || { echo "POST $sizing answers $code" >&2; exit 1; }

# Requests a second; errors end the measurement.
rate() {
  local out
  out=$(wrk --threads "$threads" --connections "$connections" --duration "${2:-$each}s" --script "$work/post.lua" "$1")
  if grep -q 'Non-2xx\|Socket errors' <<<"$out"; then echo "$out" >&2; exit 1; fi
  awk '/^Requests\/sec:/ { print $2 }' <<<"$out"
}
median() { sort -n "$1" | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

rate "$sizing" 2 >/dev/null; rate "$echo_server" 2 >/dev/null
for round in $(seq "$rounds"); do
  for server in A B B A; do
    if [ "$server" = A ]; then r=$(rate "$sizing"); echo "$r" >>"$work/A"; else r=$(rate "$echo_server"); echo "$r" >>"$work/B"; fi
    echo "round $round $server $r"
  done
done
a=$(median "$work/A") b=$(median "$work/B")
awk -v a="$a" -v b="$b" 'BEGIN { printf "sizings %.0f/s, echo %.0f/s, ratio of medians %.3f\n", a, b, a / b }'
