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
REFUSED = (
    (r"8 makeOval.*Gaussian Blur.*sigma=12", "where the selection begins"),
    (r"rgb .*Subtract Background", "with RGB images"),
    (r"(?!32|rgb)\w+ .*sliding", "rounds whole numbers another way"),
    (r"(32|rgb) .*Enhance Contrast", "does something else with (32-bit|RGB) images"),
    (r"(8|16|scaled) make.*Enhance Contrast", "heeds the selection"),
    (r"(16|32|scaled16) .*Variance.*8-bit", "which Variance... changed"),
    (r"(8|16) make.*setAutoThreshold", "selected pixels"),
    (r"stack setAutoThreshold\(\"Otsu dark\"\)", "the current slice for all 3"),
    (r'stack16 .*(calculate|Threshold[(]"[^"]* stack")', "on other bins"),
    (r'8 run\("(Erode|Dilate|Open|Close-|Fill Holes|Outline|Skeletonize|Watershed)"\)', "masks of 8 bits"),
    (r'mask make.*run\("(Open|Close-|Fill Holes|Outline|Analyze)', "heeds the selection"),
    (r"masks .*Count Masks", "from slice to slice"),
    (r"mask .*Outlines", "draws a picture of outlines"),
    (r"mask .*show=Ellipses", "no counterpart"),
    (r"rgb .*Find Maxima.*(Single|Within)", "with RGB images"),
    (r".*Find Maxima.*(Segmented|Point Selection|Count|List)", "ImageJ's Find Maxima... with output="),
    (r"8 makeOval.*Find Maxima", "heeds the selection"),
    (r"stack .*Find Maxima", "the current slice alone"),
    (r"stack make.*(Z Project|Duplicate)", "heeds the selection"),
    (r".*border=2", "draws lines"),
    (r"rgb .*Lab Stack", "with RGB images"),
    (r'stack run\("(Median|Mean)...", "radius=2"\)', "add the word stack"),
    (r"nan .*(Median|Mean|Minimum)", "NaN and infinite values another way"),
    (r"nan .*(Invert|8-bit|16-bit)", "finds another range"),
    (r"nan .*setAutoThreshold", "finds another threshold"),
    (r"flat .*setAutoThreshold", "one value, 777"),
    (r"hyper .*(8-bit)", "the range of each channel"),
    (r"time .*Duplicate", "frames for slices"),
    (r"stack32 .*Average Intensity", "leaves the last slice out"),
    (r"column .*Find Edges", "of one column"),
    (r"(noise|8) makeOval.3, 3, 1, 1.*(Gaussian|Unsharp)", "near to the left edge"),
    (r".*imageCalculator\(\"(AND|OR|XOR)", "of masks"),
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
    """ImageJ's lines are of planes, whatever the steps before say of slices."""
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


main([test_lines, test_white_background, test_planes])
