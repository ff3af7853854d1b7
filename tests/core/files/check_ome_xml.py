#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_ome_xml.py FOVEA: pixels in OME-XML are those that Python's base64, zlib and bz2 wrote there: every type, byte order, compression and order of
planes, and colors. bioformats.ome.xml is by Bio-Formats. Skips (77) without NumPy and tifffile."""
import base64
import bz2
import itertools
import pathlib
import subprocess
import sys
import tempfile
import zlib

try:
    import numpy as np
    import tifffile
except ImportError as error:
    print(f"no {error.name}")
    sys.exit(77)

FOVEA = sys.argv[1]
DATA = pathlib.Path(__file__).resolve().parent / "ome"
TYPES = {"uint8": "u1", "int8": "i1", "uint16": "u2", "int16": "i2", "uint32": "u4", "int32": "i4", "float": "f4", "double": "f8"}
PACK = {"": bytes, "none": bytes, "zlib": zlib.compress, "bzip2": bz2.compress}
SIZES = {"X": 7, "Y": 5, "Z": 3, "C": 2, "T": 2}
ORDERS = ["XY" + "".join(order) for order in itertools.permutations("ZCT")]


def random(name, shape):
    kind = np.dtype(TYPES[name])
    rng = np.random.default_rng(7)
    return rng.normal(0, 50, shape).astype(kind) if kind.kind == "f" else rng.integers(np.iinfo(kind).min, np.iinfo(kind).max, shape, kind, endpoint=True)


def write(path, name, blocks, order="XYZCT", sizes=SIZES, compression="", big=False, lines=False, samples=1, more=""):
    """blocks: of pixels, one for each BinData element."""
    data = ""
    for block in blocks:
        packed = PACK[compression](block.astype(block.dtype.newbyteorder(">" if big else "<")).tobytes())
        text = (base64.encodebytes if lines else base64.b64encode)(packed).decode()
        option = f' Compression="{compression}"' if compression else ""
        data += f'<Bin:BinData xmlns:Bin="b" BigEndian="{str(big).lower()}" Length="{len(text)}"{option}>{text}</Bin:BinData>'
    axes = " ".join(f'Size{axis}="{n}"' for axis, n in sizes.items())
    path.write_text(f'<?xml version="1.0" encoding="UTF-8"?>\n<OME xmlns="o"><Image ID="Image:0" Name="first"><Pixels DimensionOrder="{order}" Type="{name}" '
                    f'PhysicalSizeX="0.25" PhysicalSizeY="0.25" {axes} {more}><Channel SamplesPerPixel="{samples}" Name="DAPI"/>{data}</Pixels></Image></OME>')


def read(path, folder):
    out = folder / "out.tif"
    subprocess.run([FOVEA, "convert", "-q", path, out], check=True)
    return tifffile.imread(out)


def check(what, got, want):
    if got.dtype != want.dtype or not np.array_equal(got, want):
        sys.exit(f"{what}: {got.dtype} {got.shape}, not {want.dtype} {want.shape}")


def check_all(folder):
    path = folder / "file.ome"
    cases = list(itertools.product(TYPES, PACK, (False, True)))
    for i, (name, compression, big) in enumerate(cases):
        order = ORDERS[i % len(ORDERS)]
        stored = random(name, [SIZES[axis] for axis in reversed(order)])
        write(path, name, stored.reshape(-1, 5, 7), order, compression=compression, big=big, lines=i % 2 > 0)
        want = stored.transpose([order[::-1].index(axis) for axis in "TZCYX"])
        check((name, compression, big, order), read(path, folder), want)
    return len(cases)


def check_blocks(folder):
    """One BinData element for all planes, and one for the samples of a pixel."""
    path, sizes = folder / "file.ome.xml", {"X": 7, "Y": 5, "Z": 2, "C": 3, "T": 1}
    colors = random("uint8", (2, 3, 5, 7))
    want = np.moveaxis(colors, 1, -1)
    for samples, blocks, more in ((3, colors.reshape(-1, 5, 7), ""), (3, colors, ""), (3, want, 'Interleaved="true"'), (3, colors[None], "")):
        write(path, "uint8", blocks, "XYCZT", sizes, samples=samples, more=more)
        check((len(blocks), more), read(path, folder), want)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        n = check_all(folder)
        check_blocks(folder)
        about = subprocess.run([FOVEA, "info", DATA / "bzip2.ome"], check=True, capture_output=True, text=True).stdout
        assert "7×5 signed 16-bit, 2 channels, 3 slices, 2 frames, 0.25 µm × 0.25 µm" in about, about
        check("Bio-Formats", read(DATA / "bioformats.ome.xml", folder), np.load(DATA / "bioformats.npy"))
    print(f"{n} files agree")


main()
