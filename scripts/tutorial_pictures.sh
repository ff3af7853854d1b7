#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does the tutorials in the app, or those named (such as `nuclei`), and writes what it shows: the pictures in docs/tutorials/pictures and the numbers
# between the markers of docs/tutorials/NAME.md, and what commands print. It needs a build with the app, what tests/ui/run.sh needs, cwebp and xcompmgr.
cd "$(dirname "$0")/.." || exit 1
names=("$@")
[ $# -gt 0 ] || mapfile -t names < <(find docs/tutorials -name '*.md' ! -name index.md -printf '%f\n' | sed 's/\.md$//' | sort)
mkdir -p docs/tutorials/pictures
for name in "${names[@]}"; do
  test=tutorial_${name//-/_}
  rm -f docs/tutorials/pictures/"$name"-*.webp
  output=$(FOVEA_TUTORIALS=$PWD/docs/tutorials tests/ui/run.sh "$PWD/build/ui/fovea-gtk" "$PWD/build/command/fovea" "$PWD/build/tests" "$test")
  grep '^# ' <<<"$output"
  grep -q "^ok - $test" <<<"$output" || exit 1
done
FOVEA_SOURCE=$PWD python3 -B tests/check_docs.py none build/data/samples build/command/fovea --renew
