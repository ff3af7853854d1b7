#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_ome.py FOVEA: what tifffile writes as OME-TIFF, in every order of its planes, is frames, channels and slices. Skips (77) without tifffile."""
import itertools
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import tifffile
except ImportError:
    sys.exit(77)

SIZE = {"T": 3, "C": 2, "Z": 4, "Y": 20, "X": 30}
METADATA = {"PhysicalSizeX": 0.2, "PhysicalSizeXUnit": "µm", "PhysicalSizeY": 0.2, "PhysicalSizeYUnit": "µm", "PhysicalSizeZ": 0.75,
            "PhysicalSizeZUnit": "µm", "TimeIncrement": 30.0, "TimeIncrementUnit": "s", "Channel": {"Name": ["nuclei", "actin"]}}


def pixels():
    """As T, C, Z, Y, X: each its own number."""
    return np.arange(np.prod(list(SIZE.values())), dtype=np.uint16).reshape(list(SIZE.values()))


def check(fovea, folder, axes, **options):
    path, converted = os.path.join(folder, "planes.ome.tif"), os.path.join(folder, "converted.tif")
    without = "".join(axis for axis in SIZE if axis not in axes)
    want = pixels()[tuple(0 if axis in without else slice(None) for axis in SIZE)]
    kept = [axis for axis in SIZE if axis in axes]
    metadata = {key: value for key, value in METADATA.items() if key != "Channel" or "C" in axes}
    tifffile.imwrite(path, want.transpose([kept.index(axis) for axis in axes]), ome=True, metadata={"axes": axes, **metadata}, **options)
    about = subprocess.run([fovea, "info", path], check=True, capture_output=True, text=True).stdout
    for axis, words in (("T", "3 frames"), ("C", "2 channels"), ("Z", "4 slices")):
        assert (words in about) == (axis in axes), about
    assert "0.2 × 0.2 × 0.75 µm" in about or "Z" not in axes, about
    subprocess.run([fovea, "convert", path, converted], check=True)
    with tifffile.TiffFile(converted) as file:
        order = "".join(axis for axis in "TZCYX" if axis in axes)  # ImageJ's
        assert file.series[0].axes == order, file.series[0].axes
        assert np.array_equal(file.asarray(), want.transpose([kept.index(axis) for axis in order]))
        assert "T" not in axes or file.imagej_metadata["finterval"] == 30, file.imagej_metadata
        if "C" in axes:
            assert file.imagej_metadata["Labels"][:2] == ["nuclei", "actin"], file.imagej_metadata["Labels"]
    subprocess.run([fovea, "run", "substack frames=2 slices=3" if "T" in axes else "substack slices=3", path, "-o", converted], check=True, capture_output=True)
    one = want[tuple({"T": 1, "Z": 2}.get(axis, slice(None)) for axis in kept)]
    assert np.array_equal(tifffile.imread(converted), one), "frame 2, slice 3"


def main(fovea):
    cases = [("".join(planes) + "YX", {}) for planes in itertools.permutations("TCZ")]
    cases += [("TZYX", {}), ("ZTYX", {}), ("ZCYX", {}), ("TZCYX", {"tile": (16, 16), "compression": "zlib"}), ("TCZYX", {"bigtiff": True})]
    for axes, options in cases:
        with tempfile.TemporaryDirectory() as folder:
            try:
                check(fovea, folder, axes, **options)
            except AssertionError as error:
                sys.exit(f"{axes} {options}: {error!r}")
    print(f"{len(cases)} files agree")


main(sys.argv[1])
