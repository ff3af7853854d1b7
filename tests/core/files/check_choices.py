#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_choices.py FOVEA READ_REGIONS: TIFF written with compression, in tiles and as a pyramid is what tifffile, and for Zstandard
tiffcp, reads; its levels are means, or of labels pixels. Skips (77) without tifffile."""
import os
import shutil
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import tifffile
except ImportError:
    sys.exit(77)

FOVEA, READ = sys.argv[1:3]
rng = np.random.default_rng(5)


def image(dtype, *shape):
    y, x = np.indices(shape[-2:])
    values = (y * 3 + x) % 200 + rng.integers(0, 50, shape)
    return (values // 2 - 100 if dtype == "i1" else values - 100 if dtype[0] == "i" else values * 0.25 - 7 if dtype[0] == "f" else values).astype(dtype)


def halved(a):
    """Of the last two axes: means of up to four pixels, halves rounded up."""
    rows, columns = (a.shape[-2] + 1) // 2, (a.shape[-1] + 1) // 2
    total, n = np.zeros(a.shape[:-2] + (rows, columns)), np.zeros((rows, columns))
    for dy in (0, 1):
        for dx in (0, 1):
            part = a[..., dy::2, dx::2]
            total[..., :part.shape[-2], :part.shape[-1]] += part
            n[:part.shape[-2], :part.shape[-1]] += 1
    return (np.floor(total / n + 0.5) if a.dtype.kind in "iu" else total / n).astype(a.dtype)


def levels_of(a, tile):
    levels = [a]
    while levels[-1].shape[-2] > tile or levels[-1].shape[-1] > tile:
        levels.append(halved(levels[-1]))
    return levels


def convert(source, path, *options):
    subprocess.run([FOVEA, "convert", *options, source, path], check=True)


def check(path, planes, pages, options, levels):
    """planes: (page, row, column) or of RGB (channel, row, column), for each level."""
    with tifffile.TiffFile(path) as file:
        rgb = file.pages[0].samplesperpixel == 3
        assert len(file.pages) == pages and file.is_imagej
        for n, page in enumerate(file.pages):
            assert page.is_tiled == ("--tile" in options or "--pyramid" in options)
            assert page.subfiletype == 0 and len(page.subifds or ()) == levels - 1
            for level, found in enumerate([page, *(page.pages or ())]):
                expected = planes[level].transpose(1, 2, 0) if rgb else planes[level][n]
                assert level == 0 or found.subfiletype == 1
                if found.compression == 50000:
                    continue
                data = found.asarray()
                assert data.dtype == expected.dtype and np.array_equal(data, expected), (n, level)
    read = subprocess.run([READ, path], input=b"".join(b"%d 0 0 0 %d %d\n" % (i, *p.shape[-2:]) for i, p in enumerate(planes)),
                          stdout=subprocess.PIPE, check=True).stdout.partition(b"\n\n")
    assert len(read[0].split(b"\n")) == levels
    assert read[2] == b"".join(np.ascontiguousarray(p[0]).tobytes() for p in planes)


def main(folder):
    source, path, plain = (os.path.join(folder, name) for name in ("in.tif", "out.tif", "plain.tif"))
    choices = [("--compression", "deflate"), ("--compression", "none", "--tile", "64"), ("--compression", "deflate", "--tile", "32"),
               ("--compression", "zstd", "--tile", "128"), ("--pyramid", "--tile", "64"), ("--pyramid", "--compression", "deflate"),
               ("--pyramid", "--compression", "zstd", "--tile", "48")]
    for dtype in ("u1", "i1", "u2", "i2", "u4", "i4", "f2", "f4", "f8", "rgb"):
        rgb = dtype == "rgb"
        a = image("u1" if rgb else dtype, 3 if rgb or dtype == "u2" else 1, 301, 517)
        tifffile.imwrite(source, a.transpose(1, 2, 0) if rgb else a, photometric="rgb" if rgb else "minisblack",
                         metadata=None)
        for options in choices:
            tile = int(options[-1]) if "--tile" in options else 256
            planes = levels_of(a, tile) if "--pyramid" in options else [a]
            convert(source, path, *options)
            check(path, planes, 1 if rgb else len(a), options, len(planes))
            if "zstd" in options and shutil.which("tiffcp"):
                subprocess.run(["tiffcp", "-c", "none", path, plain], check=True, stderr=subprocess.DEVNULL)
                assert np.array_equal(tifffile.imread(plain), a.transpose(1, 2, 0) if rgb else np.squeeze(a)), (dtype, options)
    # Strips of 256 KiB and less, which are compressed side by side.
    tifffile.imwrite(source, image("u2", 1000, 900), metadata=None)
    convert(source, path, "--compression", "deflate")
    with tifffile.TiffFile(path) as file:
        assert file.pages[0].rowsperstrip == 2**18 // 1800
    # Labels are names: none is a mean of others.
    mask = np.zeros((200, 300), "u1")
    mask[20:90, 33:99] = mask[101:150, 120:277] = 255
    tifffile.imwrite(source, mask, metadata=None)
    subprocess.run([FOVEA, "run", "-q", "label", source, "-o", path, "--pyramid", "--tile", "64", "--compression", "deflate"], check=True)
    with tifffile.TiffFile(path) as file:
        page = file.pages[0]
        assert len(page.subifds) == 3 and all(np.array_equal(p.asarray(), page.asarray()[::2 ** n, ::2 ** n])
                                              for n, p in enumerate(page.pages, 1))
    for wrong, word in ((("--compression", "lzw"), "deflate, zstd, jpeg or png"), (("--tile", "100"), "multiple of 16"), (("--tile", "-16"), "multiple")):
        run = subprocess.run([FOVEA, "convert", *wrong, source, path], stderr=subprocess.PIPE, text=True)
        assert run.returncode == 2 and word in run.stderr, run.stderr
    run = subprocess.run([FOVEA, "convert", "--pyramid", source, path[:-3] + "png"], stderr=subprocess.PIPE, text=True)
    assert run.returncode == 2 and ".tif, .zarr only" in run.stderr, run.stderr


with tempfile.TemporaryDirectory() as temporary:
    main(temporary)
