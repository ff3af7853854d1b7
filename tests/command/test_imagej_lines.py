# SPDX-License-Identifier: MIT
"""Lines of ImageJ on images of each kind: what tests/golden/imagej/lines.zip has from ImageJ, or an error that says what differs."""
import io
import os
import re
import sys
import zipfile

import numpy
import tifffile

from command import SOURCE, fovea, main, same

GOLDEN = os.path.join(SOURCE, "tests", "golden", "imagej")
sys.path.insert(0, GOLDEN)
from lines import digest  # noqa: E402

TOLERANCE = 1e-6  # of sums of floats, beside the largest of the image

# Which images and lines are refused, and what the error says.
SEVERAL = r"(channels|channels16|hyper|hyper8)"
MASKS = r'run\("(Erode|Dilate|Open|Close-|Fill Holes|Outline|Skeletonize|Watershed)"'
REFUSED = (
    (r"alpha ", "alpha channel|makes an RGB image of"),
    (r"mapped run\(.8-bit", "the means of its colors"),
    (r"white\w* .*(setAuto|Convert)", "swaps dark and bright"),
    (rf"white\w* {MASKS}|white\w* .*(Subtract Background|Find Maxima)", "swaps dark and bright"),
    (rf"(rgb[st]|mapped|u32|{SEVERAL}) {MASKS}", "needs an 8-bit mask"),
    (r"u32 .*run\(.(?!(8|16|32)-bit|Convert)", "with images of this type"),
    (r"rgb[st] run\(.16-bit", "RGB stacks"),
    (r".*Lab Stack", "does something else with"),
    (r"(?!rgb)\w+ run\(.HSB", "does something else with"),
    (rf"{SEVERAL} .*Enhance Contrast.*process_all", "all channels together"),
    (rf"({SEVERAL}|stack|stack16) .*Enhance Contrast.*normalize\"", "only the current slice"),
    (rf"{SEVERAL} .*Find Maxima", "only the current slice"),
    (r"rgb[st]? .*(Enhance Contrast|Find Maxima.*Single|setAuto|Convert to Mask)", "RGB image"),
    (rf"{SEVERAL} .*Otsu dark stack", "all channels together|uses other bins"),
    (rf"{SEVERAL} .*Otsu dark\"", "threshold of the current slice to all"),
    (r"(channels16|hyper) .*calculate", "uses other bins"),
    (rf"(channels16|hyper) run\(.8-bit", "each channel from its own range"),
    (r"(8|rgb) .*(Z Project|Make Montage|Stack to Hyperstack)", "needs a stack|RGB images"),
    (r"(8|rgb) run\(.Convert to Mask", "of one slice|For one slice|does not accept RGB images"),
    (r"channels\w* .*(Z Project|Make Montage|Reslice)", "channels of an image without slices"),
    (r"rgb\w* .*Z Project", "with RGB images"),
    (r"rgbt .*(Duplicate|Make Montage|Reslice)", "treats frames as slices|where range= is meant"),
    (rf"{SEVERAL} .*Duplicate.*range", "where slices= is meant"),
    (r"(8|rgbs?|stack) .*Duplicate.*(channels|slices)=", "where range= is meant"),
    (r"(hyper8?) .*Analyze", "slices of channels"),
    (r"rgb.*imageCalculator.*32-bit|.*imageCalculator.*32-bit.*rgb", "RGB images with 32-bit"),
    (r"(8|channels) .*imageCalculator.*rgb", "an RGB image behind another"),
    (r"8 .*imageCalculator.*create( stack)?\".*(16|32).tif", "as narrow as the first"),
    (r"u32 .*imageCalculator.*create( stack)?\"", "no images of this type"),
    (rf"(rgbs|stack|{SEVERAL}) .*imageCalculator\(.\w+ create( 32-bit)?\"", "only the current slice"),
    (r"stack .*(imageCalculator.*stack|Merge.*create).*time|stack .*Merge.*time.*create", "do not match|first image"),
    (r"8 .*(16|stack)\..*Merge.*create|8 .*Merge.*(16|stack)\..*create", "first image"),
    (r"(16|32) .*Merge.*c3=(range|nan).tif\"", "three channels of 8-bit"),
    (r"(?!.*c3=).*Merge Channels.*tif\"", "makes an RGB image of c1, c2 and c3"),
    (r".*(rgb|channels).*Merge Channels", "RGB images and of several channels|makes an RGB image"),
    (r"8 makeOval.*Gaussian Blur.*sigma=12", "the origin of the selection"),
    (r"rgb[st]? .*Subtract Background", "with RGB images"),
    (r"rgb[st] .*Stack to Hyperstack", "with RGB images"),
    (r"(channels\w*|hyper8?) .*Stack to Hyper.*=1 slices=3|(channels\w*|stack) .*Stack to Hyper.*channels=2", "they cannot be"),
    (r"(8|rgb|channels\w*) run\(.Duplicate.*(1-2|2-2)", "Number 2 does not exist"),
    (r"(?!32|rgb)\w+ .*sliding", "rounds integers differently"),
    (r"(32|rgb) .*Enhance Contrast", "does something else with (32-bit|RGB) images"),
    (r"(8|16|scaled) make.*Enhance Contrast", "is limited to the selection"),
    (r"(16|32|scaled16) .*Variance.*8-bit", "which Variance... changed"),
    (r"(8|16) make.*setAutoThreshold", "selected pixels"),
    (r"stack setAutoThreshold\(\"Otsu dark\"\)", "threshold of the current slice to all 3"),
    (r'stack16 .*(calculate|Threshold[(]"[^"]* stack")', "uses other bins"),
    (r'8 run\("(Erode|Dilate|Open|Close-|Fill Holes|Outline|Skeletonize|Watershed)"\)', "needs an 8-bit mask"),
    (r'mask make.*run\("(Open|Close-|Fill Holes|Outline|Analyze)', "is limited to the selection"),
    (r"masks .*Count Masks", "from slice to slice"),
    (r"mask .*Outlines", "draws outlines"),
    (r"mask .*show=Ellipses", "not supported here"),
    (r"rgb .*Find Maxima.*(Single|Within)", "with RGB images"),
    (r".*Find Maxima.*(Segmented|Point Selection|Count|List)", "ImageJ's Find Maxima... with output="),
    (r"8 makeOval.*Find Maxima", "is limited to the selection"),
    (r"stack .*Find Maxima", "only the current slice"),
    (r"stack make.*(Z Project|Duplicate)", "is limited to the selection"),
    (r".*border=2", "draws lines"),
    (r"rgb .*Lab Stack", "with RGB images"),
    (r'stack run\("(Median|Mean)...", "radius=2"\)', "add the word stack"),
    (r"nan .*(Median|Mean|Minimum)", "NaN and infinite values differently"),
    (r"nan .*(Invert|8-bit|16-bit)", "finds another range"),
    (r"nan .*setAutoThreshold", "finds another threshold"),
    (r"flat .*setAutoThreshold", "single value 777"),
    (r"hyper .*(8-bit)", "each channel from its own range"),
    (r"time .*Duplicate", "frames as slices"),
    (r"stack32 .*Average Intensity", "omits the last slice"),
    (r"column .*Find Edges", "an image with one column"),
    (r"(noise|8) makeOval.3, 3, 1, 1.*(Gaussian|Unsharp)", "near the left edge"),
    (r".*imageCalculator\(\"(AND|OR|XOR)", "only for masks"),
)


