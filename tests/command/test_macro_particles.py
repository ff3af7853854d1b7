# SPDX-License-Identifier: MIT
"""Analyze Particles and Set Scale in macros: the same lines find the same in ImageJ, where it is installed, and in SciPy."""
import csv
import os
import shutil
import struct
import subprocess
import zipfile

import numpy
import tifffile
from scipy import ndimage

from command import NUCLEI, fails, fovea, main, same

EIGHT = numpy.ones((3, 3))


def macro(text):
    """What a macro prints."""
    with open("m.lua", "w", encoding="utf-8") as file:
        file.write(text)
    done = fovea("macro", "--overwrite", "m.lua")
    same((done.returncode, done.stderr.decode()), (0, ""), "end")
    return done.stdout.decode().splitlines()


def wrong(text, *words):
    with open("m.lua", "w", encoding="utf-8") as file:
        file.write(text)
    fails(fovea("macro", "m.lua"), *words, status=1)


def save(name, image, x=1, y=1, unit=None):
    tifffile.imwrite(name, image, imagej=True, resolution=(1 / x, 1 / y), metadata={"unit": unit} if unit else {})


def blobs(seed, smooth=1.5, rows=90, columns=120):
    field = ndimage.gaussian_filter(numpy.random.default_rng(seed).standard_normal((rows, columns)), smooth)
    return (field > field.std() * 0.3).astype("u1") * 255


def table(name):
    """Rows by the names of columns, without units."""
    with open(name, newline="", encoding="utf-8") as file:
        return [{key.split(" (")[0]: value for key, value in row.items()} for row in csv.DictReader(file)]


# ---- Against ImageJ ----

LINES = ("", "size=20-300 pixel", "size=2-25", "exclude", "include", "exclude include", "circularity=0.50-1.00", "circularity=0.20-0.70",
         "size=1.5-Infinity circularity=0.40-1.00 exclude include", "size=9-9 pixel", "size=0-0.1", "size=3 exclude")
COLUMNS = {"Area": "area", "Mean": "intensity_mean", "Min": "intensity_min", "Max": "intensity_max", "Perim.": "perimeter_imagej",
           "Circ.": "circularity", "Feret": "feret_imagej", "StdDev": "intensity_std_imagej", "IntDen": "integrated_density",
           "Median": "intensity_median_imagej"}
MEASURED = 'run("Set Measurements...", "area mean standard min perimeter shape feret\'s integrated median redirect=None decimal=9");\n'


def cases(folder):
    """Images with what makes them ready, as lines."""
    for seed, (x, y) in enumerate(((1, 1), (0.4, 0.4), (0.25, 0.5))):
        name = os.path.join(folder, f"mask{seed}.tif")
        save(name, blobs(seed, 1 + seed / 2), x, y, "um" if x != 1 else None)
        yield name, "", (x, y)
    name = os.path.join(folder, "grey.tif")
    save(name, tifffile.imread(NUCLEI)[..., 1], 0.5, 0.5, "um")
    yield name, 'setAutoThreshold("Otsu dark");\n', (0.5, 0.5)
    yield name, 'run("Median...", "radius=2"); setThreshold(60, 255); run("Convert to Mask");\n', (0.5, 0.5)


def test_as_imagej():
    """Objects, their order, what is measured of them, and their outlines."""
    jar = os.environ.get("IMAGEJ_JAR", "/usr/share/java/ij.jar")
    if not (shutil.which("java") and shutil.which("xvfb-run") and os.path.exists(jar)):
        return "ImageJ is not installed"
    folder, there, here, expected = os.getcwd(), 'setOption("BlackBackground", true);\n' + MEASURED, MEASURED, []
    for i, (name, ready, size) in enumerate(cases(folder)):
        for j, words in enumerate(LINES):
            lines = f'open("{name}");\n{ready}run("Analyze Particles...", "{words} show=[Count Masks] display clear add");\n'
            there += lines + f'saveAs("Tiff", "{folder}/there{i}-{j}.tif"); saveAs("Results", "{folder}/there{i}-{j}.csv");\n'
            there += f'if (roiManager("count") > 0) {{ roiManager("deselect"); roiManager("save", "{folder}/there{i}-{j}.zip"); roiManager("reset"); }} run("Close All");\n'
            here += lines + f'saveAs("Tiff", "here{i}-{j}.tif"); saveAs("Results", "here{i}-{j}.csv");\n'
            here += f'if roiManager("count") > 0 then roiManager("save", "here{i}-{j}.zip"); roiManager("reset"); end run("Close All");\n'
            expected.append((f"{i}-{j}", size, f"{os.path.basename(name)} {ready.strip()} {words}"))
    with open("there.ijm", "w", encoding="utf-8") as file:
        file.write(there)
    subprocess.run(["xvfb-run", "-a", "java", f"-Duser.home={folder}", "-cp", jar, "ij.ImageJ", "-batch", os.path.join(folder, "there.ijm")],
                   capture_output=True, timeout=300, stdin=subprocess.DEVNULL, check=True)
    macro(here)
    found = [compare(number, size, what) for number, size, what in expected]
    assert sum(found) > 1000, found
    return None


