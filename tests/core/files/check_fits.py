#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_fits.py FOVEA READ_REGIONS: FITS files of every kind that astropy writes hold what astropy reads, also region by region; what is
written is what astropy reads of it; damaged files are errors that name them. Skips (77) without astropy or tifffile."""
import gzip
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings

try:
    import numpy
    import tifffile
    from astropy.io import fits

    import fits_files
except ImportError:
    sys.exit(77)

warnings.simplefilter("ignore")
FOVEA, READ = os.path.abspath(sys.argv.pop(1)), sys.argv.pop(1)
random = numpy.random.default_rng(7)
FOLDER = pathlib.Path(tempfile.mkdtemp())
PATHS = fits_files.write(FOLDER)


def little_memory():
    """Except for AddressSanitizer, which takes addresses without end."""
    if "ASAN_OPTIONS" not in os.environ:
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


def fovea(*arguments, ok=True):
    run = subprocess.run([FOVEA, *map(str, arguments)], capture_output=True, text=True, preexec_fn=little_memory, timeout=60)
    assert run.returncode == (0 if ok else 1), (arguments, run)
    return run.stdout if ok else run.stderr


def data(path, part=None):
    """The array of a part, the last one with pixels unless it is told."""
    with fits.open(path, memmap=False) as file:
        arrays = [hdu.data for hdu in file if hdu.is_image and hdu.data is not None]
        return arrays[-1 if part is None else part]


def as_tiff(path, series=0):
    """What the image is as a TIFF file: frames, channels, slices, rows, columns, without those of length 1."""
    out = FOLDER / "out.tif"
    fovea("convert", "--series", series, path, out)
    return tifffile.imread(out)


def same(a, b, scaled=False):
    """The same values; of a scaled image within what f32 holds of the largest, for astropy computes with that."""
    a, b = numpy.squeeze(a).astype("f8"), numpy.squeeze(b).astype("f8")
    numpy.testing.assert_array_equal(a.shape, b.shape)
    numpy.testing.assert_allclose(a, b, rtol=0, atol=3e-7 * numpy.nanmax(abs(b)) if scaled else 0, equal_nan=True)


class Reading(unittest.TestCase):
    def test_values(self):
        for name, path in PATHS.items():
            with self.subTest(name):
                expected = data(path, 0 if name == "parts" else None)
                if expected.ndim > 3:  # astropy's order is t, c, z; tifffile has z before c
                    expected = expected.reshape(-1, *expected.shape[-4:]).swapaxes(1, 2)
                same(as_tiff(path), expected, "scaled" in name)

    def test_types(self):
        """Unsigned ones stay integers, scaled ones of 16 bits become f32, of 32 f64, wide ones f64 with a word."""
        kinds = {"u1": "u8", "i1": "i8", "i2": "i16", "u2": "u16", "i4": "i32", "u4": "u32", "i8": "f64", "u8": "f64", "f4": "f32", "f8": "f64"}
        expected = {"type_" + dtype: kind for dtype, kind in kinds.items()}
        for scaled in ("scaled_", "blank_", "scaled_blank_"):
            expected.update({scaled + "u1": "f32", scaled + "i2": "f32", scaled + "i4": "f64"})
        for name, kind in expected.items():
            info = json.loads(fovea("info", "--json", PATHS[name]))[0]
            self.assertEqual(info["type"], kind, name)
            self.assertEqual(info.get("stored_as"), {"type_i8": "int64", "type_u8": "uint64"}.get(name), name)

    def test_dimensions(self):
        about = json.loads(fovea("info", "--json", PATHS["cube"]))[0]
        self.assertEqual([about[k] for k in ("frames", "channels", "slices", "rows", "columns")], [2, 3, 4, 5, 6])
        about = json.loads(fovea("info", "--json", PATHS["six"]))[0]
        self.assertEqual([about[k] for k in ("frames", "channels", "slices", "rows", "columns")], [4, 1, 3, 5, 6])

    def test_parts(self):
        """Each part with pixels is an image with its name; tables are left out with a word."""
        path = PATHS["parts"]
        self.assertIn("left out: part 2 (table STARS)", fovea("info", path))
        self.assertEqual(len(json.loads(fovea("info", "--json", path))), 2)
        for n in range(2):
            same(as_tiff(path, n), data(path, n))
        fits.HDUList([fits.PrimaryHDU(), fits.BinTableHDU.from_columns([fits.Column("x", "E", array=[1.0])])]).writeto(FOLDER / "table.fits")
        self.assertIn("without an image: part 1 (table)", fovea("info", FOLDER / "table.fits", ok=False))

    def test_header(self):
        cards = fovea("info", "--header", PATHS["blank_i2"])
        with fits.open(PATHS["blank_i2"]) as file:
            self.assertEqual([line.strip() for line in cards.splitlines()[1:]], [str(c).strip() for c in file[0].header.cards])

    def test_pixel_size(self):
        """A unit of length is one, an angle is none."""
        for unit, x, y, expected in (("um", 0.5, -0.25, ([0.25, "µm"], [0.5, "µm"])), ("deg", 0.5, 0.25, ([1, "px"], [1, "px"])),
                                     ("Angstrom", 2, 3, ([3, "Å"], [2, "Å"]))):
            part = fits_files.raw(numpy.zeros((3, 4), "i2"), CDELT1=x, CUNIT1=unit, CDELT2=y, CUNIT2=unit)
            part.writeto(FOLDER / "size.fits", overwrite=True)
            size = json.loads(fovea("info", "--json", FOLDER / "size.fits"))[0]["pixel_size"]
            self.assertEqual((size["y"], size["x"]), expected)
        part = fits_files.raw(numpy.zeros((3, 4), "i2"), CD1_1=0.3, CD1_2=0.8, CD2_1=0.4, CD2_2=0.6, CUNIT1="mm", CUNIT2="mm")
        part.writeto(FOLDER / "size.fits", overwrite=True)
        size = json.loads(fovea("info", "--json", FOLDER / "size.fits"))[0]["pixel_size"]
        numpy.testing.assert_allclose((size["y"][0], size["x"][0]), (1, 0.5))

    def test_regions(self):
        """Of images that are larger than a piece that is read at one go."""
        large = fits_files.smooth((2, 300, 5000), "i2")
        fits.PrimaryHDU(large).writeto(FOLDER / "large.fits")
        fits.HDUList([fits.PrimaryHDU(), fits_files.packed(large, "RICE_1", tile=(700, 64, 1))]).writeto(FOLDER / "large.fits.fz")
        scaled = fits_files.raw(large, BSCALE=0.5, BZERO=1)
        scaled.writeto(FOLDER / "scaled.fits")
        for path, array in (("large.fits", large), ("large.fits.fz", large), ("scaled.fits", (large * 0.5 + 1).astype("f4"))):
            wanted = [(plane, 0, 0, 300, 5000) for plane in range(2)]
            for _ in range(40):
                rows, columns = random.choice((1, 3, 200)), random.choice((1, 50, 3000, 5000))
                wanted.append((random.integers(2), random.integers(300 - rows + 1), random.integers(5000 - columns + 1), rows, columns))
            lines = "".join("0 %d %d %d %d %d\n" % w for w in wanted)
            run = subprocess.run([READ, FOLDER / path], input=lines.encode(), stdout=subprocess.PIPE, check=True)
            pixels = run.stdout.partition(b"\n\n")[2]
            for plane, row, column, rows, columns in wanted:
                expected = numpy.ascontiguousarray(array[plane, row:row + rows, column:column + columns])
                numpy.testing.assert_array_equal(numpy.frombuffer(pixels[:expected.nbytes], expected.dtype).reshape(expected.shape), expected)
                pixels = pixels[expected.nbytes:]
            self.assertEqual(pixels, b"")

    def by_hand(self, array, cards, **columns):
        """A file whose tiles are the rows of an array as they are, in the file's byte order."""
        rows = numpy.empty(len(array), object)
        rows[:] = [numpy.frombuffer(row.astype(array.dtype.newbyteorder(">")).tobytes(), "u1") for row in array]
        table = fits.BinTableHDU.from_columns([fits.Column("COMPRESSED_DATA", "PB()", array=rows)]
                                              + [fits.Column(name, "1D", array=values) for name, values in columns.items()])
        table.header.update({"ZIMAGE": True, "ZCMPTYPE": "NOCOMPRESS", "ZNAXIS": 2, "ZNAXIS1": array.shape[1], "ZNAXIS2": len(array), **cards})
        fits.HDUList([fits.PrimaryHDU(), table]).writeto(FOLDER / "hand.fits", overwrite=True)
        return FOLDER / "hand.fits"

    def test_plain_tiles(self):
        """NOCOMPRESS: of every type, with the integer that means NaN, and of floats that are integers, a scale and a zero."""
        for dtype in ("u1", "i2", "i4", "f4", "f8"):
            array = fits_files.smooth((7, 11), dtype)
            bits = array.itemsize * (8 if array.dtype.kind != "f" else -8)
            same(as_tiff(self.by_hand(array, {"ZBITPIX": bits})), array)
        array = fits_files.smooth((7, 11), "i2")
        same(as_tiff(self.by_hand(array, {"ZBITPIX": 16, "ZBLANK": int(array[2, 3])})), numpy.where(array == array[2, 3], numpy.nan, array))
        array = numpy.arange(-30, 47, dtype="i4").reshape(7, 11)
        scale, zero = numpy.array([0.5, 2, 1, 0.25, 8, 3, 1]), numpy.arange(7.0)
        expected = array * scale[:, None] + zero[:, None]
        for blank, kind in ((-30, "NO_DITHER"), (0, None), (46, "NO_DITHER")):
            cards = {"ZBITPIX": -32, "ZBLANK": blank, **({"ZQUANTIZ": kind} if kind else {})}
            same(as_tiff(self.by_hand(array, cards, ZSCALE=scale, ZZERO=zero)), numpy.where(array == blank, numpy.nan, expected))

    def test_out_of_range(self):
        """Values that lossy compression moved out of the range of a type end at its ends, where astropy refuses the file."""
        y, x = numpy.mgrid[:64, :64]
        array = numpy.where((x - 30) ** 2 + (y - 33) ** 2 < 200, 255, 0)
        for dtype in ("u1", "i2"):
            part = fits_files.packed(array.astype(dtype), "HCOMPRESS_1", tile=(64, 64), hcomp_scale=30)
            fits.HDUList([fits.PrimaryHDU(), part]).writeto(FOLDER / f"far_{dtype}.fits")
        far = data(FOLDER / "far_i2.fits")
        self.assertTrue(far.min() < 0 and far.max() > 255)
        same(as_tiff(FOLDER / "far_u1.fits"), far.clip(0, 255))

    @unittest.skipUnless(shutil.which("fpack"), "fpack is not installed")
    def test_fpack(self):
        """Files of fpack, also with NaN and of unsigned integers, are what funpack makes of them."""
        arrays = {"u1": fits_files.stars((61, 87), "u1"), "i2": fits_files.mask((61, 85), "i2", 32767), "u2": fits_files.mask((61, 85), "u2", 65535),
                  "i4": fits_files.mask((61, 85), "i4", 2 ** 24 - 1), "f4": fits_files.sky((50, 70)), "f8": fits_files.stars((61, 87), "f8")}
        kinds = {"u1": ("-p", "-h -s 3"), "i2": ("-p", "-d", "-h"), "u2": ("-p", "-h -s 3"), "i4": ("-p", "-d"), "f8": ("-h -s 3", "-g2"),
                 "f4": ("-r", "-h", "-d", "-r -qt 5 -q 16", "-g -q 0")}
        for name, array in arrays.items():
            for kind in kinds[name]:
                with self.subTest(name=name, kind=kind):
                    paths = [FOLDER / ("packed.fits" + end) for end in ("", ".fz", ".plain")]
                    for path in paths:
                        path.unlink(missing_ok=True)
                    fits.PrimaryHDU(array).writeto(paths[0])
                    subprocess.run(["fpack", *kind.split(), paths[0]], check=True)
                    subprocess.run(["funpack", "-O", paths[2], paths[1]], check=True)
                    same(as_tiff(paths[1]), data(paths[2]))

    def test_names(self):
        """Names of files keep no special meaning of other programs, and gzip may have several members."""
        for name in ("a[1:2,1].fits", "!b.fits", "c(d).fits", "ftp:", "mem:x.fits", "-.fits", "e.fits+1"):
            shutil.copy(PATHS["type_i2"], FOLDER / name)
            run = subprocess.run([FOVEA, "info", "./" + name], cwd=FOLDER, capture_output=True, text=True)
            self.assertIn("11×7", run.stdout, name)
        whole = PATHS["type_i2"].read_bytes()
        (FOLDER / "two.fits.gz").write_bytes(gzip.compress(whole[:100]) + gzip.compress(whole[100:]) + bytes(50))
        same(as_tiff(FOLDER / "two.fits.gz"), data(PATHS["type_i2"]))


