# SPDX-License-Identifier: MIT
"""The recipe for volumes in a CT on its sample: test_ct.py MAKE_SAMPLES. Oracles: pydicom for the slices, SciPy for cubes, scikit-image for objects, and the
ellipsoids that the sample is made of."""
import csv
import glob
import math
import os
import subprocess
import sys

import numpy as np
import pydicom
import scipy.ndimage
import skimage.measure
import tifffile

from command import SOURCE, fovea, main, same

MAKE_SAMPLES = os.path.abspath(sys.argv.pop(1))
RECIPE = os.path.join(SOURCE, "data", "recipes", "8_volumes_in_a_ct.steps")
# The whole bones of data/make_samples.c: mm from the middle along z, y, x, and radii.
BONES = [(-3, 1, -15, 6, 6, 5), (-3.5, 0, -2.5, 5, 6.5, 4.5), (-2, 1, 9.5, 4.5, 6, 4.5), (-1, 12, 15, 4, 3.5, 3.5), (11, 4, -18.5, 5, 5.5, 4.5),
         (12, -1, -8, 4.5, 5, 3.5), (10.5, 0, 2.5, 6.5, 6, 4.5), (11.5, 1, 14, 6, 6, 4)]


def slices():
    """HU of the volume and its spacing along z, y, x, in the order of positions."""
    read = sorted((pydicom.dcmread(path) for path in glob.glob("ct/*.dcm")), key=lambda ds: ds.ImagePositionPatient[2])
    volume = np.stack([ds.pixel_array * float(ds.RescaleSlope) + float(ds.RescaleIntercept) for ds in read])
    between = np.diff([float(ds.ImagePositionPatient[2]) for ds in read])
    assert (between == between[0]).all(), between
    return volume, (between[0], *map(float, read[0].PixelSpacing))


def cubes(volume, spacing):
    """Of 1 mm, interpolated linearly; the outer edges of the volume stay where they are."""
    sizes = [round(n * s) for n, s in zip(volume.shape, spacing)]
    grid = np.meshgrid(*((np.arange(n) + 0.5) / s - 0.5 for n, s in zip(sizes, spacing)), indexing="ij")
    return scipy.ndimage.map_coordinates(volume, grid, order=1, mode="nearest")


def made(*arguments):
    done = fovea(*arguments)
    same(done.returncode, 0, f"status of {arguments}: {done.stderr.decode()}")


def table(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def recipe_on_a_ct():
    subprocess.run([MAKE_SAMPLES, ".", "ct"], check=True)
    with open(RECIPE, encoding="utf-8") as file:
        steps = [line.strip() for line in file if not line.startswith("#")]
    made("run", "-q", "--steps", RECIPE, "ct", "--table", "ct.csv")
    made("run", "-q", steps[0], "ct", "-o", "cubes.tif")
    image = tifffile.imread("cubes.tif")
    expected = cubes(*slices())
    same(image.shape, (48, 80, 80))
    assert np.abs(image - expected).max() <= 0.5 + 1e-9, "interpolation"
    objects = skimage.measure.regionprops(skimage.measure.label(image >= 300, connectivity=3), intensity_image=image)
    objects = [found for found in objects if found.area >= 50]
    rows = table("ct.csv")
    same(len(rows), len(objects), "objects")
    for row, found in zip(rows, objects):
        same(float(row["volume (mm³)"]), float(found.area), "volume")
        np.testing.assert_allclose([float(row[f"centroid-{axis} (mm)"]) for axis in range(3)], found.centroid, rtol=1e-6)
        np.testing.assert_allclose(float(row["intensity_mean (HU)"]), found.intensity_mean, rtol=1e-6)
    for *center, a, b, c in BONES:
        middle = [(n - 1) / 2 + mm for n, mm in zip(image.shape, center)]
        near = min(rows, key=lambda row: math.dist([float(row[f"centroid-{axis} (mm)"]) for axis in range(3)], middle))
        volume = 4 / 3 * math.pi * a * b * c
        assert abs(float(near["volume (mm³)"]) / volume - 1) < (0.05 if volume > 400 else 0.12), (center, near, volume)  # blur takes more of small ones
    same(len(rows), len(BONES) + 2, "objects, with radius and ulna")


main([recipe_on_a_ct])