def compare(number, size, what):
    labels = tifffile.imread(f"there{number}.tif")
    numpy.testing.assert_array_equal(tifffile.imread(f"here{number}.tif"), labels, what)
    rows, own = table(f"there{number}.csv") if labels.any() else [], table(f"here{number}.csv")
    same(len(own), len(rows), f"objects of {what}")
    same(len(own), labels.max(), f"labels of {what}")
    for column, key in COLUMNS.items():
        numpy.testing.assert_allclose([float(row[key]) for row in own], [float(row[column]) for row in rows], rtol=1e-6, atol=1e-8,
                                      err_msg=f"{what}: {column}")
    if len(rows):
        same(outlines(f"here{number}.zip"), outlines(f"there{number}.zip"), f"outlines of {what}")
    return len(rows)


def outlines(name):
    """Those of an archive, by their names: the corners, from whichever on."""
    made = {}
    with zipfile.ZipFile(name) as archive:
        for item in archive.namelist():
            data = archive.read(item)
            top, left, _, _, n = struct.unpack(">5h", data[8:18])
            xs, ys = struct.unpack(f">{n}h", data[64:64 + 2 * n]), struct.unpack(f">{n}h", data[64 + 2 * n:64 + 4 * n])
            made[item] = sorted((x + left, y + top) for x, y in zip(xs, ys))
    return made


# ---- Against SciPy ----

def kept(image, least, most=numpy.inf, exclude=False):
    """Labels of the objects of so many pixels, 8-connected, in the order of their first pixels."""
    labels, n = ndimage.label(image, EIGHT)
    edge = set(numpy.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])) if exclude else set()
    counts = numpy.bincount(labels.ravel(), minlength=n + 1)
    keep = [i for i in range(1, n + 1) if least <= counts[i] <= most and i not in edge]
    made = numpy.zeros_like(labels)
    for number, i in enumerate(keep, 1):
        made[labels == i] = number
    return made


def test_objects():
    """In calibrated units and pixels, with and without holes, of a mask, of one that a file holds and of a threshold."""
    image = blobs(4)
    save("a.tif", image, 0.5, 0.5, "um")
    opened = 'open("a.tif"); run("Analyze Particles...", "%s show=[Count Masks] display"); saveAs("Tiff", "made.tif"); print(nResults());'
    for words, expected in (("size=10-60 pixel", kept(image, 10, 60)), ("size=2.5-15", kept(image, 10, 60)), ("size=0-0.1", 0 * image),
                            ("size=10-60 pixel exclude clear overlay", kept(image, 10, 60, True)),
                            ("include", kept(ndimage.binary_fill_holes(image), 0))):
        printed = macro(opened % words)
        numpy.testing.assert_array_equal(tifffile.imread("made.tif"), expected, words)
        same(printed, [str(expected.max())], "rows")
    noisy = ndimage.gaussian_filter(image.astype(float), 1).astype("u1")
    save("a.tif", noisy)
    mask = noisy >= 90
    printed = macro('open("a.tif"); setThreshold(90, 255); run("Set Measurements...", "area mean redirect=None decimal=3");'
                    'run("Analyze Particles...", "size=30-Infinity display"); print(nResults(), getResult("Area", 2), getResult("Mean", 2));'
                    'saveAs("Tiff", "same.tif"); run("Analyze Particles...", "size=0-29 display"); print(nResults());')
    large, all_n = kept(mask, 30), ndimage.label(mask, EIGHT)[1]
    same(printed, [f"{large.max()} {(large == 3).sum()} {'%.14g' % noisy[large == 3].mean()}", str(all_n - large.max())], "objects of a threshold")
    numpy.testing.assert_array_equal(tifffile.imread("same.tif"), noisy)
    macro('open("a.tif"); setThreshold(90, 254); run("Analyze Particles...", "show=Masks exclude"); run("Analyze Particles...", "show=[Count Masks]"); saveAs("Tiff", "made.tif");')
    numpy.testing.assert_array_equal(tifffile.imread("made.tif"), kept(mask, 0, exclude=True))


