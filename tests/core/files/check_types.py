#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_types.py FOVEA: images of every type that tifffile writes open, keep their type when they are converted, and hold the
values that tifffile reads; a value that cannot be held exactly is named. Skips (77) without tifffile."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy
    import tifffile
except ImportError:
    sys.exit(77)

from by_hand import tags, write_tiff

FOVEA = sys.argv.pop(1)
KEPT = {"u1": "u8", "u2": "u16", "u4": "u32", "u8": "f64", "i1": "i8", "i2": "i16", "i4": "i32", "i8": "f64", "f2": "f16", "f4": "f32",
        "f8": "f64"}
WIDENED = ("i8", "u8")
LAYOUTS = {
    "plain": {}, "big-endian": {"byteorder": ">"}, "BigTIFF": {"bigtiff": True}, "Deflate": {"compression": "zlib"},
    "predictor": {"compression": "zlib", "predictor": True}, "big-endian predictor": {
        "compression": "zlib", "predictor": True, "byteorder": ">"}, "tiles": {"tile": (16, 16)}, "strips": {"rowsperstrip": 5}}
random = numpy.random.default_rng(18)


def run(*arguments):
    return subprocess.run([FOVEA, *map(str, arguments)], capture_output=True, text=True, timeout=60)


def values(dtype, shape):
    """Noise with the ends of what the type holds and 64-bit floating point, too."""
    dtype = numpy.dtype(dtype)
    if dtype.kind == "f":
        out = (random.standard_normal(shape) * 100).astype(dtype)
        about = numpy.finfo(dtype)
        ends = [0, about.max, about.min, about.tiny, about.smallest_subnormal, -about.smallest_subnormal, numpy.inf, -numpy.inf,
                numpy.nan]
    else:
        about = numpy.iinfo(dtype)
        low, high = max(about.min, -2**53), min(about.max, 2**53)
        out = random.integers(low, high, shape, dtype, True)
        ends = [0, low, high] + ([2**60, 2**63 - 2**10] if dtype.itemsize == 8 else []) + ([-2**63] if dtype.str[1:] == "i8" else [])
        ends += [2**64 - 2**11] if dtype.str[1:] == "u8" else []
    out.flat[:len(ends)] = numpy.array(ends, dtype)
    return out


