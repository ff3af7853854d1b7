#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Whether what was measured on GPUs was measured with these kernels. Output is TAP: results that are older are skipped, since
# only a machine with the card can renew them.
cd "$(dirname "$0")" || exit 1
hash=$(./kernels_sha256.sh)
n=0
for file in results/*.json ../bench/results/nvidia-*.json; do
  [ -f "$file" ] || continue
  n=$((n + 1))
  note=''
  grep -q "\"kernels_sha256\": \"$hash\"" "$file" ||
    note=" # SKIP kernels/ has changed since $(grep -om1 '[0-9]\{4\}-[0-9]\{2\}-[0-9]\{2\}' "$file"): run it there again"
  echo "ok $n - $(realpath --relative-to=../.. "$file") is of these kernels$note"
done
echo "1..$n"
