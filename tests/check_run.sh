#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh measures the good files when one of several is not an image, and names that one at the end. check_run.sh FOVEA; output is TAP.
fovea=$(realpath "$1")
cd "${FOVEA_SOURCE:?}" || exit 1
command -v ninja >/dev/null || { echo '1..0 # SKIP ninja is not installed'; exit; }
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
# A tree that is built.
mkdir -p "$tree"/{scripts,build/command}
cp run.sh "$tree"
ln -s "$fovea" "$tree/build/command/fovea"
echo 'prepare() { :; }' >"$tree/scripts/setup.sh"
touch "$tree/scripts/cuda.sh"
echo 'build programs: phony' >"$tree/build/build.ninja"
cp data/samples/cells_2channel.tif "$tree/a.tif"
cp data/samples/points.tif "$tree/c.tif"
echo 'no image' >"$tree/b.tif"
n=0
# check NAME COMMAND...
check() {
  local name=$1
  shift
  n=$((n + 1))
  if "$@"; then echo "ok $n - $name"; else
    sed 's/^/# /' "$tree/said"
    echo "not ok $n - $name"
  fi
}
cd "$tree" || exit 1
env -u DISPLAY -u WAYLAND_DISPLAY ./run.sh a.tif b.tif c.tif >said 2>&1
status=$?
check 'a failure is in the exit status' [ $status = 1 ]
check 'files before and after it are measured' [ -s results/a.csv -a -s results/c.csv ]
check 'the end names it' sh -c 'tail -n 2 said | grep -qx "1 of 3 files failed:" && tail -n 1 said | grep -q "/b.tif$"'
check 'it says how to start again' grep -q 'run.sh \[FILE...\]' said
check 'help builds nothing' sh -c 'rm build/build.ninja && ./run.sh --help >said && grep -q "^Usage: ./run.sh" said'
wrong_use() { ./run.sh --version 2>said; [ $? = 2 ] && grep -q "knows no option '--version'" said; }
check 'an option that it has not is wrong use' wrong_use
echo "1..$n"