class Types(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def info(self, path):
        done = run("info", "--json", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)[0]

    def convert(self, path):
        copy = self.folder / "copy.tif"
        done = run("convert", path, copy)
        self.assertEqual(done.returncode, 0, done.stderr)
        return tifffile.imread(copy)

    def same(self, found, array):
        self.assertEqual(found.dtype.newbyteorder("="), array.dtype.newbyteorder("="))
        self.assertTrue(numpy.array_equal(found, array, equal_nan=array.dtype.kind == "f"))

    def test_types_are_kept(self):
        path = self.folder / "a.tif"
        for dtype in KEPT:
            for name, options in LAYOUTS.items():
                if "predictor" in name and (dtype[0] == "f" or dtype[1] == "8"):
                    continue  # tifffile alone cannot write it
                with self.subTest(dtype=dtype, layout=name):
                    array = values(dtype, (3, 37, 29))
                    tifffile.imwrite(path, array, photometric="minisblack", metadata=None, **options)
                    self.same(self.convert(path), array)
                    about = self.info(path)
                    self.assertEqual(about.get("stored_as"), numpy.dtype(dtype).name if dtype in WIDENED else None)
                    self.assertEqual(about["type"], KEPT[dtype])

    def test_the_copy_of_a_copy(self):
        first, second = self.folder / "first.tif", self.folder / "second.tif"
        for dtype in KEPT:
            array = values(dtype, (2, 3, 9, 7))
            tifffile.imwrite(first, array, photometric="minisblack", metadata={"axes": "TZYX"})
            self.same(self.convert(first), array)
            (self.folder / "copy.tif").rename(second)
            self.same(self.convert(second), array)
            self.assertEqual((self.folder / "copy.tif").read_bytes(), second.read_bytes())

    def test_samples(self):
        path = self.folder / "a.tif"
        for dtype in ("u2", "i2", "u4", "i8"):
            for planar in ("contig", "separate"):
                array = values(dtype, (11, 13, 3))
                stored = array if planar == "contig" else numpy.ascontiguousarray(array.transpose(2, 0, 1))
                tifffile.imwrite(path, stored, photometric="rgb", planarconfig=planar, metadata=None)
                self.same(self.convert(path), array.transpose(2, 0, 1))

    def test_signed_as_imagej_writes_it(self):
        array = values("i2", (9, 13))
        text = b"ImageJ=1.53t\ncf=0\nc0=-32768.0\nc1=1.0\nvunit=Gray Value\nmin=32668.0\nmax=32968.0\n\0"
        offset = (array.astype("i4") + 32768).astype("<u2")
        write_tiff(self.folder / "a.tif", [({**tags(9, 13, 16), 270: (2, text)}, [offset.tobytes()])])
        self.same(self.convert(self.folder / "a.tif"), array)
        with tifffile.TiffFile(self.folder / "copy.tif") as file:  # as ImageJ holds them: from 0
            self.assertEqual((file.imagej_metadata["min"], file.imagej_metadata["max"]), (32668, 32968))
        write_tiff(self.folder / "b.tif", [({**tags(9, 13, 16), 270: (2, text.replace(b"c1=1.0\n", b""))}, [offset.tobytes()])])
        self.same(self.convert(self.folder / "b.tif"), offset)  # ImageJ wants two coefficients
        again = self.folder / "again.tif"
        self.assertEqual(run("convert", self.folder / "copy.tif", again).returncode, 0)
        self.assertEqual(again.read_bytes(), (self.folder / "copy.tif").read_bytes())

    def test_a_result_has_its_own_type(self):
        array = values("u4", (20, 20)) % 1000
        tifffile.imwrite(self.folder / "a.tif", array.astype("u4"), photometric="minisblack")
        done = run("run", "gaussian sigma=1", self.folder / "a.tif", "-o", self.folder / "b.tif")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(tifffile.imread(self.folder / "b.tif").dtype.kind, "f")

    def test_an_operation_gets_the_same_values(self):
        """One that does not take the type, in a wider one: every value of 8 and 16 bits."""
        for dtype, wide in (("i1", "i4"), ("i2", "i4"), ("f2", "f4"), ("u4", "f8")):
            bits = numpy.arange(256 if dtype == "i1" else 65536, dtype="u1" if dtype == "i1" else "u2").reshape(256, -1)
            array = values("u4", (64, 64)) if dtype == "u4" else bits.view(dtype)
            tifffile.imwrite(self.folder / "a.tif", array, photometric="minisblack")
            done = run("run", "channel index=0", self.folder / "a.tif", "-o", self.folder / "b.tif")
            self.assertEqual(done.returncode, 0, done.stderr)
            with numpy.errstate(invalid="ignore"):
                self.same(tifffile.imread(self.folder / "b.tif"), array.astype(wide))

    def test_png(self):
        path = self.folder / "labels.png"
        for dtype in ("i2", "u4", "i8", "u8"):
            array = random.integers(0, 32768 if dtype == "i2" else 65536, (9, 13)).astype(dtype)
            tifffile.imwrite(self.folder / "a.tif", array, photometric="minisblack")
            self.assertEqual(run("convert", self.folder / "a.tif", path).returncode, 0)
            self.same(self.convert(path), array.astype("u2"))
            array[3, 4] = -1 if dtype[0] == "i" else 65536
            tifffile.imwrite(self.folder / "a.tif", array, photometric="minisblack")
            done = run("convert", self.folder / "a.tif", self.folder / "b.png")
            self.assertIn(f"has {array[3, 4]}; save it as .tif", done.stderr)

    def test_what_cannot_be_held(self):
        for dtype, value in (("i8", 2**53 + 1), ("i8", -2**53 - 1), ("i8", 2**63 - 1), ("u8", 2**64 - 1), ("u8", 2**53 + 1)):
            for name, options in LAYOUTS.items():
                if "predictor" in name:
                    continue  # tifffile alone cannot write it
                array = numpy.zeros((2, 30, 40), dtype)
                array[1, 17, 23] = value
                tifffile.imwrite(self.folder / "a.tif", array, photometric="minisblack", metadata=None, **options)
                done = run("convert", self.folder / "a.tif", self.folder / "copy.tif")
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(f"the value {value} at column 23, row 17 of page 2", done.stderr)
                self.assertFalse((self.folder / "copy.tif").exists())


if __name__ == "__main__":
    unittest.main()
