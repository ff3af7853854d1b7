#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the numbers of kernels/common_lut.c: knots of viridis and cividis, and the glasbey-like palette.

    python3 data/luts.py        needs NumPy, matplotlib and scikit-image

The knots make piecewise linear least-squares fits to matplotlib's colour maps. The palette starts at black and takes, again and
again, the colour of a coarse grid that is farthest in CIELAB from all colours before, as Glasbey et al. 2007 propose.
"""
import matplotlib
import numpy as np
from skimage.color import rgb2lab

KNOTS = 18  # 255 is 17 times 15


def knots(name):
    wanted = matplotlib.colormaps[name](np.arange(256))[:, :3] * 255
    place = np.arange(256) / 255 * (KNOTS - 1)
    hats = np.maximum(0, 1 - np.abs(place[:, None] - np.arange(KNOTS)))
    fit = np.clip(np.rint(np.linalg.lstsq(hats, wanted, rcond=None)[0]), 0, 255).astype(int)
    print(f"{name}: largest deviation {np.abs(np.rint(hats @ fit) - np.rint(wanted)).max():.0f} of 255")
    values = [f"0x{r:02x}{g:02x}{b:02x}" for r, g, b in fit]
    print("  " + ", ".join(values[:9]) + ",\n  " + ", ".join(values[9:]))


def glasbey():
    levels = np.array([0, 31, 63, 95, 127, 159, 191, 223, 255])
    colours = np.stack(np.meshgrid(levels, levels, levels, indexing="ij"), -1).reshape(-1, 3)
    lab = rgb2lab(colours[None] / 255.0)[0]
    usable = lab[:, 0] >= 25  # seen on black
    distance = np.linalg.norm(lab - lab[0], axis=1)
    chosen = [0]
    for _ in range(255):
        chosen.append(int(np.argmax(np.where(usable, distance, -1))))
        distance = np.minimum(distance, np.linalg.norm(lab - lab[chosen[-1]], axis=1))
    values = [f"0x{r:02x}{g:02x}{b:02x}" for r, g, b in colours[chosen]]
    for i in range(0, 256, 11):
        print("  " + ", ".join(values[i:i + 11]) + ",")


knots("viridis")
knots("cividis")
glasbey()
