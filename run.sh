#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what is missing, builds, and does the main job: ./run.sh [FILE...]
set -euo pipefail
files=()
for file in "$@"; do files+=("$(realpath -m -- "$file")"); done
cd "$(dirname "$0")"
. scripts/setup.sh
. scripts/cuda.sh
prepare build
ninja -C build --quiet programs >&2

# With a display, the window.
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && [ -x build/ui/fovea-gtk ]; then
  exec build/ui/fovea-gtk "${files[@]}"
fi

fovea=build/command/fovea
results=results
mkdir -p "$results"

# The main job on one file: a table of its objects, and a picture of them.
analyse() {
  local file=$1 steps=$2 name
  name=$(basename "${file%.*}")
  "$fovea" run "$steps" "$file" -o "$results/$name-labels.png" --table "$results/$name.csv"
  echo "first rows of $results/$name.csv:"
  head -n 6 "$results/$name.csv"
  echo
}

if [ ${#files[@]} -eq 0 ]; then
  analyse data/samples/nuclei_rgb.tif 'channel index=1 as=green | gaussian sigma=5 | otsu | erosion footprint=disk radius=2 | label as=cells | regionprops intensity=green properties=label,intensity_mean,area,solidity | label2rgb from=cells'
fi
for file in "${files[@]}"; do
  "$fovea" info "$file"
  analyse "$file" 'channel index=0 as=first | gaussian sigma=2 | otsu | label as=cells | regionprops intensity=first properties=label,intensity_mean,area,centroid,solidity | label2rgb from=cells'
done
