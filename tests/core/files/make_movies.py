#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes tests/core/files/movies: small AVI files of every kind, and as .npy what a reader must give, (frame, channel, 1, row, column). Run by hand:
make_movies.py. RIFF trees are put together here; JPEG and PNG frames are Pillow's, which also says what they decode to. Where ImageJ (package imagej) is,
it writes some more."""
import io
import pathlib
import struct
import subprocess
import tempfile

import numpy as np
from PIL import Image

HERE = pathlib.Path(__file__).parent / "movies"
JAR = "/usr/share/java/ij.jar"
ROWS, COLUMNS, FRAMES = 9, 13, 4
GRAY_PALETTE = b"".join(bytes([i, i, i, 0]) for i in range(256))


def frames(channels, count=FRAMES, rows=ROWS, columns=COLUMNS):
    """(frame, row, column, channel)"""
    t, y, x, c = np.ogrid[:count, :rows, :columns, :channels]
    return ((1 + 17 * t + 31 * c + 23 * y + 7 * x) % 256).astype(np.uint8)


# ---- RIFF ----

def chunk(name, data):
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def tree(name, kind, *parts):
    return chunk(name, kind + b"".join(parts))


def header(codec, bits, palette=b"", count=FRAMES, rows=ROWS, columns=COLUMNS, scale=1, rate=5, height=None, extra=b"", streams=()):
    """The list hdrl."""
    avih = struct.pack("<14I", 200000, 0, 0, 0x10, count, 0, 1, 0, columns, rows, 0, 0, 0, 0)
    strh = b"vids" + codec + struct.pack("<3I", 0, 0, 0) + struct.pack("<8I", scale, rate, 0, count, 0, 0xffffffff, 0, 0) + struct.pack("<2H", columns, rows)
    strf = struct.pack("<IiiHH4sIiiII", 40, columns, rows if height is None else height, 1, bits, codec, 0, 0, 0, len(palette) // 4, 0) + palette
    video = tree(b"LIST", b"strl", chunk(b"strh", strh), chunk(b"strf", strf), extra)
    return tree(b"LIST", b"hdrl", chunk(b"avih", avih), *streams, video)


def avi(head, stored, index="relative", name=b"00db", before=(), records=False):
    """A file with the frames, each as bytes."""
    chunks = [chunk(name, each) for each in stored]
    start = 12 + len(head) + 8  # of "movi"
    body, entries, at = b"", b"", 4
    for extra in before:
        body += extra
        at += len(extra)
    for each, whole in zip(stored, chunks):
        if records:
            whole = tree(b"LIST", b"rec ", whole)
        offset = at + (12 if records else 0) + (start if index == "absolute" else 0)
        entries += name + struct.pack("<3I", 0x10, offset, len(each))
        body += whole
        at += len(whole)
    parts = [head, tree(b"LIST", b"movi", body)]
    if index:
        parts.append(chunk(b"idx1", entries))
    return tree(b"RIFF", b"AVI ", *parts)


def open_dml(codec, bits, stored, per_tree):
    """Trees of so many frames, with an index of indexes."""
    def head(entries):
        indx = struct.pack("<HBBI4s12x", 4, 0, 0, len(entries), b"00db") + b"".join(struct.pack("<QII", *e) for e in entries)
        return header(codec, bits, count=per_tree, extra=chunk(b"indx", indx))
    groups = [stored[i:i + per_tree] for i in range(0, len(stored), per_tree)]
    length, entries, made = len(head([(0, 0, 0)] * len(groups))), [], b""
    for number, group in enumerate(groups):
        inside = length if number == 0 else 0
        start = len(made) + 12 + inside + 8
        body, places = b"", []
        for each in group:
            places.append((4 + len(body) + 8, len(each)))
            body += chunk(b"00db", each)
        index = struct.pack("<HBBI4sQI", 2, 0, 1, len(group), b"00db", start, 0) + b"".join(struct.pack("<II", *p) for p in places)
        entries.append((start + 4 + len(body), len(index) + 8, len(group)))
        movi = tree(b"LIST", b"movi", body, chunk(b"ix00", index))
        made += tree(b"RIFF", b"AVIX" if number else b"AVI ", b"\0" * inside, movi)
    return made[:12] + head(entries) + made[12 + length:]


# ---- Frames ----

def raw(picture, upward=True, bytes_per_pixel=None, dense=False):
    """Rows of a bottom-up bitmap, filled up to 4 bytes; blue comes first."""
    picture = picture[..., ::-1]
    if bytes_per_pixel == 4:
        picture = np.concatenate([picture, np.full(picture.shape[:2] + (1,), 77, np.uint8)], 2)
    rows = picture.reshape(picture.shape[0], -1)
    if not dense:
        rows = np.pad(rows, ((0, 0), (0, -rows.shape[1] % 4)), constant_values=99)
    return (rows[::-1] if upward else rows).tobytes()


def packed(picture, kind, **options):
    out = io.BytesIO()
    Image.fromarray(picture.squeeze()).save(out, kind, **options)
    return out.getvalue()


def unpacked(data):
    return np.atleast_3d(np.asarray(Image.open(io.BytesIO(data))))


def without_tables(jpeg):
    """Motion JPEG leaves out the usual Huffman tables."""
    at, kept = 2, jpeg[:2]
    while jpeg[at + 1] != 0xda:
        size = 2 + struct.unpack(">H", jpeg[at + 2:at + 4])[0]
        kept += b"" if jpeg[at + 1] == 0xc4 else jpeg[at:at + size]
        at += size
    return kept + jpeg[at:]


def keep(name, contents, pictures=None):
    (HERE / name).write_bytes(contents)
    if pictures is not None:
        array = np.stack(pictures).transpose(0, 3, 1, 2)[:, :, None]
        np.save(HERE / (name.replace(".", "_") + ".npy"), np.ascontiguousarray(array))


# ---- Files ----

def uncompressed():
    gray, color = frames(1), frames(3)
    none = b"\0\0\0\0"
    stored = [raw(p) for p in gray]
    plain = header(none, 8, GRAY_PALETTE)
    keep("gray.avi", avi(plain, stored), gray)
    keep("gray_absolute.avi", avi(plain, stored, "absolute"), gray)
    keep("gray_no_index.avi", avi(plain, stored, None), gray)
    keep("gray_records.avi", avi(plain, stored, None, records=True), gray)
    keep("gray_records_index.avi", avi(plain, stored, records=True), gray)
    keep("gray_down.avi", avi(header(none, 8, GRAY_PALETTE, height=-ROWS), [raw(p, False) for p in gray]), gray)
    keep("gray_no_palette.avi", avi(header(none, 8), stored), gray)
    keep("y800.avi", avi(header(b"Y800", 8), [raw(p, False, dense=True) for p in gray], name=b"00dc"), gray)
    keep("dense.avi", avi(plain, [raw(p, dense=True) for p in gray]), gray)
    keep("rgb.avi", avi(header(none, 24, scale=1001, rate=30000), [raw(p) for p in color]), color)
    keep("rgb32.avi", avi(header(b"DIB ", 32), [raw(p, bytes_per_pixel=4) for p in color]), color)
    keep("open_dml.avi", open_dml(none, 24, [raw(p) for p in frames(3, 7)], 3), frames(3, 7))
    inverted = b"".join(bytes([255 - i, 255 - i, 255 - i, 0]) for i in range(256))
    keep("inverted.avi", avi(header(none, 8, inverted), stored), 255 - gray)
    colors = np.random.default_rng(3).integers(0, 256, (200, 4)).astype(np.uint8)
    index = gray % 200
    keep("palette.avi", avi(header(none, 8, colors.tobytes()), [raw(p) for p in index]), colors[index[..., 0]][..., 2::-1])
    keep("repeated.avi", avi(plain, [stored[0], b"", stored[1], b""]), gray[[0, 0, 1, 1]])
    sound = tree(b"LIST", b"strl", chunk(b"strh", b"auds" + bytes(52)), chunk(b"strf", bytes(18)))
    keep("sound.avi", avi(header(none, 8, GRAY_PALETTE, streams=[sound]), stored, name=b"01db", before=[chunk(b"00wb", b"noise")]), gray)
    whole = avi(plain, stored, None)
    keep("cut.avi", whole[:-len(stored[0]) // 2], gray[:3])
    keep("unfinished.avi", whole[:4] + bytes(4) + whole[8:] + bytes(500), gray)


def compressed():
    gray, color = frames(1, 3, 24, 40), frames(3, 3, 24, 40)
    size = dict(count=3, rows=24, columns=40)
    for name, pictures in (("gray", gray), ("rgb", color)):
        stored = [packed(p, "JPEG", quality=90, subsampling=0) for p in pictures]
        keep(f"jpeg_{name}.avi", avi(header(b"MJPG", 24, **size), stored, name=b"00dc"), [unpacked(s) for s in stored])
        stored = [packed(p, "PNG") for p in pictures]
        keep(f"png_{name}.avi", avi(header(b"png ", 24, **size), stored, name=b"00dc"), pictures)
    stored = [packed(p, "JPEG", quality=90, subsampling=0) for p in color]
    keep("jpeg_no_tables.avi", avi(header(b"MJPG", 24, **size), [without_tables(s) for s in stored], name=b"00dc"), [unpacked(s) for s in stored])


def damaged():
    none, gray = b"\0\0\0\0", frames(1)
    stored = [raw(p) for p in gray]
    plain = header(none, 8, GRAY_PALETTE)
    keep("no_frames.avi", avi(plain, []))
    keep("headers_only.avi", avi(plain, stored)[:12 + len(plain) + 4])
    keep("no_header.avi", tree(b"RIFF", b"AVI ", tree(b"LIST", b"movi", chunk(b"00db", stored[0]))))
    keep("no_video.avi", tree(b"RIFF", b"AVI ", tree(b"LIST", b"hdrl", chunk(b"avih", bytes(56)), tree(b"LIST", b"strl", chunk(b"strh", b"auds" + bytes(52))))))
    keep("short.avi", avi(plain, [stored[0], stored[1][:-20]]))
    huge = bytearray(avi(plain, stored))
    at = huge.index(b"strf") + 8 + 4
    huge[at:at + 8] = struct.pack("<ii", 2**31 - 1, 2**31 - 1)
    keep("huge.avi", bytes(huge))
    wrong = bytearray(avi(plain, stored))
    at = wrong.index(b"idx1") + 8 + 2 * 16 + 8
    wrong[at:at + 4] = b"\xff\xff\xff\x7f"
    keep("wrong_index.avi", bytes(wrong), gray)
    keep("palette_change.avi", avi(plain, stored, None, before=[chunk(b"00pc", bytes(8))]))
    size = dict(count=2, rows=24, columns=40)
    pictures = frames(3, 2, 24, 40)
    good = packed(pictures[0], "JPEG", quality=90)
    keep("jpeg_cut.avi", avi(header(b"MJPG", 24, **size), [good, good[:-200]], name=b"00dc"))
    keep("jpeg_other.avi", avi(header(b"MJPG", 24, **size), [good, packed(frames(3, 1, 8, 8)[0], "JPEG")], name=b"00dc"))
    keep("png_cut.avi", avi(header(b"png ", 24, **size), [packed(pictures[0], "PNG"), packed(pictures[1], "PNG")[:-60]], name=b"00dc"))
    keep("foreign.avi", avi(header(b"XVID", 24), [b"\0" * 50] * 4, name=b"00dc"))


def by_imagej():
    """AVI files as ImageJ writes them, and what it reads of them."""
    with tempfile.TemporaryDirectory() as folder:
        for name, pictures in (("gray", frames(1, 3)), ("rgb", frames(3, 3))):
            for t, picture in enumerate(pictures):
                Image.fromarray(picture.squeeze()).save(f"{folder}/{name}{t}.png")
        macro = pathlib.Path(folder, "write.ijm")
        macro.write_text("".join(f'''
          for (t = 0; t < 3; t++) open("{folder}/{name}" + t + ".png");
          run("Images to Stack", "name=stack");
          run("AVI... ", "compression={compression} frame=4 save={HERE}/imagej_{name}_{compression.lower()}.avi");
          close("*");
        ''' for name in ("gray", "rgb") for compression in ("None", "JPEG", "PNG")))
        subprocess.run(["xvfb-run", "-a", "java", f"-Duser.home={folder}", "-cp", JAR, "ij.ImageJ", "-batch", str(macro)], check=True)
    for name, pictures in (("gray", frames(1, 3)), ("rgb", frames(3, 3))):
        for compression in ("none", "png"):
            keep(f"imagej_{name}_{compression}.avi", (HERE / f"imagej_{name}_{compression}.avi").read_bytes(), pictures)
        data = (HERE / f"imagej_{name}_jpeg.avi").read_bytes()
        pieces = data.split(b"\xff\xd8\xff")[1:]
        keep(f"imagej_{name}_jpeg.avi", data, [unpacked(b"\xff\xd8\xff" + piece) for piece in pieces])


HERE.mkdir(exist_ok=True)
for old in HERE.iterdir():
    old.unlink()
uncompressed()
compressed()
damaged()
by_imagej()
