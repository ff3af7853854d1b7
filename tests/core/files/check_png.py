#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_png.py FOVEA: PNG files that are written in several bands are what went in, to netpbm (libpng) and, where they are installed,
to Pillow, which has a decoder of its own, and OpenCV. Skips (77) without tifffile."""
import os
import struct
import subprocess
import sys
import tempfile
import zlib

try:
    import numpy as np
    import tifffile
except ImportError:
    sys.exit(77)

FOVEA = sys.argv[1]


def by_netpbm(path):
    data = subprocess.run(["pngtopam", path], check=True, stdout=subprocess.PIPE).stdout
    magic, width, height, most, pixels = data.split(maxsplit=4) if data[:2] != b"P7" else (None,) * 5
    header = len(data) - int(width) * int(height) * (3 if magic == b"P6" else 1) * (2 if int(most) > 255 else 1)
    samples = np.frombuffer(data[header:], ">u2" if int(most) > 255 else "u1")
    return samples.reshape((int(height), int(width), 3) if magic == b"P6" else (int(height), int(width)))


def filters_of(path, shape, dtype):
    """The numbers of the filters that its rows have. The chunks' sums and zlib's at the end are checked."""
    with open(path, "rb") as file:
        data = file.read()
    at, stream = 8, b""
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at:at + 8])
        assert zlib.crc32(data[at + 4:at + 8 + size]) == struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0]
        stream += data[at + 8:at + 8 + size] if name == b"IDAT" else b""
        at += size + 12
    raw = zlib.decompress(stream)
    bytes_per_pixel = dtype.itemsize * (shape[2] if len(shape) > 2 else 1)
    row = shape[1] * bytes_per_pixel
    assert len(raw) == shape[0] * (row + 1)
    return set(raw[::row + 1])


def readers():
    yield "netpbm", by_netpbm
    try:
        from PIL import Image
        yield "Pillow", lambda path: np.asarray(Image.open(path))
    except ImportError:
        pass
    try:
        import cv2
        yield "OpenCV", lambda path: cv2.imread(path, -1)[..., ::-1] if cv2.imread(path, -1).ndim == 3 else cv2.imread(path, -1)
    except ImportError:
        pass


def pictures():
    rng = np.random.default_rng(3)
    y, x = np.mgrid[:1501, :1103]
    smooth = (y * 7 + x * 3) // 4 + rng.integers(0, 9, y.shape)
    yield "u8", (smooth % 256).astype("u1")
    yield "u16", smooth.astype("u2")
    yield "noise", rng.integers(0, 65536, (700, 1600), dtype="u2")
    yield "rgb", np.stack([smooth, smooth // 2, smooth * 5], -1).astype("u1")
    yield "mask", ((y // 50 + x // 70) % 2 * 255).astype("u1")
    yield "wide", rng.integers(0, 200, (3, 700001), dtype="u2")
    yield "high", rng.integers(0, 200, (700001, 1), dtype="u1")
    yield "pixel", np.array([[77]], "u1")


def sized(per_metre):
    """A PNG of one pixel, of which so many are a meter."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)) + chunk(b"pHYs", struct.pack(">IIB", per_metre, per_metre, 1))
            + chunk(b"IDAT", zlib.compress(b"\0\7")) + chunk(b"IEND", b""))


def check_resolutions(folder):
    """What programs write unasked, such as 300 dots per inch, says nothing of the size of pixels; any other resolution does."""
    path = os.path.join(folder, "sized.png")
    for dots, usual in [(dots, True) for dots in (72, 75, 90, 96, 100, 120, 144, 150, 180, 192, 200, 240, 300, 360, 400, 600, 720, 1200, 2400)] + [
            (dots, False) for dots in (71, 301, 601, 1000, 5000)]:
        with open(path, "wb") as file:
            file.write(sized(round(dots / 0.0254)))
        said = subprocess.run([FOVEA, "info", path], check=True, stdout=subprocess.PIPE).stdout.decode()
        if ("µm" in said) == usual:
            sys.exit(f"{dots} dots per inch: {said}")


with tempfile.TemporaryDirectory() as folder:
    check_resolutions(folder)
    used = set()
    for name, picture in pictures():
        source, path = os.path.join(folder, name + ".tif"), os.path.join(folder, name + ".png")
        tifffile.imwrite(source, picture, photometric="rgb" if picture.ndim == 3 else "minisblack")
        subprocess.run([FOVEA, "convert", source, path], check=True)
        used |= filters_of(path, picture.shape, picture.dtype)
        for reader, read in readers():
            found = read(path)
            if not np.array_equal(found, picture):
                sys.exit(f"{name}.png is not what went in, says {reader}")
    if len(used) < 3:
        sys.exit(f"only the filters {used} are ever chosen")
