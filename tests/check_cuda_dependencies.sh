#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Each CUDA object is made anew when a header changes that its source includes: a struct that the two sides see differently would
# pass every test of either. Output is TAP.
shopt -s lastpipe # the loop counts in this shell
deps=$(ninja -C "${FOVEA_BUILD:?}" -t deps)
n=0
find "${FOVEA_SOURCE:?}"/{kernels,plugin} -name '*.cu' | sort | while read -r source; do
  n=$((n + 1))
  known=$(sed -n "/\/$(basename "$source").o: #deps/,/^\$/p" <<<"$deps")
  missing=$(sed -n 's/^ *# *include "\(.*\)"/\1/p' "$source" | while read -r header; do
    grep -q "/$header\$" <<<"$known" || echo "$header"
  done)
  [ -n "$known" ] && [ -z "$missing" ] && not='' || not='not '
  echo "${not}ok $n - $(basename "$source") depends on what it includes" $missing
done
echo "1..$n"
