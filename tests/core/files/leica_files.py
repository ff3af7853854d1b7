#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes tests/core/files/leica: small LIF, LOF, XLIF, XLCF and XLEF files, by Leica's description of the formats. Run by hand:
leica_files.py FOLDER. Where liffile and readlif are, what these read is compared with what was meant. The files are kept in the tree;
tests/core/files/lif/test_lif.c has the same formula."""
import pathlib
import struct
import sys
from xml.sax.saxutils import quoteattr

import numpy

IDS = {"x": 1, "y": 2, "z": 3, "t": 4, "e": 5, "r": 6, "w": 9, "m": 10}
UNITS = {"t": "s", "m": "", "r": ""}
# Of an element of an axis, in what a pixel holds; its channel counts 31.
WEIGHTS = {"x": 1, "y": 3, "z": 7, "t": 17, "e": 53, "w": 59, "m": 97, "r": 101}


def values(axes, sizes, channels, dtype, axis):
    """Pixels with channels before axis number `axis`, slowest first."""
    shape = list(sizes)
    shape.insert(axis, channels)
    weights = [WEIGHTS[a] for a in axes]
    weights.insert(axis, 31)
    grid = numpy.ogrid[tuple(slice(n) for n in shape)]
    total = sum(w * g for w, g in zip(weights, grid)) + 1
    return (total % 256 if dtype == "u1" else total).astype("<" + dtype)


class Image:
    """axes: as scanned, the slowest first, such as tzyx. channels: before which axis they are; rgb: they are samples of a pixel."""

    def __init__(self, name, axes, sizes, dtype="u1", channels=1, before=None, bits=None, rgb=False, luts=(), lengths=(), tail="",
                 properties=(), pad=1, block=True, type_of=None):
        self.name, self.block, self.tail = name, block, tail
        self.axes, self.sizes, self.channels, self.rgb = axes, sizes, channels, rgb
        self.dtype = numpy.dtype("<" + dtype)
        self.before = len(axes) if rgb else axes.index(before or axes[-2])
        self.pixels = values(axes, sizes, channels, dtype, self.before)
        stored = self.pixels
        row = len(axes) - 1  # the axis of x, behind the channels where these are not samples
        if pad > 1:
            width = stored.shape[row] * (channels if rgb else 1)
            flat = stored.reshape(*stored.shape[:row], width)
            stored = numpy.pad(flat, [(0, 0)] * row + [(0, -width % pad)], constant_values=255)
        self.memory = stored.tobytes()
        self.xml = self.describe(stored, bits or self.dtype.itemsize * 8, luts, dict(lengths), properties, type_of)

    def steps(self, stored):
        """Bytes from an element of each axis to the next, and from channel to channel."""
        if self.rgb:
            row = stored.strides[len(self.axes) - 2] if stored.ndim == len(self.axes) else self.pixels.strides[-3]
            return [*stored.strides[:len(self.axes) - 2], row, 3 * self.dtype.itemsize], self.dtype.itemsize
        steps = list(stored.strides)
        return steps[:self.before] + steps[self.before + 1:], steps[self.before]

    def describe(self, stored, bits, luts, lengths, properties, type_of):
        steps, between = self.steps(stored)
        out = ['<Image TextDescription=""><ImageDescription><Channels>']
        for c in range(self.channels):
            out.append(f'<ChannelDescription DataType="{int(self.dtype.kind == "f")}" ChannelTag="{c + 1 if self.rgb else 0}" '
                       f'Resolution="{bits}" NameOfMeasuredQuantity="" Min="0" Max="{2 ** bits - 1 if bits < 32 else 1}" Unit="" '
                       f'LUTName="{luts[c] if c < len(luts) else "Gray"}" IsLUTInverted="0" BytesInc="{c * between}" BitInc="0">')
            if c < len(properties):
                out.append(f"<ChannelProperty><Key>ChannelGroup</Key><Value>0</Value></ChannelProperty>"
                           f"<ChannelProperty><Key>DyeName</Key><Value>{properties[c]}</Value></ChannelProperty>")
            out.append("</ChannelDescription>")
        out.append("</Channels><Dimensions>")
        for axis, n, step in reversed(list(zip(self.axes, self.sizes, steps))):
            origin, length = lengths.get(axis, (0, 0))
            out.append(f'<DimensionDescription DimID="{IDS[axis]}" NumberOfElements="{n}" Origin="{origin:e}" Length="{length:e}" '
                       f'Unit="{UNITS.get(axis, "m")}" BitInc="0" BytesInc="{step}"></DimensionDescription>')
        out.append("</Dimensions></ImageDescription>" + self.tail + "</Image>")
        return "".join(out)


def times(seconds, newer=True):
    """Of planes, since 2026-11-28 09:30:00 UTC."""
    first = 116444736000000000 + 1795858200 * 10 ** 7
    ticks = [first + round(s * 10 ** 7) for s in seconds]
    if newer:
        return f'<TimeStampList NumberOfTimeStamps="{len(ticks)}">{"".join(f"{t:x} " for t in ticks)}</TimeStampList>'
    inner = "".join(f'<TimeStamp HighInteger="{t >> 32}" LowInteger="{t & 0xffffffff}"/>' for t in ticks)
    return f"<TimeStampList>{inner}</TimeStampList>"


def setting(detectors, bands, more=""):
    found = "".join(f'<Detector Channel="{c}" IsActive="{a}"/>' for c, a in detectors)
    dyes = "".join(f'<MultiBand Channel="{c}" DyeName="{d}"/>' for c, d in bands)
    return (f'<ATLConfocalSettingDefinition {more}><DetectorList>{found}</DetectorList><Spectro>{dyes}</Spectro>'
            "</ATLConfocalSettingDefinition>")


OPTICS = ('ObjectiveName="HC PL APO 63x/1.40 OIL " Magnification="63" NumericalAperture="1.4" Immersion="OIL" '
          'StagePosX="0.03462" StagePosY="0.01474" ZPosition="1E-05"')


def images():
    tail = (times([0.5 * t + 0.1 * z + 0.02 * c for t in range(2) for z in range(3) for c in range(2)])
            + '<Attachment Name="ViewerScaling"><ChannelScalingInfo WhiteValue="0.5" BlackValue="0"/>'
              '<ChannelScalingInfo WhiteValue="1" BlackValue="0.25"/></Attachment>'
            + '<Attachment Name="HardwareSetting" Software="LAS X 3.5" SystemTypeName="TCS SP8">'
            + setting([(1, 1), (2, 1)], [(1, "Leica/DAPI"), (2, "Leica/FITC")], OPTICS)
            + "<LDM_Block_Sequential><LDM_Block_Sequential_Master>" + setting([(1, 1)], [(1, "none")])
            + "</LDM_Block_Sequential_Master><LDM_Block_Sequential_List>" + setting([(1, 1), (2, 0)], [(1, "Leica/Hoechst"), (2, "")])
            + setting([(1, 0), (2, 1)], [(1, ""), (2, "Leica/Alexa 488")])
            + "</LDM_Block_Sequential_List></LDM_Block_Sequential></Attachment>")
    tiles = ('<Attachment Name="TileScanInfo">' + "".join(f'<Tile FieldX="{m}" FieldY="0" PosX="{0.01 + 0.001 * m}" PosY="0.02" PosZ="0"/>'
                                                         for m in range(3)) + "</Attachment>" + times([0, 1, 2], newer=False))
    lengths = {"x": (0, 1.2e-6), "y": (0, 1.2e-6), "z": (5e-6, -1e-6), "t": (0, 0.5)}
    yield Image("stack", "tzyx", (2, 3, 5, 7), "u2", 2, "y", 12, luts=("Blue", "Green"), lengths=lengths, tail=tail)
    yield Image("tiles", "myx", (3, 4, 6), lengths={"x": (0, 1e-5), "y": (0, 9e-6)}, tail=tiles)
    yield Image("spectrum", "eyx", (3, 4, 5), channels=2, before="e", luts=("Red", "Green"), lengths={"e": (5e-7, 4e-8)})
    yield Image("colors", "yx", (4, 7), channels=3, rgb=True, pad=4)
    yield Image("section", "tzx", (2, 4, 6), "f4", lengths={"x": (0, 1e-5), "z": (0, 6e-6), "t": (0, 3)})
    yield Image("lifetime", "yx", (3, 5), "f2", luts=("#unknown",), properties=("FLIM",))
    yield Image("wide", "yx", (3, 5), "u4")
    yield Image("both", "wezyx", (2, 3, 2, 3, 4), lengths={"e": (5e-7, 4e-8), "w": (4e-7, 2e-8)})
    yield Image("turned", "ryx", (2, 3, 4), "u2", 2)
    yield Image("gone", "yx", (3, 5), block=False)


# ---- Containers ----

def text(s):
    return struct.pack("<I", len(s)) + s.encode("utf-16-le")


def header(xml):
    body = b"\x2a" + text(xml)
    return struct.pack("<II", 0x70, len(body)) + body


def memory(name, data, size="<Q"):
    body = b"\x2a" + struct.pack(size, len(data)) + b"\x2a" + text(name)
    return struct.pack("<II", 0x70, len(body)) + body + data


def element(name, inner, block, size, children=""):
    return (f"<Element Name={quoteattr(name)} Visibility=\"1\" UniqueID=\"{block}\"><Data>{inner}</Data>"
            f'<Memory Size="{size}" MemoryBlockID="{block}"/><Children>{children}</Children></Element>')


def lif(elements, blocks, version=2):
    size = "<I" if version == 1 else "<Q"
    xml = (f'<LMSDataContainerHeader Version="{version}">' + element("project", "<Experiment/>", "MemBlock_0", 0, elements)
           + "</LMSDataContainerHeader>")
    return header(xml) + memory("MemBlock_0", b"", size) + b"".join(memory(name, data, size) for name, data in blocks)


def lof(image, bare=False):
    inner = f"<Data>{image.xml}</Data>"
    xml = inner if bare else ('<LMSDataContainerHeader Version="2">' + element(image.name, image.xml, "MemBlock_3", len(image.memory))
                              + "</LMSDataContainerHeader>")
    name = b"\x2a" + text("LMS_Object_File")
    return (struct.pack("<II", 0x70, len(name)) + name + b"\x2a" + struct.pack("<I", 2) + b"\x2a" + struct.pack("<I", 0)
            + b"\x2a" + struct.pack("<Q", len(image.memory)) + image.memory + header(xml))


def xml_file(name, inner, tail):
    return ('<?xml version="1.0" encoding="utf-8"?>\r\n<LMSDataContainerHeader Version="2">'
            f"<Element Name={quoteattr(name)}><Data>{inner}</Data>{tail}</Element></LMSDataContainerHeader>").encode()


def references(*files):
    return "<Children>" + "".join(f'<Reference File="{f}" UUID=""/>' for f in files) + "</Children>"


def xlif(image, blocks):
    frames = "".join(f'<Block File="{f}" Offset="{at}" Size="{n}" UUID=""/>' for f, at, n in blocks)
    return xml_file(image.name, image.xml, f'<Memory Size="{len(image.memory)}" MemoryBlockID="MemBlock_1">{frames}</Memory>')


def write(folder):
    folder = pathlib.Path(folder)
    (folder / "set").mkdir(parents=True, exist_ok=True)
    all_images = list(images())
    group, blocks = "", []
    for i, image in enumerate(all_images, 1):
        group += element(image.name, image.xml, f"MemBlock_{i}", len(image.memory))
        if image.block:
            blocks.append((f"MemBlock_{i}", image.memory))
    rois = element("regions", "<ROISet/>", "MemBlock_90", 4)
    (folder / "all.lif").write_bytes(lif(element("group", "", "MemBlock_91", 0, group) + rois, blocks + [("MemBlock_90", b"abcd")]))
    stack = all_images[0]
    (folder / "old.lif").write_bytes(lif(element("stack", stack.xml, "MemBlock_1", len(stack.memory)), [("MemBlock_1", stack.memory)], 1))
    (folder / "stack.lof").write_bytes(lof(stack))
    (folder / "bare.lof").write_bytes(lof(all_images[1], bare=True))
    # A set: an image in one LOF file, one whose frames are in a file each, and one in TIFF files.
    half = len(stack.memory) // 2
    for name, part in ("first", stack.memory[:half]), ("second", stack.memory[half:]):
        piece = Image(name, "yx", (3, 5))
        piece.memory = part
        (folder / "set" / f"{name} part.lof").write_bytes(lof(piece))
    wide = all_images[6]
    (folder / "set" / "wide.lof").write_bytes(lof(wide))
    (folder / "set" / "wide.xlif").write_bytes(xlif(wide, [("wide.lof", 0, len(wide.memory))]))
    (folder / "set" / "stack.xlif").write_bytes(xlif(stack, [(".\\second%20part.lof", half, half), (".\\first%20part.lof", 0, half)]))
    (folder / "set" / "pages.xlif").write_bytes(xlif(all_images[1], [(f"tiles_m{m}.tif", m * 24, 24) for m in range(3)]))
    (folder / "set" / "inner.xlcf").write_bytes(xml_file("inner", "", references("stack.xlif", "pages.xlif", "lost.xlif")))
    (folder / "project.xlef").write_bytes(xml_file("project", "", references("./set/wide.xlif", "./set/inner.xlcf", "../away.xlif",
                                                                             "project.xlef")))
    return all_images


def check(folder, all_images):
    """As liffile and readlif read them."""
    import liffile
    import readlif.reader

    folder = pathlib.Path(folder)
    with liffile.LifFile(folder / "all.lif") as file:
        for image, meant in zip(file.images, all_images):
            assert image.sizes  # or liffile does not see that rows are padded
            if meant.block:
                assert numpy.array_equal(image.asarray().ravel(), meant.pixels.ravel()), meant.name
    for name, meant in ("old.lif", all_images[0]), ("stack.lof", all_images[0]), ("bare.lof", all_images[1]):
        with liffile.LifFile(folder / name) as file:
            assert numpy.array_equal(file.images[0].asarray().ravel(), meant.pixels.ravel()), name
    with liffile.LifFile(folder / "set" / "wide.xlif") as file:
        assert numpy.array_equal(file.images[0].asarray().ravel(), all_images[6].pixels.ravel())
    for name in "all.lif", "old.lif":
        stack = readlif.reader.LifFile(folder / name).get_image(0)
        for t in range(2):
            for z in range(3):
                for c in range(2):
                    got = numpy.array(stack.get_frame(z=z, t=t, c=c))
                    assert numpy.array_equal(got, all_images[0].pixels[t, z, c]), (name, t, z, c)
    tiles = readlif.reader.LifFile(folder / "all.lif").get_image(1)
    for m in range(3):
        assert numpy.array_equal(numpy.array(tiles.get_frame(m=m)), all_images[1].pixels[m, 0])


if __name__ == "__main__":
    written = write(sys.argv[1])
    try:
        check(sys.argv[1], written)
        print("as liffile and readlif read them")
    except ImportError as error:
        print(error)
