#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Gathers what a bare GPU machine needs to run the built program and its tests into build-gpu/ (or the folder that is given):
# programs, plugin, shared libraries, golden data, and run.sh, which runs there.
set -euo pipefail
cd "$(dirname "$0")/../.."
to=${1:-build-gpu}
rm -rf "$to"
mkdir -p "$to/core" "$to/tests" "$to/plugin" "$to/lib" "$to/source/tests/golden" "$to/source/data"
cp build/core/fovea "$to/core/"
cp build/tests/test_{golden,all_ops} build/tests/bench/bench "$to/tests/"
cp build/plugin/fovea-kernels.so "$to/plugin/"
cp -r tests/golden/data "$to/source/tests/golden/"
cp -r data/samples "$to/source/data/"
cp tests/gpu/run.sh "$to/"
LC_ALL=C cat kernels/* | sha256sum | cut -d' ' -f1 >"$to/kernels.sha256"
# Every library but the C library's own, which each machine has.
for file in "$to"/core/* "$to"/tests/* "$to"/plugin/*; do ldd "$file"; done | awk '$2 == "=>" { print $3 }' | sort -u |
  grep -vE '/(libc|libm|libpthread|libdl|librt|ld-linux.*)\.so' | xargs -I{} cp -L {} "$to/lib/"
du -sh "$to"
