#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what is missing, builds, runs every test, ends with "N passed, N failed, N skipped".
set -euo pipefail
cd "$(dirname "$0")"
. scripts/setup.sh
. scripts/cuda.sh
setup_packages test
setup_fuzzer
setup_locale
setup_formatter
choose_cuda
# Where there is nvcc and no card, one target shows that the CUDA versions compile; nobody runs them.
[[ ${cuda_options[*]} == *enabled* ]] || cuda_options=(-Dgpu_archs=90 -Dgpu_quick=true)
setup_build build --werror "${cuda_options[@]}"
setup_build build-asan --werror -Dsanitize=true -Dcuda=disabled -Dui=disabled -Dbuildtype=debugoptimized
setup_build build-threads --werror -Dthreads=true -Dcuda=disabled -Dui=disabled -Dbuildtype=debugoptimized
ninja -C build --quiet >&2
ninja -C build-asan --quiet >&2
ninja -C build-threads --quiet thread-tests >&2

status=0
# The CUDA versions, for the test that runs them on the CPU.
ninja -C build --quiet tests/cuda_on_cpu/fovea-kernels.so >&2 || status=1
meson test -C build --no-rebuild --print-errorlogs || status=1
# The same again with AddressSanitizer and UBSan.
meson test -C build-asan --no-rebuild --print-errorlogs --timeout-multiplier 4 --suite unit --suite golden --suite ops || status=1
# What works in several threads, with ThreadSanitizer; on some systems it finds no room where addresses are random.
fixed=$(setarch -R true 2>/dev/null && echo setarch -R || true)
$fixed meson test -C build-threads --no-rebuild --print-errorlogs --timeout-multiplier 4 --suite threads || status=1
python3 scripts/count_tests.py build{,-asan,-threads}/meson-logs/testlog.junit.xml || status=1
exit $status
