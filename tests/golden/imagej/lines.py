#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs lines of ImageJ in ImageJ (package imagej, a JDK, xvfb, tifffile) on small images of each kind and writes lines.zip: the images, and lines.txt with
a line "NAME<TAB>IMAGE<TAB>LINES<TAB>RESULT" for each. RESULT is the digest of what ImageJ made, or how it ended. Sums of floats, whose last digits
may differ, and what golden cases take are there as NAME.tif, too."""
import hashlib
import io
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

import numpy
import tifffile

HERE = pathlib.Path(__file__).parent
JAR = "/usr/share/java/ij.jar"
ROWS, COLUMNS = 40, 52

# ---- Images ----


def discs(noise, back, seed, centers, rows=ROWS, columns=COLUMNS):
    """Bright discs on a slope."""
    rng = numpy.random.default_rng(seed)
    y, x = numpy.mgrid[:rows, :columns]
    image = back + 0.4 * x + 0.2 * y
    for cx, cy, radius, value in centers:
        image = numpy.where((x - cx) ** 2 + (y - cy) ** 2 <= radius ** 2, value + 0.1 * x, image)
    return image + rng.integers(0, noise, image.shape)


DISCS = ((9, 9, 6, 150), (24, 11, 7, 200), (33, 14, 6, 180), (0, 26, 6, 170), (17, 28, 4, 120), (30, 33, 9, 140), (45, 28, 5, 220), (51, 5, 4, 160))


def mask():
    rng = numpy.random.default_rng(8)
    image = discs(1, 0, 1, DISCS) > 80
    image[2:5, 40:47] = True
    image[9, 9] = image[10, 24] = image[31, 30:33] = False
    image[20:24, 40] = image[22, 38:44] = True
    return numpy.where(image ^ (rng.random(image.shape) < 0.01), 255, 0).astype("u1")


def images():
    """Names of files and what is in them: pixels and words of the TIFF writer."""
    base = discs(12, 20, 3, DISCS)
    yield "8", base.clip(0, 255).astype("u1"), {}
    yield "16", (discs(40, 20, 4, DISCS) * 37 + 311).astype("u2"), {}
    yield "32", (discs(100, 20, 5, DISCS) / 7 - 9.3).astype("f4"), {}
    rgb = numpy.stack([base, discs(9, 60, 6, DISCS[:4]), discs(20, 5, 7, DISCS[3:])], -1)
    yield "32b", (discs(80, 9, 6, DISCS[2:]) / 5 - 4.1).astype("f4"), {}
    yield "rgb", rgb.clip(0, 255).astype("u1"), {}
    stack = numpy.stack([discs(15, 15 + 9 * i, 20 + i, [(cx + 2 * i, cy, r, v - 20 * i) for cx, cy, r, v in DISCS]) for i in range(3)])
    yield "stack", stack.clip(0, 255).astype("u1"), {"metadata": {"axes": "ZYX"}}
    yield "stackb", stack[::-1, ::-1].clip(0, 255).astype("u1"), {"metadata": {"axes": "ZYX"}}
    yield "stack16", (stack * 19).astype("u2"), {"metadata": {"axes": "ZYX"}}
    scale = {"resolution": (1 / 0.25, 1 / 0.25), "metadata": {"unit": "um"}}
    yield "scaled", discs(10, 25, 9, DISCS).clip(0, 255).astype("u1"), scale
    yield "scaled16", (discs(10, 25, 9, DISCS) * 91).astype("u2"), {"resolution": (2, 1), "metadata": {"unit": "um"}}
    yield "mask", mask(), {}
    yield "masks", numpy.stack([mask(), mask()[::-1], mask()[:, ::-1]]), {"metadata": {"axes": "ZYX"}}
    yield "scaledmask", mask(), scale
    planes = numpy.stack([numpy.stack([discs(15, 15 + 9 * z + 5 * c, 20 + z + c, DISCS) * (9 + 5 * c) for c in range(2)]) for z in range(3)])
    yield "hyper", planes.astype("u2"), {"metadata": {"axes": "ZCYX"}}
    yield "time", stack.clip(0, 255).astype("u1"), {"metadata": {"axes": "TYX"}}
    yield "stack32", (stack / 3).astype("f4"), {"metadata": {"axes": "ZYX"}}
    yield "range", (base * 37 + 311).astype("u2"), {"metadata": {"min": 1000.0, "max": 6000.0}}
    nan = (base / 7 - 9.3).astype("f4")
    nan[5:9, 20:30], nan[30, 3] = numpy.nan, numpy.inf
    yield "nan", nan, {}
    yield "flat", numpy.full((12, 15), 777, "u2"), {}
    yield "noise", numpy.random.default_rng(12).integers(0, 65536, (40, 44)).astype("u2"), {}
    yield "row", numpy.random.default_rng(13).integers(0, 256, (1, 37)).astype("u1"), {}
    yield "rgbs", numpy.stack([rgb, rgb[::-1], rgb[:, ::-1]]).clip(0, 255).astype("u1"), {"metadata": {"axes": "ZYXS"}}
    yield "rgbt", numpy.stack([rgb[:, ::-1], rgb]).clip(0, 255).astype("u1"), {"metadata": {"axes": "TYXS"}}
    yield "hyper8", (planes // 20).clip(0, 255).astype("u1"), {"metadata": {"axes": "ZCYX"}}
    yield "channels", (planes[0] // 20).clip(0, 255).astype("u1"), {"metadata": {"axes": "CYX", "mode": "composite"}}
    yield "channels16", planes[1].astype("u2"), {"metadata": {"axes": "CYX", "mode": "composite"}}
    plain = {"imagej": False, "metadata": None}
    yield "alpha", numpy.concatenate([rgb, 255 - rgb[..., :1]], -1).clip(0, 255).astype("u1"), {**plain, "photometric": "rgb", "extrasamples": ["unassalpha"]}
    ramp = numpy.arange(256)
    colors = numpy.stack([ramp, 255 - ramp, ramp * 7 % 256]) * 257
    yield "mapped", base.clip(0, 255).astype("u1"), {**plain, "photometric": "palette", "colormap": colors.astype("u2")}
    yield "white", base.clip(0, 255).astype("u1"), {**plain, "photometric": "miniswhite"}
    yield "whitemask", mask(), {**plain, "photometric": "miniswhite"}
    yield "u32", (base * 1037).astype("u4"), plain
    yield "column", numpy.random.default_rng(14).integers(0, 256, (37, 1)).astype("u1"), {}


# ---- Lines ----

OVAL, BOX, EDGE = "makeOval(12, 6, 25, 22);", "makeRectangle(8, 12, 30, 19);", "makeRectangle(0, 20, 20, 20);"
METHODS = ("Default", "Huang", "IJ_IsoData", "IsoData", "Li", "MaxEntropy", "Mean", "Minimum", "Otsu", "Triangle", "Yen")
GREY, ALL = ("8", "16", "32", "scaled", "scaled16"), ("8", "16", "32", "rgb", "scaled", "scaled16")
STACKS = ("stack", "stack16")


def run(command, words=""):
    return f'run("{command}", "{words}");' if words else f'run("{command}");'


def on_each(command, *words, selected=True, kinds=ALL, stacks=STACKS):
    """On images of each kind, all slices of stacks, and where something is selected."""
    for word in words:
        for kind in kinds:
            yield kind, run(command, word)
        for kind in stacks:
            yield kind, run(command, f"{word} stack".strip())
    for kind, area in (("8", OVAL), ("16", BOX), ("32", EDGE), ("rgb", OVAL), ("scaled", BOX)):
        if selected and kind in kinds:
            yield kind, area + run(command, words[-1])
    if selected and "stack" in stacks:
        yield "stack", OVAL + run(command, f"{words[-1]} stack".strip())


def filters():
    for command in ("Median...", "Mean...", "Minimum...", "Maximum...", "Variance..."):
        yield from on_each(command, "radius=0.5", "radius=1", "radius=1.5", "radius=2", "radius=2.5", "radius=7.5", "radius=3")
    yield from on_each("Gaussian Blur...", "sigma=0.5", "sigma=1", "sigma=5", "sigma=12", "sigma=2")
    yield "scaled", run("Gaussian Blur...", "sigma=0.5 scaled")
    yield "scaled16", run("Gaussian Blur...", "sigma=1 scaled")
    yield "8", OVAL + run("Gaussian Blur...", "sigma=12")
    yield from on_each("Unsharp Mask...", "radius=1 mask=0.60", "radius=2 mask=0.30")
    yield from on_each("Find Edges", "")
    yield from on_each("Invert", "")
    yield from on_each("Subtract Background...", "rolling=12", "rolling=5 light", "rolling=12 disable", "rolling=12 sliding", "rolling=50")
    yield from on_each("Enhance Contrast...", "saturated=0.35 normalize", stacks=())
    yield "stack", run("Enhance Contrast...", "saturated=0.35 normalize process_all")
    yield "stack16", run("Enhance Contrast...", "saturated=0.35 normalize process_all use")


def types():
    for kind in ALL + STACKS:
        for command in ("8-bit", "16-bit", "32-bit"):
            yield kind, run(command)
    for kind in ("16", "32", "scaled16"):
        yield kind, OVAL + run("8-bit")
        yield kind, run("Gaussian Blur...", "sigma=2") + run("8-bit")
        yield kind, run("Median...", "radius=2") + run("8-bit")
        yield kind, run("Variance...", "radius=2") + run("8-bit")
        yield kind, run("Find Edges") + run("8-bit")
        yield kind, run("Invert") + run("8-bit")
        yield kind, run("Subtract Background...", "rolling=12") + run("8-bit")
        yield kind, run("Enhance Contrast...", "saturated=0.35 normalize") + run("8-bit")
        yield kind, "setMinAndMax(700, 4000);" + run("8-bit")
        yield kind, "setMinAndMax(700, 4000); resetMinAndMax();" + run("8-bit")
        yield kind, "setMinAndMax(2, 20);" + run("Median...", "radius=1") + run("8-bit")
    yield "32", run("16-bit") + run("8-bit")
    yield "32", run("Gaussian Blur...", "sigma=2") + run("16-bit")
    yield "16", run("32-bit") + run("Gaussian Blur...", "sigma=2") + run("8-bit")
    yield "8", run("32-bit") + run("Gaussian Blur...", "sigma=2") + run("8-bit")
    yield "8", run("16-bit") + run("8-bit")
    yield "stack16", run("Z Project...", "projection=[Max Intensity]") + run("8-bit")
    yield "stack16", run("Median...", "radius=2 stack") + run("8-bit")


def thresholds():
    for method in METHODS:
        for kind in GREY:
            for dark in ("", " dark"):
                yield kind, f'setAutoThreshold("{method}{dark}");' + run("Convert to Mask")
        yield "stack", run("Convert to Mask", f"method={method} background=Dark calculate black")
        yield "stack16", run("Convert to Mask", f"method={method} background=Light calculate black")
        yield "stack16", f'setAutoThreshold("{method} dark stack");' + run("Convert to Mask", f"method={method} background=Dark black")
        yield "stack", f'setAutoThreshold("{method} dark stack");' + run("Convert to Mask", f"method={method} background=Dark black")
    for kind, low, high in (("8", 60, 255), ("16", 2000, 65535), ("32", 1.3, 17.25), ("scaled", 40, 120)):
        yield kind, f"setThreshold({low}, {high});" + run("Convert to Mask")
        yield kind, f"setThreshold({low}, {high});" + run("Make Binary")
        yield kind, OVAL + f"setThreshold({low}, {high});" + run("Convert to Mask")
    yield "stack", 'setThreshold(60, 255);' + run("Convert to Mask", "method=Default background=Dark black")
    yield "8", OVAL + 'setAutoThreshold("Otsu dark");' + run("Convert to Mask")
    yield "16", OVAL + 'setAutoThreshold("Otsu dark");' + run("Convert to Mask")
    yield "stack", 'setAutoThreshold("Otsu dark");' + run("Convert to Mask", "method=Otsu background=Dark black")


def masks():
    for command in ("Erode", "Dilate", "Open", "Close-", "Fill Holes", "Outline", "Skeletonize", "Watershed"):
        for kind in ("mask", "scaledmask", "8"):
            yield kind, run(command)
        yield "masks", run(command, "stack")
        yield "mask", OVAL + run(command)
        yield "mask", BOX + run(command)
        yield "8", 'setAutoThreshold("Otsu dark");' + run("Convert to Mask") + run(command)
    for words in ("", "size=30-Infinity", "circularity=0.5-1.00", "exclude", "include", "size=10-100 exclude include"):
        for show in ("Masks", "[Count Masks]", "Nothing", "[Overlay Masks]"):
            for kind in ("mask", "scaledmask"):
                yield kind, run("Analyze Particles...", f"{words} show={show}".strip())
        yield "masks", run("Analyze Particles...", f"{words} show=Masks stack".strip())
        yield "masks", run("Analyze Particles...", f"{words} show=[Count Masks] stack".strip())
    yield "mask", OVAL + run("Analyze Particles...", "show=Masks")
    for show in ("Outlines", "[Bare Outlines]", "Overlay", "Ellipses"):
        yield "mask", run("Analyze Particles...", f"size=10-Infinity show={show}")
    for kind, low, high in (("8", 60, 255), ("16", 2000, 65535), ("32", 1.3, 17.25)):
        yield kind, f"setThreshold({low}, {high});" + run("Analyze Particles...", "size=10-Infinity show=[Count Masks]")
        yield kind, 'setAutoThreshold("Otsu dark");' + run("Analyze Particles...", "size=10-Infinity show=Masks")


def others():
    for output in ("[Single Points]", "[Maxima Within Tolerance]", "[Segmented Particles]", "[Point Selection]", "Count", "List"):
        for kind, prominence in (("8", 20), ("16", 700), ("32", 3), ("rgb", 20), ("scaled", 10)):
            yield kind, run("Find Maxima...", f"prominence={prominence} output={output}")
    for words in ("strict", "exclude", "light", "strict exclude light"):
        yield "8", run("Find Maxima...", f"prominence=20 {words} output=[Single Points]")
        yield "16", run("Find Maxima...", f"prominence=900 {words} output=[Maxima Within Tolerance]")
    yield "8", OVAL + run("Find Maxima...", "prominence=20 output=[Single Points]")
    yield "stack", run("Find Maxima...", "prominence=20 output=[Single Points]")
    for kind in STACKS + ("masks",):
        for projection in ("Max Intensity", "Min Intensity", "Average Intensity", "Sum Slices", "Standard Deviation", "Median"):
            yield kind, run("Z Project...", f"projection=[{projection}]")
            yield kind, run("Z Project...", f"start=2 stop=3 projection=[{projection}]")
        yield kind, run("Duplicate...", "title=part duplicate range=2-3")
        yield kind, run("Make Montage...", "columns=2 rows=2 scale=1")
        yield kind, run("Make Montage...", "columns=3 rows=1 scale=1 border=2")
        yield kind, run("Reslice [/]...", "output=1.000 start=Top avoid")
        yield kind, run("Reslice [/]...", "output=1.000 start=Left flip avoid")
        yield kind, run("Stack to Hyperstack...", "order=xyczt(default) channels=1 slices=1 frames=3 display=Grayscale")
    yield "stack", OVAL + run("Z Project...", "projection=[Max Intensity]")
    yield "stack", BOX + run("Duplicate...", "title=part duplicate range=2-3")
    for kind in ("rgb",):
        for command in ("Lab Stack", "HSB (32-bit)"):
            yield kind, run(command)
    for command in ("Median...", "Mean..."):
        yield "stack", run(command, "radius=2")
    for operator in ("Add", "Subtract", "Multiply", "Divide", "AND", "OR", "XOR", "Min", "Max", "Average", "Difference", "Transparent-zero"):
        for end, pairs in ((" create", (("8", "scaled"), ("16", "scaled16"), ("32", "32b"), ("mask", "scaledmask"))), (" create 32-bit", (("8", "scaled"), ("16", "scaled16"))),
                           (" create stack", (("stack", "stackb"),))):
            for a, b in pairs:
                yield a, f'open("@{b}@"); imageCalculator("{operator}{end}", "{a}.tif", "{b}.tif");'


def rare():
    filters = ('"Median...", "radius=2"', '"Mean...", "radius=10"', '"Variance...", "radius=1"', '"Minimum...", "radius=5.5"', '"Gaussian Blur...", "sigma=1.7"',
               '"Gaussian Blur...", "sigma=20"', '"Unsharp Mask...", "radius=1.5 mask=0.40"', '"Find Edges", ""', '"Invert", ""', '"Subtract Background...", "rolling=9"')
    for line in filters:
        for kind in ("range", "nan", "flat", "noise", "row", "column"):
            yield kind, f"run({line});".replace(', ""', "")
        for kind in ("hyper", "time", "stack32"):
            yield kind, f"run({line[:-1]} stack\");".replace('" stack', '"stack') if ', ""' in line else f"run({line[:-1]} stack\");"
    for kind in ("range", "nan", "flat", "noise", "hyper", "stack32"):
        for command in ("8-bit", "16-bit", "32-bit"):
            yield kind, run(command)
    for kind in ("range", "nan", "flat", "noise"):
        yield kind, 'setAutoThreshold("Li dark");' + run("Convert to Mask")
    for kind in ("hyper", "time", "stack32"):
        for projection in ("Max Intensity", "Average Intensity", "Standard Deviation"):
            yield kind, run("Z Project...", f"projection=[{projection}]")
        yield kind, run("Duplicate...", "title=x duplicate")
        yield kind, run("Make Montage...", "columns=2 rows=3 scale=1")
    for area in ("makePolygon(3, 3, 38, 2, 41, 35, 9, 38);", "makeRectangle(-5, -3, 30, 24);", "makeOval(30, 20, 60, 60);", "makeOval(3, 3, 1, 1);",
                 "makeRectangle(17, 7, 1, 30);", "makeLine(3, 4, 30, 40);", "makePoint(4, 5);"):
        for line in ('"Median...", "radius=2"', '"Gaussian Blur...", "sigma=3"', '"Unsharp Mask...", "radius=2 mask=0.60"', '"Invert"', '"Find Edges"'):
            yield "noise", f"{area} run({line});"
            yield "8", f"{area} run({line});"
        for command in ("Erode", "Dilate", "Skeletonize", "Watershed"):
            yield "mask", area + run(command)


def kinds():
    """Stacks of colors and channels, and files that ImageJ opens as another kind."""
    stacks = ("rgbs", "rgbt", "channels", "channels16", "hyper", "hyper8")
    for kind in stacks + ("alpha", "mapped", "white", "whitemask", "u32"):
        word = "stack" if kind in stacks else ""
        for command, words in (("Median...", "radius=2"), ("Mean...", "radius=2"), ("Variance...", "radius=2"), ("Maximum...", "radius=1.5"),
                               ("Gaussian Blur...", "sigma=2"), ("Unsharp Mask...", "radius=1 mask=0.60"), ("Find Edges", ""), ("Invert", ""),
                               ("Subtract Background...", "rolling=12")):
            yield kind, run(command, f"{words} {word}".strip())
        for command in ("8-bit", "16-bit", "32-bit", "HSB (32-bit)", "Lab Stack"):
            yield kind, run(command)
        for command in ("Erode", "Dilate", "Open", "Close-", "Fill Holes", "Outline", "Skeletonize", "Watershed"):
            yield kind, run(command, word)
        for words in ("", " process_all", " process_all use"):
            yield kind, run("Enhance Contrast...", f"saturated=0.35 normalize{words}")
        for words in ("", " stack"):
            yield kind, f'setAutoThreshold("Otsu dark{words}");' + run("Convert to Mask", "method=Otsu background=Dark black" if word else "")
        yield kind, run("Find Maxima...", "prominence=20 output=[Single Points]")
    for kind in stacks + ("8", "rgb", "stack"):
        yield kind, run("Convert to Mask", "method=Otsu background=Dark calculate black")
        yield kind, "setThreshold(60, 255);" + run("Convert to Mask", "method=Otsu background=Dark black")
        yield kind, OVAL + run("Median...", "radius=2 stack")
        for projection in ("Max Intensity", "Average Intensity", "Sum Slices", "Standard Deviation"):
            yield kind, run("Z Project...", f"projection=[{projection}]")
        for words in ("", " range=1-2", " range=2-2", " channels=1", " slices=1-2", " channels=2 slices=1"):
            yield kind, run("Duplicate...", f"title=x duplicate{words}")
        yield kind, run("Make Montage...", "columns=3 rows=2 scale=1")
        yield kind, run("Reslice [/]...", "output=1.000 start=Top avoid")
        for words in ("order=xyczt(default) channels=2 slices=3 frames=1", "order=xyczt(default) channels=1 slices=3 frames=1"):
            yield kind, run("Stack to Hyperstack...", f"{words} display=Grayscale")
        yield kind, 'setThreshold(60, 255);' + run("Convert to Mask", "method=Otsu background=Dark black") + run("Analyze Particles...", "size=10-Infinity show=Masks stack")
    for kind in ("stack", "stack16"):
        yield kind, run("Enhance Contrast...", "saturated=0.35 normalize")


def pairs():
    """Two images, of each kind."""
    listed = (("rgb", "rgb"), ("rgbs", "rgbs"), ("rgbs", "rgb"), ("rgb", "8"), ("8", "rgb"), ("hyper", "hyper"), ("channels", "channels"), ("channels", "rgb"), ("8", "16"),
              ("16", "8"), ("8", "32"), ("stack", "8"), ("stack", "time"), ("alpha", "alpha"), ("u32", "u32"), ("white", "8"))
    for a, b in listed:
        other = "" if a == b else f'open("@{b}@"); '
        for words in ("", " stack", " 32-bit", " 32-bit stack"):
            for operator in ("Add", "Subtract", "Average"):
                yield a, f'{other}imageCalculator("{operator} create{words}", "{a}.tif", "{b}.tif");'
    for a, b in (("8", "scaled"), ("16", "scaled16"), ("32", "32b"), ("mask", "scaledmask"), ("stack", "stackb"), ("stack", "time"), ("8", "16"), ("8", "rgb"), ("rgb", "8"),
                 ("channels", "channels16"), ("8", "stack"), ("alpha", "8"), ("mapped", "8")):
        for words in ("create", "create keep", "create ignore", ""):
            yield a, f'open("@{b}@"); ' + run("Merge Channels...", f"c1={a}.tif c2={b}.tif {words}".strip())
        yield a, f'open("@{b}@"); ' + run("Merge Channels...", f"c2={b}.tif c5={a}.tif create")
    for a, b, c in (("8", "scaled", "mask"), ("16", "scaled16", "range"), ("32", "32b", "nan"), ("stack", "stackb", "masks")):
        for words in ("create", "create keep", ""):
            yield a, f'open("@{b}@"); open("@{c}@"); ' + run("Merge Channels...", f"c1={a}.tif c2={b}.tif c3={c}.tif {words}".strip())


def cases():
    known = set()
    for part in (filters, types, thresholds, masks, others, rare, kinds, pairs):
        for kind, lines in part():
            if (kind, lines) not in known:
                known.add((kind, lines))
                yield kind, lines


SUMS = re.compile(r"Find Edges|Mean\.\.\.|Variance|sliding|Average Intensity|Standard Deviation|Sum Slices|Median\]|HSB|Divide|32-bit")
GOLDEN = re.compile(r'run\("(Gaussian Blur\.\.\.|Unsharp Mask\.\.\.|Skeletonize|8-bit|16-bit)"(, "[^"]*")?\);')


def digest(pixels):
    if pixels.dtype.kind == "f":
        pixels = numpy.where(numpy.isnan(pixels), pixels.dtype.type(numpy.nan), pixels)  # which has many patterns
    return hashlib.sha256(repr((pixels.dtype.newbyteorder("=").str, pixels.shape)).encode() + pixels.astype(pixels.dtype.newbyteorder("<")).tobytes()).hexdigest()[:16]


def keeps(kind, lines, pixels):
    exact = re.search("Average create|(Add|Subtract|Merge).*create", lines)
    return (pixels.dtype.kind == "f" and SUMS.search(lines) and not exact) or (GOLDEN.fullmatch(lines) and kind in ("8", "16", "32", "mask", "scaledmask"))


def golden(command):
    """Images, lines and results for the golden cases of an operation."""
    with zipfile.ZipFile(HERE / "lines.zip") as archive:
        def read(name):
            return tifffile.imread(io.BytesIO(archive.read(f"{name}.tif")))
        for name, kind, lines, _ in (line.split("\t") for line in archive.read("lines.txt").decode().splitlines()[1:]):
            if GOLDEN.fullmatch(lines) and lines.startswith(f'run("{command}"') and f"{name}.tif" in archive.namelist():
                yield kind, lines, read(kind), read(name)


def words_of(lines):
    """Of a line with one command."""
    return dict(word.split("=") for word in re.search(r', "([^"]*)"', lines)[1].split())


def ask(folder, listed):
    """What ImageJ says of each, after its version; it leaves images in the folder."""
    macro = "".join(f'{name}\topen("{folder}/{kind}.tif"); {lines}\n' for name, kind, lines in listed)
    macro = re.sub(r"@(\w+)@", rf"{folder}/\1.tif", macro)
    done = subprocess.run(["xvfb-run", "-a", "java", f"-Duser.home={folder}", "-cp", JAR, HERE / "Lines.java", folder], input=macro, capture_output=True,
                          text=True, check=True)
    lines = done.stdout.splitlines()
    return next(line for line in lines if line.startswith("#")), dict(line.split("\t", 1) for line in lines if "\t" in line)


def write(archive, name, data):
    archive.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED, 9)


def main(target=HERE / "lines.zip"):
    listed = [(f"r{i:04}", kind, lines) for i, (kind, lines) in enumerate(cases())]
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(target, "w") as archive:
        folder = pathlib.Path(folder)
        for name, pixels, words in images():
            tifffile.imwrite(folder / f"{name}.tif", pixels, **{"imagej": True, **words})
            write(archive, f"{name}.tif", (folder / f"{name}.tif").read_bytes())
        text, said = ask(folder, listed)
        for name, kind, lines in listed:
            result = said[name]
            if result == "ok":
                pixels = tifffile.imread(folder / f"{name}.tif")
                result = digest(pixels)
                if keeps(kind, lines, pixels):
                    data = io.BytesIO()
                    tifffile.imwrite(data, pixels, metadata=None)
                    write(archive, f"{name}.tif", data.getvalue())
            text += f"\n{name}\t{kind}\t{lines}\t{result}"
        write(archive, "lines.txt", text + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
