#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh BUILD PROGRAM [REGEX [N]]: runs the cases of a program of the tests whose paths match, with this machine as cuda:0, as if the build
# had CUDA and a GPU. N: the first of each N of them, in the order of their names.
set -euo pipefail
build=$(cd "$1" && pwd)
program=$(realpath "$2")
[[ -e $build/tests/cuda_on_cpu/fovea-kernels.so ]] || { echo '1..0 # SKIP tests/cuda_on_cpu/fovea-kernels.so is not built'; exit; }
# Where a program looks for its plugin: beside the mark of a build tree.
folder=$(mktemp -d "$build/tests/cuda_on_cpu/run.XXXXXX")
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/meson-private" "$folder/tests"
ln -s "$build/tests/cuda_on_cpu" "$folder/plugin"
ln "$program" "$folder/tests/"
program=$folder/tests/$(basename "$program")
export FOVEA_SOURCE=${FOVEA_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)} FOVEA_BUILD=$build
# GLib writes a plan after each path that it was told; the last is of all. From 2.80 on it lists paths as comments.
"$program" -l | sed -n 's|^\(# \)\?/|/|p' | grep -E "${3:-/}" | LC_ALL=C sort | awk -v n="${4:-1}" '(NR - 1) % n == 0' | sed 's/^/-p\n/' | xargs -r --max-chars=2000000 "$program" |
  awk '/^1\.\.[0-9]+$/ { plan = $0; next } { print; fflush () } END { print plan }'
