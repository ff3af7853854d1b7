#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes the ABI of libfovea, as the header has it, to a file: the one that the test compares with, when no other is named. Each function
# that is declared becomes one with a body.
#   tests/library/abi/dump.sh [FILE]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
to=$(realpath -m "${1:-$here/fovea.abi}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$here/../../.."
sed -z 's/\nFOVEA_API \([^;]*\);/\n\1 { __builtin_trap (); }/g' library/fovea.h >"$work/abi.c"
cc -std=c11 -g -O0 -shared -fPIC -fvisibility=default "$work/abi.c" -o "$work/abi.so"
abidw --no-show-locs --no-corpus-path --no-comp-dir-path "$work/abi.so" | sed "s|path='$work/abi.c'|path='fovea.h'|" >"$to"
