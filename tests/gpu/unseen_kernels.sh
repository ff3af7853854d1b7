#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Prints a sentence when no GPU has run the files below kernels/ as they are now: which GPUs ran others, and when. Fails then.
cd "$(dirname "$0")" || exit 2
shopt -s nullglob
results=(results/*.json)
grep -qsF "\"kernels_sha256\": \"$(./kernels_sha256.sh)\"" "${results[@]}" /dev/null && exit
field() { sed -n "s/^.*\"$1\": \"\([^\"]*\)\".*/\1/p" "$2" | head -n 1; }
for file in "${results[@]}"; do
  ran+="${ran:+, }$(field device "$file") on $(field date "$file")"
done
echo "No GPU has run kernels/ as it is now. Last runs: ${ran:-none}. See tests/gpu/gather.sh."
exit 1