def test_shown():
    """What is a new window in ImageJ is the next step; without one the image stays what it is. The summary is a table of its own."""
    image = blobs(5)
    save("a.tif", image)
    labels = kept(image, 50)
    lines = 'open("a.tif"); run("Analyze Particles...", "size=50-Infinity show=%s summarize"); saveAs("Tiff", "made.tif"); print(getTable("summary")[1].taken);'
    for show, expected in (("Masks", labels != 0), ("Nothing", image != 0), ("[Overlay Masks]", image != 0)):
        same(macro(lines % show), [str((labels != 0).sum())], f"summary with {show}")
        numpy.testing.assert_array_equal(tifffile.imread("made.tif") != 0, expected, show)


def test_stack():
    """Each slice by itself, and selections know where they are."""
    stack = numpy.stack([blobs(seed) for seed in (6, 7)])
    tifffile.imwrite("a.tif", stack, imagej=True, metadata={"axes": "ZYX"})
    printed = macro('open("a.tif"); run("Analyze Particles...", "size=40-Infinity display add stack"); print(nResults(), roiManager("count"));'
                    'roiManager("select", roiManager("count") - 1); print(getSliceNumber()); x, y, w, h = getSelectionBounds(); print(x, y, w, h);')
    first, last = (kept(plane, 40) for plane in stack)
    y, x = ndimage.find_objects(last)[-1]
    n = first.max() + last.max()
    same(printed, [f"{n} {n}", "2", f"{x.start} {y.start} {x.stop - x.start} {y.stop - y.start}"], "objects")


def test_scale():
    """Of the image, of all, and none any more; slices stay as far from each other as they were."""
    save("a.tif", blobs(8))
    save("b.tif", blobs(9), 0.2, 0.2, "nm")
    tifffile.imwrite("s.tif", numpy.zeros((3, 5, 6), "u1"), imagej=True, resolution=(2, 2), metadata={"axes": "ZYX", "spacing": 3, "unit": "um"})
    size = "w, h, d, unit = getVoxelSize(); print(w, h, d, unit);"
    same(macro(f'open("a.tif"); run("Set Scale...", "distance=100 known=10 unit=um"); {size} open("b.tif"); {size}'),
         ["0.1 0.1 0.1 µm", "0.2 0.2 1 nm"], "of one")
    same(macro(f'open("a.tif"); open("b.tif"); run("Set Scale...", "distance=4 known=1 pixel=2 unit=[mm] global"); {size} selectImage("a.tif"); {size} open("s.tif"); {size}'
               f'run("Set Scale...", "distance=0 known=0 unit=pixel"); {size} open("b.tif"); {size}'),
         ["0.25 0.5 0.25 mm"] * 2 + ["0.25 0.5 3 mm", "1 1 1 pixel", "0.2 0.2 1 nm"], "of all")
    same(macro('open("a.tif"); run("Set Scale...", "distance=2 known=1 unit=um"); run("Analyze Particles...", "display"); print(getResult("Area", 0));'),
         ["%.14g" % ((kept(blobs(8), 0) == 1).sum() / 4)], "area")


def test_faults():
    save("a.tif", blobs(1))
    save("g.tif", numpy.arange(60, dtype="u1").reshape(6, 10))
    analyze = 'open("a.tif"); run("Analyze Particles...", "%s");'
    wrong('open("g.tif"); run("Analyze Particles...", "display");', "needs a mask or a threshold")
    wrong(analyze % "show=Ellipses", "show=[Ellipses] is not supported here", "Count Masks")
    wrong(analyze % "show=[Bare Outlines]", "draws outlines", "show=Masks")
    wrong(analyze % "size=a-b", "'size=a-b' is not a range")
    wrong(analyze % "display record", "not 'record'", "summarize")
    wrong('open("a.tif"); run("Set Measurements...", "area redirect=b.tif");', "'redirect=b.tif' is not supported here")
    wrong('open("a.tif"); run("Set Measurements...", "area perimeter redirect=None"); run("Measure");', "requests 'perimeter'", "area, mean, std")
    wrong('open("a.tif"); run("Set Measurements...", "area limit redirect=None"); setThreshold(1, 255); run("Measure");', "within the threshold", "resetThreshold()")
    macro('open("a.tif"); run("Set Measurements...", "area mean limit redirect=None decimal=3"); run("Measure");')
    wrong('open("a.tif"); run("Set Scale...", "distance=-1 known=2 unit=um");', "'distance=-1' is not a length")
    wrong('open("a.tif"); run("Set Scale...", "distance=1 known=2 unit=um all");', "not 'all'")


TESTS = [test_as_imagej, test_objects, test_shown, test_stack, test_scale, test_faults]
main(TESTS)
