#!/usr/bin/env bash
# Time and memory of the PDF report, as ratios in one run:
#   (a) a warm report against headless Chromium printing the result page of the running service: at most 1/20
#   (b) resident memory over 500 different reports in one process: grows by less than 10 %
#   (c) the idle service: ready, and at most 60 MiB resident, before Typst and its fonts are loaded
# Needs chromium, curl and python3. Usage: benches/pdf.sh [REPORTS]
set -euo pipefail
cd "$(dirname "$0")/.."
reports=${1:-500}
scenario=fixtures/scenarios/example-dl580.json
chrome=${CHROME:-chromium}

cargo build --release --locked --features bench --bin vmfit --bin bench-reports
target=${CARGO_TARGET_DIR:-target}/release
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT

field() { python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1"; }
now() { date +%s%N; }
resident() { awk '/^VmRSS:/ { print $2 / 1024 }' "/proc/$1/status"; }

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
begin=$(now)
"$target/vmfit" serve --listen "127.0.0.1:$port" --database "sqlite://$folder/bench.db" >"$folder/serve.log" 2>&1 &
server=$!
until curl --silent --fail --output /dev/null "http://127.0.0.1:$port/readyz"; do sleep 0.02; done
ready_ms=$((($(now) - begin) / 1000000))
sleep 2
idle=$(resident "$server")
echo "(c) ready after $ready_ms ms, idle $idle MiB resident (at most 60)"

page=$(curl --silent --fail --output /dev/null --write-out '%header{location}' --header 'content-type: application/json' \
  --data-binary "@$scenario" "http://127.0.0.1:$port/api/v1/sizings?save=true")
page=${page#/api/v1}
times=()
for run in 1 2 3 4 5; do
  begin=$(now)
  "$chrome" --headless --no-sandbox --disable-gpu --user-data-dir="$folder/chrome" --no-pdf-header-footer \
    --print-to-pdf="$folder/page.pdf" "http://127.0.0.1:$port$page" >"$folder/chrome.log" 2>&1
  # The first run makes the profile.
  [ "$run" = 1 ] || times+=($((($(now) - begin) / 1000000)))
done
chrome_ms=$(printf '%s\n' "${times[@]}" | sort -n | sed -n 2p)
result=$("$target/bench-reports" time "$scenario" 30)
python3 - "$chrome_ms" "$(field median_ms <<<"$result")" "$(field first_ms <<<"$result")" <<'PYTHON'
import sys
chrome, warm, first = map(float, sys.argv[1:])
print(f"(a) Chromium prints the page in {chrome:.0f} ms, a warm report takes {warm:.1f} ms (the first {first:.1f} ms): "
      f"1/{chrome / warm:.1f} (at most 1/20)")
PYTHON

curl --silent --fail --output /dev/null "http://127.0.0.1:$port/api/v1${page}.pdf"
echo "    after its first report the service has $(resident "$server") MiB resident"

result=$("$target/bench-reports" growth "$scenario" "$reports")
python3 - "$(field early_mib <<<"$result")" "$(field late_mib <<<"$result")" "$reports" <<'PYTHON'
import sys
early, late, reports = float(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
print(f"(b) {reports} reports: {early:.1f} MiB after a tenth, {late:.1f} MiB after all: "
      f"{(late / early - 1) * 100:+.1f} % (less than 10 %)")
PYTHON
