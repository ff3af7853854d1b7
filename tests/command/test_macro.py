# SPDX-License-Identifier: MIT
"""fovea macro: a macro makes what `fovea run` makes, cannot do what it may not, and errors name the line."""
import csv
import os
import re
import shutil
import signal
import stat
import subprocess
import time

import numpy
import tifffile
from scipy import ndimage

from command import FOVEA, NUCLEI, SOURCE, fails, fovea, in_time, main, same

SLOW = os.path.join(os.environ["FOVEA_BUILD"], "tests")  # where the plugin with steps that take their time is


def macro(text, *arguments, **options):
    """The finished call of a macro, which lies in m.lua."""
    with open("m.lua", "w", encoding="utf-8") as file:
        file.write(text)
    return fovea("macro", "m.lua", *arguments, **options)


def prints(text, *lines, arguments=(), **options):
    done = macro(text, *arguments, **options)
    same((done.returncode, done.stderr.decode()), (0, ""), "end")
    same(done.stdout.decode().splitlines(), list(lines), "output")


def wrong(text, *words, arguments=(), line=None, **options):
    """One sentence with its line."""
    done = macro(text, *arguments, **options)
    fails(done, *words, status=1)
    if line:
        assert done.stderr.decode().startswith(f"fovea: m.lua:{line}: "), done.stderr
    same(done.stderr.decode().count("\n"), 1, "lines")


def content(name):
    with open(name, "rb") as file:
        return file.read()


# ---- What it makes ----

RECORDED = """
open("nuclei_rgb.tif");
run("gaussian", "sigma=3");
run("Channel...", "index=1 as=green");
run("Otsu Threshold", "as=[my mask]");
run("Change Step...", "step=1 sigma=1.5");
run("Label Objects...", "as=cells");
run("Measure Objects...", "intensity=green properties=label,area,intensity_mean");
saveAs("Results", "cells.csv");
saveAs("Tiff", "labels.tif");
run("Save...", "path=[the mask.tif] step=3 compression=deflate");
"""
STEPS = ("gaussian sigma=1.5 | channel index=1 as=green | otsu as=\"my mask\" | label as=cells | "
         "regionprops intensity=green properties=label,area,intensity_mean")


def test_same_as_run():
    shutil.copy(NUCLEI, ".")
    prints(RECORDED)
    same(fovea("run", "-q", STEPS, NUCLEI, "-t", "x.csv", "-o", "x.tif", "-o", "my mask=m.tif", "--compression", "deflate").returncode, 0, "status")
    same(content("cells.csv"), content("x.csv"), "table")
    numpy.testing.assert_array_equal(tifffile.imread("labels.tif"), tifffile.imread("x.tif"))
    numpy.testing.assert_array_equal(tifffile.imread("the mask.tif"), tifffile.imread("m.tif"))


def test_input_is_what_is_opened():
    """The recorded open() of a file that was given takes that one, and nothing is opened twice."""
    shutil.copy(NUCLEI, "a.tif")
    shutil.copy(NUCLEI, "b.tif")
    prints('print(nImages(), getTitle()); open("a.tif"); print(nImages(), getTitle()); open("a.tif"); print(nImages())', "2 b.tif", "2 a.tif", "3",
           arguments=("a.tif", "b.tif"))


def test_several_images():
    for name, value in (("a.tif", 1), ("b.tif", 2)):
        tifffile.imwrite(name, numpy.full((4, 5), value, "u1"))
    prints('open("a.tif"); image1 = getImageID(); open("b.tif"); image2 = getImageID(); selectImage(image1); print(getPixel(0, 0));'
           'selectWindow("b.tif"); print(getPixel(4, 3)); close(); print(nImages(), getTitle()); run("Close All"); print(nImages())',
           "1", "2", "1 a.tif", "0")


def test_values():
    """Pixels, sizes and tables against NumPy and SciPy."""
    stack = (numpy.arange(2 * 3 * 4 * 6 * 7) % 251).astype("u1").reshape(2, 3, 4, 6, 7)  # t, z, c, y, x
    tifffile.imwrite("s.tif", stack, imagej=True, metadata={"axes": "TZCYX"})
    prints('open("s.tif"); print(getDimensions()); p = getImage():pixels{x=2, y=1, width=3, height=2, c=3, z=2, t=2};'
           'print(p[1][1], p[1][3], p[2][1], #p, #p[1]); Stack.setPosition(2, 3, 1); print(getPixel(6, 5), getSliceNumber(), nSlices());'
           'setSlice(7); print(Stack.getPosition())', "7 6 4 3 2",
           f"{stack[1, 1, 2, 1, 2]} {stack[1, 1, 2, 1, 4]} {stack[1, 1, 2, 2, 2]} 2 3", f"{stack[0, 2, 1, 5, 6]} 10 24", "3 2 1")
    image = numpy.zeros((40, 50), "u1")
    image[3:9, 4:14] = image[20:30, 20:25] = 1
    tifffile.imwrite("o.tif", image)
    labels, n = ndimage.label(image)
    areas = ndimage.sum(image, labels, range(1, n + 1)).astype(int)
    prints('t = recipe("label | regionprops properties=label,area"):run(Image.open("o.tif")):table(); print(#t, table.concat(t:columns(), " "));'
           't:addColumn("half", function(row) return row.area / 2 end); print(t[1].area, t[2].half, t:column("area")[2]);'
           't:addRow{label = 9, name = "x, y"}; t:set("area", 1, 7); t:save("t.csv"); print(#t, t[3].area, t[3].name)',
           f"{n} label area", f"{areas[0]} {areas[1] // 2} {areas[1]}", "3 nil x, y")
    with open("t.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    same([row[:1] + row[1:] for row in rows[1:]], [["1", "7", str(areas[0] // 2), ""], ["2", str(areas[1]), str(areas[1] / 2).removesuffix(".0"), ""],
                                                  ["9", "", "", "x, y"]], "rows")


