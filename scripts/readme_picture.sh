#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes data/workflow.png, the picture of the README: the sample's nuclei with the outlines of the measured objects.
cd "$(dirname "$0")/.." || exit 1
build/command/fovea run --quiet 'channel index=1 as=green | gaussian sigma=2 | otsu | erosion footprint=disk radius=2 | label min_size=20 as=cells | label2rgb overlay=green mode=outlines contrast=range' data/samples/nuclei_rgb.tif -o data/workflow.png
