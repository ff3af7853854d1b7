#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Fuzzes the readers of files and selections and the step parser for some seconds each (10 unless told). Output is TAP;
# what makes a target fail is kept in build-fuzz/.
cd "$(dirname "$0")/../.." || exit 1
seconds=${1:-10}
probe=$(mktemp)
trap 'rm -f "$probe"' EXIT
if ! echo 'int LLVMFuzzerTestOneInput (void) { return 0; }' |
  clang -x c - -fsanitize=fuzzer,address -o "$probe" 2>/dev/null; then
  printf '1..1\nok 1 - fuzz # SKIP clang with libFuzzer is not installed\n'
  exit
fi
. scripts/setup.sh
CC=clang CFLAGS='-Wno-pass-failed -Wno-unused-variable' setup_build build-fuzz -Dfuzz=true -Dsanitize=true -Dcuda=disabled \
  -Dui=disabled -Dbuildtype=debugoptimized -Dwerror=false

# fuzz NUMBER TARGET SEEDS...
fuzz() {
  local number=$1 target=$2
  shift 2
  mkdir -p "build-fuzz/corpus-$target"
  # Any leak or sanitizer report, more than 25 s or 1 GiB for one input is a failure.
  if "build-fuzz/tests/fuzz_$target" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=2048 -max_len=65536 -verbosity=0 \
    -artifact_prefix=build-fuzz/ "build-fuzz/corpus-$target" "$@" >"build-fuzz/$target.log" 2>&1; then
    echo "ok $number - fuzz $target"
  else
    echo "not ok $number - fuzz $target"
    grep -vE '^(INFO|#)' "build-fuzz/$target.log" | head -n 40 | sed 's/^/# /'
  fi
}
echo 1..3
fuzz 1 files tests/files/data tests/files/pictures
fuzz 2 steps tests/fuzz/steps
fuzz 3 selections tests/selections