def run_all(archive, listed):
    """What Fovea says of each line; it leaves images in the working folder."""
    macro = 'function begin() run("Close All"); resetThreshold(); setOption("BlackBackground", true); end\n'
    for name, kind, lines, _ in listed:
        lines = re.sub(r"@(\w+)@", r"\1.tif", lines)
        macro += (f'begin(); done, why = pcall(function() open("{kind}.tif"); {lines} saveAs("Tiff", "{name}.tif"); end) '
                  f'print("{name}\\t" .. (done and "ok" or why));\n')
    for name in archive.namelist():
        if re.fullmatch(r"(?!r\d)\w+\.tif", name):
            archive.extract(name)
    with open("m.lua", "w", encoding="utf-8") as file:
        file.write(macro)
    done = fovea("macro", "m.lua", timeout=280)
    same((done.returncode, done.stderr.decode()), (0, ""), "end")
    return dict(line.split("\t", 1) for line in done.stdout.decode().splitlines())


def difference(archive, name, result):
    """None, or how it differs from ImageJ's."""
    pixels = tifffile.imread(f"{name}.tif")
    whole = pixels.dtype.kind != "f"
    if digest(pixels) == result:
        return None
    if f"{name}.tif" not in archive.namelist():
        return f"{pixels.shape} {pixels.dtype}: other pixels; tests/golden/imagej/lines.py can keep ImageJ's"
    there = tifffile.imread(io.BytesIO(archive.read(f"{name}.tif")))
    if (there.shape, there.dtype) != (pixels.shape, pixels.dtype):
        return f"{pixels.shape} {pixels.dtype}, not {there.shape} {there.dtype}"
    if pixels.dtype.kind == "f" and (numpy.isnan(pixels) != numpy.isnan(there)).any():
        return "NaN elsewhere"
    pixels, there = numpy.nan_to_num(pixels.astype("f8")), numpy.nan_to_num(there.astype("f8"))
    most = numpy.abs(pixels - there).max()
    return None if not whole and most <= TOLERANCE * numpy.abs(there).max() else f"pixels differ by {most:g}"


