#!/bin/sh
# SPDX-License-Identifier: MIT
# The plugins' ABI is the one that was stored, and a change would be noticed. One that is meant goes with FV_ABI and CHANGELOG.md; then
# tests/plugin/abi/dump.sh stores it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo 1..2

"$here/dump.sh" "$work/now.abi"
if abidiff "$here/fovea-plugin.abi" "$work/now.abi" >"$work/changes"; then
  echo "ok 1 - as stored"
else
  sed 's/^/# /' "$work/changes"
  echo "not ok 1 - as stored"
fi

# The same comparison of a header with another member in the middle.
mkdir -p "$work/tests/plugin/abi" "$work/plugin"
cp "$here/abi.c" "$here/dump.sh" "$work/tests/plugin/abi"
sed 's/^  int64_t channels;/  int64_t news, channels;/' "$here/../../../plugin/fovea-plugin.h" >"$work/plugin/fovea-plugin.h"
"$work/tests/plugin/abi/dump.sh" "$work/changed.abi"
if abidiff "$here/fovea-plugin.abi" "$work/changed.abi" >/dev/null; then
  echo "not ok 2 - a change is noticed"
else
  echo "ok 2 - a change is noticed"
fi
