#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes tests/core/files/nikon: small ND2 files of versions 2 and 3. Run by hand: nikon_files.py FOLDER. Where nd2 is, what it reads is
compared with what was meant. The files are kept in the tree; tests/core/files/nd2/test_nd2.c has the same formula."""
import itertools
import pathlib
import struct
import sys
import zlib
from xml.sax.saxutils import quoteattr

import numpy

WEIGHTS = {"c": 31, "y": 3, "x": 1, "z": 7, "t": 17, "p": 97}


# ---- Metadata ----

def item(name, value):
    """A lite variant: numbers by their type, lists as levels of items without names."""
    label = (name + "\0").encode("utf-16-le")
    head = bytes([len(name) + 1]) + label
    if isinstance(value, bool):
        return b"\1" + head + bytes([value])
    if isinstance(value, int):
        return (b"\3" + head + struct.pack("<I", value)) if value >= 0 else (b"\2" + head + struct.pack("<i", value))
    if isinstance(value, float):
        return b"\6" + head + struct.pack("<d", value)
    if isinstance(value, str):
        return b"\x08" + head + (value + "\0").encode("utf-16-le")
    if isinstance(value, bytes):
        return b"\x09" + head + struct.pack("<Q", len(value)) + value
    pairs = [("", v) for v in value] if isinstance(value, list) else list(value.items())
    items = [item(k, v) for k, v in pairs]
    inner = b"".join(items)
    length = 2 + len(label) + 12 + len(inner)
    return b"\x0b" + head + struct.pack("<IQ", len(items), length) + inner + b"\0" * (8 * len(items))


def xml(name, value):
    if isinstance(value, bool):
        return f'<{name} runtype="bool" value="{str(value).lower()}"/>'
    if isinstance(value, int):
        return f'<{name} runtype="lx_uint32" value="{value}"/>'
    if isinstance(value, float):
        return f'<{name} runtype="double" value="{value!r}"/>'
    if isinstance(value, str):
        return f'<{name} runtype="CLxStringW" value={quoteattr(value)}/>'
    if isinstance(value, bytes):
        value = {f"i{i:010}": bool(b) for i, b in enumerate(value)}
    pairs = [(f"i{i:010}", v) for i, v in enumerate(value)] if isinstance(value, list) else list(value.items())
    return f'<{name} runtype="CLxListVariant">' + "".join(xml(k, v) for k, v in pairs) + f"</{name}>"


def metadata(root, value, version):
    if version >= 3:
        return item(root, value)
    return ('<?xml version="1.0" encoding="UTF-8"?><variant version="1.0">' + xml("no_name", value) + "</variant>").encode()


# ---- The file ----

def chunk(name, data):
    """Pixels of frames begin 4096 bytes behind the first byte of their chunk, with the time in between."""
    name = name.encode().ljust(4072 if name.startswith("ImageDataSeq") else 40, b"\0")
    return struct.pack("<IIQ", 0x0ABECEDA, len(name), len(data)) + name + data


class File:
    def __init__(self):
        first = b"ND2 FILE SIGNATURE CHUNK NAME01!"
        self.map, self.bytes = [], b""
        self.header = lambda version: struct.pack("<IIQ", 0x0ABECEDA, 32, 64) + first + f"Ver{version}.0".encode().ljust(64, b"\0")

    def add(self, name, data):
        self.map.append((name, len(self.bytes), len(data)))
        self.bytes += chunk(name, data)

    def end(self):
        where = len(self.bytes)
        entries = b"".join(n.encode() + struct.pack("<QQ", at, size) for n, at, size in self.map)
        signature = b"ND2 CHUNK MAP SIGNATURE 0000001!"
        tail = entries + signature + struct.pack("<Q", where)
        self.bytes += struct.pack("<IIQ", 0x0ABECEDA, 32, len(tail)) + b"ND2 FILEMAP SIGNATURE NAME 0001!" + tail


def time_loop(n, period=0.0):
    return {"eType": 1, "uLoopPars": {"uiCount": n, "dStart": 0.0, "dPeriod": period, "dDuration": 0.0}}


def z_loop(n, step):
    return {"eType": 4, "uLoopPars": {"uiCount": n, "dZLow": -1.0, "dZHigh": 1.0, "dZStep": step, "dZHome": 0.0, "iType": 0,
                                     "bZInverted": False, "wsZDevice": "Piezo"}}


def xy_loop(names, valid):
    points = [{"dPosX": 10.0 * i, "dPosY": 20.0, "dPosZ": 0.0, "dPFSOffset": -1.0, "dPosName": n} for i, n in enumerate(names)]
    return {"eType": 2, "uLoopPars": {"uiCount": len(names), "bUseZ": False, "bRelativeXY": False, "dReferenceX": 0.0, "dReferenceY": 0.0,
                                     "Points": points}, "pItemValid": bytes(valid)}


def periods(counts, valid):
    loops = [{"uiCount": n, "dStart": 0.0, "dPeriod": 1000.0, "dDuration": 0.0} for n in counts]
    return {"eType": 8, "uLoopPars": {"uiCount": len(counts), "pPeriod": loops, "pPeriodValid": bytes(valid)}}


def nest(loops):
    """Loops in loops, the outermost first."""
    inner = None
    for loop in reversed(loops):
        loop = dict(loop)
        loop["uiNextLevelCount"] = int(inner is not None)
        if inner is not None:
            loop["ppNextLevelEx"] = [inner]
        inner = loop
    return inner


def picture(channels, rgb, size):
    planes = {"uiCount": 1 if rgb else len(channels), "uiCompCount": 3 if rgb else len(channels), "sPlaneNew": {}}
    for i, (name, color) in enumerate(channels):
        planes["sPlaneNew"][f"a{i}"] = {"uiCompCount": 3 if rgb else 1, "uiModalityMask": 1, "pFluorescentProbe": {"uiColor": 0}, "uiColor": color,
                                        "sDescription": name}
    return {"dTimeMSec": 445.0, "dTimeAbsolute": 2461372.8958333335, "dXPos": -26056.5, "dYPos": -4155.25, "dZPos": 3914.0,
            "sPicturePlanes": planes, "dCalibration": size, "dAspect": 1.0, "bCalibrated": size > 0,
            "wsObjectiveName": "Plan Apo \u03bb 60x", "dObjectiveMag": -1.0, "dObjectiveNA": 0.95, "dRefractIndex1": 1.0, "dZoom": 2.5}


def pixels(axes, sizes, channels, rows, columns, dtype):
    """Of all frames: frame, y, x, c."""
    frames = []
    y, x, c = numpy.ogrid[:rows, :columns, :channels]
    for at in itertools.product(*map(range, sizes)):
        total = 1 + sum(WEIGHTS[a] * i for a, i in zip(axes, at)) + 3 * y + x + 31 * c
        frames.append((total % 256 if dtype == "u1" else total).astype("<" + dtype))
    return numpy.array(frames)


def make(axes="", sizes=(), loops=(), rows=4, columns=5, channels=(("DAPI", 0xff0000),), dtype="u2", rgb=False, version=3, deflate=False,
         pad=0, size=0.25, keep=None, bits=None, positions=False):
    """A file, and its pixels as frame, y, x, c. keep: so many frames are written."""
    n = 3 if rgb else len(channels)
    data = pixels(axes, sizes, n, rows, columns, dtype)
    lv = "LV" if version >= 3 else ""
    file = File()
    file.bytes = file.header(version)
    width = columns * n * data.itemsize + pad
    attributes = {"uiWidth": columns, "uiWidthBytes": width, "uiHeight": rows, "uiComp": n, "uiBpcInMemory": data.itemsize * 8,
                  "uiBpcSignificant": bits or data.itemsize * 8, "uiSequenceCount": len(data), "uiTileWidth": columns, "uiTileHeight": rows,
                  "eCompression": 0 if deflate else 2, "dCompressionParam": 0.0, "ePixelType": 2 if dtype == "f4" else 1,
                  "uiVirtualComponents": n}
    if loops:
        file.add(f"ImageMetadata{lv}!", metadata("SLxExperiment", nest(loops), version))
    file.add(f"ImageMetadataSeq{lv}|0!", metadata("SLxPictureMetadata", picture(channels, rgb, size), version))
    texts = {f"TextInfoItem_{i}": "" for i in range(14)}
    texts.update(TextInfoItem_5="Dimensions: T(2)\r\n{Laser}: 488\r\n", TextInfoItem_9="28/11/2026  10:30:00", TextInfoItem_13="Plan Apo")
    file.add(f"ImageTextInfo{lv}!", metadata("SLxImageTextInfo", texts, version))
    for i, frame in enumerate(data[:keep]):
        lines = b"".join(line.tobytes() + b"\xee" * pad for line in frame)
        file.add(f"ImageDataSeq|{i}!", struct.pack("<d", 100.0 * i) + (zlib.compress(lines) if deflate else lines))
    file.add("CustomData|AcqTimesCache!", b"".join(struct.pack("<d", 445.0 + 1500.0 * i) for i in range(len(data))))
    if positions:
        for axis, first in ("X", 1.5), ("Y", -2.5):
            file.add(f"CustomData|{axis}!", b"".join(struct.pack("<d", first + i) for i in range(len(data))))
    file.add(f"ImageAttributes{lv}!", metadata("SLxImageAttributes", attributes, version))
    file.end()
    return file.bytes, data


TWO = (("DAPI", 0xff0000), ("FITC", 0x00ff10))
FOUR = (*TWO, ("TRITC", 0x0000ff), ("Cy5", 0xff00ff))
FILES = {
    "stack.nd2": dict(axes="tz", sizes=(2, 3), loops=(time_loop(2, 3000.0), z_loop(3, 0.5)), channels=TWO, bits=12),
    "positions.nd2": dict(axes="tp", sizes=(2, 2), loops=(periods([1, 5, 1], [1, 0, 1]), xy_loop(["A1", "B1", ""], [1, 0, 1])), pad=6,
                          positions=True),
    "deflated.nd2": dict(axes="z", sizes=(3,), loops=(z_loop(3, 0.0),), channels=TWO, dtype="u1", deflate=True),
    "colors.nd2": dict(rgb=True, channels=(("Brightfield", 0xffffff),), dtype="u1", columns=7),
    "colors_deflated.nd2": dict(rgb=True, channels=(("Brightfield", 0xffffff),), dtype="u1", columns=7, deflate=True),
    "float.nd2": dict(dtype="f4", size=0.0),
    "old.nd2": dict(axes="tpz", sizes=(2, 2, 2), loops=(time_loop(2, 3000.0), xy_loop(["A1", "B1"], [1, 1]), z_loop(2, 0.5)), channels=TWO,
                    version=2),
    "channels.nd2": dict(axes="tpz", sizes=(2, 2, 2), loops=(time_loop(2, 3000.0), xy_loop(["A1", "B1"], [1, 1]), z_loop(2, 0.5)), channels=FOUR, pad=2),
    "aborted.nd2": dict(axes="tz", sizes=(3, 2), loops=(time_loop(3, 3000.0), z_loop(2, 0.5)), keep=3),
}


def write(folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    made = {}
    for name, about in FILES.items():
        data, made[name] = make(**about)
        (folder / name).write_bytes(data)
    return made


def check(folder, made):
    """As nd2 reads them; its pixels are frame, c, y, x, and those of colors y, x, c in the order of the file."""
    import nd2

    for name, meant in made.items():
        with nd2.ND2File(pathlib.Path(folder) / name) as file:
            got = file.asarray()
            about = FILES[name]
            if about.get("rgb"):
                assert numpy.array_equal(got, meant[0]), name
                continue
            got = got.reshape(-1, len(about.get("channels", (1,))), *got.shape[-2:])
            frames = about.get("keep") or len(meant)
            assert numpy.array_equal(got[:frames], meant.transpose(0, 3, 1, 2)[:frames]), name
            voxel = file.voxel_size()
            assert (voxel.x, voxel.y) == ((0.25, 0.25) if about.get("size", 1) else (1, 1)), (name, voxel)


if __name__ == "__main__":
    written = write(sys.argv[1])
    try:
        check(sys.argv[1], written)
        print("as nd2 reads them")
    except ImportError as error:
        print(error)
