# SPDX-License-Identifier: MIT
"""A large tiled TIFF made at once: a picture that repeats itself, whose tiles the file holds only once."""
import struct
import zlib

import numpy as np

TILE = 256
PERIOD = 1024


def picture(dtype, period=PERIOD):
    """Round spots on a noisy, periodic background; the maximum is 240 or 4000."""
    random = np.random.default_rng(1)
    y, x = np.mgrid[:period, :period]
    spots = np.zeros((period, period))
    for _ in range(100):
        cy, cx, size = random.uniform(0, period), random.uniform(0, period), random.uniform(6, 14)
        dy, dx = (y - cy + period / 2) % period - period / 2, (x - cx + period / 2) % period - period / 2
        spots += np.exp(-(dy * dy + dx * dx) / (2 * size * size)) * random.uniform(0.5, 1)
    most = 240 if dtype == np.uint8 else 4000
    return np.clip(spots / spots.max() * (most - 20) + random.normal(12, 3, spots.shape), 0, most).astype(dtype)


def half(image):
    """Means of four pixels, halves up."""
    y, x = image.shape
    return ((image.reshape(y // 2, 2, x // 2, 2).sum((1, 3), dtype=np.uint32) + 2) // 4).astype(image.dtype)


def levels(size, dtype, pyramid):
    """(rows and columns, what repeats itself) of each level; a level has a tile at least."""
    image = picture(dtype)
    yield size, image
    while pyramid and size > TILE:
        size //= 2
        image = half(image) if image.shape[0] > 1 else image
        yield size, image


def entry(tag, kind, count, value):
    return struct.pack("<HHQ", tag, kind, count) + (value if isinstance(value, bytes) else struct.pack("<Q", value)).ljust(8, b"\0")


def directory(at, size, image, level, subs, offsets_at, counts_at):
    """A BigTIFF directory of 8 * n + ... bytes."""
    tiles = (-(-size // TILE)) ** 2
    tags = [entry(254, 4, 1, 1 if level else 0), entry(256, 4, 1, size), entry(257, 4, 1, size), entry(258, 3, 1, image.dtype.itemsize * 8),
            entry(259, 3, 1, 8), entry(262, 3, 1, 1), entry(277, 3, 1, 1), entry(322, 4, 1, TILE), entry(323, 4, 1, TILE),
            entry(324, 16, tiles, offsets_at), entry(325, 16, tiles, counts_at)]
    if subs:
        at += 8 + 20 * 12 + 8
        tags.append(entry(330, 16, len(subs), at if len(subs) > 1 else subs[0]))
    end = struct.pack("<Q", 0) + (struct.pack(f"<{len(subs)}Q", *subs) if subs else b"")
    return struct.pack("<Q", len(tags)) + b"".join(tags) + end


def write(path, size, dtype=np.uint8, pyramid=True):
    """`size` is a multiple of PERIOD; with `pyramid` smaller levels down to one tile, as sub-images."""
    with open(path, "wb") as file:
        file.write(struct.pack("<2sHHHQ", b"II", 43, 8, 0, 16))
        file.seek(16 + 4096)  # the first directory comes last
        written = []
        for n, (side, image) in enumerate(levels(size, dtype, pyramid)):
            small = np.tile(image, [max(1, TILE // image.shape[0])] * 2)
            across, period = -(-side // TILE), small.shape[0] // TILE
            chunks = [zlib.compress(small[y * TILE:, x * TILE:][:TILE, :TILE].tobytes()) for y in range(period) for x in range(period)]
            offsets = [file.tell() + sum(map(len, chunks[:i])) for i in range(len(chunks))]
            file.write(b"".join(chunks))
            which = np.add.outer(np.arange(across) % period * period, np.arange(across) % period).ravel()
            tables = []
            for values in (offsets, [len(chunk) for chunk in chunks]):
                tables.append(file.tell() if which.size > 1 else values[0])
                if which.size > 1:
                    file.write(np.array(values, np.uint64)[which].tobytes())
            written.append((side, image, tables))
            if n:
                at = file.tell()
                file.write(directory(at, side, image, n, [], *tables))
                written[-1] += (at,)
        end = file.tell()
        file.seek(16)
        side, image, tables = written[0]
        file.write(directory(16, side, image, 0, [level[3] for level in written[1:]], *tables))
        file.truncate(max(end, size * size * np.dtype(dtype).itemsize // 900))  # a codec's largest ratio is 1 : 1032
