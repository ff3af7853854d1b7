#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the pictures of the start page, data/recipes/*.jpg: of each recipe its sample with what the first step makes of it and the
# outlines of what is found; a part of it as wide as high suits the cards (needs netpbm).
cd "$(dirname "$0")/.." || exit 1
work=$(mktemp -d)
build/data/make-samples "$work"
for recipe in data/recipes/*.steps; do
  steps=$(grep -v '^#' "$recipe" | paste -sd'|')
  sample=$(sed -n 's/^# sample: //p' "$recipe")
  [ -n "$sample" ] || continue
  step=1 look=()
  case $sample in
    nuclei_rgb.tif) steps="channel index=$([[ $recipe == *covered* ]] && echo 0 || echo 1) | $steps" step=0 ;;
    sky.fits) look=('display=low=-5 high=60 stretch=asinh') ;;
    wound.tif) step=0 look=(frame=9) ;;
    *) step=0 ;;
  esac
  build/command/fovea figure "$work/$sample" "$work/figure.png" -s "$steps" step=$step bar=no "${look[@]}" || exit 1
  pngtopnm "$work/figure.png" | pamcut -left 20 -top 20 -width 348 -height 218 | pamscale -xsize 232 -ysize 145 | pnmtojpeg -quality 82 >"${recipe%.steps}.jpg"
done
rm -r "$work"
