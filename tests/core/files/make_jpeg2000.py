#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the JPEG 2000 files of tests/core/files/pictures, and as .npy what a reader must give.

    python3 tests/core/files/make_jpeg2000.py

Glymur, imagecodecs and opj_compress encode without loss, so that the arrays are those that went in; the decoders of Glymur, imagecodecs and Pillow
confirm them. Boxes of palettes, channels and resolutions are put together here. Arrays are (channel, 1, row, column).
"""
import io
import pathlib
import struct
import subprocess
import tempfile

import glymur
import imagecodecs
import numpy as np
from PIL import Image

HERE = pathlib.Path(__file__).parent / "pictures"
RANDOM = np.random.default_rng(11)
ROWS, COLUMNS = 45, 62
SRGB, GRAY, SYCC = 16, 17, 18


def box(kind, body):
    return struct.pack(">I", 8 + len(body)) + kind + body


def jp2(codestream, components, bits=8, color=SRGB, more=b"", brand=b"jp2 ", behind=b"", rows=ROWS):
    """The codestream in boxes; more: boxes of the header."""
    header = box(b"ihdr", struct.pack(">IIHBBBB", rows, COLUMNS, components, bits - 1, 7, 0, 0))
    header += box(b"colr", struct.pack(">BBBI", 1, 0, 0, color)) + more
    return (box(b"jP  ", b"\r\n\x87\n") + box(b"ftyp", brand + b"\0\0\0\0jp2 ") + box(b"jp2h", header)
            + box(b"jp2c", codestream) + behind)


def keep(name, contents, array=None):
    """array: (row, column) or (row, column, channel)."""
    (HERE / name).write_bytes(contents)
    if array is not None:
        array = np.atleast_3d(array).transpose(2, 0, 1)[:, None]
        np.save(HERE / (name.replace(".", "_") + ".npy"), np.ascontiguousarray(array))


def smooth(bits, samples=1, signed=False):
    """Small as a file, and different everywhere."""
    y, x = np.mgrid[:ROWS, :COLUMNS]
    top = (1 << bits) - 1
    a = np.stack([(np.sin(x / (9 + 4 * c)) + np.cos(y / (7 + 3 * c)) + 2) / 4 * top for c in range(samples)], -1)
    a = np.clip(a + RANDOM.integers(0, 2, a.shape), 0, top).astype(np.int64)
    kind = ("int" if signed else "uint") + ("8" if bits <= 8 else "16" if bits <= 16 else "32")
    return (a - (1 << bits - 1 if signed else 0)).astype(kind)


def encode(array, bits=None, **options):
    """A codestream without losses."""
    array = np.squeeze(array)
    contents = imagecodecs.jpeg2k_encode(array, level=0, reversible=True, codecformat="j2k",
                                         bitspersample=bits or array.dtype.itemsize * 8, **options)
    assert np.array_equal(imagecodecs.jpeg2k_decode(contents), array)
    return contents


def glymur_encode(array, name="a.j2k", **options):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / name
        glymur.Jp2k(path, data=np.squeeze(array), **options)
        assert np.array_equal(glymur.Jp2k(path)[:], np.squeeze(array))
        return path.read_bytes()


def meanings(*channels):
    return box(b"cdef", struct.pack(">H", len(channels)) + b"".join(struct.pack(">HHH", *c) for c in channels))


def make_bits():
    mask = smooth(1)
    keep("j2k_bits.j2k", encode(mask, 1), mask * np.uint8(255))
    for bits, signed in ((5, False), (8, False), (8, True), (12, False), (12, True), (16, False), (16, True)):
        array = smooth(bits, signed=signed)
        keep(f"j2k_{'i' if signed else 'u'}{bits}.j2k", encode(array, bits), array)
    fast = smooth(8)[..., 0]  # HTJ2K (ITU-T T.814), by OpenJPH
    keep("j2k_ht.j2k", imagecodecs.htj2k_encode(fast, reversible=True), fast)
    wide = smooth(20)
    keep("j2k_u20.j2k", encode(wide, 20), wide)


def make_colors():
    rgb, rgb16, five = smooth(8, 3), smooth(16, 3), smooth(8, 5)
    keep("j2k_rgb.jp2", glymur_encode(rgb, "a.jp2", tilesize=(16, 24), numres=3), rgb)
    keep("j2k_rgb16.jp2", jp2(encode(rgb16), 3, 16), rgb16)
    keep("j2k_five.j2k", encode(five), five)
    # The grid begins before the image, so that tiles and resolutions are cut in odd places.
    keep("j2k_offset.j2k", glymur_encode(rgb, tilesize=(16, 24), grid_offset=(7, 5), numres=4), rgb)
    rgba, opaque = smooth(8, 4), smooth(8, 4)
    opaque[..., 3] = 255
    alpha = meanings((0, 0, 1), (1, 0, 2), (2, 0, 3), (3, 1, 0))
    keep("j2k_rgba.jp2", jp2(encode(rgba), 4, more=alpha), rgba)
    keep("j2k_opaque.jp2", jp2(encode(opaque), 4, more=alpha), opaque[..., :3])
    # Blue first, and alpha before them.
    keep("j2k_order.jp2", jp2(encode(rgba[..., [3, 2, 1, 0]]), 4, more=meanings((0, 1, 0), (1, 0, 3), (2, 0, 2), (3, 0, 1))), rgba)
    ga = smooth(8, 2)
    keep("j2k_ga.jp2", jp2(encode(ga), 2, color=GRAY, more=meanings((0, 0, 1), (1, 1, 0))), ga)
    for name in ("rgba", "ga"):
        assert np.array_equal(np.asarray(Image.open(HERE / f"j2k_{name}.jp2")), rgba if name == "rgba" else ga)


def make_palettes():
    indices = smooth(4)
    colors = RANDOM.integers(0, 256, (16, 3)).astype(np.uint8)
    grays = np.repeat(np.arange(0, 256, 17, dtype=np.uint8)[:, None], 3, 1)
    for name, entries in (("palette", colors), ("palette_gray", grays)):
        more = box(b"pclr", struct.pack(">HB", 16, 3) + b"\x07\x07\x07" + entries.tobytes())
        more += box(b"cmap", b"".join(struct.pack(">HBB", 0, 1, i) for i in range(3)))
        shown = entries[indices[..., 0]]
        keep(f"j2k_{name}.jp2", jp2(encode(indices, 4), 1, 4, more=more), shown if name == "palette" else shown[..., :1])
        assert np.array_equal(glymur.Jp2k(HERE / f"j2k_{name}.jp2")[:], shown)


def make_ycc():
    """Y of all pixels, Cb and Cr of each four: RGB by JFIF (ITU-T T.871), from which Pillow differs by 1 at most."""
    y, cb, cr = smooth(8)[:44, :, 0], smooth(8)[:22, :31, 0], smooth(8)[:22, :31, 0][::-1]
    with tempfile.TemporaryDirectory() as folder:
        raw, packed = pathlib.Path(folder) / "a.raw", pathlib.Path(folder) / "a.j2k"
        raw.write_bytes(y.tobytes() + cb.tobytes() + cr.tobytes())
        subprocess.run(["opj_compress", "-i", raw, "-o", packed, "-F", f"{COLUMNS},44,3,8,u@1x1:2x2:2x2", "-n", "3", "-t", "24,16"],
                       check=True, stdout=subprocess.DEVNULL)
        contents = jp2(packed.read_bytes(), 3, color=SYCC, rows=44)
    blue, red = (np.repeat(np.repeat(c, 2, 0), 2, 1).astype(float) - 128 for c in (cb, cr))
    rgb = np.stack([y + 1.402 * red, y - 0.344136 * blue - 0.714136 * red, y + 1.772 * blue], -1)
    rgb = np.clip(np.floor(rgb + 0.5), 0, 255).astype(np.uint8)
    seen = np.asarray(Image.open(io.BytesIO(contents)).convert("RGB"))
    assert np.abs(seen.astype(int) - rgb).max() <= 1
    keep("j2k_sycc.jp2", contents, rgb)


def make_levels():
    """The smaller resolutions, as Glymur decodes them."""
    for name in ("j2k_rgb.jp2", "j2k_offset.j2k"):
        for level in (1, 2):
            array = glymur.Jp2k(HERE / name)[::2 ** level, ::2 ** level]
            np.save(HERE / f"{name.replace('.', '_')}_{level}.npy", np.ascontiguousarray(array.transpose(2, 0, 1)[:, None]))


def resolution(kind, rows, columns):
    """Each: numerator, denominator, exponent, of pixels per meter."""
    return box(kind, struct.pack(">HHHHbb", *rows[:2], *columns[:2], rows[2], columns[2]))


def make_sizes():
    gray = encode(smooth(8), 8)
    size = {"size": resolution(b"resc", (15385, 10000, 6), (4, 1, 6)) + resolution(b"resd", (1, 1, 3), (1, 1, 3)),
            "size_display": resolution(b"resd", (15385, 10000, 6), (4, 1, 6)),
            "size_dpi": resolution(b"resc", (11811, 1, 0), (11811, 1, 0))}
    for name, inside in size.items():
        keep(f"j2k_{name}.jp2", jp2(gray, 1, color=GRAY, more=box(b"res ", inside)))
    keep("j2k_two.jpx", jp2(gray, 1, color=GRAY, brand=b"jpx ", behind=box(b"jp2c", gray)))


def make_faults():
    rgb = (HERE / "j2k_rgb.jp2").read_bytes()
    keep("j2k_truncated.jp2", rgb[:len(rgb) * 2 // 3])
    plain = bytearray(encode(smooth(8), 8))
    at = plain.index(b"\xff\x51") + 4  # after the marker and its length
    plain[at + 2:at + 26] = struct.pack(">IIIIII", 1 << 16, 1 << 16, 0, 0, 1 << 10, 1 << 10)  # the image, its offset, the tiles
    keep("j2k_huge.j2k", bytes(plain))
    keep("j2k_none.jp2", jp2(b"", 1)[:-8])


if __name__ == "__main__":
    make_bits()
    make_colors()
    make_palettes()
    make_ycc()
    make_levels()
    make_sizes()
    make_faults()
