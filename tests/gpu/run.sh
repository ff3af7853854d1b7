#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh [PART...]: runs on the GPU machine, in the folder that gather.sh made: `tests`, every test on every device and comparisons with other
# programs (python3 with NumPy, SciPy, scikit-image, CuPy and, if it is there, cuCIM), and by compute-sanitizer `memcheck`, `racecheck` and
# `initcheck` of those that use the GPU; all four by default. Writes result.json, to be kept as tests/gpu/results/<GPU>.json, where what was found
# there before of the same kernels stays; the logs stay in logs/. Takes ten minutes with 16 cores, and less in parts.
cd "$(dirname "$0")" || exit 1
export FOVEA_SOURCE=$PWD FOVEA_BUILD=$PWD/build PYTHONUNBUFFERED=1
mkdir -p logs
failed=0
lines=()
parts=${*:-tests memcheck racecheck initcheck}
tools=()
for part in $parts; do [ "$part" = tests ] || tools+=("$part"); done
# Many programs share the cores.
export OMP_NUM_THREADS=4

# The libraries that were gathered are for the gathered programs alone, and so is the run-time compiler where it comes with Python's packages.
nvrtc=$(python3 -c 'import glob, os, sys
print(*{os.path.dirname(f) for p in sys.path for f in glob.glob(p + "/nvidia/*/lib/libnvrtc.so.*")}, sep=":")')
gathered=(env "LD_LIBRARY_PATH=$PWD/build/lib:$nvrtc")

# run NAME SECONDS COMMAND...: its output to logs/NAME.log, with a line of TAP when it does not end well.
run() {
  local log=logs/$1.log seconds=$2 status start=$SECONDS
  shift 2
  timeout "$seconds" "$@" >"$log" 2>&1
  status=$?
  [ "$status" = 0 ] || echo "not ok - ended with status $status" >>"$log"
  echo "# took $((SECONDS - start)) s" >>"$log"
}

# record NAME [TEXT]: one line of the result; of what went wrong the first lines, and from compute-sanitizer which kernels.
record() {
  local log=logs/$1.log text=${2:-$1} passed skipped bad fault='^not ok|^Bail out'
  passed=$(grep -c '^ok' "$log") skipped=$(grep -c '^ok.*# SKIP' "$log") bad=$(grep -cE "$fault" "$log")
  echo "$text: $((passed - skipped)) passed, $bad failed, $skipped skipped; $(awk '/^# took/ { n += $3 } END { print n }' "$log") s"
  lines+=("$text"$'\t'"$((passed - skipped))"$'\t'"$bad"$'\t'"$skipped")
  [ "$bad" = 0 ] && return
  failed=1
  grep -E "$fault" -A2 "$log" | head -n 20
  grep -E '^=+ +(at|and|Error:|Warning:|Invalid|Uninit|Program hit)' "$log" | sed -E 's/^=+ +//; s/\+?0x[0-9a-f]+//g' |
    sort | uniq -c | sort -rn | head -n 12
}

# cases_of TEST: paths of its cases; GLib lists them as comments from 2.80 on.
cases_of() { "${gathered[@]}" "build/tests/$1" -l | sed -n 's|^\(# \)\?/|/|p'; }
# spread NAME SECONDS PROGRAM PROCESSES: its operations by turns in so many processes.
spread() {
  local i cases
  for ((i = 0; i < $4; i++)); do
    cases=$(cases_of "$3" | awk -F/ -v i="$i" -v n="$4" '!($3 in at) { at[$3] = count++ } at[$3] % n == i { print "-p " $0 }')
    run "$1.$i" "$2" "${gathered[@]}" "build/tests/$3" --tap $cases &
  done
  wait
  cat "logs/$1".[0-9]*.log >"logs/$1.log"
}
run_tests() {
  # Alone what asks how much memory there is, and then all side by side.
  run test_memory 60 "${gathered[@]}" build/tests/test_memory --tap
  run test_arrival 60 "${gathered[@]}" build/tests/test_arrival --tap
  run test_golden 560 "${gathered[@]}" build/tests/test_golden --tap &
  run test_first 150 "${gathered[@]}" build/tests/test_golden --tap -p /golden/zoom/order-2-f64/cuda:0 &
  run test_all_ops 560 "${gathered[@]}" build/tests/test_all_ops --tap &
  spread test_devices 560 test_devices 4 &
  run test_two_devices 300 "${gathered[@]}" build/tests/test_two_devices --tap &
  run test_cuda_plugin 200 "${gathered[@]}" build/tests/test_module_languages --tap -p /module/languages/cuda &
  run test_kernel 200 "${gathered[@]}" build/tests/test_kernel --tap -p /kernel/time-limit/cuda:0 -p /kernel/stop/cuda:0 \
    -p /kernel/wrong-arrays/cuda:0 &
  run test_parts 300 "${gathered[@]}" build/tests/test_parts --tap &
  run test_segment 150 "${gathered[@]}" build/tests/test_segment --tap &
  run test_stars 150 "${gathered[@]}" build/tests/test_stars --tap &
  run test_flows 150 "${gathered[@]}" build/tests/test_flows --tap &
  run test_packages 150 "${gathered[@]}" build/tests/test_packages --tap &
  run test_core 150 "${gathered[@]}" build/tests/test_core --tap &
  run test_take 150 "${gathered[@]}" build/tests/test_take --tap &
  run compare 560 python3 tests/gpu/compare.py --seconds 450 &
  run compare_huge 250 python3 tests/gpu/compare_huge.py &
  wait
  # Alone, since it measures.
  run compare_models 200 "${gathered[@]}" python3 tests/gpu/compare_models.py
}
# on_gpu TEST PATTERN CASES: its cases that use the GPU, so many in a line and then the rest of that operation: each process instruments the
# kernels that it uses.
on_gpu() {
  cases_of "$1" | grep "$2" |
    awk -F/ -v size="$3" '$3 != operation && n >= size { print line; line = ""; n = 0 } { operation = $3; line = line " -p " $0; n++ } END { print line }'
}
# sanitized TOOL NAME TEST PATTERN CASES: its cases, some lines at once, as the host has more to do than the GPU, by turns on each GPU.
gpus=$(nvidia-smi -L | wc -l)
sanitized() {
  local number=0 cases
  while read -r cases; do
    while (($(jobs -rp | wc -l) > $(nproc) / 2)); do wait -n; done
    CUDA_VISIBLE_DEVICES=$((number % gpus)) run "$2.$number" 500 "${gathered[@]}" compute-sanitizer --tool "$1" --error-exitcode 9 \
      "build/tests/$3" --tap $cases &
    ((number += 1))
  done < <(on_gpu "$3" "$4" "$5")
  wait
  cat "logs/$2".[0-9]*.log >"logs/$2.log"
}
"${gathered[@]}" build/command/fovea devices
[[ " $parts " == *" tests "* ]] && run_tests
for tool in "${tools[@]}"; do
  sanitized "$tool" "$tool" test_devices '/brief$' 10 &
  sanitized "$tool" "$tool-golden" test_golden '/cuda:0$' 40 &
  sanitized "$tool" "$tool-segment" test_segment '/cuda:0$' 1 &
  sanitized "$tool" "$tool-packages" test_packages '/cuda:0$' 1 &
  run "$tool-arrival" 400 "${gathered[@]}" compute-sanitizer --tool "$tool" --error-exitcode 9 build/tests/test_arrival --tap \
    $(on_gpu test_arrival '/cuda:0$' 100) &
done
wait
if [[ " $parts " == *" tests "* ]]; then
  record test_golden
  record test_first 'first work of a process'
  record test_all_ops
  record test_devices
  record test_two_devices 'one GPU to another'
  record test_cuda_plugin 'plugin with a kernel of its own'
  record test_kernel 'kernels of users that do not end or are wrong'
  record test_parts
  record test_segment 'nuclei by a network'
  record test_stars 'objects by star shapes'
  record test_flows 'objects by flows'
  record test_packages 'networks of other people'
  record test_core
  record test_take
  record test_memory 'too little memory'
  record test_arrival 'pixels sent while others are read'
  record compare 'comparison with other programs'
  record compare_huge 'plane of 65536 x 65536'
  record compare_models 'networks in ONNX Runtime on the GPU'
fi
for tool in "${tools[@]}"; do
  record "$tool" "$tool of test_devices"
  record "$tool-golden" "$tool of test_golden"
  record "$tool-segment" "$tool of test_segment"
  record "$tool-packages" "$tool of test_packages"
  record "$tool-arrival" "$tool of test_arrival"
done
printf '%s\n' "${lines[@]}" | tests/gpu/write_result.py
cat result.json
exit $failed
