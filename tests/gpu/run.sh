#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs on the GPU machine, in the folder that gather.sh made: every test on every device, then compute-sanitizer.
cd "$(dirname "$0")" || exit 1
export LD_LIBRARY_PATH=$PWD/lib FOVEA_SOURCE=$PWD/source FOVEA_BUILD=$PWD
core/fovea devices
failed=0
for test in test_golden test_all_ops; do
  "tests/$test" --tap >"$test.tap" 2>&1 || failed=1
  echo "$test: $(grep -c '^ok' "$test.tap") ok ($(grep -c '# SKIP' "$test.tap") skipped), $(grep -c '^not ok' "$test.tap") not ok"
  grep -E '^not ok|ERROR|Bail' -B3 "$test.tap" | head -n 40
done
for tool in memcheck racecheck; do
  compute-sanitizer --tool "$tool" --error-exitcode 9 tests/test_all_ops >"$tool.log" 2>&1 || failed=1
  tail -n 2 "$tool.log"
done
exit $failed
