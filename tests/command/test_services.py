# SPDX-License-Identifier: MIT
"""Operations of a plugin that make more than an image: what the command writes of them, read by others."""
import csv
import json
import os
import sys

import numpy as np
import tifffile

from command import fails, fovea, main, same

PLUGIN = os.path.abspath(sys.argv.pop(1))
OPTIONS = {"env": {**os.environ, "FOVEA_PLUGIN_PATH": os.path.dirname(PLUGIN)}}


def run(*arguments):
    done = fovea("run", "-q", *arguments, **OPTIONS)
    same((done.returncode, done.stderr), (0, b""), "call")


def stack():
    """Three planes with 10, 0 and 2 bright pixels."""
    pixels = np.zeros((3, 7, 5), np.uint8)
    pixels[0].flat[:10] = 100
    pixels[2].flat[3:5] = 255
    tifffile.imwrite("in.tif", pixels, imagej=True, metadata={"axes": "ZYX"})
    return pixels


def test_table_and_image():
    pixels = stack()
    run("grade level=100 as=bright | gaussian sigma=1", "in.tif", "-o", "bright=mask.tif", "-o", "last.tif", "-t", "a.csv")
    same(tifffile.imread("mask.tif").tolist(), np.where(pixels >= 100, 255, 0).tolist(), "mask")
    same(tifffile.imread("last.tif").shape, pixels.shape, "what the next step has made of the mask")
    with open("a.csv", newline="", encoding="utf-8") as file:
        same(list(csv.reader(file)), [["z", "grade", "bright (px)"], ["1", "grade 10, \"many\"; µ", "10"], ["2", "", "0"],
                                      ["3", "grade 2, \"few\"; µ", "2"]], "table")


def test_every_result_has_a_name():
    """The image and the table of one step, by name."""
    pixels = stack()
    run("grade as=\"my mask,rows\" | gaussian | grade from=\"my mask\" as=,again", "in.tif", "-o", "my mask=m.tif", "-o", "rows=a.csv",
        "-o", "again=b.csv")
    same(tifffile.imread("m.tif").tolist(), np.where(pixels >= 100, 255, 0).tolist(), "mask")
    for name in ("a.csv", "b.csv"):
        with open(name, newline="", encoding="utf-8") as file:
            same([row[2] for row in csv.reader(file)], ["bright (px)", "10", "0", "2"], name)
    fails(fovea("run", "grade as=a,b,c", "in.tif", **OPTIONS), "names 3 results", "only 2", status=2)
    fails(fovea("run", "grade as=a,a", "in.tif", **OPTIONS), "two results are called 'a'", status=2)
    fails(fovea("run", "grade as=a,rows", "in.tif", "-o", "rows=a.tif", **OPTIONS), "'rows' is a table", ".csv", status=2)


def test_semicolon_and_report():
    stack()
    run("grade", "in.tif", "-t", "a.csv", "--semicolon", "--report", "a.json")
    with open("a.csv", newline="", encoding="utf-8-sig") as file:
        same([row[1] for row in csv.reader(file, delimiter=";")], ["grade", "grade 10, \"many\"; µ", "", "grade 2, \"few\"; µ"], "texts")
    with open("a.json", encoding="utf-8") as file:
        step = json.load(file)["steps"][0]
    same((step["rows"], [column["type"] for column in step["columns"]]), (3, ["integer", "text", "integer"]), "report")


def pattern(channels, depth, height, width):
    c, z, y, x = np.indices((channels, depth, height, width))
    return (x + 10 * y + 100 * z + 1000 * c).squeeze()


def test_image_out_of_nothing():
    """Its size is of the arguments; neither a file nor the source is needed, and later steps take it like any other image."""
    run("pattern width=7 height=3 depth=2 channels=3", "-o", "a.tif")
    same(tifffile.imread("a.tif").tolist(), np.moveaxis(pattern(3, 2, 3, 7), 0, 1).tolist(), "pixels, slice by slice")
    with tifffile.TiffFile("a.tif") as file:
        same((file.imagej_metadata["Labels"][:3], file.imagej_metadata["unit"]), (["first", "second", "third"], "\\u00B5m"), "names and unit")
    run("pattern width=6 height=6 as=p | zoom factor=2 | calibrate from=p width=1 unit=mm", "-o", "b.tif", "--report", "b.json")
    same(tifffile.imread("b.tif").tolist(), pattern(1, 1, 6, 6).tolist(), "the named one")
    stack()
    run("grade as=m | pattern as=p | gaussian sigma=1 from=m", "in.tif", "-o", "p=c.tif")
    same(tifffile.imread("c.tif").tolist(), pattern(1, 1, 4, 5).tolist(), "beside an image that was opened")


def test_like_an_image_or_none():
    """A step whose only input may be missing takes the image that is there; without one the arguments say the size."""
    tifffile.imwrite("like.tif", np.zeros((20, 30), np.uint8))
    run("smooth_field distance=7", "like.tif", "-o", "a.tif")
    run("smooth_field distance=7 width=30 height=20", "-o", "b.tif", "--report", "b.json")
    same(tifffile.imread("b.tif").tolist(), tifffile.imread("a.tif").tolist(), "pixels")
    run("smooth_field width=30 height=20 as=f | pattern | smooth_field from=f distance=7", "-o", "c.tif")
    same(tifffile.imread("c.tif").tolist(), tifffile.imread("a.tif").tolist(), "like one that was made of nothing")
    fails(fovea("run", "smooth_field width=30", "-o", "a.tif", **OPTIONS), "height: No image is given")
    fails(fovea("run", "smooth_field from=source width=30 height=20", "-o", "a.tif", **OPTIONS), "Usage: fovea run STEPS INPUT", status=2)
    fails(fovea("run", "smooth_field width=30 height=20 | gaussian from=source", "-o", "a.tif", **OPTIONS), "Usage: fovea run STEPS INPUT", status=2)
    run("smooth_field width=30 height=20 | otsu", "-o", "d.tif")
    text = fovea("compare", "smooth_field width=30 height=20", "--repeat", "1", **OPTIONS)
    same((text.returncode, b"no image" in text.stdout), (0, True), "compared without an image")


def test_what_needs_an_image():
    for steps in ("gaussian", "pattern | calibrate from=source width=1 unit=mm", ""):
        fails(fovea("run", steps, "-o", "a.tif", **OPTIONS), "Usage: fovea run STEPS INPUT" if steps else "", status=2)
    fails(fovea("run", "pattern width=10000 height=10000", "-o", "a.tif", **OPTIONS), "Too many pixels")
    fails(fovea("run", "pattern from=x", "-o", "a.tif", **OPTIONS), "from", status=2)


if __name__ == "__main__":
    main([test for name, test in list(globals().items()) if name.startswith("test_")])
