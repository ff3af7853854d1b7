#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Gathers what a bare GPU machine needs to run the built program, its tests and its benchmarks into build-gpu/:
#   tests/gpu/gather.sh [FOLDER [BUILD]]
# The folder looks like the source tree: build/ has programs, plugin and shared libraries, tests/ has scripts and data. There,
# run.sh runs the tests, and tests/bench/run.py --device cuda:0 --huge the benchmarks.
set -euo pipefail
cd "$(dirname "$0")/../.."
to=${1:-build-gpu} build=${2:-build}
if meson introspect --buildoptions "$build" | tr '{' '\n' | grep '"gpu_quick"' | grep -q true; then
  echo "$build has CUDA versions that compile quickly and run slowly: meson configure -Dgpu_quick=false $build, and build it again." >&2
  exit 1
fi
rm -rf "$to"
# meson-private: by this folder the programs know a build tree, and take the plugin of it.
mkdir -p "$to"/build/{command,library,plugin,lib,meson-private,tests/bench,tests/gpu} "$to"/tests/{golden,gpu,bench} "$to/data"
cp "$build/command/fovea" "$to/build/command/"
cp "$build/library/libfovea.so.0" "$to/build/library/"
cp "$build"/tests/test_{golden,all_ops,devices,two_devices,parts,core,memory,take,arrival,kernel,module_languages,packages,segment,stars,flows} "$to/build/tests/"
cp "$build"/tests/bench/bench{,_files} "$to/build/tests/bench/"
cp "$build/tests/gpu/shift.so" "$to/build/tests/gpu/"
cp "$build"/plugin/fovea-{kernels.so,kernel-worker,model} "$to/build/plugin/"
cp -r tests/golden/data tests/golden/*.py "$to/tests/golden/"
cp tests/fv.py "$to/tests/"
mkdir -p "$to/tests/kernels/network/data"
cp -r tests/kernels/network/data/{layers.onnx,packages} "$to/tests/kernels/network/data/"
cp tests/bench/*.py "$to/tests/bench/"
cp tests/gpu/*.py tests/gpu/kernels_sha256.sh "$to/tests/gpu/"
cp tests/gpu/run.sh "$to/"
cp -r data/samples "$to/data/"
if [ -f "$build/python/fovea/_fovea.abi3.so" ]; then
  mkdir -p "$to/build/python" "$to/tests/python" "$to/tests/core/files/data"
  cp -r python/fovea "$to/build/python/"
  cp "$build/python/fovea/_fovea.abi3.so" "$build/python/fovea/__init__.pyi" "$to/build/python/fovea/"
  cp tests/python/*.py "$to/tests/python/"
  cp -r python/examples "$to/build/python/"
  cp tests/core/files/data/two_sizes.tif "$to/tests/core/files/data/"
fi
tests/gpu/kernels_sha256.sh >"$to/kernels.sha256"
# Every other library but the C library's own, which each machine has.
for file in "$to"/build/{command,plugin,tests,tests/bench}/* "$to"/build/python/fovea/*.so; do [ ! -f "$file" ] || ldd "$file"; done |
  awk '$2 == "=>" { print $3 }' | sort -u | grep -vE '/(libc|libm|libpthread|libdl|librt|ld-linux.*|libfovea)\.so' |
  xargs -I{} cp -L {} "$to/build/lib/"
du -sh "$to"
