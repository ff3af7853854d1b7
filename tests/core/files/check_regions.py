#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_regions.py READ_REGIONS: regions of all levels of pyramids that tifffile and tiffcp wrote, read by several threads, are the
pixels that went in. Skips (77) without tifffile."""
import os
import random
import shutil
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import tifffile
except ImportError:
    sys.exit(77)

READ = sys.argv[1]
rng = np.random.default_rng(1)


def image(*shape, dtype="u2"):
    """Smooth enough to be compressed, different everywhere."""
    y, x = np.indices(shape[-2:])
    noise = rng.integers(0, 30, shape)
    return (y * 3 + x + noise).astype(dtype)


def halves(a, n):
    return [a[..., ::2 ** i, ::2 ** i] for i in range(n)]


def regions_of(levels, planes):
    """All of each level's first and last plane, and some of every size anywhere."""
    for n, (rows, columns) in enumerate(levels):
        yield from ((n, plane, 0, 0, rows, columns) for plane in {0, planes - 1})
        for _ in range(25):
            height, width = random.choice((1, 7, 256, rows)), random.choice((1, 5, 300, columns))
            height, width = min(height, rows), min(width, columns)
            yield n, random.randrange(planes), random.randint(0, rows - height), random.randint(0, columns - width), height, width


def check(path, levels, tile=None):
    """levels: for each, what its planes must be."""
    wanted = list(regions_of([a.shape[-2:] for a in levels], len(levels[0])))
    random.shuffle(wanted)
    run = subprocess.run([READ, path], input="".join("%d %d %d %d %d %d\n" % w for w in wanted).encode(), stdout=subprocess.PIPE)
    assert run.returncode == 0, path
    head, _, pixels = run.stdout.partition(b"\n\n")
    found = [tuple(map(int, line.split())) for line in head.split(b"\n")]
    assert [f[:2] for f in found] == [a.shape[-2:] for a in levels], (path, found)
    assert tile is None or all(f[2:] == tile for f in found), (path, found)
    for n, plane, row, column, rows, columns in wanted:
        expected = np.ascontiguousarray(levels[n][plane, row:row + rows, column:column + columns])
        got = np.frombuffer(pixels[:expected.nbytes], expected.dtype).reshape(expected.shape)
        pixels = pixels[expected.nbytes:]
        assert np.array_equal(got, expected), (path, n, plane, row, column, rows, columns)
    assert not pixels


def write(path, levels, reduced=False, bigtiff=False, byteorder="<", ome=False, **options):
    """A pyramid in sub-images, or in pages behind the large ones."""
    with tifffile.TiffWriter(path, bigtiff=bigtiff, byteorder=byteorder, ome=ome) as file:
        extra = {} if ome else dict(metadata=None)
        for n, a in enumerate(levels):
            below = {} if n or reduced or len(levels) == 1 else dict(subifds=len(levels) - 1)
            file.write(np.ascontiguousarray(a), subfiletype=1 if n else 0, **below, **extra, **options)


