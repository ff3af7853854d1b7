#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""FITS files of every kind, written by astropy. As a program, fits_files.py FOLDER, it writes the seeds of the fuzzers, tests/core/files/fits."""
import gzip
import inspect
import pathlib
import sys

import numpy
from astropy.io import fits

random = numpy.random.default_rng(20261122)


def smooth(shape, dtype, most=2 ** 52):
    """Noise on a ramp, with the ends of the type, as far as f64 holds them."""
    dtype = numpy.dtype(dtype)
    values = numpy.linspace(0, 1, int(numpy.prod(shape))) * 0.7 + random.random(int(numpy.prod(shape))) * 0.3
    if dtype.kind == "f":
        return (values * 200 - 90).astype(dtype).reshape(shape)
    low, high = max(numpy.iinfo(dtype).min, -most), min(numpy.iinfo(dtype).max, most)
    values = (low + values * (float(high) - low)).astype(dtype)
    values[0], values[-1] = low, high
    return values.reshape(shape)


def sky(shape, dtype="f4"):
    """What is quantized when it is compressed: noise, with NaN and zeros."""
    values = random.normal(100, 10, shape).astype(dtype)
    values[..., 3, 4] = numpy.nan
    values[..., 5, :] = 0
    return values


def stars(shape, dtype):
    """What lossy compression makes blocks of, and smoothing rounds."""
    y, x = numpy.mgrid[:shape[0], :shape[1]]
    values = 100 + 20 * numpy.sin(x / 9) * numpy.cos(y / 7) + random.normal(0, 2, shape)
    for row, column in random.integers(0, shape, (20, 2)):
        values += 100 * numpy.exp(-((y - row) ** 2 + (x - column) ** 2) / 8)
    return values.clip(60, 200).astype(dtype)


