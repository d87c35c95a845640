#!/usr/bin/env bash
# 4,096 draws of the example with memory for more, latency and response time included: vmfit against the same laws
# vectorized in NumPy. Runs them in turn (ABBA) and prints the ratio of the medians. Needs Python with NumPy.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release --quiet --features bench --bin bench-draws
ours() { ./target/release/bench-draws benches/draws.json 101; }
numpy() { python3 benches/draws.py benches/draws.json 21; }
for run in ours numpy numpy ours ours numpy; do
  printf '%s ' "$run"
  "$run"
done | tee /dev/stderr | awk '
  { times[$1] = times[$1] " " $2 }
  function median(text, n, list) { n = split(text, list, " "); asort_(list, n); return list[int((n + 1) / 2)] }
  function asort_(list, n, i, j, t) { for (i = 2; i <= n; i++) for (j = i; j > 1 && list[j - 1] + 0 > list[j] + 0; j--) { t = list[j]; list[j] = list[j - 1]; list[j - 1] = t } }
  END { printf "NumPy takes %.1f times as long\n", median(times["numpy"]) / median(times["ours"]) }'
