#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the picture of the manual, docs/how-to/network_crowded.jpg: a part of StarDist's sample, which is a crop of a field of BBBC038 (CC0), and its objects
by the best recipe and by the network.

    picture.py DATA/fields.npz FOVEA OUT.jpg
"""
import subprocess
import sys
import tempfile

import numpy as np
import tifffile
from PIL import Image

import fields
from evaluate import RECIPES

PART = slice(100, 484), slice(0, 384)
BORDER = 4  # pixels between the pictures


def outlines(fovea, folder, steps):
    path = folder + "/outlines.png"
    subprocess.run([fovea, "run", "-q", f"channel index=0 as=image | {steps}", folder + "/sample.tif", "-o", path], check=True)
    return np.array(Image.open(path).convert("RGB"))


def main():
    data, fovea, out = sys.argv[1:]
    sample, = (field.image for field in fields.load(data) if field.source == "sample")
    paint = "label2rgb overlay=image contrast=range mode="
    with tempfile.TemporaryDirectory() as folder:
        tifffile.imwrite(folder + "/sample.tif", sample[PART])
        pictures = [outlines(fovea, folder, steps) for steps in (
            f"threshold lower=1e9 | label | {paint}outlines", RECIPES["blur, Otsu, split, 30 px"] + f" | {paint}outlines", f"segment | {paint}outlines")]
    border = np.full((pictures[0].shape[0], BORDER, 3), 255, np.uint8)
    Image.fromarray(np.concatenate([pictures[0], border, pictures[1], border, pictures[2]], 1)).save(out, quality=85)


if __name__ == "__main__":
    main()
