#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the tables beside it: what NumPy, SciPy, scikit-image and SEP make of the samples, by the steps of the recipes.

    python3 tests/ui/proofs/make.py FOLDER_WITH_ALL_SAMPLES

`make-samples FOLDER` makes these.
"""
import csv
import importlib.metadata
import pathlib
import sys

import numpy as np
import sep
import tifffile
from astropy.io import fits
from scipy import ndimage
from skimage import filters, measure, morphology

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "golden"))
from split import one  # noqa: E402


def blur(image, sigma):
    return ndimage.gaussian_filter(image.astype(np.float32), sigma, mode="nearest", truncate=4)


def split_objects(mask, h):
    distance = ndimage.distance_transform_edt(mask).astype(np.float32).astype(float)
    return one(mask.astype(np.uint8), ndimage.gaussian_filter(distance, 1, mode="nearest", truncate=4).astype(np.float32), h, 2)[0]


def write(name, rows):
    versions = ", ".join(f"{p} {importlib.metadata.version(p)}" for p in ("NumPy", "SciPy", "scikit-image", "SEP"))
    with open(HERE / f"{name}.csv", "w", encoding="utf-8", newline="\n") as file:
        file.write(f"# {versions}\n")
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(name, len(rows))


def objects(channel, sigma, h):
    smooth = blur(channel, sigma)
    return split_objects(ndimage.binary_fill_holes(smooth > filters.threshold_otsu(smooth)), h)


def count(samples):
    image = tifffile.imread(samples / "nuclei_rgb.tif")
    image = np.moveaxis(image, 0, -1) if len(image) == 3 else image
    labels = objects(image[..., 1], 1.5, 0.75)
    write("count", [{"area": int(r.area), "mean": r.intensity_mean[1]} for r in measure.regionprops(labels, image)])


def intensity(samples):
    image = tifffile.imread(samples / "cells_2channel.tif")
    labels = objects(image[0], 1, 0.5)
    write("intensity", [{"area": r.area * 0.325 ** 2, "nuclei": r.intensity_mean[0], "cytoplasm": r.intensity_mean[1]}
                        for r in measure.regionprops(labels, np.moveaxis(image, 0, -1))])


def wound(samples):
    disk = morphology.disk
    rows = []
    for t, frame in enumerate(tifffile.imread(samples / "wound.tif")):
        smooth = blur(frame, 1).astype(float)
        inside = disk(6) / disk(6).sum()
        variance = ndimage.convolve(smooth ** 2, inside, mode="nearest") - ndimage.convolve(smooth, inside, mode="nearest") ** 2
        texture = np.log(variance).astype(np.float32)
        gap = ndimage.binary_erosion(texture <= filters.threshold_otsu(texture), disk(4), border_value=1)
        gap = ndimage.binary_dilation(gap, disk(4))
        gap = ndimage.binary_fill_holes(morphology.remove_small_objects(gap, max_size=499, connectivity=2))
        rows.append({"frame": t + 1, "area": gap.sum() * 1.3 ** 2})
    write("wound", rows)


def sky(samples):
    image = fits.getdata(samples / "sky.fits").astype(np.float32)
    back = sep.Background(image)
    found = sep.extract(image - back.back(), 3, err=back.rms(), deblend_cont=1.0, clean=False, filter_type="conv")
    write("sky", [{name: source[name] for name in ("x", "y", "flux", "npix", "a", "b")} for source in found])


def main():
    samples = pathlib.Path(sys.argv[1])
    for task in (count, intensity, wound, sky):
        task(samples)


main()
