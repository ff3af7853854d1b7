# SPDX-License-Identifier: MIT
"""Figures: their colors and lines against NumPy, their sizes in the files, and what other programs read of them."""
import os
import re
import struct
import subprocess
import xml.etree.ElementTree

import numpy
import tifffile
from astropy.io import fits
from astropy.visualization import ZScaleInterval
from command import fails, fovea, main, same

PIXEL = 0.325  # µm
RNG = numpy.random.default_rng(5)


def write_cells(name="cells.tif", rows=40, columns=60):
    """Two channels of 16 bits with a known scale."""
    pixels = RNG.integers(100, 9000, (2, rows, columns), dtype=numpy.uint16)
    tifffile.imwrite(name, pixels, imagej=True, resolution=(1 / PIXEL, 1 / PIXEL), metadata={"axes": "CYX", "unit": "um"})
    return pixels


def write_grey(name="grey.tif", rows=40, columns=60, value=128):
    pixels = numpy.full((rows, columns), value, numpy.uint8)
    tifffile.imwrite(name, pixels, imagej=True, resolution=(1 / PIXEL, 1 / PIXEL), metadata={"axes": "YX", "unit": "um"})
    return pixels


def figure(*arguments):
    done = fovea("figure", *arguments)
    assert done.returncode == 0, done.stderr.decode()


