#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_tiffcp.py FOVEA: what tiffcp, which is libtiff, compresses reads as it was, in tiles and strips, all types, orders and both
orders of bits; its JPEG reads as tiffcp decodes it. One thread: several bands. Skips (77) without tifffile or tiffcp."""
import itertools
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy
    import tifffile
except ImportError:
    sys.exit(77)
if not shutil.which("tiffcp"):
    sys.exit(77)

FOVEA = sys.argv.pop(1)
TILES, STRIPS, ONE_STRIP = ["-t", "-w", "64", "-l", "48"], ["-s", "-r", "16"], ["-s", "-r", "5000"]
LAYOUTS = [["-L", *TILES], ["-B", *TILES], ["-B", *STRIPS], ["-f", "lsb2msb", *ONE_STRIP]]
random = numpy.random.default_rng(4)


def picture(dtype, *shape):
    """A ramp, a flat part and noise."""
    array = numpy.add.outer(numpy.arange(shape[0]) * 3, numpy.arange(shape[1])).astype(dtype)
    array[: shape[0] // 3] = 7
    array[-shape[0] // 3:] = random.integers(0, numpy.iinfo(dtype).max, array[-shape[0] // 3:].shape, dtype)
    return array if len(shape) == 2 else numpy.dstack([array, array[::-1], array[:, ::-1]])


class Tiffcp(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.plain, self.packed, self.copy, self.peer = (pathlib.Path(scratch.name) / name
                                                         for name in ("plain.tif", "packed.tif", "copy.tif", "peer.tif"))

    def read(self, path):
        done = subprocess.run([FOVEA, "convert", path, self.copy], capture_output=True, text=True, timeout=60,
                              env={**os.environ, "OMP_NUM_THREADS": "1"})
        self.assertEqual(done.returncode, 0, done.stderr)
        return tifffile.imread(self.copy)

    def tiffcp(self, *options, to):
        subprocess.run(["tiffcp", *options, to], check=True, stderr=subprocess.DEVNULL)

    def same(self, array):
        """Colors of 8 bits are written pixel by pixel, others plane by plane."""
        found = self.read(self.packed)
        self.assertTrue(numpy.array_equal(found if found.shape == array.shape else numpy.moveaxis(found, 0, -1), array))

    def write(self, array):
        tifffile.imwrite(self.plain, array, photometric="rgb" if array.ndim == 3 else "minisblack", metadata=None)

    def test_lossless(self):
        schemes = ["lzw", "lzw:2", "zip", "zip:2", "zstd", "zstd:2"]
        for dtype, shape in itertools.product(("u1", "u2", "u4"), ((211, 173), (211, 173, 3))):
            array = picture(dtype, *shape)
            self.write(array)
            for scheme, layout in itertools.product(schemes, LAYOUTS):
                with self.subTest(dtype=dtype, shape=shape, scheme=scheme, layout=layout):
                    self.tiffcp(*layout, "-c", scheme, self.plain, to=self.packed)
                    self.same(array)

    def test_bands(self):
        array = picture("u2", 1500, 1201, 3)
        self.write(array)
        self.tiffcp(*TILES, "-c", "lzw:2", self.plain, to=self.packed)
        self.same(array)

    def test_jpeg(self):
        for shape, layout in itertools.product(((211, 173), (211, 173, 3)), (TILES, STRIPS, ONE_STRIP)):
            with self.subTest(shape=shape, layout=layout):
                self.write(picture("u1", *shape))
                self.tiffcp(*layout, "-c", "jpeg:80", self.plain, to=self.packed)
                self.tiffcp("-c", "none", self.packed, to=self.peer)
                self.same(tifffile.imread(self.peer))


if __name__ == "__main__":
    unittest.main()