def test_lines():
    """Equal to ImageJ's, or refused where this file says so."""
    wrong, counts = [], {"equal": 0, "refused": 0}
    with zipfile.ZipFile(os.path.join(GOLDEN, "lines.zip")) as archive:
        listed = [line.split("\t") for line in archive.read("lines.txt").decode().splitlines()[1:]]
        said = run_all(archive, listed)
        for name, kind, lines, result in listed:
            reason = next((words for pattern, words in REFUSED if re.match(pattern, f"{kind} {lines}")), None)
            made = said[name] == "ok"
            if made and reason is None:
                found = difference(archive, name, result)
                counts["equal"] += not found
            else:
                found = None if not made and reason and re.search(reason, said[name]) else f"{said[name]}; refused should be: {reason}"
                counts["refused"] += not found
            if found:
                wrong.append(f"{kind}: {lines} {found}")
    assert not wrong, "\n".join([f"{len(wrong)} lines", *wrong[:40]])
    assert counts["equal"] > 800 and counts["refused"] > 80, counts
    print(f"# {counts}")


def test_white_background():
    """Without BlackBackground ImageJ takes black for objects, but not in masks that it has made."""
    tifffile.imwrite("mask.tif", numpy.pad(numpy.full((4, 5), 255, "u1"), 3), imagej=True)
    for line, words in (('run("Erode");', "BlackBackground"), ('setThreshold(1, 255); run("Convert to Mask"); run("Erode");', "")):
        with open("m.lua", "w", encoding="utf-8") as file:
            file.write(f'open("mask.tif"); setOption("BlackBackground", false); {line}')
        done = fovea("macro", "m.lua")
        same(done.returncode, 1 if words else 0, "status")
        assert words in done.stderr.decode(), done.stderr


