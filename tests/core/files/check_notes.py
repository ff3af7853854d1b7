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


def number(data, at, code):
    return struct.unpack_from(">" + code, data, at)[0]


def points_of(data):
    """(kind, points) of a selection: of boxes and ovals the corners of their bounds. As in ImageJ's RoiDecoder; roifile finds the same in moved.json."""
    kind, n, options, size = data[6], number(data, 16, "H"), number(data, 50, "H"), number(data, 36, "I")
    top, left, bottom, right = struct.unpack_from(">4h", data, 8)
    floats = struct.unpack_from(">4f", data, 18)
    if size:
        path, points = list(struct.unpack_from(f">{size}f", data, 64)), []
        while path:
            count = (1, 1, 2, 3, 0)[int(path.pop(0))]
            points += [[path.pop(0), path.pop(0)] for _ in range(count)]
        return kind, points
    if kind in (1, 2):
        x, y, width, height = floats if options & 128 else (left, top, right - left, bottom - top)
        return kind, [[x, y], [x + width, y + height]]
    if kind == 3:
        return kind, [list(floats[:2]), list(floats[2:])]
    if options & 128:
        values = struct.unpack_from(f">{2 * n}f", data, 64 + 4 * n)
        return kind, [list(pair) for pair in zip(values[:n], values[n:])]
    values = struct.unpack_from(f">{2 * n}h", data, 64)
    return kind, [[left + x, top + y] for x, y in zip(values[:n], values[n:])]


def name_of(data):
    second = number(data, 60, "I")
    at, n = struct.unpack_from(">2I", data, second + 16)
    return data[at:at + 2 * n].decode("utf-16-be")


def placed(data, channel=0, z=0, t=0, index=0):
    """The same on a plane."""
    data = bytearray(data)
    struct.pack_into(">3I", data, number(data, 60, "I") + 4, channel, z, t)
    struct.pack_into(">I", data, 56, index)
    return bytes(data)


def places(data):
    return (*struct.unpack_from(">3I", data, number(data, 60, "I") + 4), number(data, 56, "I"))