class Writing(unittest.TestCase):
    def test_values(self):
        """A cube stays one; astropy reads the same of what is written, and finds no fault with it."""
        for name, path in PATHS.items():
            with self.subTest(name):
                fovea("convert", path, FOLDER / "out.fits")
                with fits.open(FOLDER / "out.fits") as file:
                    file.verify("exception")
                expected = data(path, 0 if name == "parts" else None)
                written = data(FOLDER / "out.fits")
                same(written, expected if name != "six" else expected.reshape(4, 1, 3, 5, 6), "scaled" in name)
                if not name.startswith(("scaled", "blank")) and name not in ("type_i8", "type_u8"):
                    self.assertEqual(written.dtype.newbyteorder("="), expected.dtype.newbyteorder("="))

    def test_cards(self):
        """All that does not say how pixels are stored goes with them, and what made them is added; see check_notes.py for those that move."""
        part = fits_files.raw(fits_files.smooth((40, 60), "u2"), CTYPE1="RA---TAN", CTYPE2="DEC--TAN", CRPIX1=30.5, CRPIX2=20.5, CRVAL1=150.0,
                              CRVAL2=-2.0, CDELT1=-1e-4, CDELT2=1e-4, CUNIT1="deg", CUNIT2="deg", OBJECT="it's", DATAMAX=5.0)
        part.header["HISTORY"] = "made"
        part.header["HIERARCH ESO TEL LON"] = 70.7
        part.writeto(FOLDER / "in.fits", overwrite=True)
        fovea("run", "gaussian sigma=1", FOLDER / "in.fits", "-o", FOLDER / "blurred.fits")
        fovea("run", "zoom factor=0.5", FOLDER / "in.fits", "-o", FOLDER / "half.fit")
        before, after = fits.getheader(FOLDER / "in.fits"), fits.getheader(FOLDER / "blurred.fits")
        self.assertTrue(str(after["HISTORY"]).startswith(str(before["HISTORY"])))
        for name in set(before) - {"HISTORY", "BITPIX", "BZERO", "BSCALE", "DATAMAX", "SIMPLE", "EXTEND"}:
            self.assertEqual(str(after[name]), str(before[name]), name)
        self.assertNotIn("DATAMAX", after)
        self.assertEqual(fits.getheader(FOLDER / "half.fit")["CTYPE1"], "RA---TAN")

    def test_pixel_size(self):
        tifffile.imwrite(FOLDER / "size.tif", fits_files.smooth((3, 7, 5), "u2"), imagej=True, resolution=(4, 2),
                         metadata={"spacing": 1.5, "unit": "um", "axes": "ZYX"})
        fovea("convert", FOLDER / "size.tif", FOLDER / "size.fts")
        header = fits.getheader(FOLDER / "size.fts")
        self.assertEqual([(header[f"CDELT{i}"], header[f"CUNIT{i}"]) for i in (1, 2, 3)], [(0.25, "um"), (0.5, "um"), (1.5, "um")])
        before, after = (json.loads(fovea("info", "--json", FOLDER / name))[0]["pixel_size"] for name in ("size.tif", "size.fts"))
        self.assertEqual(before, after)

    def test_colours(self):
        tifffile.imwrite(FOLDER / "rgb.tif", fits_files.smooth((7, 5, 3), "u1"), photometric="rgb")
        fovea("convert", FOLDER / "rgb.tif", FOLDER / "rgb.fits")
        self.assertEqual(json.loads(fovea("info", "--json", FOLDER / "rgb.fits"))[0]["role"], "rgb")
        same(as_tiff(FOLDER / "rgb.fits"), tifffile.imread(FOLDER / "rgb.tif"))


