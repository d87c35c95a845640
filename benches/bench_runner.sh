#!/bin/sh
# The benchmark runner against sysbench and fio on the same machine, interleaved A B B A, medians.
#
#   benches/bench_runner.sh [ROUNDS] [NAME...]     default: 5 rounds of everything
#
# ROUNDS is how often A B B A is repeated; NAME picks rows by the beginning of their name (cpu, threads, mutex, memory,
# fileio, empty). VMFIT names the program to measure, DIR a folder on the disk to test, SIZE the size of the test file.
# Peers that are missing are installed from Debian's packages. Nothing else should run on the machine meanwhile.
set -eu
cd "$(dirname "$0")/.."
VMFIT=${VMFIT:-target/release/vmfit}
[ -x "$VMFIT" ] || { echo "$VMFIT is not there: cargo build --release, or set VMFIT" >&2; exit 2; }
missing=
for peer in sysbench fio; do
    command -v "$peer" >/dev/null || missing="$missing $peer"
done
if [ -n "$missing" ]; then
    # shellcheck disable=SC2086  # names without spaces
    apt-get install -y --no-install-recommends $missing >&2
fi
VMFIT=$VMFIT exec python3 benches/bench_runner.py "$@"
