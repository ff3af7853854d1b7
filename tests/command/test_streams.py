# SPDX-License-Identifier: MIT
"""Steps from a file, "-" for standard input and output."""
import io
import json
import os
import pty
import subprocess

import numpy as np
import tifffile
from PIL import Image
from scipy import ndimage

from batches import STEPS, batch, cells, expected, good, manifest, table, write
from command import FOVEA, fails, fovea, main, same

LINES = "# Steps of Fovea\n\n" + STEPS.replace(" | ", "\n") + "\n"


def save(path, text):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def rows(text):
    return [tuple(line.split(",")) for line in text.decode().splitlines()[1:]]


def test_steps_file():
    """All commands that run steps take them from a file."""
    write("a.tif", 1)
    save("count.steps", LINES)
    done = fovea("run", "-q", "--steps", "count.steps", "a.tif", "-t", "t.csv")
    good(done)
    same([tuple(row) for row in table("t.csv")[1:]], expected(cells(1)), "rows")
    done = fovea("compare", "--steps", "count.steps", "a.tif", "-n", "1", "--json")
    same([step.split()[0] for step in json.loads(done.stdout)["steps"]], ["threshold", "label", "regionprops"], "steps")
    good(batch("-q", "--steps", "count.steps", "a.tif", "-t", "all.csv"))
    same([tuple(row[1:]) for row in table()[1:]], expected(cells(1)), "rows of the batch")
    good(fovea("figure", "a.tif", "with.png", "--steps", "count.steps", "step=0"))
    good(fovea("figure", "a.tif", "as_text.png", "-s", STEPS, "step=0"))
    with Image.open("with.png") as one, Image.open("as_text.png") as other:
        assert np.array_equal(np.asarray(one), np.asarray(other)), "the figures differ"


def test_files_of_steps():
    """What steps take without a folder is beside their file."""
    write("a.tif", 1)
    write("there/other.tif", 2)
    save("there/add.steps", "# The second image is beside this file.\ncalculate function=add b=file:other.tif\n")
    fails(fovea("run", "calculate function=add b=file:other.tif", "a.tif"), "other.tif", "does not exist", status=1)
    good(fovea("run", "-q", "--steps", "there/add.steps", "a.tif", "-o", "sum.tif"))
    assert np.array_equal(tifffile.imread("sum.tif"), cells(1).astype(int) + cells(2)), "another sum"


def test_wrong_steps():
    write("a.tif", 1)
    save("count.steps", LINES)
    save("wrong.steps", "gausian sigma=1\n")
    save("empty.steps", "# nothing\n")
    save("image.steps", "II*\0\xff")
    for command in (["run"], ["batch", "--out", "out"], ["compare"]):
        fails(fovea(*command, "--steps", "count.steps", "gaussian | otsu", "a.tif"), "given twice", "'gaussian | otsu'", status=2)
        fails(fovea(*command, "--steps", "none.steps", "a.tif"), "'none.steps' does not exist", status=2)
        fails(fovea(*command, "--steps", "wrong.steps", "a.tif"), "'wrong.steps'", "gausian", "gaussian", status=2)
        fails(fovea(*command, "count.steps", "a.tif"), "'count.steps'", "--steps count.steps", status=2)
        fails(fovea(*command, "--steps", "-", "-"), "standard input", "not both", status=2)
    fails(fovea("run", "--steps", "a.tif", "a.tif"), "'a.tif'", "is not text", status=2)
    fails(fovea("figure", "a.tif", "f.png", "-s", "otsu", "--steps", "count.steps"), "given twice", status=2)
    assert not os.path.exists("out")