class Selections(unittest.TestCase):
    W, H = 40, 30
    KNOWN = {name: kept for name, kept in json.loads((pathlib.Path(__file__).parents[1] / "selection/data/moved.json").read_text()).items() if name != "roifile"}
    # where corners of pixels go, which are half a pixel from centers
    STEPS = {"crop x=3 y=2 width=30 height=24": lambda x, y: (x - 3, y - 2), "turn how=vertically": lambda x, y: (x, 30 - y),
             "turn how=horizontally": lambda x, y: (40 - x, y), "turn how=right": lambda x, y: (30 - y, x), "turn how=left": lambda x, y: (y, 40 - x),
             "turn how=transpose": lambda x, y: (y, x), "bin x=2 y=3": lambda x, y: (x / 2, y / 3), "zoom factor=2 order=1": lambda x, y: ((x - .5) * 79 / 39 + .5, (y - .5) * 59 / 29 + .5), "resize width=80 height=60": lambda x, y: (2 * x, 2 * y),
             "pad left=4 top=2": lambda x, y: (x + 4, y + 2), "rotate angle=180": lambda x, y: (40 - x, 30 - y),
             "rotate angle=90 enlarge=yes": lambda x, y: (30 - y, x), "crop x=3 | turn how=right | bin x=2 y=2": lambda x, y: ((30 - y) / 2, (x - 3) / 2)}

    def run_steps(self, steps, selections, shape=(30, 40), axes="YX"):
        tifffile.imwrite(FOLDER / "in.tif", np.zeros(shape, "u2"), imagej=True, metadata={"axes": axes, "ROI": selections[0], "Overlays": selections})
        report = FOLDER / "report.json"
        fovea("run", "--planes", steps, FOLDER / "in.tif", "-o", FOLDER / "out.tif", "--report", report)
        left = [step.get("left_out", "") for step in json.loads(report.read_text())["steps"]]
        with tifffile.TiffFile(FOLDER / "out.tif") as file:
            found = file.imagej_metadata or {}
        overlays = found.get("Overlays", [])
        return found.get("ROI"), [overlays] if isinstance(overlays, bytes) else overlays, ", ".join(filter(None, left))

    def moved(self, kept, to):
        half = 0.5 if kept["center"] else 0
        return [[v - half for v in to(x + half, y + half)] for x, y in kept["points"]]

    def test_reader(self):
        for name, kept in self.KNOWN.items():
            data = bytes.fromhex(kept["bytes"])
            self.assertEqual((points_of(data)[1], name_of(data)), (kept["points"], "Zelle µ"), name)

    def test_shapes(self):
        """Each kind by each step, with all its other notes."""
        for steps, to in self.STEPS.items():
            known = {name: kept for name, kept in self.KNOWN.items() if name not in ("rounded", "ellipse") or not any(word in steps for word in ("y=3", "zoom"))}
            selections = [bytes.fromhex(kept["bytes"]) for kept in known.values()]
            first, overlays, left = self.run_steps(steps, selections)
            self.assertEqual((first, left), (overlays[0], ""), steps)
            for roi, data, (name, kept) in zip(overlays, selections, known.items(), strict=True):
                kind, points = points_of(roi)
                want = self.moved(kept, to)
                if kind in (1, 2) and name != "composite":
                    want = [np.min(want, 0), np.max(want, 0)]
                np.testing.assert_allclose(points, want, atol=1e-5, err_msg=f"{steps} {name}")
                if name == "ellipse":
                    np.testing.assert_allclose(struct.unpack_from(">5f", roi, 18)[:4], np.ravel([to(7.25, 5.5), to(25, 20)]), atol=1e-5)
                    self.assertEqual(roi[52:56], data[52:56])
                low, high = np.floor(np.min(want, 0) + 1e-7), np.ceil(np.max(want, 0) - 1e-7)
                self.assertEqual(struct.unpack_from(">4h", roi, 8), (low[1], low[0], high[1], high[0]), (steps, name))
                self.assertEqual((kind, name_of(roi), roi[34:36], roi[40:44], roi[48:50]), (data[6], "Zelle µ", data[34:36], data[40:44], data[48:50]), (steps, name))

    def test_turned(self):
        """By 30 degrees a rectangle is a polygon, and what has no such shape is left out. Marks in the image say where."""
        marks = [(12.0, 9.0), (24.0, 20.0), (8.0, 22.0)]
        tifffile.imwrite(FOLDER / "in.tif", sum(star_image(y, x, (30, 40)) for x, y in marks))
        fovea("run", "rotate angle=30 enlarge=yes", FOLDER / "in.tif", "-o", FOLDER / "marks.tif")
        pixels = tifffile.imread(FOLDER / "marks.tif")
        cos, sin, center = np.cos(np.pi / 6), np.sin(np.pi / 6), np.array(pixels.shape[::-1]) / 2
        for sign in 1, -1:  # the way in which all three marks are where they should be
            to = lambda x, y: np.array([cos * (x - 20) + sign * sin * (y - 15), -sign * sin * (x - 20) + cos * (y - 15)]) + center  # noqa: E731
            if all(pixels[tuple(np.floor(to(x + .5, y + .5)[::-1]).astype(int))] > 200 for x, y in marks):
                break
        else:
            self.fail("the marks are nowhere")
        for name, kept in self.KNOWN.items():
            roi, overlays, left = self.run_steps("rotate angle=30 enlarge=yes", [bytes.fromhex(kept["bytes"])])
            if name in ("oval", "rounded"):
                self.assertEqual((roi, overlays, left), (None, [], "selection, overlay"), name)
                continue
            points = {"rectangle": [[6, 4], [16, 4], [16, 24], [6, 24]]}.get(name, kept["points"])
            np.testing.assert_allclose(points_of(roi)[1], self.moved({**kept, "points": points}, to), atol=1e-5, err_msg=name)
            self.assertEqual((roi[6], left, name_of(roi)), (0 if name == "rectangle" else bytes.fromhex(kept["bytes"])[6], "", "Zelle µ"), name)

    def test_planes(self):
        """A selection of a plane goes with it, or is left out; what is of all planes stays."""
        one = bytes.fromhex(self.KNOWN["polygon"]["bytes"])
        on = [placed(one), *(placed(one, z=z) for z in range(1, 7))]
        roi, overlays, left = self.run_steps("substack slices=1-6-2", on, (6, 30, 40), "ZYX")
        self.assertEqual(([places(data) for data in overlays], left), ([(0, 0, 0, 0), (0, 1, 0, 0), (0, 2, 0, 0), (0, 3, 0, 0)], "part of the overlay"))
        self.assertEqual(roi, overlays[0])
        on = [placed(one, index=n) for n in range(1, 7)]
        self.assertEqual([places(data) for data in self.run_steps("substack slices=2-6-2 | crop x=1", on, (6, 30, 40), "ZYX")[1]], [(0, 0, 0, n) for n in (1, 2, 3)])
        on = [placed(one, c, z, t) for c in (1, 2) for z in (1, 2) for t in (1, 2, 3)]
        self.assertEqual([places(data)[:3] for data in self.run_steps("channel index=1", on, (3, 2, 2, 30, 40), "TZCYX")[1]],
                         [(1, z, t) for z in (1, 2) for t in (1, 2, 3)])
        self.assertEqual(len(self.run_steps("gaussian sigma=1", on, (3, 2, 2, 30, 40), "TZCYX")[1]), 12)

    def test_outside(self):
        """What a crop cuts off is left out, and what is damaged."""
        box = bytes.fromhex(self.KNOWN["rectangle"]["bytes"])
        for steps, stays in ("crop x=20 y=0 width=10 height=10", False), ("crop x=15 y=0 width=10 height=10", True):
            roi, overlays, left = self.run_steps(steps, [box])
            self.assertEqual((bool(roi), len(overlays), left), (stays, int(stays), "" if stays else "selection, overlay"), steps)
        for n in (3, 63, 80, 100):
            for name, kept in self.KNOWN.items():
                data = bytes.fromhex(kept["bytes"])[:n]
                self.run_steps("turn how=right", [data])  # it may fail, but it ends
        self.assertEqual(self.run_steps("montage", [box], (2, 30, 40), "ZYX")[::2], (None, "selection, overlay"))


unittest.main()
