#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_tifffile.py WRITE_SUITE: what write_suite writes is what tifffile reads. Skips (77) without tifffile."""
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import tifffile
except ImportError:
    sys.exit(77)

SIZE = dict(
    u8=(1, 1, 1), u16=(1, 1, 1), i16=(1, 1, 1), i32=(1, 1, 1), i8=(1, 1, 1), u32=(1, 1, 1), f16=(1, 1, 1), f32=(1, 1, 1), f64=(1, 1, 1), rgb=(1, 3, 1), rgb_stack=(1, 3, 4),
    stack=(1, 1, 4), series=(6, 1, 1), channels=(1, 2, 1), hyperstack=(2, 3, 4), inverted=(1, 1, 1))
DTYPE = dict(i8="i1", u16="u2", i16="i2", u32="u4", i32="i4", f16="f2", f32="f4", f64="f8", stack="u2", series="f4", hyperstack="u2")
XY = dict(u16=(0.325, 0.325), f32=(0.5, 0.25), rgb=(2, 2), rgb_stack=(2, 2), stack=(0.2, 0.2), series=(0.1, 0.1),
          hyperstack=(0.2, 0.2))


def expected(name):
    """As (t, c, z, y, x)."""
    t, c, z, y, x = np.ogrid[tuple(slice(n) for n in (*SIZE[name], 5, 7))]
    n = 10000 * t + 1000 * c + 100 * z + 10 * y + x
    dtype = np.dtype(DTYPE.get(name, "u1"))
    return {"u1": n % 251, "i1": n - 20, "u2": n, "u4": 2**32 - 1 - n, "f2": n / 4 - 3, "i2": 100 * n - 5000, "i4": 100 * n - 5000, "f4": n / 4 - 3, "f8": n / 10}[dtype.str[1:]].astype(dtype)


def check(folder, name):
    want = expected(name)
    with tifffile.TiffFile(f"{folder}/{name}.tif") as file:
        assert file.is_imagej, "tifffile does not take it for ImageJ's"
        assert len(file.series) == 1, f"{len(file.series)} series"
        series, page = file.series[0], file.pages[0]
        assert page.is_contiguous or page.is_memmappable
        data = series.asarray()
        assert data.dtype == want.dtype, data.dtype
        axes = dict(zip(series.axes, data.shape))
        rgb = name.startswith("rgb")
        order = (want.shape[0], want.shape[2], want.shape[3], want.shape[4], want.shape[1])
        if rgb:
            assert np.array_equal(data.reshape(order), want.transpose(0, 2, 3, 4, 1))
        else:
            assert np.array_equal(data.reshape(want.shape[0], want.shape[2], want.shape[1], 5, 7), want.transpose(0, 2, 1, 3, 4))
        for axis, n in zip("TCZ", SIZE[name]):
            assert n == 1 or (rgb and axis == "C") or axes[axis] == n, axes
        pages = [p.asarray() for p in file.pages]  # the directories agree with the contiguous pixels
        assert len(pages) == np.prod(SIZE[name]) // (3 if rgb else 1)
        assert np.array_equal(np.stack(pages).ravel(), data.ravel())
        metadata = file.imagej_metadata
        if name in XY:
            x, y = (page.tags[tag].value for tag in ("XResolution", "YResolution"))
            assert (x[1] / x[0], y[1] / y[0]) == XY[name], (x, y)
            assert metadata["unit"] in ("µm", "\\u00B5m", "um"), metadata
        if name == "hyperstack":
            assert metadata["spacing"] == 0.75 and metadata["finterval"] == 30 and metadata["mode"] == "composite"
            assert metadata["Labels"] == ["nuclei", "α-tubulin", "membrane"] * 8, metadata["Labels"]
            assert tuple(metadata["Ranges"]) == (0, 1000, 100.5, 2000, 50, 3000)
            assert [tuple(lut[:, 255]) for lut in metadata["LUTs"]] == [(0, 0, 255), (0, 255, 0), (255, 128, 0)]
        assert page.photometric == (0 if name == "inverted" else 2 if rgb else 1)


with tempfile.TemporaryDirectory() as folder:
    subprocess.run([sys.argv[1], folder], check=True)
    for name in SIZE:
        try:
            check(folder, name)
        except AssertionError as error:
            sys.exit(f"{name}.tif: {error!r}")
print(f"{len(SIZE)} files agree")
