#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs on the GPU machine, in the folder that gather.sh made: every test on every device, then compute-sanitizer on
# test_all_ops. Writes result.json, to be kept as tests/gpu/results/<card>.json.
cd "$(dirname "$0")" || exit 1
export LD_LIBRARY_PATH=$PWD/lib FOVEA_SOURCE=$PWD/source FOVEA_BUILD=$PWD
core/fovea devices
failed=0
lines=()

# record NAME PATTERN-OF-FAILURE LOG: one line of the result.
record() {
  local passed skipped bad
  passed=$(grep -c '^ok' "$3") skipped=$(grep -c '# SKIP' "$3") bad=$(grep -cE "$2" "$3")
  echo "$1: $((passed - skipped)) passed, $bad failed, $skipped skipped"
  lines+=("\"$1\": {\"passed\": $((passed - skipped)), \"failed\": $bad, \"skipped\": $skipped}")
  [ "$bad" = 0 ] || { failed=1; grep -E "$2" -A2 "$3" | head -n 30; }
}

for test in test_golden test_all_ops; do
  "tests/$test" --tap >"$test.log" 2>&1 || echo "not ok - $test ended with status $?" >>"$test.log"
  record "$test" '^not ok|^Bail out' "$test.log"
done
for tool in memcheck racecheck; do
  timeout 240 compute-sanitizer --tool "$tool" tests/test_all_ops --tap >"$tool.log" 2>&1 ||
    echo "not ok - $tool ended with status $?" >>"$tool.log"
  record "$tool of test_all_ops" '^not ok|^Bail out|^========= (Error|Invalid|Warning)' "$tool.log"
done
printf '{\n  "date": "%s",\n  "device": "%s",\n  "driver": "%s",\n  "kernels_sha256": "%s",\n  %s\n}\n' "$(date -u +%F)" \
  "$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)" \
  "$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)" "$(cat kernels.sha256)" \
  "$(printf '%s,\n  ' "${lines[@]}" | sed '$d' | sed '$s/,$//')" >result.json
cat result.json
exit $failed
