# SPDX-License-Identifier: MIT
"""A file as an input of a step: where it is searched, errors, and its use by macros and batches."""
import csv
import os

import numpy as np
import tifffile
from scipy import ndimage

from batches import batch, cells, good, manifest, table, write
from command import SOURCE, fails, fovea, main, same

MEASURE = "threshold method=manual lower=100 | label | regionprops properties=label,intensity_mean intensity="


def other(path, seed, size=48):
    pixels = np.random.default_rng(seed).integers(0, 60000, (size, size), dtype=np.uint16)
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    tifffile.imwrite(path, pixels)
    return pixels


def means(pixels, of):
    """By SciPy."""
    labels, n = ndimage.label(pixels >= 100, np.ones((3, 3)))
    return [float(mean) for mean in ndimage.mean(of, labels, range(1, n + 1))]


def is_table(path, expected, skip=1):
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    np.testing.assert_allclose([float(row[skip]) for row in rows], expected, rtol=1e-12)


def test_search():
    """Relative to the working folder, with blanks in quotes, and whole."""
    write("in.tif", 1)
    of = other("a folder/psf (1).tif", 2)
    for name in '"file:a folder/psf (1).tif"', f'"file:{os.path.abspath("a folder/psf (1).tif")}"':
        done = fovea("run", "-q", MEASURE + name, "in.tif", "-t", "t.csv")
        same((done.returncode, done.stderr), (0, b""), "status and errors")
        is_table("t.csv", means(cells(1), of))
    done = fovea("compare", MEASURE + '"file:a folder/psf (1).tif"', "in.tif", "-n", "1")
    same(done.returncode, 0, "status")


def test_kernel():
    """A file is the kernel, of another size than the image: of a grid of points as many times itself."""
    psf = np.random.default_rng(3).random((15, 15), dtype=np.float32)
    tifffile.imwrite("psf.tif", psf)
    points = os.path.join(SOURCE, "data", "samples", "points.tif")
    done = fovea("run", "-q", "convolve shape=image kernel=file:psf.tif", points, "-o", "out.tif")
    same((done.returncode, done.stderr), (0, b""), "status and errors")
    expected = np.zeros((2048, 2048), np.float32)
    for y in range(64, 2048, 128):
        for x in range(64, 2048, 128):
            expected[y - 7:y + 8, x - 7:x + 8] = psf
    np.testing.assert_allclose(tifffile.imread("out.tif"), expected, atol=1e-6)


def test_wrong():
    write("in.tif", 1)
    other("small.tif", 2, 40)
    with open("damaged.tif", "wb") as file:
        file.write(b"II*\0" + bytes(20))
    for name, status, *words in (("file:none.tif", 1, "regionprops: intensity", "'none.tif' does not exist"),
                                 ("file:damaged.tif", 1, "regionprops: intensity", "'damaged.tif'"),
                                 ("file:small.tif", 1, "40", "must be equal"),
                                 ("file:.", 1, "'.'"),
                                 ("file:", 2, "followed by the name of an image file")):
        fails(fovea("run", MEASURE + name, "in.tif", "-t", "t.csv"), *words, status=status)
        assert not os.path.exists("t.csv")
    fails(fovea("run", "gaussian from=file:in.tif", "in.tif"), "open the file to use it", status=2)


def test_batch():
    """One file for all images: its contents are part of what was done, and one that is not there ends the batch before it begins."""
    for seed in range(5):
        write(f"in/{seed}.tif", seed)
    of = other("other.tif", 9)
    arguments = (MEASURE + "file:other.tif", "in", "-t", "all.csv")
    good(batch(*arguments))
    is_table("out/all.csv", [mean for seed in range(5) for mean in means(cells(seed), of)], 2)
    good(batch(*arguments, "--resume"))
    same(len(manifest()), 5, "lines")
    of = other("other.tif", 10)
    good(batch(*arguments, "--resume"))
    same(len(manifest()), 10, "lines")
    is_table("out/all.csv", [mean for seed in range(5) for mean in means(cells(seed), of)], 2)
    with open("damaged.tif", "wb") as file:
        file.write(b"II*\0" + bytes(20))
    for name in "none.tif", "damaged.tif":
        done = batch(MEASURE + "file:" + name, "in", "-t", "all.csv", out="none")
        fails(done, name, status=1)
        same(done.stderr.count(b"\n"), 1, "lines")
        assert not os.path.exists("none")


def test_macro():
    """It lies in the macro's folder, and a macro may not read where it may not; neither may it write over it."""
    write("images/in.tif", 1)
    of = other("macros/psf.tif", 2)
    other("far/psf.tif", 3)
    steps = 'run("threshold", "method=manual lower=100"); run("label"); run("regionprops", "properties=label,intensity_mean intensity=[file:%s]");'

    def macro(text, *arguments):
        with open("macros/m.lua", "w", encoding="utf-8") as file:
            file.write(text)
        return fovea("macro", "macros/m.lua", "images/in.tif", *arguments)

    done = macro(steps % "psf.tif" + 'print(getSteps()); saveAs("Results", "t.csv")')
    same((done.returncode, done.stderr), (0, b""), "status and errors")
    is_table("macros/t.csv", means(cells(1), of))
    assert f"intensity=file:{os.path.abspath('macros/psf.tif')}" in done.stdout.decode(), done.stdout
    done = macro('recipe("threshold method=manual lower=100 | label | regionprops properties=label,intensity_mean intensity=file:psf.tif")'
                 ':run():table():save("r.csv")')
    same((done.returncode, done.stderr), (0, b""), "status and errors")
    is_table("macros/r.csv", means(cells(1), of))
    far = os.path.abspath("far/psf.tif")
    for text in (steps % far, steps % "../far/psf.tif", f'run("Set Steps...", "steps=[label | regionprops intensity=file:{far}]")',
                 f'recipe("label | regionprops intensity=file:{far}")'):
        fails(macro(text), "m.lua:1: ", f"'{far}' is not in a folder that this macro may use", "--allow", status=1)
    same(macro(steps % far, "--allow", "far").returncode, 0, "status when it is allowed")
    fails(macro(steps % "psf.tif" + 'saveAs("Tiff", "psf.tif")'), "psf.tif", status=1)


main([test_search, test_kernel, test_wrong, test_batch, test_macro])