def test_measurements():
    image = numpy.random.default_rng(1).integers(0, 200, (30, 40)).astype("u1")
    tifffile.imwrite("a.tif", image)
    prints('open("a.tif"); makeRectangle(5, 6, 10, 4); run("Measure"); roiManager("add"); makePoint(3, 2); run("Measure"); roiManager("add");'
           'roiManager("measure"); print(nResults(), getResult("mean", 0), getResult("mean", 1), getResult("mean", 2), roiManager("count"));'
           'roiManager("save", "r.zip"); roiManager("reset"); roiManager("open", "r.zip"); roiManager("select", 0); print(selectionType(), '
           'getSelectionBounds()); roiManager("select", 1); x, y = getSelectionCoordinates(); print(x[1], y[1]); run("Clear Results"); print(nResults())',
           f"4 {'%.14g' % image[6:10, 5:15].mean()} {image[2, 3]} {'%.14g' % image[6:10, 5:15].mean()} 2", "rectangle 5 6 10 4", "3 2", "0")


def test_plot_profile():
    """Along the line that is selected, from the middle of the first pixel."""
    tifffile.imwrite("a.tif", numpy.arange(1200, dtype="u2").reshape(30, 40))
    prints('open("a.tif"); makeLine(2, 3, 6, 3); run("Plot Profile"); print(getSteps()); t = recipe(getSteps()):run(Image.open("a.tif")):table(); print(#t, t[1].value, t[5].value, t[5].distance)',
           'profile points="2 3; 6 3"', "5 122 126 4")
    wrong('open("a.tif"); run("Plot Profile")', "Nothing is selected")
    wrong('open("a.tif"); makeOval(1, 2, 3, 4); run("Plot Profile")', "makeLine")
    wrong('open("a.tif"); makeLine(2, 3, 6, 3); run("Plot Profile", "width=3")', "no arguments")


BOTH = r"""
open("%s");
image1 = getImageID();
print("a \"b\" [c"); print("back\\slash"); print("tab\tend"); print("it's \"new\"\\"); print("step=1 as=\"] x\"");
makeRectangle(5, 6, 10, 4); run("Measure"); print(getResult("Mean", nResults() - 1));
makeOval(3, 4, 20, 13); run("Measure"); print(getResult("Mean", nResults() - 1)); roiManager("add");
makePolygon(2, 2, 30, 5, 12, 20); run("Measure"); print(getResult("Mean", nResults() - 1));
makeSelection("freehand", newArray(1, 25, 14.5), newArray(1, 2, 18.5)); run("Measure"); print(getResult("Mean", nResults() - 1));
makeLine(2, 3, 30, 11); run("Measure"); print(getResult("Mean", nResults() - 1));
makePoint(7, 9); run("Measure"); print(getResult("Mean", nResults() - 1)); roiManager("add");
Stack.setPosition(1, 3, 1); print(getSliceNumber());
roiManager("select", 0); run("Select None"); print(getPixel(4, 5));
setSlice(2); print(getPixel(4, 5)); print(roiManager("count")); print(nSlices()); print(nImages());
run("Clear Results"); print(nResults()); selectImage(image1); print(getTitle()); selectWindow("i.tif"); close(); print(nImages());
"""


def test_imagej():
    """Lines as they are recorded are ImageJ's macro language, too, and say the same there."""
    jar = os.environ.get("IMAGEJ_JAR", "/usr/share/java/ij.jar")
    if not (shutil.which("java") and shutil.which("xvfb-run") and os.path.exists(jar)):
        return "ImageJ is not installed"
    tifffile.imwrite("i.tif", numpy.random.default_rng(5).integers(0, 255, (3, 30, 40)).astype("u1"), imagej=True, metadata={"axes": "ZYX"})
    text = BOTH % os.path.abspath("i.tif")
    with open("both.ijm", "w", encoding="utf-8") as file:
        file.write(text)
    there = subprocess.run(["xvfb-run", "-a", "java", f"-Duser.home={os.getcwd()}", "-cp", jar, "ij.ImageJ", "-batch", os.path.abspath("both.ijm")],
                           capture_output=True, timeout=60, stdin=subprocess.DEVNULL).stdout.decode().splitlines()
    done = macro(text)
    same(done.stderr, b"", "errors")
    # Of each measurement ImageJ prints the row, too.
    there, here = [line for line in there if not re.match(r" ?\t|\d+\t", line)], done.stdout.decode().splitlines()
    same(len(there), len(here), "lines")
    for a, b in zip(there, here):
        assert a == b or abs(float(a) - float(b)) < 1e-3, (a, b)
    return None