def main(folder):
    random.seed(2)
    path = lambda name: os.path.join(folder, name + ".tif")

    flat = image(1, 1100, 1300)
    zlib = dict(compression="zlib", predictor=True)
    for name, options in dict(tiles=dict(tile=(256, 256), **zlib), strips=dict(rowsperstrip=33, **zlib), plain=dict(tile=(128, 256)),
                              plain_strips=dict(rowsperstrip=100), one_strip={}, big=dict(bigtiff=True, tile=(256, 256), **zlib),
                              swapped=dict(byteorder=">", tile=(256, 256), **zlib), swapped_plain=dict(byteorder=">")).items():
        for reduced in (False, True):
            levels = halves(flat, 4)
            write(path(name), [a[0] for a in levels], reduced=reduced, **options)
            check(path(name), levels, options.get("tile"))
    # Bands of one row: all types.
    for dtype in ("u1", "i1", "i2", "i4", "u4", "f2", "f4", "f8"):
        levels = halves(image(1, 700, 900, dtype=dtype), 2)
        write(path(dtype), [a[0] for a in levels], tile=(64, 64), compression="zlib")
        check(path(dtype), levels)
    # Stacks: the pages of each level one after the other, or below each page.
    stack = halves(image(5, 300, 400), 3)
    write(path("stack"), stack, tile=(64, 64), photometric="minisblack")
    check(path("stack"), stack, (64, 64))
    write(path("stack_pages"), stack, reduced=True, tile=(64, 64), photometric="minisblack", **zlib)
    check(path("stack_pages"), stack, (64, 64))
    write(path("ome"), stack, ome=True, tile=(64, 64), photometric="minisblack", **zlib)
    check(path("ome"), stack, (64, 64))
    # Samples, together and apart.
    colors = halves(image(3, 600, 700, dtype="u1"), 3)
    write(path("rgb"), [a.transpose(1, 2, 0) for a in colors], tile=(128, 128), photometric="rgb", **zlib)
    check(path("rgb"), colors)
    write(path("planar"), colors, tile=(128, 128), photometric="rgb", planarconfig="separate", **zlib)
    check(path("planar"), colors)
    alpha = [np.concatenate([a, np.full_like(a[:1], 255)]) for a in colors]
    write(path("opaque"), [a.transpose(1, 2, 0) for a in alpha], tile=(128, 128), photometric="rgb", extrasamples=["unassalpha"], **zlib)
    check(path("opaque"), colors)
    # Turned and mirrored.
    turns = [lambda a: a, np.fliplr, lambda a: a[::-1, ::-1], np.flipud, np.transpose, lambda a: np.rot90(a, -1),
             lambda a: a[::-1, ::-1].T, lambda a: np.rot90(a)]
    for n, turn in enumerate(turns, 1):
        levels = halves(flat[:, :600], 2)
        write(path("turned"), [a[0] for a in levels], tile=(128, 64), extratags=[(274, 3, 1, n, True)], **zlib)
        check(path("turned"), [np.stack([turn(a[0])]) for a in levels], (64, 128) if n > 4 else (128, 64))
    # A last strip that holds more rows than the image has.
    noise = rng.integers(0, 256, (1, 100, 90), dtype="u1")
    for cut in (65, 90, 99):
        tifffile.imwrite(path("long"), noise[0], rowsperstrip=64, compression="zlib", metadata=None)
        with tifffile.TiffFile(path("long"), mode="r+b") as file:
            file.pages[0].tags["ImageLength"].overwrite(cut)
        check(path("long"), [noise[:, :cut]])
    # Only a smaller copy is a level.
    with tifffile.TiffWriter(path("label")) as file:
        file.write(flat[0], subifds=2, metadata=None)
        file.write(flat[0, :200, :800], subfiletype=1, metadata=None)
        file.write(flat[0, ::2, ::2].astype("f4"), subfiletype=1, metadata=None)
    check(path("label"), [flat])
    # Slides: levels that do not say that they are, a thumbnail between them, pictures of the glass behind them.
    pages = [a.transpose(1, 2, 0) for a in halves(image(3, 640, 800, dtype="u1"), 4)]
    thumbnail, label = np.ascontiguousarray(pages[0][::5, ::5]), pages[0][:100, :90]
    shown = [a.transpose(2, 0, 1) for a in pages[:3] + [thumbnail, pages[3]]]
    for name, text, thumbs in (("aperio", "Aperio Image Library v1\r\n", [thumbnail]), ("unnamed", "A slide\n", [thumbnail]), ("none", "A slide\n", [])):
        with tifffile.TiffWriter(path(name)) as file:
            for page, words, kind, tiles in ([(pages[0], "800x640", 0, 128)] + [(t, "800x640 -> 160x128", 0, 0) for t in thumbs]
                                             + [(a, "", 0, 128) for a in pages[1:]] + [(label, "label 90x100", 1, 0)]):
                file.write(np.ascontiguousarray(page), photometric="rgb", subfiletype=kind, description=text + words, metadata=None,
                           **(dict(tile=(tiles, tiles), **zlib) if tiles else {}))
        check(path(name), shown if thumbs else shown[:3] + shown[4:])
    # A slide of one level has a thumbnail, too; without its text, or without tiles, the smaller page is an image.
    for text, tiles, n in (("Aperio Image Library v1\r\n", dict(tile=(128, 128)), 2), ("A slide\n", dict(tile=(128, 128)), 1), ("Aperio", {}, 1)):
        with tifffile.TiffWriter(path("small")) as file:
            file.write(np.ascontiguousarray(pages[0]), photometric="rgb", description=text, metadata=None, **tiles)
            file.write(thumbnail, photometric="rgb", metadata=None)
        check(path("small"), [shown[0], shown[3]][:n])
    # Tiled images that are no levels: of another shape, and nearly as large.
    with tifffile.TiffWriter(path("several")) as file:
        for a in (flat[0], flat[0, :500, :900], flat[0, :1000, :1182]):
            file.write(a, tile=(128, 128), metadata=None)
    check(path("several"), [flat])
    if not shutil.which("tiffcp"):
        return
    for name, options in dict(lzw=["-c", "lzw:2"], lzw_strips=["-s", "-r", "10", "-c", "lzw"], zstd=["-c", "zstd:2"], lzma=["-c", "lzma"],
                              packbits=["-c", "packbits"]).items():
        write(path("from"), [flat[0]], tile=(256, 256))
        subprocess.run(["tiffcp", *options, path("from"), path(name)], check=True, stderr=subprocess.DEVNULL)
        check(path(name), [flat])


with tempfile.TemporaryDirectory() as temporary:
    try:
        main(temporary)
    except AssertionError as error:
        sys.exit(f"{error!r}")
