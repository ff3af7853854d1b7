# SPDX-License-Identifier: MIT
"""fovea info says what the headers say, without reading pixels: the same as the opened image has, also of files whose pixels are cut
off, and with little memory. Files are made by zlib, astropy and netpbm.
Output is TAP. Argument: the command."""
import gzip
import json
import os
import resource
import struct
import subprocess
import sys
import tempfile
import zlib

import numpy as np
from astropy.io import fits

FOVEA = sys.argv[1]
FOLDER = tempfile.TemporaryDirectory()
results = []


def check(name, good, why=""):
    results.append(f"{'ok' if good else 'not ok'} {len(results) + 1} - {name}" + (f"\n# {why}" if not good else ""))


def path(name):
    return os.path.join(FOLDER.name, name)


def fovea(*arguments):
    return subprocess.run([FOVEA, *arguments], capture_output=True, text=True)


def info(name):
    done = fovea("info", "--json", path(name))
    return json.loads(done.stdout)[0] if done.returncode == 0 else None


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(name, color, bits, samples, rows, columns):
    """A PNG file of zeros, but for opaque alpha at its end, with pixels of so many samples."""
    row = b"\0" + bytes(columns * samples * bits // 8)
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", columns, rows, bits, color, 0, 0, 0))
    data += chunk(b"IDAT", zlib.compress(row * rows, 1)) + chunk(b"IEND", b"")
    with open(path(name), "wb") as file:
        file.write(data)
    return data


def cut(name, data, n):
    with open(path(name), "wb") as file:
        file.write(data[:n])


# ---- The size and type of each kind are those of the opened image ----

png("gray.png", 0, 8, 1, 7, 5)
png("gray16.png", 0, 16, 1, 7, 5)
png("rgb.png", 2, 8, 3, 7, 5)
png("rgb16.png", 2, 16, 3, 7, 5)
rng = np.random.default_rng(1)
for name, head, samples in (("c.ppm", "P6", 3), ("g.pgm", "P5", 1)):
    with open(path(name), "wb") as file:
        file.write(f"{head} 5 7 255\n".encode() + rng.integers(0, 255, 35 * samples, "u1").tobytes())
for to, source, tool in (("c.jpg", "c.ppm", "pnmtojpeg"), ("g.jpg", "g.pgm", "pnmtojpeg"), ("c.gif", "c.ppm", "ppmtogif"),
                         ("c.bmp", "c.ppm", "ppmtobmp")):
    with open(path(to), "wb") as file:
        subprocess.run([tool, path(source)], stdout=file, stderr=subprocess.DEVNULL, check=True)
fits.HDUList([fits.PrimaryHDU(np.ones((3, 4), "i2")), fits.ImageHDU(np.ones((5, 6), "f4"))]).writeto(path("two.fits.gz"))
for name in ("gray.png", "gray16.png", "rgb.png", "rgb16.png", "c.ppm", "g.pgm", "c.jpg", "g.jpg", "c.gif", "c.bmp", "two.fits.gz"):
    told = info(name)
    opened = fovea("convert", path(name), path("opened.tif"))
    seen = info("opened.tif") if opened.returncode == 0 else None
    same = told and seen and all(told[key] == seen[key] for key in ("type", "role", "channels", "rows", "columns", "pixel_size"))
    check(f"{name} is described as it opens", same, f"{told} and {seen}: {opened.stderr}")

# ---- What depends on pixels is reported ----

png("alpha.png", 6, 8, 4, 7, 5)
check("alpha is reported as undecided", "alpha" in info("alpha.png").get("opens_with", ""), info("alpha.png"))
check("gray colors are reported as undecided", "gray" in info("c.jpg").get("opens_with", ""), info("c.jpg"))
check("one component is gray for sure", "opens_with" not in info("g.jpg"), info("g.jpg"))

# ---- No pixels are read ----

cut("cut.png", png("whole.png", 2, 8, 3, 100, 100), 60)
check("a PNG file without pixels is described", info("cut.png") and info("cut.png")["rows"] == 100)
check("and cannot be opened", fovea("convert", path("cut.png"), path("cut.tif")).returncode == 1)
with open(path("c.jpg"), "rb") as file:
    jpeg = file.read()
cut("cut.jpg", jpeg, jpeg.index(b"\xff\xda") + 14)
check("a JPEG file without pixels is described", info("cut.jpg") and info("cut.jpg")["rows"] == 7)
cut("empty.jpg", jpeg, 3)
check("a JPEG file without a header is an error", fovea("info", path("empty.jpg")).returncode == 1)

# 1 GiB of zeros in 1 MiB: all of it would take longer than the limit below, and memory that the limit forbids.
header = fits.PrimaryHDU(np.zeros((1, 1), "f4")).header
header["NAXIS1"], header["NAXIS2"] = 16384, 16384
with open(path("zeros.fits.gz"), "wb") as file:
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    file.write(packer.compress(header.tostring().encode()))
    piece = bytes(1 << 20)
    for _ in range(1024):
        file.write(packer.compress(piece))
    file.write(packer.compress(bytes(-(1 << 30) % 2880)) + packer.flush())


def little():
    resource.setrlimit(resource.RLIMIT_CPU, (1, 1))


done = subprocess.run([FOVEA, "info", path("zeros.fits.gz")], capture_output=True, text=True, preexec_fn=little)
check("a gzip file is not unpacked for its header", done.returncode == 0 and "16384×16384" in done.stdout, done)
with gzip.open(path("two.fits.gz")) as file:
    two = file.read()
cut("torn.fits.gz", gzip.compress(two), len(gzip.compress(two)) // 2)
done = fovea("info", path("torn.fits.gz"))
check("a torn gzip file is called damaged", "damaged" in done.stdout + done.stderr, done)

print(f"1..{len(results)}")
print("\n".join(results))