def imagej(image, lines):
    """What lines of ImageJ's recorder make of the image."""
    tifffile.imwrite("a.tif", image)
    prints(f'open("a.tif"); {lines} saveAs("Tiff", "made.tif");', arguments=("--overwrite",))
    return tifffile.imread("made.tif")


def test_imagej_commands():
    """As ImageJ defines them, by NumPy and SciPy."""
    image = numpy.random.default_rng(3).integers(100, 3000, (31, 42)).astype("u2")
    y, x = numpy.mgrid[-2:3, -2:3]
    circle = x * x + y * y <= 5  # the 21 pixels of radius 2
    numpy.testing.assert_array_equal(imagej(image, 'run("Median...", "radius=2");'), ndimage.median_filter(image, footprint=circle, mode="nearest"))
    low, high = image.min(), image.max()
    byte = imagej(image, 'run("8-bit");')
    same(byte.dtype, numpy.uint8, "type")
    bins = numpy.minimum((image - float(low)) * 256 / (high - low + 1.0) + 0.5, 255).astype("u1")
    numpy.testing.assert_array_equal(byte, bins)
    numpy.testing.assert_array_equal(imagej(image.astype("u1"), 'run("8-bit");'), image.astype("u1"))
    word = imagej(image, 'run("32-bit"); run("16-bit");')
    same(word.dtype, numpy.uint16, "type")
    numpy.testing.assert_array_equal(word, ((image - float(low)) * (65535 / (float(high) - low)) + 0.5).astype("u2"))
    mask = imagej(image, 'setOption("BlackBackground", true); setThreshold(500, 1200); run("Convert to Mask");')
    numpy.testing.assert_array_equal(mask != 0, (image >= 500) & (image <= 1200))
    light = imagej(image, 'setAutoThreshold("Mean"); run("Convert to Mask");')
    numpy.testing.assert_array_equal(light != 0, image <= numpy.floor(low + int(bins.mean()) / 255 * (float(high) - low) + 0.5))
    inside = numpy.pad((image > 2000)[2:-2, 2:-2], 2).astype("u1") * 255
    numpy.testing.assert_array_equal(imagej(inside, 'run("Dilate");') != 0, ndimage.binary_dilation(inside, numpy.ones((3, 3))))
    stack = numpy.random.default_rng(4).integers(0, 256, (6, 9, 8)).astype("u1")
    each = imagej(stack, 'run("Convert to Mask", "method=Mean background=Dark calculate black");')
    numpy.testing.assert_array_equal(each != 0, stack > numpy.floor(stack.mean((1, 2), keepdims=True)))
    numpy.testing.assert_array_equal(imagej(stack, 'run("Z Project...", "start=2 stop=5 projection=[Max Intensity]");'), stack[1:5].max(0))
    deviation = imagej(stack, 'run("Duplicate...", "title=part duplicate range=3-6"); run("Z Project...", "projection=[Standard Deviation]");')
    numpy.testing.assert_allclose(deviation, stack[2:].std(0, ddof=1), rtol=1e-5)


def test_imagej_watershed():
    """Two discs that touch become two objects of a mask, with ImageJ's line between them, one pixel wide; the golden cases of split have many."""
    y, x = numpy.mgrid[:40, :60]
    discs = ((x - 20) ** 2 + (y - 20) ** 2 <= 144) | ((x - 40) ** 2 + (y - 20) ** 2 <= 144)
    made = imagej(discs.astype("u1") * 255, 'run("Watershed"); run("Fill Holes");')
    same((ndimage.label(discs)[1], ndimage.label(made, numpy.ones((3, 3)))[1], len(numpy.unique(made))), (1, 2, 2), "objects, and values")
    line = numpy.unique(numpy.nonzero(discs & (made == 0))[1])
    assert len(line) == 1 and abs(line[0] - 30) <= 1, line


def calculated(image, other, words, lines=""):
    """What imageCalculator() makes of the image and another one."""
    tifffile.imwrite("b.tif", other)
    return imagej(image, f'open("b.tif"); {lines} imageCalculator("{words}", "a.tif", "b.tif");')


