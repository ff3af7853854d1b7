#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes the types of the plugins' ABI, as the header has them, to a file: the one that the test compares with, when no other is named.
#   tests/plugin/abi/dump.sh [FILE]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
to=$(realpath -m "${1:-$here/fovea-plugin.abi}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$here/../../.."
cc -std=c11 -g -O0 -shared -fPIC -fvisibility=default -Iplugin tests/plugin/abi/abi.c -o "$work/abi.so"
abidw --no-show-locs --no-corpus-path --no-comp-dir-path "$work/abi.so" >"$to"
