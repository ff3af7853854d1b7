#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what is missing, builds, and does the main job: ./run.sh [FILE...]
set -euo pipefail
case ${1:-} in
  -h | --help)
    echo 'Usage: ./run.sh [FILE...]
Installs what is missing, builds, and opens the files in the app. Without a display: measures them into results/.'
    exit
    ;;
  -*) echo "run.sh knows no option '$1'. Usage: ./run.sh [FILE...]" >&2 && exit 2 ;;
esac
files=()
for file in "$@"; do files+=("$(realpath -m -- "$file")"); done
cd "$(dirname "$0")"
. scripts/setup.sh
. scripts/cuda.sh
prepare build
# On a terminal ninja shows its progress in one line.
if [ -t 2 ]; then
  NINJA_STATUS='Building: %p, %f of %t: ' ninja -C build programs >&2
else
  echo 'Building. The first time this takes some minutes.' >&2
  ninja -C build --quiet programs >&2
fi
fovea=build/command/fovea
here=$(printf %q "$PWD") # as a shell takes it
cat >&2 <<END
Fovea is built. Start it again with one of these:
  $here/run.sh [FILE...]             builds what has changed first
  $here/$fovea [FILE...]  opens the app
  $here/$fovea --help     lists what the command can do
END

# With a display, the window.
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && [ -x build/ui/fovea-gtk ]; then
  exec build/ui/fovea-gtk "${files[@]}"
fi

results=results
mkdir -p "$results"

# analyze FILE CHANNEL: the main job on one file, a table of its objects and a picture of their outlines.
analyze() {
  local file=$1 name
  name=$(basename "${file%.*}")
  "$fovea" run "channel index=$2 as=channel | gaussian sigma=1.5 | otsu | fill_holes | split h=0.75 as=cells |
    regionprops intensity=channel properties=label,area,intensity_mean,centroid,solidity | label2rgb from=cells overlay=channel mode=outlines contrast=range" \
    "$file" -o "$results/$name-outlines.png" --table "$results/$name.csv" || return
  echo "first rows of $results/$name.csv:"
  head -n 6 "$results/$name.csv"
  echo
}

if [ ${#files[@]} -eq 0 ]; then analyze data/samples/nuclei_rgb.tif 1; fi
failed=()
for file in "${files[@]}"; do
  "$fovea" info "$file" &&
    analyze "$file" 0 ||
    failed+=("$file")
done
if [ ${#failed[@]} -gt 0 ]; then
  echo "${#failed[@]} of ${#files[@]} files failed:" >&2
  printf '  %s\n' "${failed[@]}" >&2
  exit 1
fi