def test_imagej_calculator():
    """Whole numbers as ImageJ 1.53t makes them: rounded down, and limited."""
    random = numpy.random.default_rng(8)
    for dtype, top in (("u1", 255), ("u2", 65535)):
        a, b = (random.integers(0, top + 1, (20, 30)).astype(dtype) for _ in range(2))
        b[:4] = 0
        b[4:9] = random.integers(1, 7, (5, 30))
        x, y = a.astype(float), b.astype(float)
        for words, expected in (("Add create", x + y), ("Subtract create", x - y), ("Divide", numpy.where(y == 0, top, x // numpy.maximum(y, 1))),
                                ("Average stack", (x + y) // 2), ("difference create stack", abs(x - y)),
                                ("Transparent-zero create", numpy.where(y == 0, x, y)), ("Max", numpy.maximum(x, y))):
            made = calculated(a, b, words)
            same(made.dtype, a.dtype, "type")
            numpy.testing.assert_array_equal(made, numpy.clip(expected, 0, top), words)
        with numpy.errstate(all="ignore"):
            made = calculated(a, b, "Divide create 32-bit")
            same(made.dtype, numpy.float32, "type")
            numpy.testing.assert_array_equal(made, (x / y).astype("f4"))
        numpy.testing.assert_array_equal(calculated(a, b, "Average create 32-bit"), (x + y) / 2)
        both = calculated(a, b >= 60, "AND create", 'selectImage("a.tif"); setThreshold(60, 65535); run("Convert to Mask");')
        numpy.testing.assert_array_equal(both, ((a >= 60) & (b >= 60)) * numpy.uint8(255))


def test_imagej_steps_of_others():
    """What another image of the same file, or one of no file, has for steps is done before; these steps do the same with another file."""
    image = numpy.random.default_rng(10).integers(0, 60000, (31, 42)).astype("u2")
    blurred = 'open("a.tif"); first = getImageID(); open("a.tif"); run("Median...", "radius=2"); imageCalculator("Subtract create 32-bit", first, getImageID());'
    y, x = numpy.mgrid[-2:3, -2:3]
    median = ndimage.median_filter(image, footprint=x * x + y * y <= 5, mode="nearest")
    numpy.testing.assert_array_equal(imagej(image, blurred), image.astype("f4") - median)
    prints(blurred + "print(getSteps());", "median footprint=imagej radius=2 from=source as=median | calculate function=subtract output=f32 from=source b=median")
    plain = 'first = getImageID(); id = newImage(); run("Plain Image...", "type=u16 fill=white width=42 height=31"); imageCalculator("Difference", first, id);'
    numpy.testing.assert_array_equal(imagej(image, plain), 65535 - image)
    numpy.testing.assert_array_equal(imagej(image, 'imageCalculator("Difference", "a.tif", "a.tif");'), 0 * image)


def test_imagej_merge():
    """The planes of c1 to c7 in that order, as a step of the first, in ImageJ's colors."""
    a, b, c = (numpy.random.default_rng(9).integers(0, 256, (3, 20, 30)).astype("u1"))
    tifffile.imwrite("b.tif", b)
    tifffile.imwrite("c.tif", c)
    opened = 'open("b.tif"); open("c.tif");'
    numpy.testing.assert_array_equal(imagej(a, opened + 'run("Merge Channels...", "c2=a.tif c3=c.tif c6=[b.tif] create keep ignore");'), [a, c, b])
    numpy.testing.assert_array_equal(imagej(a, opened + 'run("Merge Channels...", "c1=[a.tif] c2=b.tif c3=c.tif");'), numpy.stack([a, b, c], -1))
    numpy.testing.assert_array_equal(imagej(a, opened + 'selectImage("a.tif"); run("Merge Channels...", "c2=file:c.tif");'), [a, c])
    prints('open("a.tif");' + opened + 'run("Merge Channels...", "c5=c.tif c7=a.tif c4=*None* create"); print(getTitle(), getSteps());'
           'run("Export Figure...", "path=merged.png bar=no");', f"c.tif merge_channels c2=file:{os.path.abspath('a.tif')}")
    coloured = 'open("c.tif"); run("Merge Channels...", "c2=file:a.tif"); Stack.setPosition(1, 1, 1); run("Cyan"); Stack.setPosition(2, 1, 1); '
    prints(coloured + 'run("Yellow"); run("Export Figure...", "path=same.png bar=no"); run("Red"); run("Export Figure...", "path=other.png bar=no");')
    assert content("merged.png") == content("same.png") != content("other.png")


def test_imagej_several_faults():
    for name in "a.tif", "b.tif":
        tifffile.imwrite(name, numpy.zeros((4, 5), "u1"))
    opened = 'open("a.tif"); open("b.tif"); '
    wrong(opened + 'imageCalculator("Copy create", "a.tif", "b.tif");', "accepts Add, Subtract", "not 'Copy'")
    wrong(opened + 'imageCalculator("Add stuck", "a.tif", "b.tif");', "not 'stuck'")
    wrong(opened + 'imageCalculator("XOR", "a.tif", "b.tif");', "only for masks", "Difference equals XOR")
    tifffile.imwrite("u4.tif", numpy.ones((5, 6), "u4"), metadata=None)
    wrong('open("u4.tif"); imageCalculator("Add", "u4.tif", "u4.tif");', "no images of this type")
    wrong(opened + 'run("Gaussian Blur...", "sigma=1"); imageCalculator("Add", "a.tif", "b.tif");', "b.tif has steps", "use that file")
    wrong(opened + 'imageCalculator("Add", "a.tif", "c.tif");', "No image is called 'c.tif'")
    wrong(opened + 'run("Merge Channels...", "c1=a.tif create");', "needs at least two images")
    wrong(opened + 'run("Merge Channels...", "c1=a.tif c2=b.tif keep");', "RGB image of c1, c2 and c3")
    wrong(opened + 'run("Merge Channels...", "c1=a.tif c2=b.tif create kept");', "not 'kept'")


def test_imagej_faults():
    tifffile.imwrite("a.tif", numpy.zeros((4, 5), "u1"))
    wrong('open("a.tif"); run("Convert to Mask");', "needs a threshold", "setAutoThreshold")
    wrong('open("a.tif"); setThreshold(1, 2); resetThreshold(); run("Convert to Mask");', "needs a threshold")
    wrong('open("a.tif"); image1 = getImageID(); setThreshold(1, 2); open("a.tif"); run("Make Binary");', "needs a threshold")
    wrong('open("a.tif"); setThreshold(2, 1);', "not below the first")
    wrong('open("a.tif"); setAutoThreshold("Moments dark");', "Unknown threshold method 'Moments'", "Otsu")
    wrong('open("a.tif"); run("Convert to Mask", "method=Otsu calculate");', "background=Dark")
    wrong('open("a.tif"); run("Convert to Mask", "background=Dark only");', "not 'only'")
    wrong('open("a.tif"); run("8-bit", "x");', "accepts nothing else")
    wrong('setOption("ScaleConversions", true);', "BlackBackground")


def test_locale():
    """Numbers have a point in every language."""
    prints('print(1/2, tostring(2.5), ("%.2f"):format(1/4), "sigma=" .. 1.5)', "0.5 2.5 0.25 sigma=1.5",
           env={**os.environ, "LC_ALL": "de_DE.UTF-8"})


def test_standard_input_and_arguments():
    done = fovea("macro", "-", "--arg", "sigma=3", "--arg", "a text", "--arg", "Which_one=b", stdin=None, input=b"""#!/usr/bin/fovea macro
Dialog.create("Blur")
Dialog.addNumber("Sigma", 2); Dialog.addCheckbox("Fill holes", true); Dialog.addChoice("Which one", {"a", "b"}); Dialog.addString("Title", "none")
Dialog.show()
print(Dialog.getNumber(), Dialog.getCheckbox(), Dialog.getChoice(), Dialog.getString(), getArgument())""")
    same((done.returncode, done.stdout, done.stderr), (0, b"3 true b none a text\n", b""), "end")
    text = 'Dialog.create("Blur"); Dialog.addNumber("Sigma", 2); Dialog.addChoice("Way", {"a", "b"});\nDialog.show()'
    wrong(text, "--arg sigm", "'Blur' has no such field; it has Sigma, Way", arguments=("--arg", "sigm=3"), line=2)
    wrong(text, "'x' is not a number", arguments=("--arg", "sigma=x"), line=2)
    wrong(text, "one of a, b, not 'c'", arguments=("--arg", "way=c"), line=2)
    wrong("print(1)", "the macro did not ask for it", arguments=("--arg", "x=1"))
    fails(fovea("macro", "-", "-a", "x", "-a", "y"), "NAME=VALUE", status=2)


def test_files():
    os.mkdir("f")
    for name in ("a10.txt", "a2.txt", "a1.txt", ".hidden"):
        with open(os.path.join("f", name), "w", encoding="utf-8"):
            pass
    os.mkdir("f/b")
    prints('print(table.concat(getFileList("f"), " ")); print(File.exists("f/a1.txt"), File.exists("g"), File.isDirectory("f"));'
           'print(File.getName("x/y.tif"), File.getNameWithoutExtension("x/y.tif"), File.getParent("x/y.tif")); File.makeDirectory("g");'
           'File.saveString("ä\\n", "g/x.txt"); print(File.openAsString("g/x.txt"))', "a1.txt a2.txt a10.txt b/", "true false true", "y.tif y x", "ä", "")


def test_reference():
    """The page of functions is as they are declared: fovea macro --reference > docs/reference/macro_functions.md"""
    same(content(os.path.join(SOURCE, "docs", "reference", "macro_functions.md")).decode(), fovea("macro", "--reference").stdout.decode(), "page")


# ---- What is wrong ----

def test_faults():
    tifffile.imwrite("a.tif", numpy.zeros((4, 5), "u1"))
    wrong("x = 1\nopne('a.tif')", "Unknown name 'opne': did you mean 'open'?", line=2)
    wrong("File.exist('a.tif')", "Unknown name 'exist': did you mean 'exists'?", line=1)
    wrong("open('a.tif')\n\nrun('Gausian Blur...')", "Did you mean 'Gaussian Blur...'", line=3)
    wrong("open('a.tif')\nrun('gaussian', 'sigma=-1')", "sigma must be from 0", line=2)
    wrong("open('b.tif')", "b.tif", line=1)
    wrong("x =", "unexpected symbol near <eof>", line=1)
    wrong("-- a\nif x != 3 then end", "~=", line=2)
    wrong("run('otsu')", "No image is open", line=1)
    wrong("open('a.tif'); print(getPixel(5, 0))", "5 × 4", line=1)
    wrong("open('a.tif'); selectImage(7)", "Image 7 does not exist. Open images: 1 'a.tif'", line=1)
    wrong("open('a.tif'); run('otsu')\nsaveAs('Results', 'x.csv')", "No table: add a step", line=2)
    wrong("open('a.tif'); run('regionprops'); getResult('aera', 0)", "Column 'aera' does not exist", "area", line=1)
    wrong("saveAs('Bmp', 'x.bmp')", "\"Tiff\"", line=1)
    wrong("open('a.tif'); saveAs('Tiff', 'x.png')", "ends with .tif", line=1)
    wrong("error('my own')", "my own", line=1)
    wrong("x = 1\nerror('my own', 0)", "my own", line=2)
    wrong("\nerror({})", "not a string but a table", line=2)
    wrong("\ntable.sort({1, 'a'})", "attempt to compare", line=2)
    wrong("('a'):gsub('a', nil)", "string/function/table expected", line=1)
    wrong("exit('no cells')", "no cells", line=1)
    prints("pcall(exit) print(1)")
    fails(fovea("macro", "none.lua"), "none.lua", status=2)
    fails(fovea("macro"), "Usage: fovea macro FILE", status=2)
    fails(fovea("macro", "-", "--allow", "nowhere"), "this folder does not exist", status=2)


def test_sandbox():
    """Nothing outside of its folders, no code from elsewhere, no way back from an end."""
    os.mkdir("in")
    os.mkdir("out")
    tifffile.imwrite("out/o.tif", numpy.zeros((4, 5), "u1"))
    tifffile.imwrite("in/i.tif", numpy.zeros((4, 5), "u1"))
    os.symlink("../out", "in/way")
    os.symlink("../out/new.csv", "in/x.csv")
    os.mkfifo("in/pipe")

    def refused(text, *words, arguments=()):
        with open("in/m.lua", "w", encoding="utf-8") as file:
            file.write(text)
        fails(fovea("macro", "in/m.lua", *arguments, timeout=20), *words, status=1)

    for path in ("../out/o.tif", "way/o.tif", os.path.abspath("out/o.tif"), "/dev/zero", "/etc/passwd", "../in/../out/o.tif"):
        refused(f"open('{path}')", "is not in a folder that this macro may use", "--allow")
        refused(f"Image.open('{path}')", "--allow")
        refused(f"File.openAsString('{path}')", "--allow")
        refused(f"open('i.tif'); getImage():save('{path}')", "--allow")
    refused("getFileList('..')", "--allow")
    refused("File.saveString('x', 'x.csv')", "--allow")
    refused("open('i.tif'); run('label'); run('regionprops'); saveAs('Results', 'x.csv')", "--allow")
    refused("File.saveString('x', 'm.lua')", ".txt")
    refused("open('pipe')", "not a regular file")
    refused("open('i.tif'); saveAs('Tiff', 'i.tif')", "is a file that this macro reads")
    refused("x = Image.open('i.tif'); x:save('./../in/i.tif')", "is a file that this macro reads")
    same(sorted(os.listdir("out")), ["o.tif"], "files outside")
    prints = fovea("macro", "in/m.lua", "--allow", "out", timeout=20)
    assert prints.returncode == 1
    with open("in/m.lua", "w", encoding="utf-8") as file:
        file.write("open('way/o.tif'); saveAs('Tiff', 'way/n.tif')")
    same(fovea("macro", "in/m.lua", "--allow", "out").returncode, 0, "status with --allow")
    for name in ("io", "debug", "package", "coroutine", "require", "load", "loadfile", "dofile", "collectgarbage", "loadstring", "getfenv", "warn"):
        done = macro(f"print({name})")
        same(done.stdout, b"nil\n", name)
    prints = macro("print(os.execute, os.remove, os.rename, os.getenv, os.exit, os.tmpname, string.dump)")
    same(prints.stdout, b"nil nil nil nil nil nil nil\n", "functions that reach outside")
    wrong("io.open('x')", "a macro can use only its own functions", line=1)
    wrong("setmetatable({}, {__gc = function() while true do end end})", "__gc", line=1)
    done = macro("print(pcall(setmetatable, recipe('otsu'), {}), getmetatable(recipe('otsu')))")
    assert done.stdout.startswith(b"false"), done.stdout
    with open("m.luac", "wb") as file:
        file.write(b"\x1bLua\x54\x00\x19\x93\r\n\x1a\n" + bytes(200))
    fails(fovea("macro", "m.luac"), "m.luac", status=1)
    fails(fovea("macro", "/dev/zero"), "/dev/zero", status=1)


def listing(top):
    """All that lies below, with what is in it."""
    found = {}
    for folder, folders, names in os.walk(top):
        for name in folders + names:
            path = os.path.join(folder, name)
            found[path] = os.readlink(path) if os.path.islink(path) else content(path) if os.path.isfile(path) else None
    return found


def test_home():
    """A stranger's macro in the home folder changes nothing that a shell, a desktop or Fovea reads, and nothing below; beside itself it saves."""
    for folder in "h/.ssh", "h/.config/autostart", "h/.config/fovea/macros", "h/work":
        os.makedirs(folder)
    for path in "h/.bashrc", "h/.ssh/authorized_keys", "h/.config/fovea/allowed-code", "h/thesis.docx", "h/work/data.csv", "h/data.csv":
        with open(path, "w", encoding="utf-8") as file:
            file.write("mine")
    tifffile.imwrite("h/i.tif", numpy.zeros((4, 5), "u1"))
    env = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")} | {"HOME": os.path.abspath("h")}

    def run(text, *arguments):
        with open("h/m.lua", "w", encoding="utf-8") as file:
            file.write('t = Table.new{"touch ~/PWNED #"}; open("i.tif"); run("otsu"); makeRectangle(1, 1, 2, 2); run("Measure")\n' + text)
        return fovea("macro", "h/m.lua", *arguments, env=env)

    home = env["HOME"]
    run("")
    before = listing("h")
    del before["h/m.lua"]
    for name in (".bashrc", ".profile", ".ssh/authorized_keys", ".config/autostart/x.desktop", ".config/fovea/allowed-code", "thesis.docx", "work/data.csv", "data.csv",
                 "work/new.csv", "~/.bashrc", "x.desktop", home + "/.bashrc", "./work/../.ssh/x.csv", "-x.csv", ".x.csv", "x.csv~", "a\\nb.csv"):
        for call in ('t:save("%s")', 'saveAs("Results", "%s")', 'saveAs("Measurements", "%s")', 'run("Save Results...", "path=[%s]")', 'run("Save Steps...", "path=[%s]")',
                     'File.saveString("x", "%s")', 'saveAs("Tiff", "%s")', 'getImage():save("%s")', 'roiManager("add"); roiManager("save", "%s")',
                     'run("Export Figure...", "path=[%s]")'):
            for options in ((), ("--overwrite",)) if name != "data.csv" else ((),):
                done = run(call % name, *options)
                fails(done, "m.lua:2: ", status=1)
                same(done.stderr.decode().count("\n"), 1, "lines")
                now = listing("h")
                del now["h/m.lua"]
                same(now, before, call % name)
    done = run('t:save("new.csv"); File.makeDirectory("results"); t:save("results/new.csv"); saveAs("Tiff", "x")')
    same((done.returncode, done.stderr), (0, b""), "end")
    assert os.path.exists("h/results/new.csv") and os.path.exists("h/x.tif")
    same(run('t:save("work/new.csv")', "--allow", "h/work").returncode, 0, "status with --allow")
    fails(run('t:save(".ssh/new.csv")', "--allow", home), "hidden", status=1)


def test_replacing():
    """Existing files stay, unless the user allows overwriting or an earlier run of the macro made them and they are unchanged."""
    text = 'File.saveString(getArgument(), "t.txt"); File.saveString(getArgument(), "t.txt")'
    with open("t.txt", "w", encoding="utf-8") as file:
        file.write("mine")
    wrong(text, "t.txt' already exists", "--overwrite", line=1)
    same(content("t.txt"), b"mine", "file")
    prints(text, arguments=("--overwrite", "--arg", "a"))
    same(content("t.txt"), b"a", "file")
    try:
        os.setxattr("m.lua", "user.test", b"")
    except OSError:
        return "the file system keeps no attributes"
    prints(text + " -- changed", arguments=("--arg", "b"))
    same(content("t.txt"), b"b", "file")
    shutil.copy("m.lua", "other.lua")
    fails(fovea("macro", "other.lua"), "already exists", status=1)
    fails(fovea("macro", "-", "--allow", ".", stdin=None, input=b'File.saveString("x", "t.txt")'), "already exists", status=1)
    with open("t.txt", "a", encoding="utf-8") as file:
        file.write("by hand")
    wrong(text, "already exists")
    same(content("t.txt"), b"bby hand", "file")
    return None


def test_sets():
    """Files of a set are read, and so may lie nowhere else and are not written."""
    os.mkdir("in")
    os.mkdir("out")
    planes = numpy.arange(2 * 4 * 5, dtype="u1").reshape(2, 4, 5)
    names = ["a.ome.tif", "b.ome.tif"]
    blocks = "".join(f'<TiffData FirstZ="{z}" IFD="0" PlaneCount="1"><UUID FileName="{name}">urn:uuid:{z}</UUID></TiffData>' for z, name in enumerate(names))
    xml = ('<?xml version="1.0"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"><Image ID="Image:0"><Pixels ID="Pixels:0" DimensionOrder="XYZCT" Type="uint8" '
           f'SizeX="5" SizeY="4" SizeZ="2" SizeC="1" SizeT="1"><Channel ID="Channel:0" SamplesPerPixel="1"/>{blocks}</Pixels></Image></OME>')
    for name, plane in zip(names, planes):
        tifffile.imwrite(f"in/{name}", plane, description=xml, metadata=None)

    def run(text, *arguments):
        with open("in/m.lua", "w", encoding="utf-8") as file:
            file.write(text)
        return fovea("macro", "in/m.lua", *arguments)

    opens = 'open("a.ome.tif")', 'i = Image.open("a.ome.tif")', 'newImage(); run("Plain Image...", "width=5 height=4"); run("expression", "expression=a b=[file:a.ome.tif]")'
    same(run(opens[0] + "print(nSlices())").stdout, b"2\n", "planes")
    for text in opens:
        same(run(text).returncode, 0, text)
        fails(run(text + '\nif i then i:save("b.ome.tif") else saveAs("Tiff", "b.ome.tif") end', "--overwrite"), "m.lua:2: ", "b.ome.tif' is a file that this macro reads",
              status=1)
    fails(fovea("macro", "in/m.lua", "in/a.ome.tif", "--overwrite"), "b.ome.tif' is a file that this macro reads", status=1)
    os.rename("in/b.ome.tif", "out/b.ome.tif")
    os.symlink("../out/b.ome.tif", "in/b.ome.tif")
    for text in opens:
        fails(run(text), "b.ome.tif' is not in a folder that this macro may use", status=1)
    same(run(opens[0], "--allow", "out").returncode, 0, "status with --allow")


LOOPS = ("while true do end", "while true do pcall(function() while true do end end) end", "function f() return f() end f()",
         "while true do xpcall(function() while true do end end, function() while true do end end) end",
         "repeat local t <close> = setmetatable({}, {__close = function() while true do end end}) until false",
         "table.sort({3, 2, 1}, function() while true do end end)", "x = ('a'):rep(99):gsub('a', function() while true do end end)")


def test_limits():
    """Each ends with a sentence that says which limit."""
    for text in LOOPS:
        start = time.monotonic()
        wrong("\n" + text, "longer than the limit of 0.3 s", arguments=("--time", "0.3"), line=2)
        assert in_time(start, 2), text
    # Long texts are copied for as long as a thousand instructions last.
    start = time.monotonic()
    wrong("s = ('x'):rep(5e7) while true do local t = s .. 'y' end", "longer than the limit of 0.2 s", arguments=("--time", "0.2"), line=1)
    assert in_time(start, 2)
    for text in ("t = {} while true do t[#t + 1] = ('x'):rep(1000) .. #t end", "s = 'x' while true do s = s .. s end",
                 "while true do pcall(function() t = {} while true do t[#t + 1] = {} end end) end", "x = ('x'):rep(1e10)",
                 "t = Table.new{'a'} while true do t:addRow{a = 1} end", "x = ('ab'):rep(2^62)"):
        wrong(text, "limit of", arguments=("--memory", "16"), line=1)
    wrong("while true do print(('x'):rep(100000)) end", "It printed more than", line=1)
    wrong("function f() return 1 + f() end f()", "stack overflow", line=1)
    for text in ("x = " + "(" * 100000 + "1" + ")" * 100000, "x = " + "{" * 100000, "x = " + "- " * 100000 + "1", "x = 1" + " .. 1" * 100000):
        wrong(text, "nested too deeply")
    wrong("local t = {} for i = 1, 1e5 do t = {t} end function f(t) return t[1] and 1 + f(t[1]) or 0 end print(f(t) + nil)", line=1)
    prints("print(('').rep('', 2^60), #(('x'):rep(0)), ('ab'):rep(3, '-'), ('abc'):rep(5), (''):rep(3, ', '), ('x'):rep(1, '-'), ('x'):rep(-1))",
           " 0 ab-ab-ab abcabcabcabcabc , ,  x ")


def test_time_of_a_step():
    """A running step ends when the macro's time limit is over, although Lua executes no instruction meanwhile."""
    shutil.copy(NUCLEI, "a.tif")
    for text in ("open('a.tif'); run('slow', 'seconds=60')\nprint(getPixel(1, 1))", "r = recipe('slow seconds=60')\nr:run(Image.open('a.tif'))"):
        for seconds in (0.3, 1):
            start = time.monotonic()
            wrong(text, f"It took longer than the limit of {seconds} s.", arguments=("--time", str(seconds)), line=2,
                  env={**os.environ, "FOVEA_PLUGIN_PATH": SLOW})
            assert seconds <= time.monotonic() - start and in_time(start, seconds + 2), seconds


def test_stop():
    """A signal ends it within a tenth of a second, also in a protected call."""
    for text in LOOPS + ("x = ('a'):rep(50000):find(('.-'):rep(20) .. 'b')",):
        with open("m.lua", "w", encoding="utf-8") as file:
            file.write("print('begun')\n" + text)
        process = subprocess.Popen([FOVEA, "macro", "m.lua"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        same(process.stdout.readline(), b"begun\n", "output")
        time.sleep(0.05)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        error = process.communicate(timeout=20)[1]
        assert in_time(start, 0.1), text
        assert b"Stopped." in error, error
        same(process.returncode, 1, "status")


if __name__ == "__main__":
    main([test for name, test in list(globals().items()) if name.startswith("test_")])