def test_planes():
    """ImageJ's lines process planes, also when the steps before process volumes."""
    with zipfile.ZipFile(os.path.join(GOLDEN, "lines.zip")) as archive:
        archive.extract("masks.tif")
    made = []
    for before in ("", 'run("Set Steps...", "steps=[volume=yes | interpret role=mask]");'):
        for line in ('run("Skeletonize", "stack");', 'run("Fill Holes", "stack");', 'run("Median...", "radius=2 stack");',
                     'run("Analyze Particles...", "size=20-Infinity circularity=0.5-1.00 show=Masks stack");'):
            with open("m.lua", "w", encoding="utf-8") as file:
                file.write(f'open("masks.tif"); {before} {line} saveAs("Tiff", "{len(made)}.tif");')
            done = fovea("macro", "m.lua")
            same(done.returncode, 0, done.stderr.decode())
            made.append(tifffile.imread(f"{len(made)}.tif"))
    for i in range(4):
        numpy.testing.assert_array_equal(made[i + 4], made[i], str(i))

def test_bleach_correction():
    """Simple Ratio of the plugin: each slice, or frame, times the first one's mean over its own, halves up."""
    rng = numpy.random.default_rng(3)
    for dtype, top in (("u1", 255), ("u2", 65535)):
        for axes in ("ZYX", "TYX"):
            image = (rng.integers(top // 4, top // 2, (4, 12, 17)) / (1 + 0.2 * numpy.arange(4))[:, None, None]).astype(dtype)
            tifffile.imwrite("bleached.tif", image, imagej=True, metadata={"axes": axes})
            with open("m.lua", "w", encoding="utf-8") as file:
                file.write('open("bleached.tif"); run("Bleach Correction", "correction=[Simple Ratio] background=0"); saveAs("Tiff", "even.tif");')
            done = fovea("macro", "--overwrite", "m.lua")
            same(done.returncode, 0, done.stderr.decode())
            means = image.mean((1, 2))
            numpy.testing.assert_array_equal(tifffile.imread("even.tif"), numpy.floor(image * (means[0] / means)[:, None, None] + 0.5).clip(0, top))


REFUSED_LINES = (
    ("stack", 'run("Bleach Correction", "correction=[Exponential Fit]");', "by a simplex"),
    ("stack", 'run("Bleach Correction", "correction=[Histogram Matching]");', "next value of the first frame"),
    ("stack", 'run("Bleach Correction", "correction=[Simple Ratio] background=5");', "below the background 0"),
    ("stack", 'makeOval(12, 6, 25, 22); run("Bleach Correction", "correction=[Simple Ratio]");', "is limited to the selection"),
    ("stack32", 'run("Bleach Correction", "correction=[Simple Ratio]");', "8-bit and 16-bit images alone"),
    ("hyper", 'run("Bleach Correction", "correction=[Simple Ratio]");', "all channels together"),
    ("8", 'run("Bleach Correction", "correction=[Simple Ratio]");', "needs a stack"),
    ("rgb", 'run("RGB to Luminance");', "plugin that ImageJ itself does not have"),
    *((kind, line, "draws another number") for kind in ("8", "16", "rgb") for line in ('run("Add Noise");', 'run("Add Specified Noise...", "standard=40");')))


def test_refused():
    """Lines of plugins, and of random numbers, that cannot be compared by pixels."""
    with zipfile.ZipFile(os.path.join(GOLDEN, "lines.zip")) as archive:
        for kind, line, words in REFUSED_LINES:
            archive.extract(f"{kind}.tif")
            with open("m.lua", "w", encoding="utf-8") as file:
                file.write(f'open("{kind}.tif"); {line}')
            done = fovea("macro", "m.lua")
            same(done.returncode, 1, f"{kind} {line}")
            assert words in done.stderr.decode(), (kind, line, done.stderr)
        archive.extract("32.tif")
        with open("m.lua", "w", encoding="utf-8") as file:
            file.write('open("32.tif"); run("Add Specified Noise...", "standard=40"); saveAs("Tiff", "noisy.tif");')
        same(fovea("macro", "m.lua").returncode, 0, "noise of floats")
        noise = tifffile.imread("noisy.tif").astype("f8") - tifffile.imread("32.tif")
        assert abs(noise.mean()) < 4 and 37 < noise.std() < 43, (noise.mean(), noise.std())


main([test_lines, test_white_background, test_planes, test_bleach_correction, test_refused])
