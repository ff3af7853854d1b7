#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes tests/core/files/pictures/: PNG, JPEG, GIF, BMP and PNM files, and as .npy what a reader must give.

    python3 tests/core/files/make_pictures.py

PNG files are put together here from chunks, so that every kind exists; Pillow and imagecodecs confirm that they are valid
and say what they mean. The other formats are written and read by Pillow. Arrays are (channel, 1, row, column).
"""
import io
import pathlib
import struct
import zlib

import imagecodecs
import numpy as np
from PIL import Image

from lossless_jpeg import encode

HERE = pathlib.Path(__file__).parent / "pictures"
RANDOM = np.random.default_rng(3)
GRAY, RGB, PALETTE, GRAY_ALPHA, RGBA = 0, 2, 3, 4, 6
ADAM7 = [(0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1)]  # y, x, dy, dx


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def scanlines(samples, bits):
    """Rows of one pass with filter 0; samples: (row, column, sample)."""
    rows, columns = samples.shape[:2]
    if not rows or not columns:
        return b""
    flat = samples.reshape(rows, -1)
    if bits == 16:
        packed = flat.astype(">u2").view(np.uint8).reshape(rows, -1)
    elif bits == 8:
        packed = flat.astype(np.uint8)
    else:
        ones = (flat[..., None] >> np.arange(bits - 1, -1, -1)) & 1
        packed = np.packbits(ones.reshape(rows, -1).astype(np.uint8), axis=1)
    return b"".join(b"\0" + row.tobytes() for row in packed)


def png(color, bits, samples, interlaced=False, extra=()):
    """samples: (row, column, sample)."""
    rows, columns = samples.shape[:2]
    passes = [samples[y::dy, x::dx] for y, x, dy, dx in ADAM7] if interlaced else [samples]
    data = zlib.compress(b"".join(scanlines(part, bits) for part in passes))
    half = len(data) // 2  # two IDAT chunks
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", columns, rows, bits, color, 0, 0, interlaced))
            + b"".join(chunk(kind, body) for kind, body in extra) + chunk(b"IDAT", data[:half]) + chunk(b"IDAT", data[half:])
            + chunk(b"IEND", b""))


def keep(name, contents, array=None):
    """array: (row, column) or (row, column, channel)."""
    (HERE / name).write_bytes(contents)
    if array is not None:
        array = np.atleast_3d(array).transpose(2, 0, 1)[:, None]
        np.save(HERE / (name.replace(".", "_") + ".npy"), np.ascontiguousarray(array))


def noise(bits, samples, rows=9, columns=13):
    return RANDOM.integers(0, 1 << bits, (rows, columns, samples))


def make_png():
    for bits in (1, 2, 4, 8, 16):
        samples = noise(bits, 1)
        stored = (samples * 255 if bits == 1 else samples).astype(np.uint16 if bits == 16 else np.uint8)
        for interlaced in (False, True):
            contents = png(GRAY, bits, samples, interlaced)
            seen = imagecodecs.png_decode(contents)  # scaled to full range below 8 bits
            assert np.array_equal(seen, stored[..., 0] * (1 if bits in (1, 8, 16) else 255 // ((1 << bits) - 1)))
            keep(f"gray{bits}{'i' * interlaced}.png", contents, stored)
    for name, color, samples in (("rgb", RGB, 3), ("ga", GRAY_ALPHA, 2), ("rgba", RGBA, 4)):
        for bits in (8, 16):
            stored = noise(bits, samples).astype(np.uint16 if bits == 16 else np.uint8)
            for interlaced in (False, True):
                contents = png(color, bits, stored, interlaced)
                assert np.array_equal(imagecodecs.png_decode(contents), stored)
                keep(f"{name}{bits}{'i' * interlaced}.png", contents, stored)
            if samples % 2 == 0:
                opaque = stored.copy()
                opaque[..., -1] = (1 << bits) - 1
                keep(f"{name}{bits}_opaque.png", png(color, bits, opaque), opaque[..., :-1])
    for bits in (1, 2, 4, 8):
        palette = RANDOM.integers(0, 256, (1 << bits, 3)).astype(np.uint8)
        index = noise(bits, 1)
        contents = png(PALETTE, bits, index, bits == 4, [(b"PLTE", palette.tobytes())])
        assert np.array_equal(np.asarray(Image.open(io.BytesIO(contents)).convert("RGB")), palette[index[..., 0]])
        keep(f"palette{bits}.png", contents, palette[index[..., 0]])
    alpha = RANDOM.integers(0, 256, 256).astype(np.uint8)
    contents = png(PALETTE, 8, index, False, [(b"PLTE", palette.tobytes()), (b"tRNS", alpha.tobytes())])
    stored = np.dstack([palette[index[..., 0]], alpha[index[..., 0]]])
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(contents)).convert("RGBA")), stored)
    keep("palette8_alpha.png", contents, stored)
    gray = np.repeat(np.arange(255, -1, -1, dtype=np.uint8)[:, None], 3, 1)
    keep("palette8_gray.png", png(PALETTE, 8, index, False, [(b"PLTE", gray.tobytes())]), gray[index[..., 0], 0])
    samples = noise(8, 1)
    keep("gray8_key.png", png(GRAY, 8, samples, False, [(b"tRNS", struct.pack(">H", int(samples[0, 0, 0])))]),
         samples.astype(np.uint8))
    for name, x, y, unit in (("size_um", 3076923, 5000000, 1), ("size_dpi", 11811, 11811, 1), ("size_ratio", 3, 4, 0)):
        keep(f"{name}.png", png(GRAY, 8, samples, False, [(b"pHYs", struct.pack(">IIB", x, y, unit))]))
    samples = noise(8, 3, 1, 1)
    keep("one_pixel.png", png(RGB, 8, samples, True), samples.astype(np.uint8))


def damaged_png():
    good = png(GRAY, 8, noise(8, 1))
    keep("truncated.png", good[:-30])
    keep("no_end.png", good[:-12])
    keep("bad_crc.png", good[:60] + bytes([good[60] ^ 1]) + good[61:])
    keep("huge.png", b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 0x7fffffff, 0x7fffffff, 16, 6, 0, 0, 0))
         + chunk(b"IDAT", zlib.compress(bytes(100))) + chunk(b"IEND", b""))


def smooth(rows, columns, samples):
    y, x, s = np.ogrid[:rows, :columns, :samples]
    return (128 + 100 * np.sin(y / 5 + s) * np.cos(x / 7 - s)).astype(np.uint8).squeeze()


def save(image, kind, **options):
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def seen(contents, mode):
    return np.asarray(Image.open(io.BytesIO(contents)).convert(mode))


def make_others():
    gray, color = Image.fromarray(smooth(24, 40, 1)), Image.fromarray(smooth(24, 40, 3))
    for name, image, mode, options in (
            ("gray.jpg", gray, "L", dict(quality=90)), ("rgb.jpg", color, "RGB", dict(quality=90, subsampling=0)),
            ("progressive.jpg", color, "RGB", dict(quality=75, progressive=True))):
        contents = save(image, "JPEG", **options)
        keep(name, contents, seen(contents, mode))
    for orientation in range(1, 9):
        exif = Image.Exif()
        exif[0x112] = orientation
        contents = save(gray, "JPEG", quality=90, exif=exif)
        turns = [None, None, Image.Transpose.FLIP_LEFT_RIGHT, Image.Transpose.ROTATE_180, Image.Transpose.FLIP_TOP_BOTTOM,
                 Image.Transpose.TRANSPOSE, Image.Transpose.ROTATE_270, Image.Transpose.TRANSVERSE, Image.Transpose.ROTATE_90]
        plain = Image.open(io.BytesIO(contents)).convert("L")
        keep(f"turned{orientation}.jpg", contents,
             np.asarray(plain if orientation == 1 else plain.transpose(turns[orientation])))
    keep("truncated.jpg", save(color, "JPEG", quality=90)[:-200])
    huge = bytearray(save(gray, "JPEG"))
    at = huge.index(b"\xff\xc0") + 5
    huge[at:at + 4] = b"\xff\xdc\xff\xdc"
    keep("huge.jpg", bytes(huge))
    for name, image, mode, kind in (
            ("gray.bmp", gray, "L", "BMP"), ("rgb.bmp", color, "RGB", "BMP"), ("bits.bmp", gray.convert("1"), "L", "BMP"),
            ("gray.pgm", gray, "L", "PPM"), ("rgb.ppm", color, "RGB", "PPM"), ("bits.pbm", gray.convert("1"), "L", "PPM")):
        contents = save(image, kind)
        keep(name, contents, seen(contents, mode))
    keep("truncated.bmp", save(color, "BMP")[:-500])
    deep = Image.fromarray(noise(16, 1)[..., 0].astype(np.uint16))
    keep("deep.pgm", save(deep, "PPM"))
    first, second = color.quantize(16), Image.fromarray(255 - smooth(24, 40, 3)).quantize(16)
    contents = save(first, "GIF", save_all=True, append_images=[second])
    keep_frames("two.gif", contents, "RGB")
    contents = save(first, "GIF", transparency=3)
    keep("holes.gif", contents)
    keep("truncated.gif", contents[:-300])


def moving(t, rows=24, columns=40):
    """A square of its own color that moves over a ramp."""
    picture = np.repeat((np.arange(columns) * 6)[None, :, None], rows, 0).repeat(3, 2).astype(np.uint8)
    picture[4:12, 3 + 6 * t:11 + 6 * t] = (200, 30 * t, 10)
    return picture


def frames_seen(contents, mode):
    image = Image.open(io.BytesIO(contents))
    arrays = []
    for n in range(image.n_frames):
        image.seek(n)
        arrays.append(np.asarray(image.convert(mode)))
    return np.stack(arrays)


def keep_frames(name, contents, mode):
    """What Pillow shows, (frame, channel, 1, row, column)."""
    (HERE / name).write_bytes(contents)
    seen = frames_seen(contents, mode)
    seen = seen[..., None] if seen.ndim == 3 else seen
    np.save(HERE / (name.replace(".", "_") + ".npy"), np.ascontiguousarray(seen.transpose(0, 3, 1, 2)[:, :, None]))


def make_frames():
    random = np.random.default_rng(5)  # of its own: what is above stays as it is
    pictures = [Image.fromarray(moving(t)) for t in range(5)]
    holes = []
    for t in range(4):
        alpha = np.full((24, 40, 1), 255, np.uint8)
        alpha[:, :5 + 10 * t] = 0
        holes.append(Image.fromarray(np.concatenate([moving(t), alpha], 2)))
    gray = [Image.fromarray(random.integers(0, 256, (20, 30)).astype(np.uint8)) for _ in range(5)]

    def saved(images, kind, **options):
        return save(images[0], kind, save_all=True, append_images=images[1:], **options)

    keep_frames("frames.gif", saved([picture.quantize(64) for picture in pictures], "GIF", duration=100, loop=0), "RGB")
    keep_frames("frames_gray.gif", saved(gray, "GIF", duration=[100, 200, 100, 100, 100]), "L")
    keep_frames("frames_holes.gif", saved(holes, "GIF", duration=40, disposal=2), "RGBA")
    keep_frames("frames_undone.gif", saved(pictures, "GIF", duration=50, disposal=[0, 3, 3, 1, 0]), "RGB")
    keep_frames("frames.apng", saved(pictures, "PNG", duration=100), "RGB")
    keep_frames("frames_holes.apng", saved(holes, "PNG", duration=100, disposal=1, blend=0), "RGBA")
    keep_frames("frames_over.apng", saved(holes, "PNG", duration=100, disposal=[0, 0, 2, 0], blend=[0, 1, 1, 1]), "RGBA")
    keep_frames("frames_gray.apng", saved(gray, "PNG", duration=250), "L")
    keep_frames("frames_palette.apng", saved([picture.quantize(64, palette=pictures[4].quantize(64)) for picture in pictures], "PNG"), "RGB")
    keep_undone()


def keep_undone():
    """The first frame, which has no alpha, is undone: the second, a part, lies on nothing (PNG, 11.3.6.2; Pillow shows it as opaque)."""
    control = [struct.pack(">IIIIIHHBB", number, side, side, at, at, 1, 10, end, 0) for number, side, at, end in ((0, 4, 0, 2), (1, 2, 1, 0))]
    data = [zlib.compress(scanlines(np.full((side, side, 1), value), 8)) for side, value in ((4, 200), (2, 50))]
    contents = (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 4, 4, 8, 0, 0, 0, 0)) + chunk(b"acTL", struct.pack(">II", 2, 0)) + chunk(b"fcTL", control[0])
                + chunk(b"IDAT", data[0]) + chunk(b"fcTL", control[1]) + chunk(b"fdAT", struct.pack(">I", 2) + data[1]) + chunk(b"IEND", b""))
    (HERE / "frames_undone.apng").write_bytes(contents)
    frames = np.zeros((2, 2, 1, 4, 4), np.uint8)
    frames[0, 0], frames[0, 1], frames[1, 0, :, 1:3, 1:3], frames[1, 1, :, 1:3, 1:3] = 200, 255, 50, 255
    np.save(HERE / "frames_undone_apng.npy", frames)


def make_labels():
    """Discs that touch, in colors of VOC and in random ones; their indices, as Pillow reads them, are the image."""
    random = np.random.default_rng(7)
    labels, (y, x) = np.zeros((60, 80), np.uint8), np.mgrid[:60, :80]
    for n in range(1, 31):
        row, column, radius = random.integers(0, 60), random.integers(0, 80), random.integers(4, 9)
        labels[(y - row) ** 2 + (x - column) ** 2 < radius ** 2] = n
    index = np.arange(256)
    voc = np.stack([sum((index >> (3 * k + c) & 1) << (7 - k) for k in range(3)) for c in range(3)], 1).astype(np.uint8)
    colors = random.integers(0, 256, (256, 3)).astype(np.uint8)
    colors[0] = 0
    for name, kind, palette in (("labels_voc.png", "PNG", voc), ("labels.png", "PNG", colors), ("labels.gif", "GIF", colors), ("labels.bmp", "BMP", colors)):
        image = Image.fromarray(labels)
        image.putpalette(palette.tobytes())
        contents = save(image, kind)
        stored = np.asarray(Image.open(io.BytesIO(contents)))
        assert kind == "GIF" or np.array_equal(stored, labels), name  # GIF: without colors that do not occur
        keep(name, contents, stored)
    picture = Image.fromarray(smooth(60, 80, 3)).quantize(64)  # colors that were reduced to a palette are no labels
    for name, kind in (("reduced.png", "PNG"), ("reduced.gif", "GIF"), ("reduced.bmp", "BMP")):
        contents = save(picture, kind)
        keep(name, contents, seen(contents, "RGB"))


def make_lossless():
    """Lossless JPEG as imagecodecs reads it, but for restarts, which it does not."""
    random = np.random.default_rng(8)
    for n, (bits, predictor, transform, components) in enumerate(((8, 1, 0, 1), (2, 2, 0, 1), (16, 3, 0, 1), (12, 4, 0, 1), (8, 5, 0, 3), (16, 6, 0, 3), (11, 7, 2, 1))):
        image = random.integers(0, 1 << bits, (9, 13, components)).astype(np.uint8 if bits <= 8 else np.uint16)
        contents = encode(image, bits, predictor, transform)
        read = np.ascontiguousarray(np.atleast_3d(imagecodecs.jpegsof3_decode(contents)))
        image = image >> transform << transform
        assert np.array_equal(read << transform, image)
        keep(f"lossless{n}.jpg", contents, image)
        if n == 3:
            keep("lossless_cut.jpg", contents[:200])
            keep("lossless_wrong.jpg", contents.replace(b"\xff\xda", b"\xff\xda\0\x08\x01\x09", 1))
    keep("deep.jpg", imagecodecs.jpeg8_encode(np.full((8, 8), 3000, np.uint16), bitspersample=12))  # lossy, 12 bits
    image = random.integers(0, 256, (9, 13, 3)).astype(np.uint8)
    keep("lossless_restart.jpg", encode(image, 8, 4, restart=2), image)
    image = random.integers(0, 1 << 14, (8, 15, 1)).astype(np.uint16)
    contents = imagecodecs.ljpeg_encode(image[..., 0], bitspersample=14)
    keep("lossless_liblj92.jpg", contents, image)


HERE.mkdir(exist_ok=True)
for old in HERE.iterdir():
    old.unlink()
make_png()
damaged_png()
make_others()
make_frames()
make_labels()
make_lossless()
