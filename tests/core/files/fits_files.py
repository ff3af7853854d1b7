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
    """What is quantised when it is compressed: noise, with NaN and zeros."""
    values = random.normal(100, 10, shape).astype(dtype)
    values[..., 3, 4] = numpy.nan
    values[..., 5, :] = 0
    return values


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
         "RICE_1_tiles", "GZIP_2_lossless", "gzip")

if __name__ == "__main__":
    for name, path in write(sys.argv[1]).items():
        if name not in SEEDS:
            path.unlink()
