#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_notes.py FOVEA: what files say beside the pixels, after steps and in what is saved, as tifffile and astropy read it. Skips (77) without these."""
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import warnings

try:
    import numpy as np
    import tifffile
    from astropy.io import fits
    from astropy.wcs import WCS
except ImportError:
    sys.exit(77)

warnings.simplefilter("ignore")
FOVEA = os.path.abspath(sys.argv.pop(1))
FOLDER = pathlib.Path(tempfile.mkdtemp())


def fovea(*words):
    return subprocess.run([FOVEA, *map(str, words)], check=True, capture_output=True, text=True).stdout


def star_image(y, x, shape=(60, 70)):
    rows, columns = np.mgrid[:shape[0], :shape[1]]
    return (500 * np.exp(-((rows - y) ** 2 + (columns - x) ** 2) / 8)).astype("f4")


CARDS = dict(CTYPE1="RA---TAN", CTYPE2="DEC--TAN", CRPIX1=30.5, CRPIX2=20.5, CRVAL1=150.1, CRVAL2=2.2, OBJECT="M 31", EXPTIME=30.0, GAIN=1.5, BUNIT="adu")
CD = dict(CD1_1=-2e-4, CD1_2=3e-5, CD2_1=1e-5, CD2_2=2e-4)
SIP = dict(CD, CTYPE1="RA---TAN-SIP", CTYPE2="DEC--TAN-SIP", A_ORDER=2, B_ORDER=2, A_2_0=4e-4, A_1_1=-2e-4, B_0_2=3e-4, B_2_0=1e-4)
STEPS = ["turn how=vertically", "turn how=right", "turn how=transpose", "crop x=5 y=9 width=50 height=40", "bin x=2 y=3", "zoom factor=2 order=1", "pad left=4 top=2"]


class Sky(unittest.TestCase):
    def check(self, cards, steps, sky=True):
        """The star is where astropy finds it in the image that was opened."""
        y, x = 25.0, 31.0
        image = fits.PrimaryHDU(star_image(y, x))
        image.header.update({**CARDS, **cards})
        image.writeto(FOLDER / "in.fits", overwrite=True)
        fovea("run", steps, FOLDER / "in.fits", "-o", FOLDER / "out.fits")
        with fits.open(FOLDER / "out.fits") as file:
            header, pixels = file[0].header, file[0].data - file[0].data.min()
        for key in ("OBJECT", "EXPTIME", "GAIN"):
            self.assertEqual(header[key], CARDS[key])
        self.assertEqual("CTYPE1" in header, sky, steps)
        if sky:
            rows, columns = np.mgrid[:pixels.shape[0], :pixels.shape[1]]
            at = [(rows * pixels).sum() / pixels.sum(), (columns * pixels).sum() / pixels.sum()]
            for alternate in " A" if "CTYPE1A" in header else " ":
                want = WCS(image.header, key=alternate).all_pix2world([[x, y]], 0)[0]
                got = WCS(header, key=alternate).all_pix2world([at[::-1]], 0)[0]
                np.testing.assert_allclose(got, want, atol=8e-6, err_msg=f"{steps} {alternate}")
        return header

    def test_steps(self):
        alternate = {k + "A": v for k, v in CARDS.items() if k.startswith("C")} | dict(CRVAL1A=20.0, CDELT1A=1e-4, CDELT2A=2e-4)
        for cards in (CD, dict(CDELT1=-2e-4, CDELT2=1e-4), dict(CDELT1=-2e-4, CDELT2=1e-4, CROTA2=25.0), SIP, {**CD, **alternate}):
            for steps in STEPS:
                self.check(cards, steps)

    def test_turned(self):
        self.check(CD, "rotate angle=30 enlarge=yes")
        self.check(SIP, "rotate angle=30", sky=False)
        self.check(CD, "montage", sky=False)

    def test_unit(self):
        self.assertEqual(self.check(CD, "crop x=1 | gaussian sigma=1")["BUNIT"], "adu")
        fovea("run", "dog", FOLDER / "in.fits", "-o", FOLDER / "out.fits")
        self.assertEqual(fits.getheader(FOLDER / "out.fits")["BUNIT"], "adu")
        self.assertNotIn("BUNIT", self.check(CD, "sobel"))

    def test_made_by(self):
        header = self.check(CD, "crop x=1 | gaussian sigma=2")
        history = "".join(str(header["HISTORY"]).splitlines())
        self.assertIn("gaussian sigma=2 ", history)
        fovea("run", "median radius=1", FOLDER / "out.fits", "-o", FOLDER / "more.fits")
        lines = json.loads(fovea("info", "--json", FOLDER / "more.fits"))[0]["made_by"].splitlines()
        self.assertEqual([line.split()[2] for line in lines], ["crop", "gaussian", "median"])
        self.assertIn("border=", lines[1])


