#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_openslide.py FOVEA READ_REGIONS: slides that OpenSlide reads. Where the library is, pixels of slides that tifffile wrote are those that went in;
where it is not, or cannot be loaded, an error names its package. Skips (77) without tifffile."""
import ctypes
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
    import tifffile
except ImportError:
    sys.exit(77)

from by_hand import tags, write_tiff

FOVEA, READ = sys.argv.pop(1), sys.argv.pop(1)


def is_there():
    for name in "libopenslide.so.1", "libopenslide.so.0":
        try:
            return ctypes.CDLL(name) is not None
        except OSError:
            pass
    return False


needs_library = unittest.skipUnless(is_there(), "libopenslide is not installed")


def colors(rows, columns):
    y, x = np.mgrid[:rows, :columns]
    noise = np.random.default_rng(1).integers(0, 40, (rows, columns, 3))
    return (np.stack([y / rows * 200, x / columns * 200, (y + x) % 200], -1) + noise).astype("u1")


def trestle(path, levels, text="Background Color=E6E6E6;Objective Power=20"):
    """Tiled pages, of which each is a level; the program's name says that it is a slide."""
    with tifffile.TiffWriter(path) as file:
        for level in levels:
            file.write(np.ascontiguousarray(level), photometric="rgb", tile=(64, 64), compression="zlib", software="MedScan", description=text, metadata=None)


class Openslide(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def fovea(self, *arguments, library=True):
        """library=False: what is found first under the library's names is no library."""
        environment = dict(os.environ)
        if not library:
            empty = self.folder / "empty"
            empty.mkdir(exist_ok=True)
            for number in 0, 1:
                (empty / f"libopenslide.so.{number}").write_bytes(b"")
            environment["LD_LIBRARY_PATH"] = f"{empty}:{environment.get('LD_LIBRARY_PATH', '')}"
        return subprocess.run([FOVEA, *map(str, arguments)], capture_output=True, text=True, env=environment)

    def refused(self, path, *words, **options):
        done = self.fovea("info", path, **options)
        self.assertEqual(done.returncode, 1, done.stdout)
        for word in words:
            self.assertIn(word, done.stderr)

    def regions(self, path, wanted):
        """The levels' sizes, and the regions (level, plane, row, column, rows, columns)."""
        run = subprocess.run([READ, path], input="".join("%d %d %d %d %d %d\n" % w for w in wanted).encode(), capture_output=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        head, _, pixels = run.stdout.partition(b"\n\n")
        found = []
        for *_, rows, columns in wanted:
            found.append(np.frombuffer(pixels[:rows * columns], "u1").reshape(rows, columns))
            pixels = pixels[rows * columns:]
        return [tuple(map(int, line.split()[:2])) for line in head.split(b"\n")], found

    @needs_library
    def test_pixels(self):
        slide = colors(1152, 1536)
        levels = [slide, slide[::2, ::2], slide[::4, ::4]]
        path = self.folder / "slide.tif"
        trestle(path, levels)
        rng = random.Random(1)
        wanted = [(n, plane, 0, 0, *level.shape[:2]) for n, level in enumerate(levels) for plane in range(3)]
        for _ in range(40):
            n = rng.randrange(3)
            rows, columns = (rng.randint(1, min(600, side)) for side in levels[n].shape[:2])
            wanted.append((n, rng.randrange(3), rng.randint(0, levels[n].shape[0] - rows), rng.randint(0, levels[n].shape[1] - columns), rows, columns))
        sizes, found = self.regions(path, wanted)
        self.assertEqual(sizes, [level.shape[:2] for level in levels])
        for (n, plane, row, column, rows, columns), pixels in zip(wanted, found):
            np.testing.assert_array_equal(pixels, levels[n][row:row + rows, column:column + columns, plane], f"{n} {row} {column}")

    @needs_library
    def test_info(self):
        path = self.folder / "slide.tif"
        trestle(path, [colors(128, 192)])
        about, = json.loads(self.fovea("info", "--json", "--header", path).stdout)
        self.assertEqual((about["role"], about["type"], about["channels"], about["rows"], about["columns"]), ("rgb", "u8", 3, 128, 192))
        self.assertEqual(about["header"], "Vendor: trestle\nMagnification: 20\n")
        done = self.fovea("convert", path, self.folder / "copy.tif")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        np.testing.assert_array_equal(tifffile.imread(self.folder / "copy.tif"), colors(128, 192))

    @needs_library
    def test_damaged(self):
        path = self.folder / "slide.ndpi"
        write_tiff(path, [({**tags(16, 16), 65420: (4, 1)}, [bytes(256)])])
        self.refused(path, "cannot be read by OpenSlide")
        path = self.folder / "slide.tif"
        trestle(path, [colors(128, 192)])
        with tifffile.TiffFile(path) as file:
            at, count = file.pages[0].dataoffsets[0], file.pages[0].databytecounts[0]
        with open(path, "r+b") as file:
            file.seek(at)
            file.write(bytes(count))
        done = self.fovea("convert", path, self.folder / "copy.tif")
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot be read by OpenSlide", done.stderr)

    def test_without_library(self):
        """What nothing else reads needs the package; of the others the pages open."""
        (self.folder / "mirax").mkdir()
        (self.folder / "mirax/Slidedat.ini").write_text("[GENERAL]\n")
        made = {"mirax.mrxs": b"\xff\xd8\xff\xe0", "slide.vms": b"[Virtual Microscope Specimen]\nNoLayers=1\n", "slide.vmu": b"[Uncompressed Virtual Microscope Specimen]\n",
                "slide.svslide": b"SQLite format 3\0" + bytes(84)}
        for name, content in made.items():
            (self.folder / name).write_bytes(content)
        write_tiff(self.folder / "slide.ndpi", [({**tags(16, 16), 65420: (4, 1)}, [bytes(256)])])
        for name, vendor in (("mirax.mrxs", "3DHISTECH (MRXS)"), ("slide.vms", "Hamamatsu (VMS)"), ("slide.vmu", "Hamamatsu (VMU)"), ("slide.svslide", "Sakura (SVSLIDE)"),
                             ("slide.ndpi", "Hamamatsu (NDPI)")):
            self.refused(self.folder / name, f"is a slide of {vendor}", "libopenslide0", library=False)
        trestle(self.folder / "slide.tif", [colors(128, 192)])
        done = self.fovea("convert", self.folder / "slide.tif", self.folder / "copy.tif", library=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        np.testing.assert_array_equal(tifffile.imread(self.folder / "copy.tif"), colors(128, 192))

    def test_own(self):
        """Slides of Aperio and other TIFF files are not asked about, with the library or without."""
        path = self.folder / "slide.svs"
        tifffile.imwrite(path, colors(128, 192), photometric="rgb", tile=(64, 64), description="Aperio Image Library v1\r\n192x128|MPP = 0.25", metadata=None)
        self.assertEqual(self.fovea("info", path).stdout, self.fovea("info", path, library=False).stdout)
        self.assertIn("0.25", self.fovea("info", path).stdout)


unittest.main()