def test_input():
    """An image of any format through a pipe, from a file, and steps."""
    write("a.tif", 1)
    with open("a.tif", "rb") as file:
        tiff = file.read()
    png = io.BytesIO()
    Image.fromarray(cells(1)).save(png, "png")
    for image in (tiff, png.getvalue()):
        done = fovea("run", STEPS, "-", "-t", "-", stdin=None, input=image)
        good(done)
        same(rows(done.stdout), expected(cells(1)), "rows")
        same(fovea("info", "-", stdin=None, input=image).stdout, b"-: 48\xc3\x9748 8-bit\n", "info")
    with open("a.tif", "rb") as file:
        same(rows(fovea("run", STEPS, "-", "-t", "-", stdin=file).stdout), expected(cells(1)), "rows of a file")
    with open("a.tif", "rb") as file:
        same(rows(fovea("run", "--steps", "-", "a.tif", "-t", "-", stdin=None, input=LINES.encode()).stdout), expected(cells(1)), "rows")
    good(batch("-q", "--steps", "-", "a.tif", "-t", "all.csv", stdin=None, input=LINES.encode()))
    same([tuple(row[1:]) for row in table()[1:]], expected(cells(1)), "rows of the batch")
    good(fovea("run", "-q", "otsu", "-", "--report", "r.json", stdin=None, input=tiff))
    with open("r.json", encoding="utf-8") as file:
        same(json.load(file)["input"], "-", "the input in the report")


def test_wrong_input():
    fails(fovea("info", "-", stdin=None, input=b""), "'standard input' is empty", status=1)
    fails(fovea("info", "-", stdin=None, input=b"no image"), "'standard input' is not an image", "TIFF", status=1)
    fails(fovea("run", "--steps", "-", "a.tif", stdin=None, input=b"gausian"), "'standard input'", "gausian", status=2)
    terminal, other = pty.openpty()
    fails(fovea("info", "-", stdin=other), "is a terminal", status=1)
    os.close(terminal)
    os.close(other)
    limited = {**os.environ, "FOVEA_FETCH_LIMIT": "1"}
    fails(fovea("info", "-", stdin=None, input=bytes(2 << 20), env=limited), "'standard input' has more than 1.0\xa0MiB",
          "FOVEA_FETCH_LIMIT", status=1)
    fails(fovea("info", "-", stdin=None, input=b"x", env={**os.environ, "FOVEA_SCRATCH": "/nowhere"}), "temporary file", "FOVEA_SCRATCH", status=1)


def test_output():
    """Nothing but the result, in the format that is asked for."""
    write("a.tif", 1)
    mask = (cells(1) >= 100) * np.uint8(255)
    for arguments, read in ((["-o", "-"], tifffile.imread), (["-o", "-", "--format", "png"], Image.open),
                            (["-o", "mask=-", "--format", ".tif"], tifffile.imread)):
        done = fovea("run", STEPS.split(" | ", 1)[0], "a.tif", *arguments)
        good(done)
        same(np.asarray(read(io.BytesIO(done.stdout))).tolist(), mask.tolist(), "mask")
    piped = subprocess.run(f'"{FOVEA}" run "gaussian sigma=1" - -o - | "{FOVEA}" convert - - --format fits | "{FOVEA}" info -', shell=True,
                           input=open("a.tif", "rb").read(), capture_output=True, check=True)
    same(piped.stdout.splitlines()[0], b"-: 48\xc3\x9748 32-bit float", "info behind two pipes")
    with open("appended.bin", "ab") as file:
        good(fovea("convert", "a.tif", "-", "--format", "png", stdout=file, capture_output=False, stderr=subprocess.PIPE))
    with Image.open("appended.bin") as image:
        same(np.asarray(image).tolist(), cells(1).tolist(), "pixels")
    same(rows(fovea("run", STEPS, "a.tif", "-t", "-").stdout), expected(cells(1)), "rows")
    lines = fovea("run", STEPS, "a.tif", "-t", "-", "--format", "jsonl").stdout.splitlines()
    same([tuple(map(str, json.loads(line).values())) for line in lines], expected(cells(1)), "rows as JSON")
    done = fovea("run", STEPS, "a.tif", "-o", "m.png", "--report", "-")
    good(done)
    same(json.loads(done.stdout)["input"], "a.tif", "the input in the report")
    assert fovea("figure", "a.tif", "-", "--format", "svg").stdout.startswith(b"<?xml"), "no SVG"
    same(os.path.exists("-"), False, "a file of that name")