def read_png(name):
    """Through netpbm."""
    data = subprocess.run(["pngtopnm", name], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    kind, columns, rows, most = re.match(rb"(P[56])\s+(\d+)\s+(\d+)\s+(\d+)\s", data).groups()
    same(most, b"255", "depth")
    pixels = numpy.frombuffer(data[-int(columns) * int(rows) * (3 if kind == b"P6" else 1):], numpy.uint8)
    return pixels.reshape(int(rows), int(columns), -1) * numpy.ones(3, numpy.uint8)


def picture(*arguments):
    figure(arguments[0], "picture.png", *arguments[1:])
    return read_png("picture.png")


def coloured(pixels):
    """Magenta and green, each from its least to its greatest value, added."""
    shades = []
    for channel in pixels.astype(float):
        low, high = channel.min(), channel.max()
        level = numpy.round(4095 * (channel - low) / (high - low))
        shades.append(numpy.round(255 * level / 4095))
    return numpy.stack([shades[0], shades[1], shades[0]], axis=-1).astype(numpy.uint8)


def equal(got, expected, what="pixels"):
    same(got.shape, expected.shape, f"shape of {what}")
    wrong = numpy.argwhere((got != expected).any(axis=-1))
    assert len(wrong) == 0, f"{len(wrong)} {what} differ, first {wrong[0]}: {got[tuple(wrong[0])]}, not {expected[tuple(wrong[0])]}"


def test_colours():
    pixels = write_cells()
    whole = coloured(pixels)
    equal(picture("cells.tif", "bar=no"), whole)
    equal(picture("cells.tif", "bar=no", "width=180"), whole.repeat(3, 0).repeat(3, 1))
    equal(picture("cells.tif", "bar=no", "part=rectangle(7,5,20,30)"), whole[5:35, 7:27])
    equal(picture("cells.tif", "bar=no", "part=oval(7,5,20,30)", "width=40"), whole[5:35, 7:27].repeat(2, 0).repeat(2, 1))
    one = numpy.clip((pixels[1] - 1000.0) / 4000, 0, 1)
    grey = numpy.round(255 * numpy.round(4095 * one) / 4095).astype(numpy.uint8)
    equal(picture("cells.tif", "bar=no", "mode=single", "channel=1", "display=limits=automatic; low=1000 high=5000"), numpy.stack([grey] * 3, -1))
    smaller = picture("cells.tif", "bar=no", "width=20", "mode=single", "channel=1", "display=limits=automatic; low=0 high=9000").astype(float)
    means = pixels[1][:39].reshape(13, 3, 20, 3).mean((1, 3)) / 9000 * 255
    assert numpy.abs(smaller[:13, :, 0] - means).max() <= 1
    smooth = picture("cells.tif", "bar=no", "width=180", "smooth=yes")
    same(smooth.shape, (120, 180, 3), "shape")
    assert len(numpy.unique(smooth[30:33, 30:33].reshape(-1, 3), axis=0)) > 1, "a pixel has run into its neighbours"


def test_many_channels():
    """More than can be drawn together: one is, as in the window."""
    pixels = RNG.integers(0, 256, (300, 8, 9), dtype=numpy.uint8)
    tifffile.imwrite("many.tif", pixels, imagej=True, metadata={"axes": "CYX"})
    equal(picture("many.tif", "bar=no", "channel=290"), numpy.stack([pixels[290]] * 3, -1))


def test_sizes():
    write_cells()
    choices = ["width=85", "unit=mm", "dpi=600"]
    dots = round(85 / 25.4 * 600)
    figure("cells.tif", "a.png", *choices)
    data = open("a.png", "rb").read()
    same(struct.unpack(">II", data[16:24]), (dots, round(dots * 40 / 60)), "size")
    same(struct.unpack(">IIB", data[data.index(b"pHYs") + 4:][:9]), (23622, 23622, 1), "pHYs")
    figure("cells.tif", "a.tiff", *choices)
    with tifffile.TiffFile("a.tiff") as tiff:
        tags = tiff.pages[0].tags
        same((tags["ImageWidth"].value, tags["ImageLength"].value), (dots, round(dots * 40 / 60)), "size")
        same((tags["XResolution"].value, tags["YResolution"].value, int(tags["ResolutionUnit"].value)), ((600, 1), (600, 1), 2), "resolution")
        equal(tiff.asarray(), read_png("a.png"))
    figure("cells.tif", "a.pdf", *choices)
    said = subprocess.run(["pdfinfo", "a.pdf"], check=True, stdout=subprocess.PIPE).stdout.decode()
    width, height = map(float, re.search(r"Page size: +([\d.]+) x ([\d.]+) pts", said).groups())
    assert abs(width - 85 / 25.4 * 72) < 0.01 and abs(height - width * 40 / 60) < 0.01, (width, height)
    assert "CreationDate" not in said and "cells.tif" in said, said
    figure("cells.tif", "a.svg", *choices)
    root = xml.etree.ElementTree.parse("a.svg").getroot()
    assert root.tag.endswith("svg") and abs(float(root.get("width")[:-2]) - 85 / 25.4 * 72) < 0.01 and root.get("width").endswith("pt"), root.attrib
    for choice, width in (("width=10 unit=cm", 10 / 2.54 * 300), ("width=2 unit=inch", 600), ("width=123 unit=px", 123)):
        same(picture("cells.tif", *choice.split()).shape[1], round(width), choice)


def test_formats_show_the_same():
    write_cells()
    choices = ["width=240", "dpi=72", "bar=no"]
    png = picture("cells.tif", *choices)
    figure("cells.tif", "a.pdf", *choices)
    subprocess.run(["pdfimages", "-png", "a.pdf", "within"], check=True)
    equal(read_png("within-000.png"), png)
    subprocess.run(["pdftoppm", "-r", "72", "-png", "-singlefile", "a.pdf", "pdf"], check=True)
    same(read_png("pdf.png").shape, png.shape, "shape")
    equal(read_png("pdf.png")[2::4, 2::4], png[2::4, 2::4])  # between them poppler mixes
    figure("cells.tif", "a.svg", *choices)
    subprocess.run(["rsvg-convert", "-d", "72", "-p", "72", "-o", "svg.png", "a.svg"], check=True)
    equal(read_png("svg.png"), png)
    for name in ("a.png", "a.tif", "a.svg", "a.pdf"):
        files = []
        for _ in range(2):
            figure("cells.tif", name, "text=A", "color_bar=yes")
            files.append(open(name, "rb").read())
        assert files[0] == files[1], f"{name} is not the same twice"


def test_lines_and_letters_stay_so():
    """Nothing but the image, and the bar's colors, is made of dots."""
    write_cells()
    figure("cells.tif", "a.svg", "text=A", "-s", "channel | otsu | label", "step=0")
    root = xml.etree.ElementTree.parse("a.svg").getroot()
    tags = [element.tag.rsplit("}")[-1] for element in root.iter()]
    same(tags.count("image"), 1, "images")
    assert tags.count("path") > 20 and tags.count("use") + tags.count("glyph") > 1, tags
    figure("cells.tif", "a.pdf", "text=Nuclei", "bar_unit=nm", "width=600")
    text = subprocess.run(["pdftotext", "a.pdf", "-"], check=True, stdout=subprocess.PIPE).stdout.decode()
    assert "Nuclei" in text and "2000 nm" in text, text
    same(len(subprocess.run(["pdfimages", "-list", "a.pdf"], check=True, stdout=subprocess.PIPE).stdout.splitlines()), 3, "lines about images")


def white(pixels):
    return (pixels == 255).all(axis=-1)


def bar_of(*arguments):
    """Length, thickness, and where its middle is."""
    rows, columns = numpy.nonzero(white(picture("grey.tif", "bar_label=no", *arguments)))
    return numpy.ptp(columns) + 1, numpy.ptp(rows) + 1, (columns.mean(), rows.mean())


def test_scale_bar():
    write_grey()
    for choices, pixels in (("bar_length=10", 10 / PIXEL), ("bar_length=2.5", 2.5 / PIXEL), ("bar_length=8000 bar_unit=nm", 8 / PIXEL), ("", 2 / PIXEL),
                            ("part=rectangle(0,0,59,40)", 2 / PIXEL), ("part=rectangle(0,0,31,40)", 2 / PIXEL), ("part=rectangle(0,0,20,40)", 1 / PIXEL)):
        length = bar_of("width=600", *choices.split())[0]
        zoom = 600 / (int(choices.split(",")[2]) if "part" in choices else 60)
        same(length, round(pixels * zoom), choices)
    same(bar_of("dpi=144", "bar_height=3")[1], 6, "thickness")
    for corner, right, low in (("lower_right", True, True), ("lower_left", False, True), ("upper_right", True, False), ("upper_left", False, False)):
        x, y = bar_of("width=600", "bar_place=" + corner)[2]
        same((x > 300, y > 200), (right, low), corner)
    plain, labelled = (picture("grey.tif", "width=600", *more) for more in (["bar_label=no"], []))
    assert white(labelled).sum() > white(plain).sum() + 20, "the length stands by it"
    same(picture("grey.tif", "bar_label=no", "colour=#ff8000").reshape(-1, 3).tolist().count([255, 128, 0]) > 8, True, "orange")  # the older key of color
    shaded = picture("grey.tif", "width=600", "shade=yes")
    assert (shaded[..., 0] < 60).sum() > 1000, "darker behind it"


def outline_of(mask, width):
    """Pixels of a mask that have others, or the end of the image, within a square of that width around them."""
    inside = numpy.pad(mask, width)
    for axis in (0, 1):
        inside = numpy.minimum.reduce([numpy.roll(inside, shift, axis) for shift in range(-width, width + 1)])
    return mask & ~inside[width:-width, width:-width]


def test_outlines():
    """Two objects that touch, a hole, and one at the edge: each line lies within its object."""
    image = write_grey(rows=40, columns=60, value=0)
    image[5:20, 5:20] = 200
    image[10:14, 9:15] = 0
    image[25:40, 30:60] = 100
    tifffile.imwrite("blobs.tif", image)
    steps = "threshold lower=50 | label"
    arguments = ("blobs.tif", "-s", steps, "step=0", "bar=no", "width=480", "dpi=72", "line=2")
    got = picture(*arguments)
    big = image.repeat(8, 0).repeat(8, 1)
    for value in (200, 100):
        line = outline_of(big == value, 2)
        colours = numpy.unique(got[line], axis=0)
        same(len(colours), 1, f"colours of an outline: {colours.tolist()}")
        assert len(set(colours[0].tolist())) > 1 or colours[0, 0] == 255, f"a colour of its own: {colours}"
        equal(got[(big == value) & ~line][None], numpy.full((1, ((big == value) & ~line).sum(), 3), value, numpy.uint8), "pixels within")
    equal(got[big == 0][None], numpy.zeros((1, (big == 0).sum(), 3), numpy.uint8), "pixels between")
    plain = picture(*arguments, "objects=none")
    equal(plain, numpy.stack([big] * 3, -1))
    # The outline of an object ends where the crop cuts it.
    part = picture("blobs.tif", "-s", steps, "step=0", "bar=no", "width=80", "dpi=72", "line=2", "part=rectangle(40,28,10,10)")
    equal(part, numpy.full((80, 80, 3), 100, numpy.uint8))
    filled = picture(*arguments, "objects=fill", "opacity=1")
    same(len(numpy.unique(filled.reshape(-1, 3), axis=0)), 3, "colours")


def test_selections():
    """Lines as wide as they shall be, about the edges of what is selected."""
    write_grey()
    got = picture("grey.tif", "bar=no", "width=480", "dpi=72", "line=2", "part=rectangle(10,0,30,20)", "selection_color=#ff0000",
                  "selections=rectangle(12,3,10,5); line(30,2,36,2)")
    expected = numpy.full((320, 480, 3), 128, numpy.uint8)
    for left, top, right, bottom in ((2, 3, 12, 3), (2, 8, 12, 8), (2, 3, 2, 8), (12, 3, 12, 8)):
        expected[top * 16 - 1:bottom * 16 + 1, left * 16 - 1:right * 16 + 1] = [255, 0, 0]
    expected[2 * 16 - 1:2 * 16 + 1, 20 * 16:26 * 16] = [255, 0, 0]
    equal(got, expected)
    yellow = (picture("grey.tif", "bar=no", "width=600", "selections=oval(10,10,20,20)") == [255, 255, 0]).all(axis=-1)
    rows, columns = numpy.nonzero(yellow)
    assert abs(columns.min() - 100) < 4 and abs(columns.max() - 300) < 4 and abs(rows.mean() - 200) < 1 and not yellow[200, 200], (columns.min(), rows.mean())
    # A path stays open; a part and a hole are closed each for itself.
    got = picture("grey.tif", "bar=no", "width=480", "dpi=72", "line=2", "part=rectangle(10,0,30,20)", "selection_color=#ff0000",
                  "selections=polyline(30,2,36,2,36,8); composite(12,3,22,3,22,13,12,13,12,3,14,5,20,5,20,9,14,9,14,5)")
    expected[:] = 128
    for left, top, right, bottom in ((2, 3, 12, 3), (2, 13, 12, 13), (2, 3, 2, 13), (12, 3, 12, 13),
                                     (4, 5, 10, 5), (4, 9, 10, 9), (4, 5, 4, 9), (10, 5, 10, 9)):
        expected[top * 16 - 1:bottom * 16 + 1, left * 16 - 1:right * 16 + 1] = [255, 0, 0]
    expected[2 * 16 - 1:2 * 16 + 1, 20 * 16:26 * 16 + 1] = [255, 0, 0]
    expected[2 * 16 - 1:8 * 16, 26 * 16 - 1:26 * 16 + 1] = [255, 0, 0]
    equal(got, expected)
    fails(fovea("figure", "grey.tif", "a.png", "selections=oval(1,2)"), "selections", "oval", status=2)


def test_montage():
    """Side by side, with room between, alike bright; a scale bar in the last one."""
    stack = RNG.integers(0, 1000, (5, 20, 30)).astype(numpy.uint16) * numpy.arange(1, 6, dtype=numpy.uint16)[:, None, None]
    tifffile.imwrite("stack.tif", stack, imagej=True, metadata={"axes": "ZYX"})
    grey = numpy.round(255 * numpy.round(4095 * (stack - float(stack.min())) / float(stack.max() - stack.min())) / 4095).astype(numpy.uint8)
    expected = numpy.full((2 * 20 + 3, 3 * 30 + 6, 3), 255, numpy.uint8)
    for i in range(5):
        expected[i // 3 * 23:i // 3 * 23 + 20, i % 3 * 33:i % 3 * 33 + 30] = grey[i][..., None]
    equal(picture("stack.tif", "panels=slices", "bar=no", "dpi=72"), expected)
    row = picture("stack.tif", "panels=slices", "panel_columns=5", "bar=no", "dpi=72")
    same(row.shape, (20, 5 * 33 - 3, 3), "shape")
    whole = coloured(write_cells())
    channels = picture("cells.tif", "panels=channels", "panel_columns=3", "bar=no", "dpi=72")
    same(channels.shape, (40, 3 * 63 - 3, 3), "shape")
    equal(channels[:, 126:], whole)
    equal(channels[:, :60], whole[..., [0, 0, 0]])
    barred = picture("cells.tif", "panels=channels", "panel_columns=3", "width=600", "bar_label=no", "shade=yes", "dpi=72")
    changed = numpy.nonzero((barred != picture("cells.tif", "panels=channels", "panel_columns=3", "width=600", "bar=no", "dpi=72")).any(axis=-1))[1]
    assert changed.min() > 1206, "the bar is in the last one"
    tifffile.imwrite("film.tif", numpy.zeros((401, 2, 2), numpy.uint8), imagej=True, metadata={"axes": "TYX"})
    fails(fovea("figure", "film.tif", "a.png", "panels=frames"), "401 panels", "400", status=1)


def test_mask_is_red():
    image = write_grey(value=40)
    image[10:20, 10:30] = 200
    tifffile.imwrite("blob.tif", image)
    got = picture("blob.tif", "-s", "threshold lower=100", "bar=no", "objects=fill", "opacity=0.75")
    same(got[0, 0].tolist(), [40] * 3, "outside")
    assert numpy.abs(got[15, 15].astype(int) - [241, 50, 50]).max() <= 1, got[15, 15]


def test_colour_bar():
    write_grey(rows=200, columns=100)
    tifffile.imwrite("ramp.tif", numpy.linspace(0, 50, 20000, dtype=numpy.float32).reshape(200, 100))
    got = picture("ramp.tif", "bar=no", "color_bar=yes", "display=low=0 high=50 lut=fire", "dpi=72")
    same(got.shape[0], 200, "rows")
    assert got.shape[1] > 110 and white(got)[:, 101].all(), got.shape
    columns = [x for x in range(100, got.shape[1]) if not white(got[:, x]).any() or len(numpy.unique(got[:, x], axis=0)) > 100]
    same(len(columns), 8, "width")
    bar = got[:, columns[0]]
    same((bar[0].tolist(), bar[-1].tolist()), ([255, 255, 255], [0, 0, 0]), "ends of fire")
    middle = picture("ramp.tif", "bar=no", "display=low=0 high=50 lut=fire")[100, 0]
    assert numpy.abs(bar[99].astype(int) - middle).max() <= 6, (bar[99], middle)
    figure("ramp.tif", "a.pdf", "bar=no", "color_bar=yes", "display=low=0 high=50 lut=fire", "dpi=72")
    words = subprocess.run(["pdftotext", "a.pdf", "-"], check=True, stdout=subprocess.PIPE).stdout.decode().split()
    same(sorted(map(float, words)), list(range(0, 51, 5)), "numbers")


def test_time():
    frames = numpy.zeros((4, 30, 80), numpy.uint8)
    tifffile.imwrite("film.tif", frames, imagej=True, metadata={"axes": "TYX", "finterval": 2.5})
    tifffile.imwrite("frames.tif", frames, imagej=True, metadata={"axes": "TYX"})
    for name, said in (("film.tif", "7.5 s"), ("frames.tif", "Frame 4")):
        figure(name, "a.pdf", "time=yes", "frame=3", "bar=no", "dpi=72")
        same(subprocess.run(["pdftotext", "a.pdf", "-"], check=True, stdout=subprocess.PIPE).stdout.decode().strip(), said, name)


def test_sky():
    """An image that is nearly black between its minimum and maximum is shown with astropy's zscale: FITS always, other floats when 99 % of the pixels
    are in a twentieth of the range. Saved display settings have precedence."""
    sky = RNG.normal(1000, 20, (80, 90)).astype(numpy.float32)
    sky[::27, ::30] = 60000
    few, flat = sky.copy(), numpy.zeros((80, 90), numpy.float32)
    few[::7, ::7] = 60000  # one in 49: not nearly all
    flat[3, 4] = 1         # zscale finds nothing there
    tifffile.imwrite("sky.tif", sky)
    tifffile.imwrite("few.tif", few)
    tifffile.imwrite("flat.tif", flat)
    for image, name in ((sky, "sky.fits"), (few, "few.fits"), (numpy.arange(7200, dtype=numpy.uint8).reshape(80, 90), "bytes.fits")):
        fits.writeto(name, image)

    def grey(image, low, high):
        level = numpy.round(4095 * numpy.clip((image.astype(float) - low) / (high - low), 0, 1))
        return numpy.round(255 * level / 4095)[..., None] * numpy.ones(3)

    def near(name, image, limits, *words):
        off = numpy.abs(picture(name, "bar=no", *words) - grey(image, *limits)).max()
        assert off <= 1, (name, limits, off)
    zscale, everything = ZScaleInterval().get_limits(sky), (sky.min(), sky.max())
    assert zscale[1] < 1200, zscale
    near("sky.fits", sky, zscale)
    near("sky.tif", sky, zscale)
    near("sky.tif", sky, everything, "display=limits=automatic")
    near("sky.fits", sky, (900, 2000), "display=low=900 high=2000")
    near("few.tif", few, (few.min(), few.max()))
    near("few.tif", few, ZScaleInterval().get_limits(few), "display=limits=zscale")
    near("few.fits", few, ZScaleInterval().get_limits(few))
    near("flat.tif", flat, (0, 1))
    near("bytes.fits", numpy.arange(7200, dtype=numpy.uint8).reshape(80, 90), (0, 255))


def test_lut():
    """A look-up table of the user's folder, and one that a macro reads, color what ImageJ's raw bytes say; one that is not there is named."""
    table = RNG.integers(0, 256, (256, 3), dtype=numpy.uint8)
    ramp = numpy.tile(numpy.arange(256, dtype=numpy.uint8), (20, 1))
    os.environ["XDG_CONFIG_HOME"] = os.path.abspath("config")
    folder = os.path.abspath("config/fovea/luts")
    os.makedirs(folder)
    with open(os.path.join(folder, "Mine.lut"), "wb") as file:
        file.write(table.T.tobytes())
    with open("text one.lut", "w", encoding="utf-8") as file:
        file.writelines("%d %d %d\n" % tuple(colour) for colour in table[::-1])
    with open("bad.lut", "w", encoding="utf-8") as file:
        file.write("1 2 3\n")
    tifffile.imwrite("ramp.tif", ramp)
    equal(picture("ramp.tif", "bar=no", "display=limits=automatic lut=Mine"), table[ramp])
    two = numpy.stack([ramp, ramp[:, ::-1]])
    tifffile.imwrite("two.tif", two, imagej=True, metadata={"axes": "CYX"})
    both = numpy.minimum(table[two[0]].astype(int) + numpy.stack([0 * two[1], two[1], 0 * two[1]], -1), 255)
    equal(picture("two.tif", "bar=no", "display=limits=automatic lut=Mine; limits=automatic lut=green"), both.astype(numpy.uint8))
    fails(fovea("figure", "ramp.tif", "a.png", "display=limits=automatic lut=Other"), "Other", "fire", status=1)
    with open("m.lua", "w", encoding="utf-8") as file:
        file.write('open("ramp.tif");\nrun("LUT... ", "open=[text one.lut]");\nrun("Export Figure...", "path=a.png bar=no");\n'
                   'run("Red");\nrun("Export Figure...", "path=b.png bar=no");\nrun("LUT... ", "open=Mine");\n'
                   'run("Export Figure...", "path=c.png bar=no");\nrun("LUT... ", "open=bad.lut");\n')
    fails(fovea("macro", "m.lua"), "m.lua:8", "bad.lut", "1 lines of colors, not 256")
    equal(read_png("a.png"), table[::-1][ramp])
    equal(read_png("b.png"), numpy.stack([ramp, 0 * ramp, 0 * ramp], -1))
    equal(read_png("c.png"), table[ramp])


def test_macro():
    """What a macro makes is what the command makes, looked at as the macro does."""
    write_cells()
    with open("m.lua", "w", encoding="utf-8") as file:
        file.write('open("cells.tif");\nrun("channel");\nrun("otsu");\nrun("label");\nsetMinAndMax(500, 4000);\n'
                   'run("Export Figure...", "path=[m one.png] step=0 mode=single text=[a b] width=300");\n')
    assert fovea("macro", "m.lua").returncode == 0
    figure("cells.tif", "c.png", "-s", "channel | otsu | label", "step=0", "mode=single", "text=a b", "width=300",
           "display=low=500 high=4000; limits=automatic")
    equal(read_png("m one.png"), read_png("c.png"))
    with open("bad.lua", "w", encoding="utf-8") as file:
        file.write('open("cells.tif");\nrun("Export Figure...", "path=a.png widht=3");\n')
    fails(fovea("macro", "bad.lua"), "bad.lua:2", "widht", "width")


def test_wrong():
    write_cells()
    for words, said, status in ((["dpi=0"], ("dpi", "10 to 4800"), 2), (["widht=3"], ("widht", "width"), 2), (["text"], ("text",), 2),
                                (["dpi=72", "dpi=72"], ("dpi", "twice"), 2), (["bar_place=middle"], ("bar_place", "lower_right"), 2),
                                (["color=reddish"], ("color", "reddish", "white"), 2), (["looks=low=2"], ("display", "low=2"), 2),
                                (["part=circle(1,2,3)"], ("part",), 2), (["part=rectangle(100,0,5,5)"], ("outside", "60 × 40"), 1),
                                (["bar_length=100"], ("100 µm", "19.5 µm"), 1), (["bar_unit=s"], ("scale bar", "µm"), 1),
                                (["mode=single", "channel=2"], ("channel 2",), 1), (["slice=1"], ("slice 1",), 1), (["frame=1"], ("frame 1",), 1),
                                (["step=1"], ("Step 1 does not exist",), 1), (["labels=1"], ("Step 1 does not exist",), 1), (["width=5", "unit=inch", "dpi=4800", "part=rectangle(0,0,1,40)"], ("32767",), 1)):
        fails(fovea("figure", "cells.tif", "a.png", *words), *said, status=status)
    fails(fovea("figure", "cells.tif", "a.jpg"), "a.jpg", ".pdf", status=2)
    fails(fovea("figure", "cells.tif", "cells.tif"), "cells.tif", status=2)
    fails(fovea("figure", "cells.tif", "nowhere/a.pdf"), "nowhere", status=2)
    fails(fovea("figure", "cells.tif", "a.pdf", "-s", "otsu", "labels=2"), "Step 2 does not exist", status=1)
    fails(fovea("figure", "cells.tif", "a.pdf", "-s", "gaussian", "labels=1"), "labels", status=1)
    said = fovea("figure", "--choices").stdout.decode()
    assert "  width=  " in said and "lower_left" in said, said


if __name__ == "__main__":
    main([test for name, test in list(globals().items()) if name.startswith("test_")])