def mask(shape, dtype, most):
    """Runs of 0 and of other numbers, the highest among them, and single ones. Few of these: where a list is longer than the array cfitsio crashes."""
    values = numpy.repeat(random.integers(0, most + 1, shape[0] * shape[1] // 20 + 1), 20)[:shape[0] * shape[1]].reshape(shape)
    values[random.random(shape) < 0.03] += 1
    values[random.random(shape) < 0.03] -= 1
    values[2], values[4:6], values[4, ::3] = most, 0, 7
    return values.clip(0, most).astype(dtype)


def raw(array, **cards):
    """The array as it is, under a header that says something else of it."""
    part = fits.PrimaryHDU(array)
    part.header.update(cards)
    return part


def packed(array, method, tile=None, **options):
    """tile: columns, rows, slices; newer versions of astropy want them the other way round."""
    if tile and "tile_shape" in inspect.signature(fits.CompImageHDU.__init__).parameters:
        options["tile_shape"] = tile[::-1]
    elif tile:
        options["tile_size"] = tile
    return fits.CompImageHDU(array, compression_type=method, **options)


def kinds():
    """Names, and the parts of each file."""
    for dtype in ("u1", "i1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"):
        yield "type_" + dtype, [fits.PrimaryHDU(smooth((7, 11), dtype))]
    yield "row", [fits.PrimaryHDU(smooth((23,), "i2"))]
    yield "cube", [fits.PrimaryHDU(smooth((2, 3, 4, 5, 6), "i2"))]
    yield "six", [fits.PrimaryHDU(smooth((2, 2, 1, 3, 5, 6), "f4"))]
    for dtype in ("u1", "i2", "i4", "f4", "f8"):
        yield "scaled_" + dtype, [raw(smooth((7, 11), dtype), BSCALE=0.37, BZERO=-3.25)]
    for dtype in ("u1", "i2", "i4", "i8"):
        array = smooth((7, 11), dtype)
        yield "blank_" + dtype, [raw(array, BLANK=int(array[2, 3]))]
        yield "scaled_blank_" + dtype, [raw(array, BLANK=int(array[2, 3]), BSCALE=2.0, BZERO=1.0)]
    table = fits.BinTableHDU.from_columns([fits.Column("x", "E", array=numpy.arange(3.0))], name="STARS")
    yield "parts", [fits.PrimaryHDU(), fits.ImageHDU(smooth((3, 4), "i2"), name="SCI"), table,
                    fits.ImageHDU(smooth((5, 6), "f4"), name="ERR")]
    for method in ("RICE_1", "GZIP_1", "GZIP_2"):
        for dtype in ("u1", "i2", "u2", "i4"):
            yield f"{method}_{dtype}", [fits.PrimaryHDU(), packed(smooth((13, 100), dtype), method)]
        for quantize, name in ((-1, "plain"), (1, "dither"), (2, "dither_2")):
            yield f"{method}_{name}", [fits.PrimaryHDU(), packed(
                sky((50, 70)), method, quantize_level=4, quantize_method=quantize, dither_seed=77, tile=(30, 20))]
        yield method + "_f8", [fits.PrimaryHDU(), packed(sky((50, 70), "f8"), method, quantize_level=16, quantize_method=1, dither_seed=9999)]
        yield method + "_tiles", [fits.PrimaryHDU(), packed(smooth((5, 13, 100), "i2"), method, tile=(40, 5, 3))]
    for dtype in ("u1", "i2", "u2", "i4"):
        array = smooth((13, 100), dtype) if dtype != "i4" else ((stars((13, 100), "f8") - 130) * 2 ** 24).astype(dtype)
        yield "HCOMPRESS_1_" + dtype, [fits.PrimaryHDU(), packed(array, "HCOMPRESS_1", tile=(37, 13))]
    for dtype, scale, smoothed in (("u1", 4, 1), ("i2", 1, 1), ("i2", 16, 0), ("i4", 16, 1)):
        yield f"HCOMPRESS_1_{dtype}_{scale}", [fits.PrimaryHDU(), packed(
            stars((61, 87), dtype), "HCOMPRESS_1", tile=(40, 17), hcomp_scale=scale, hcomp_smooth=smoothed)]
    yield "HCOMPRESS_1_smooth", [fits.PrimaryHDU(), packed(stars((61, 87), "i2"), "HCOMPRESS_1", tile=(87, 61), hcomp_scale=9, hcomp_smooth=1)]
    for quantize, name in ((-1, "plain"), (1, "dither"), (2, "dither_2")):
        yield "HCOMPRESS_1_" + name, [fits.PrimaryHDU(), packed(
            sky((50, 70)), "HCOMPRESS_1", quantize_level=4, quantize_method=quantize, dither_seed=77, tile=(30, 20))]
    yield "HCOMPRESS_1_f8", [fits.PrimaryHDU(), packed(
        stars((50, 70), "f8"), "HCOMPRESS_1", quantize_level=4, quantize_method=1, dither_seed=3, tile=(70, 25), hcomp_scale=2.5, hcomp_smooth=1)]
    for dtype, most in (("u1", 255), ("i2", 32767), ("i4", 2 ** 24 - 1)):
        yield "PLIO_1_" + dtype, [fits.PrimaryHDU(), packed(mask((13, 100), dtype, most), "PLIO_1")]
    yield "PLIO_1_nothing", [fits.PrimaryHDU(), packed(numpy.zeros((40, 50), "u1"), "PLIO_1", tile=(50, 40))]
    for method in ("GZIP_1", "GZIP_2"):
        yield method + "_lossless", [fits.PrimaryHDU(), packed(sky((20, 30)), method, quantize_level=0)]


def write(folder):
    """All files; their paths by name."""
    paths = {}
    for name, parts in kinds():
        paths[name] = pathlib.Path(folder) / (name + ".fits")
        fits.HDUList(parts).writeto(paths[name], overwrite=True, output_verify="silentfix")
    paths["gzip"] = pathlib.Path(folder) / "gzip.fits.gz"
    paths["gzip"].write_bytes(gzip.compress(paths["type_i2"].read_bytes()))
    return paths


SEEDS = ("type_i2", "type_u1", "type_f4", "type_i8", "cube", "scaled_blank_i2", "parts", "RICE_1_i2", "RICE_1_dither", "GZIP_1_i4", "GZIP_2_dither_2",
         "RICE_1_tiles", "GZIP_2_lossless", "HCOMPRESS_1_i2", "HCOMPRESS_1_smooth", "HCOMPRESS_1_dither", "PLIO_1_i2", "PLIO_1_i4", "gzip")

if __name__ == "__main__":
    for name, path in write(sys.argv[1]).items():
        if name not in SEEDS:
            path.unlink()