class ImageJ(unittest.TestCase):
    ROI = b"Iout" + bytes(60)
    NOTES = dict(Info="exposure=10 ms\nµ", Labels=[f"plane {i}" for i in range(6)], ROI=ROI, Overlays=[ROI, ROI + b"x"], Properties={"key": "value", "b": "ü"})
    TEXT = dict(unit="um", spacing=1.5, xorigin=5.0, yorigin=7.0, cf=0, c0=-1024.0, c1=2.0, vunit="HU")

    def save(self, axes, shape, **more):
        array = (np.arange(6)[:, None, None] * 10 + star_image(4, 5, (12, 14))[None] / 100).astype("u2").reshape(*shape, 12, 14)
        tifffile.imwrite(FOLDER / "in.tif", array, imagej=True, resolution=(4, 4), metadata={"axes": axes, **self.TEXT, **self.NOTES, **more})
        return array

    def read(self):
        with tifffile.TiffFile(FOLDER / "out.tif") as file:
            return file.imagej_metadata, file.pages[0].software, file.asarray()

    def test_kept(self):
        for axes, shape in (("ZYX", (6,)), ("TZCYX", (1, 3, 2)), ("TZCYX", (3, 1, 2))):
            array = self.save(axes, shape)
            fovea("convert", FOLDER / "in.tif", FOLDER / "out.tif")
            after, software, pixels = self.read()
            np.testing.assert_array_equal(pixels.reshape(array.shape), array)
            for key in ("Info", "Labels", "ROI", "Overlays", "Properties", "xorigin", "yorigin", "cf", "c0", "c1", "vunit"):
                self.assertEqual(after[key], {**self.NOTES, **self.TEXT}[key], (axes, key))
            self.assertTrue(software.startswith("Fovea "))
        self.assertIn("-1024 + 2 × value HU", fovea("info", FOLDER / "in.tif"))

    def test_moved(self):
        self.save("ZYX", (6,))
        report = FOLDER / "report.json"
        fovea("run", "crop x=2 y=3 | substack slices=1-6-2", FOLDER / "in.tif", "-o", FOLDER / "out.tif", "--report", report)
        after, _, _ = self.read()
        self.assertEqual(after["Labels"], ["plane 0", "plane 2", "plane 4"])
        self.assertEqual((after["xorigin"], after["yorigin"], after["spacing"], after["c0"]), (3, 4, 3, -1024))
        self.assertNotIn("Overlays", after)
        self.assertIn("overlay", json.loads(report.read_text())["steps"][0]["left_out"])
        fovea("run", "sobel", FOLDER / "in.tif", "-o", FOLDER / "out.tif", "--report", report)
        self.assertNotIn("cf", self.read()[0])
        self.assertEqual(self.read()[0]["Overlays"], self.NOTES["Overlays"])
        self.assertIn("unit of values", json.loads(report.read_text())["steps"][0]["left_out"])

    def test_order(self):
        """Planes are counted as tifffile counts them."""
        for order in ("czt", "ctz", "zct", "ztc", "tcz", "tzc"):
            array = np.arange(24, dtype="u2")[:, None, None] + np.zeros((1, 4, 5), "u2")
            description = f"ImageJ=1.53t\nimages=24\nchannels=2\nslices=3\nframes=4\nhyperstack=true\norder={order}\n"
            tifffile.imwrite(FOLDER / "in.tif", array, photometric="minisblack", description=description, metadata=None, software=False)
            with tifffile.TiffFile(FOLDER / "in.tif") as file:
                series = file.series[0]
                want = np.transpose(series.asarray(), [series.axes.index(c) for c in "TZCYX"])
            fovea("convert", FOLDER / "in.tif", FOLDER / "out.tif")
            np.testing.assert_array_equal(self.read()[2], want, err_msg=order)

    def test_asked(self):
        self.save("ZYX", (6,))
        report = FOLDER / "report.json"
        fovea("run", "gaussian sigma=2", FOLDER / "in.tif", "-o", FOLDER / "out.tif", "--report", report)
        self.assertEqual(json.loads(report.read_text())["steps"][0]["step"], "gaussian sigma=2")
        self.assertIn("gaussian sigma=2 ", fovea("info", FOLDER / "out.tif"))
        self.assertIn("truncate=4", fovea("info", FOLDER / "out.tif"))


unittest.main()