class Damaged(unittest.TestCase):
    def refused(self, content, *words):
        path = FOLDER / "damaged.fits"
        path.write_bytes(content)
        message = fovea("convert", path, FOLDER / "out.tif", ok=False)
        for word in ("damaged.fits", *words):
            self.assertIn(word, message)

    def header(self, **changes):
        """The file type_i2 with cards that say something else."""
        content = PATHS["type_i2"].read_bytes()
        for name, value in changes.items():
            at = content.index(name.ljust(8).encode())
            content = content[:at] + f"{name:8}= {value:>20}".ljust(80).encode() + content[at + 80:]
        return content

    def test_headers(self):
        for value in (2 ** 62, 2 ** 63, 10 ** 30, -1, "'x'", "T", ""):
            self.refused(self.header(NAXIS1=value), "NAXIS")
        for value in (7, 0, -16, 2 ** 31, "''"):
            self.refused(self.header(BITPIX=value), "BITPIX")
        for value in (-1, 1000, 2 ** 62, "F"):
            self.refused(self.header(NAXIS=value), "NAXIS")
        self.refused(self.header(NAXIS1=2 ** 31, NAXIS2=2 ** 32), "part 0")
        self.refused(self.header(NAXIS1=2 ** 20, NAXIS2=2 ** 20), "truncated", str(2 ** 41 + 2880))
        self.refused(self.header(NAXIS=3), "NAXIS3")
        self.refused(self.header(NAXIS1=0), "without an image")
        self.refused(PATHS["type_i2"].read_bytes().replace(b"END     ", b"FIN     "), "no END")

    def test_endless(self):
        """Comments without end, of which no more is read than a header may have."""
        with open(FOLDER / "damaged.fits", "wb") as file:
            file.write(b"SIMPLE  =".ljust(80))
            for _ in range(80):
                file.write(b"COMMENT ".ljust(80) * (1 << 13))
        self.assertIn("no END", fovea("info", FOLDER / "damaged.fits", ok=False))

    def test_truncated(self):
        """At every block, and in the middle of one: an error, or an image of a part that is there."""
        for name in ("type_f4", "cube", "parts", "RICE_1_dither", "HCOMPRESS_1_i2", "PLIO_1_i2", "gzip"):
            content = PATHS[name].read_bytes()
            for end in list(range(0, len(content), 2880)) + [len(content) // 2, 100]:
                path = FOLDER / "damaged.fits"
                path.write_bytes(content[:end])
                run = subprocess.run([FOVEA, "convert", path, FOLDER / "out.tif"], capture_output=True, text=True, timeout=60)
                self.assertIn(run.returncode, (0, 1) if name == "parts" and end >= 2880 * 3 else (1,), (name, end, run))

    def test_damaged_tiles(self):
        """Changes one byte at a time: the program survives each."""
        for name in ("RICE_1_dither", "GZIP_2_i4", "RICE_1_tiles", "HCOMPRESS_1_smooth", "PLIO_1_i4"):
            content = bytearray(PATHS[name].read_bytes())
            first = content.index(b"XTENSION")
            for at in random.integers(first, len(content), 12):
                content[at] ^= 0x41
                (FOLDER / "damaged.fits").write_bytes(content)
                content[at] ^= 0x41
                run = subprocess.run([FOVEA, "convert", FOLDER / "damaged.fits", FOLDER / "out.tif"], capture_output=True, timeout=60)
                self.assertIn(run.returncode, (0, 1), (name, at, run))
        content = PATHS["RICE_1_i2"].read_bytes()
        wide = content.replace(b"ZNAXIS1 =                  100", b"ZNAXIS1 =           1000000000")
        self.refused(wide, "the number of tiles")
        self.refused(wide.replace(b"ZTILE1  =                  100", b"ZTILE1  =           1000000000"), "the size of tiles")
        self.refused(content.replace(b"ZNAXIS2 =                   13", b"ZNAXIS2 =                   14"), "the number of tiles")
        self.refused(content.replace(b"'BYTEPIX '", b"'BYTEPIC '").replace(b"'BLOCKSIZE'", b"'BYTEPIX'  "), "Rice's code")

    def test_others(self):
        """What is not read says so, and what would be."""
        self.refused(PATHS["RICE_1_i2"].read_bytes().replace(b"'RICE_1  '", b"'OTHER_1 '"), "OTHER_1, which cannot be read: funpack")
        (FOLDER / "text.gz").write_bytes(gzip.compress(b"no image"))
        self.assertIn("is a gzip file of something that cannot be opened so", fovea("info", FOLDER / "text.gz", ok=False))
        (FOLDER / "empty.gz").write_bytes(gzip.compress(b""))
        self.assertIn("is a gzip file of something that cannot be opened so", fovea("info", FOLDER / "empty.gz", ok=False))
        fits.PrimaryHDU(numpy.array([[1, 2 ** 53 + 1]], "i8")).writeto(FOLDER / "wide.fits")
        self.assertIn("9007199254740993", fovea("convert", FOLDER / "wide.fits", FOLDER / "out.tif", ok=False))


if __name__ == "__main__":
    program = unittest.main(exit=False)
    shutil.rmtree(FOLDER)
    sys.exit(not program.result.wasSuccessful())
