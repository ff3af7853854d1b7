# SPDX-License-Identifier: MIT
"""Calibrated values (HU, OD, °C) in all that measures: what ImageJ measured of the images that it saved, in tests/golden/imagej/calibrated.zip."""
import csv
import io
import json
import math
import os
import zipfile

import numpy
import tifffile

from command import SOURCE, fovea, main, same

with zipfile.ZipFile(os.path.join(SOURCE, "tests", "golden", "imagej", "calibrated.zip")) as archive:
    FILES = {name: archive.read(name) for name in archive.namelist() if name.endswith(".tif")}
    LINES = [line.split("\t") for line in archive.read("calibrated.txt").decode().splitlines() if line[0] != "#"]
NAMES = [name[:-4] for name in FILES]
UNIT = "°C"
REGIONS = {"all": numpy.s_[:, :], "rect(0,0,5,4)": numpy.s_[0:4, 0:5], "rect(6,3,5,5)": numpy.s_[3:8, 6:11]}
# ImageJ's columns, and the properties with its definitions.
PROPERTIES = ("intensity_mean", "intensity_std_imagej", "intensity_mode", "intensity_min", "intensity_max", "intensity_median_imagej", "intensity_skewness",
              "intensity_kurtosis", "integrated_density", "raw_integrated_density")
IN_UNIT = PROPERTIES[:6]
# ImageJ 1.53t: of 16-bit images RawIntDen is the sum of calibrated values.
RAW = PROPERTIES.index("raw_integrated_density")


def made(*arguments):
    done = fovea(*arguments)
    same(done.returncode, 0, f"status of {arguments}: {done.stderr.decode()}")
    return done.stdout.decode()


def near(got, expected, what, relative=2e-7):
    """To the rounding of the floats that the tables of both hold."""
    scale = max(1, abs(expected)) if expected == expected else 1
    assert got == expected or (math.isnan(got) and math.isnan(expected)) or abs(got - expected) <= relative * scale, f"{what} is {got!r}, not {expected!r}"


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write(*names):
    for name in names or NAMES:
        with open(f"{name}.tif", "wb") as file:
            file.write(FILES[f"{name}.tif"])


def measured(what):
    """Each image, and the numbers of this measurement."""
    found = [(name, [float(number) for number in numbers.split()], said) for name, said, numbers in LINES if said.split()[0] == what]
    assert len(found) == len(NAMES), f"{what}: {len(found)} of {len(NAMES)}"
    return found


def test_regions():
    write()
    for what, region in REGIONS.items():
        labels = numpy.zeros((9, 12), "u1")
        labels[region] = 1
        tifffile.imwrite("labels.tif", labels)
        for name, numbers, _ in measured(what):
            made("run", f"regionprops intensity=file:{name}.tif properties={','.join(PROPERTIES)}", "labels.tif", "--table", "t.csv")
            row = rows("t.csv")[0]
            stored = int(tifffile.imread(f"{name}.tif")[region].astype("i8").sum())
            for i, key in enumerate(PROPERTIES):
                got = float(row[f"{key} ({UNIT})" if key in IN_UNIT else key])
                near(got, stored if i == RAW else numbers[i], f"{key} of {what} of {name}", 2e-6)


def test_profiles():
    """All of the image, a selection, and a line with corners at centers of pixels."""
    write()
    for name, numbers, _ in measured("all"):
        mean, _, _, low, high = numbers[:5]
        made("run", "z_profile", f"{name}.tif", "--table", "t.csv")
        row = rows("t.csv")[0]
        near(float(row[f"mean ({UNIT})"]), mean, name)
        near(float(row[f"minimum ({UNIT})"]), low, name)
        near(float(row[f"maximum ({UNIT})"]), high, name)
        made("run", "histogram bins=3", f"{name}.tif", "--table", "t.csv")
        near(float(rows("t.csv")[0][f"from ({UNIT})"]), low, name)
        near(float(rows("t.csv")[-1][f"to ({UNIT})"]), high, name)
        made("run", "radial_profile width=100", f"{name}.tif", "--table", "t.csv")
        near(float(rows("t.csv")[0][f"mean ({UNIT})"]), mean, name)
    for name, numbers, _ in measured("oval(2,1,7,6)"):
        made("run", "z_profile mask='oval(2,1,7,6)'", f"{name}.tif", "--table", "t.csv")
        near(float(rows("t.csv")[0][f"mean ({UNIT})"]), numbers[0], name)


def test_macro():
    """Measurements of selections, values of pixels, and thresholds."""
    write()
    whats = ("oval(2,1,7,6)", "rect(6,3,5,5)", "point(3,4)", "line(1,1,9,6)")
    selections = "makeOval(2, 1, 7, 6)", "makeRectangle(6, 3, 5, 5)", "makePoint(3, 4)", "makeLine(1, 1, 9, 6)"
    macro = "".join(f'{line}; run("Measure"); ' for line in selections)
    macro += 'saveAs("Measurements", "m.csv"); print(getValue(3, 4), getPixel(3, 4), calibrate(77))'
    points = {name: numbers for name, numbers, _ in measured("pixel")}
    found = {what: {name: numbers for name, numbers, _ in measured(what)} for what in whats}
    for name in NAMES:
        with open("m.lua", "w", encoding="utf-8") as file:
            file.write(f'open("{name}.tif"); {macro}')
        printed = [float(word) for word in made("macro", "m.lua", "--overwrite").split()]
        for got, expected in zip(printed, points[name]):
            near(got, expected, f"pixel of {name}", 1e-6)
        table = rows("m.csv")
        for what, row in zip(whats, table):
            mean, std, _, low, high = found[what][name][:5]
            near(float(row[f"mean ({UNIT})"]), mean, f"mean of {what} of {name}")
            if what[0] != "p":
                near(float(row[f"std ({UNIT})"]), std, f"std of {what} of {name}", 2e-6)
            near(float(row[f"max ({UNIT})"]), high, f"max of {what} of {name}")
            if what[0] != "l": # ImageJ takes the least of a line before it is rounded
                near(float(row[f"min ({UNIT})"]), low, f"min of {what} of {name}")