def test_wrong_output():
    write("a.tif", 1)
    fails(fovea("run", STEPS, "a.tif", "-o", "-", "-t", "-"), "'-'", "one output only", status=2)
    fails(fovea("run", STEPS, "a.tif", "-o", "x.tif", "--format", "png"), "--format png", "needs an output '-'", status=2)
    fails(fovea("run", STEPS, "a.tif", "-o", "-", "--format", "jp2"), "standard output.jp2", ".png", status=2)
    fails(fovea("run", STEPS, "a.tif", "-o", "cells=-", "--format", "jsonl"), ".tif", status=2)
    terminal, other = pty.openpty()
    for arguments in (["convert", "a.tif", "-"], ["run", STEPS, "a.tif", "-t", "-", "--format", "parquet"], ["figure", "a.tif", "-"]):
        done = fovea(*arguments, stdout=other, capture_output=False, stderr=subprocess.PIPE)
        fails(done, "standard output is a terminal", status=2)
    good(fovea("run", "-q", STEPS, "a.tif", "-t", "-", stdout=other, capture_output=False, stderr=subprocess.PIPE))
    same(os.read(terminal, 11), b"label,area\r", "a table on a terminal")
    os.close(terminal)
    os.close(other)
    if os.path.exists("/dev/full"):
        with open("/dev/full", "wb") as full:
            fails(fovea("convert", "a.tif", "-", stdout=full, capture_output=False, stderr=subprocess.PIPE), "standard output.tif", "No space left", status=1)


def test_keep_all():
    """The images of all steps, in a folder that is made; of a step with two images both."""
    write("a.tif", 1)
    steps = "gaussian sigma=1 | threshold method=manual lower=100 | skip=yes invert | label as=cells | regionprops".replace("skip=yes invert", "erosion skip=yes")
    good(fovea("run", "-q", steps, "a.tif", "--keep-all", "new/all", "-o", "cells=cells.tif", "-t", "t.csv"))
    same(sorted(os.listdir("new/all")), ["01-gaussian.tif", "02-threshold.tif", "04-label.tif"], "files")
    blurred = tifffile.imread("new/all/01-gaussian.tif")
    np.testing.assert_allclose(blurred, ndimage.gaussian_filter(cells(1).astype(np.float32), 1, mode="nearest"), rtol=1e-4)
    mask = tifffile.imread("new/all/02-threshold.tif")
    assert np.array_equal(mask, (blurred >= 100) * np.uint8(255)), "another mask"
    same(tifffile.imread("new/all/04-label.tif").max(), ndimage.label(mask, np.ones((3, 3)))[1], "objects")
    assert np.array_equal(tifffile.imread("new/all/04-label.tif"), tifffile.imread("cells.tif")), "other labels"
    done = fovea("run", steps, "a.tif", "--keep-all", "new/all")
    assert b"\nsaved the images of all steps in new/all\n" in done.stdout, done.stdout
    fails(fovea("run", steps, "a.tif", "--keep-all", "new/all", "-o", "new/all/04-label.tif"), "04-label.tif", "same file", status=2)
    fails(fovea("run", "otsu", "new/all/01-gaussian.tif", "--keep-all", "a.tif"), "'a.tif' cannot be made", status=1)
    os.rename("new/all/01-gaussian.tif", "new/all/01-otsu.tif")
    fails(fovea("run", "otsu", "new/all/01-otsu.tif", "--keep-all", "new/all"), "is also the input", status=2)


main([test_keep_all, test_steps_file, test_files_of_steps, test_wrong_steps, test_input, test_wrong_input, test_output, test_wrong_output])
