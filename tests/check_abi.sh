#!/bin/sh
# SPDX-License-Identifier: MIT
# The ABI that a header promises is the one that was stored, and a change would be noticed. One that is meant goes into CHANGELOG.md, that
# of plugins with FV_ABI; then FOLDER/dump.sh stores it. Output is TAP. Arguments, from the top of the tree: FOLDER, which has dump.sh and
# what it stored, the header, and a change of it for sed.
set -eu
cd "${FOVEA_SOURCE:?}"
folder=$1 header=$2 change=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo 1..2

"$folder/dump.sh" "$work/now.abi"
if abidiff "$folder"/*.abi "$work/now.abi" >"$work/changes"; then
  echo "ok 1 - as stored"
else
  sed 's/^/# /' "$work/changes"
  echo "not ok 1 - as stored"
fi

mkdir -p "$work/$folder" "$work/$(dirname "$header")"
cp "$folder"/* "$work/$folder"
sed "$change" "$header" >"$work/$header"
"$work/$folder/dump.sh" "$work/changed.abi"
if abidiff "$folder"/*.abi "$work/changed.abi" >/dev/null; then
  echo "not ok 2 - a change is noticed"
else
  echo "ok 2 - a change is noticed"
fi
