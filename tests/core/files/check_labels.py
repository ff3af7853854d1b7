#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""check_labels.py FOVEA: label images of every type that scikit-image, Cellpose and StarDist write are measured as SciPy measures
them, and a value that is not a label is an error with its position. Skips (77) without NumPy, SciPy and tifffile."""
import csv
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import tifffile
    from scipy import ndimage
except ImportError as error:
    print(f"no {error.name}")
    sys.exit(77)

TYPES = ("uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float16", "float32", "float64")
ODD = (("int16", -4, "-4"), ("int64", -1, "-1"), ("uint32", 2**31, "2147483648"), ("int64", 2**40, "1099511627776"),
       ("float32", 2.5, "2.5"), ("float64", np.nan, "NaN"))
STEP = "regionprops properties=label,area,centroid"


def run(fovea, path, table):
    return subprocess.run([fovea, "run", STEP, path, "--table", table, "-q"], capture_output=True, text=True)


def main():
    fovea, failed = sys.argv[1], 0
    labels = ndimage.label(ndimage.gaussian_filter(np.random.default_rng(1).random((60, 70)), 2) > 0.52)[0]
    labels[labels > 120] = 0
    numbers = np.unique(labels[labels > 0])
    expect = np.column_stack([numbers, ndimage.sum_labels(labels > 0, labels, numbers),
                              ndimage.center_of_mass(labels > 0, labels, numbers)])

    def check(name, wrong):
        nonlocal failed
        failed += bool(wrong)
        print(f"{name}: {wrong or 'ok'}")

    with tempfile.TemporaryDirectory() as folder:
        path, table = os.path.join(folder, "labels.tif"), os.path.join(folder, "t.csv")
        for dtype in TYPES:
            tifffile.imwrite(path, labels.astype(dtype))
            done = run(fovea, path, table)
            if done.returncode == 0:
                with open(table, encoding="utf-8") as lines:
                    rows = np.array(list(csv.reader(lines))[1:], float)
            same = done.returncode == 0 and rows.shape == expect.shape and np.allclose(rows, expect, rtol=1e-12)
            check(dtype, "" if same else done.stderr or "other numbers")
        for dtype, value, text in ODD:
            image = labels.astype(dtype)
            image[5, 6] = value
            tifffile.imwrite(path, image)
            done = run(fovea, path, table)
            named = f"is {text} at x = 6, y = 5" in done.stderr and "regionprops: image: " in done.stderr
            check(f"{text} as {dtype}", "" if done.returncode == 1 and named else f"{done.returncode} {done.stderr}")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