def test_thresholds():
    write()
    for name, (count, ), said in measured("threshold"):
        low, high = said.split()[1:]
        with open("m.lua", "w", encoding="utf-8") as file:
            file.write(f'open("{name}.tif"); setThreshold({low}, {high}); run("Convert to Mask"); saveAs("Tiff", "mask.tif")')
        done = fovea("macro", "m.lua", "--overwrite")
        if done.returncode:
            error = done.stderr.decode()
            assert "decrease" in error and count == 0 or "inverted" in error and "i" in name, f"{name}: {error}"
        else:
            same(numpy.count_nonzero(tifffile.imread("mask.tif")), count, f"pixels of {name}")


def test_said():
    """The report, the command's information, and lines that would change the pixels."""
    write("0-16")
    assert "-1024 + 1 × value °C" in made("info", "0-16.tif")
    assert "calibrated values in °C" in made("run", "z_profile", "0-16.tif", "--report", "r.json")
    with open("r.json", encoding="utf-8") as file:
        same(json.load(file)["steps"][0]["value_unit"], UNIT)
    for line in 'run("32-bit")', 'imageCalculator("Add create 32-bit", 1, 1)':
        with open("m.lua", "w", encoding="utf-8") as file:
            file.write(f'open("0-16.tif"); {line}')
        assert "calibrated values" in fovea("macro", "m.lua").stderr.decode(), line


def test_maxima():
    """Prominence is a difference of calibrated values."""
    write()
    found = [(name, float(numbers), said.split()[1]) for name, said, numbers in LINES if said.startswith("maxima ")]
    assert len(found) == len(NAMES)
    for name, count, prominence in found:
        light = " light=yes" if "i" in name else ""  # with an inverted look-up table ImageJ finds minima
        made("run", f"maxima prominence={prominence}{light}", f"{name}.tif", "--report", "r.json")
        with open("r.json", encoding="utf-8") as file:
            same(json.load(file)["steps"][0]["results"]["maxima"], [count], name)


def test_lines():
    """Lines of ImageJ keep the function with the type, as ImageJ does."""
    write("1-8")
    for line in ('run("Gaussian Blur...", "sigma=1")', 'run("Median...", "radius=1")', 'run("Mean...", "radius=1")', 'run("Minimum...", "radius=1")',
                 'run("Unsharp Mask...", "radius=1 mask=0.6")'):
        with open("m.lua", "w", encoding="utf-8") as file:
            file.write(f'open("1-8.tif"); {line}; print(getValue(3, 4), calibrate(getPixel(3, 4)), getPixel(3, 4))')
        value, calibrated, stored = (float(word) for word in made("macro", "m.lua").split())
        near(value, calibrated, line)
        near(value, 3 - 2 * stored + 0.25 * stored ** 2, line)


def test_pixels():
    """What computes pixels works on stored values; the function stays with u8 and u16, and is left out where floats come out."""
    write("0-8", "1-16")
    for name in "0-8", "1-16":
        stored = tifffile.imread(f"{name}.tif")
        for step, kept in ("median radius=1", True), ("crop x=1", True), ("turn how=right", True), ("gaussian sigma=1", False), ("sobel", False):
            made("run", step, f"{name}.tif", "-o", "out.tif")
            with tifffile.TiffFile("out.tif") as file:
                same("vunit" in file.imagej_metadata, kept, f"{step} of {name}")
            table = made("run", f"{step} | z_profile", f"{name}.tif", "--table", "t.csv")
            same("calibrated" in table, kept, f"{step} of {name}")
        made("run", "crop x=1", f"{name}.tif", "-o", "out.tif")
        numpy.testing.assert_array_equal(tifffile.imread("out.tif"), stored[:, 1:])
        made("run", "gaussian sigma=1", f"{name}.tif", "-o", "out.tif")
        tifffile.imwrite("plain.tif", stored)
        made("run", "gaussian sigma=1", "plain.tif", "-o", "same.tif")
        numpy.testing.assert_array_equal(tifffile.imread("out.tif"), tifffile.imread("same.tif"))


def test_plain():
    """Without a unit ImageJ ignores the function. Other images are measured as before."""
    stored = tifffile.imread(io.BytesIO(FILES["0-16.tif"]))
    words = "ImageJ=1.53t\ncf=0\nc0=-1024\nc1=1\n"
    for description, kind in ((None, "u2"), (words, "u2"), (words + "vunit=HU\n", "f4")):
        tifffile.imwrite("a.tif", stored.astype(kind), description=description, metadata=None, software=False)
        assert "calibrated" not in made("run", "z_profile", "a.tif", "--table", "t.csv")
        row = rows("t.csv")[0]
        near(float(row["mean"]), stored.mean(), description)
        same(set(row), {"pixels", "mean", "sd", "minimum", "maximum", "sum"})


if __name__ == "__main__":
    main([test for name, test in list(globals().items()) if name.startswith("test_")])
