#!/usr/bin/env bash
# Changes real files at random and imports what comes out, for as many minutes as are asked (default 10): no importer may
# panic, and no figure may be infinite. A case that fails is kept in proptest-regressions and is tried first ever after.
#
#     MINUTES=10 benches/fuzz_imports.sh
set -euo pipefail
cd "$(dirname "$0")/.."
until=$((SECONDS + ${MINUTES:-10} * 60))
rounds=0
while [ "$SECONDS" -lt "$until" ]; do
  PROPTEST_CASES=20000 cargo test --release --quiet --lib import::tests::hostile -- never_panic
  rounds=$((rounds + 1))
done
echo "$rounds rounds of 20,000 cases of each test, no panic"
