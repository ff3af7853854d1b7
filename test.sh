#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what is missing, builds, runs the tests, ends with "N passed, N failed, N skipped". ./test.sh: what every change needs;
# ./test.sh all: also the suite `long`, the suites `unit` and `ops` without sanitizers and `golden` with them, ThreadSanitizer, and CUDA versions that a
# GPU has run as they are.
set -euo pipefail
cd "$(dirname "$0")"
. scripts/setup.sh
. scripts/cuda.sh
case $* in
  '') everything=false chosen=(--no-suite long --no-suite also_sanitized) sanitized=(--suite unit --suite ops --no-suite long) ;;
  all) everything=true chosen=() sanitized=(--suite unit --suite ops --suite golden) ;;
  *) echo 'Usage: ./test.sh [all]' >&2 && exit 2 ;;
esac
status=0 began=0 phases=() logs=()

# done_with PHASE: says how long it took.
done_with() {
  phases+=("$(printf '%5d s  %s' $((SECONDS - began)) "$1")")
  echo "${phases[-1]}" >&2
  began=$SECONDS
}

# run_tests PHASE FOLDER MESON_ARGUMENT...
run_tests() {
  local fixed=
  # On some systems ThreadSanitizer finds no room where addresses are random.
  [ "$1" != threads ] || fixed=$(setarch -R true 2>/dev/null && echo setarch -R) || true
  rm -f "$2/meson-logs/testlog-$1"*
  $fixed meson test -C "$2" --no-rebuild --print-errorlogs --logbase "testlog-$1" "${@:3}" || status=1
  logs+=("$2/meson-logs/testlog-$1"*.junit.xml)
  done_with "tests: $1"
}

# Without a GPU, the CUDA versions run on the CPU, and nvcc shows that they compile. A GPU has shown both of kernels that it has run as they are.
kernels_are_wanted() { $everything || ! tests/gpu/unseen_kernels.sh >/dev/null; }
nvcc_is_wanted() { [[ ${cuda_options[*]} == *-Dcuda=disabled* ]] && nvcc=$(machine_nvcc 90); }

prepare test
setup_locale
setup_formatter
setup_sanitizers
done_with 'configure'
ninja -C build --quiet >&2
done_with 'build'
ninja -C build-clang --quiet >&2
done_with 'build with sanitizers'
if $everything; then
  setup_build build-threads -Dwerror=true -Dthreads=true -Dcuda=disabled -Dui=disabled -Dbuildtype=debugoptimized
  ninja -C build-threads --quiet thread-tests >&2
  done_with 'build with ThreadSanitizer'
fi
# Tests of a module that is not there are skipped.
rm -f build/tests/cuda_on_cpu/fovea-kernels.so
if kernels_are_wanted; then
  ninja -C build --quiet tests/cuda_on_cpu/fovea-kernels.so >&2 || status=1
  done_with 'build of CUDA for the CPU'
fi
if kernels_are_wanted && nvcc_is_wanted; then
  setup_build build-cuda -Dwerror=true -Dcuda=enabled "-Dnvcc=$nvcc" -Dgpu_archs=90 -Dgpu_quick=true -Doptimization=0 -Dui=disabled -Dpython=disabled
  ninja -C build-cuda --quiet plugin/fovea-kernels.so tests/gpu/shift.so tests/test_module_languages >&2
  done_with 'build by nvcc'
  run_tests nvcc build-cuda cuda_dependencies module_languages
fi

run_tests plain build --no-suite ui --no-suite fuzz "${chosen[@]}"
run_tests sanitizers build-clang "${sanitized[@]}"
! $everything || run_tests threads build-threads --suite threads --timeout-multiplier 4
run_tests fuzz build --suite fuzz "${chosen[@]}"
run_tests window build --suite ui "${chosen[@]}"

printf '%s\n' "${phases[@]}" "$(printf '%5d s  all' $SECONDS)"
tests/gpu/unseen_kernels.sh || true
python3 scripts/count_tests.py --suites unit,ops,golden,cli,python,ui,fuzz,style,threads "${logs[@]}" || status=1
exit $status
