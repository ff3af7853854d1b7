#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reading FITS files beside astropy (python3 -m pip install astropy and what peers_files.py names), in turn, several times; prints the least
of each. Both end with numbers in the machine's byte order in memory.

    tests/bench/peers_fits.py [--size 4096] [--repeat 7] [--program build/tests/bench/bench_files] [--folder /tmp/x]"""
import argparse
import gzip
import os
import tempfile
import warnings

import numpy as np
from astropy.io import fits

from peers_files import ROOT, Program, compare, scene, timed


def files(folder, sky):
    """Names and paths: plain, as a whole by gzip, and in tiles. Those of floats are quantized as fpack does it, but for GZIP_2."""
    whole = sky.astype(np.int16)
    tiles = {"RICE_1, dither": (sky, "RICE_1", dict(quantize_level=4, quantize_method=1)),
             "GZIP_1, dither": (sky, "GZIP_1", dict(quantize_level=4, quantize_method=1)),
             "GZIP_2, lossless": (sky, "GZIP_2", dict(quantize_level=0)),
             "HCOMPRESS_1, dither": (sky, "HCOMPRESS_1", dict(quantize_level=4, quantize_method=1)),
             "RICE_1, i16": (whole, "RICE_1", {}),
             "HCOMPRESS_1, i16": (whole, "HCOMPRESS_1", {}),
             "PLIO_1, i16": (np.where(whole > 1500, whole, 0).astype(np.int16), "PLIO_1", {})}
    path = os.path.join(folder, "plain.fits")
    fits.PrimaryHDU(sky).writeto(path)
    yield "plain", path
    with open(path, "rb") as plain, gzip.open(path + ".gz", "wb", compresslevel=1) as packed:
        packed.write(plain.read())
    yield "gzip", path + ".gz"
    for name, (data, method, how) in tiles.items():
        path = os.path.join(folder, name.replace(", ", "_") + ".fits")
        fits.HDUList([fits.PrimaryHDU(), fits.CompImageHDU(data, compression_type=method, **how)]).writeto(path)
        yield name, path


def read(path):
    data = fits.getdata(path, memmap=False)
    return np.ascontiguousarray(data, data.dtype.newbyteorder("="))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, default=4096)
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--program", default=os.path.join(ROOT, "build", "tests", "bench", "bench_files"))
    parser.add_argument("--folder")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        program = Program(options.program)
        for name, path in files(folder, scene(options.size).astype(np.float32) * np.float32(1.01)):
            compare(f"read {name}", lambda: program.ms("read", path), timed(lambda: read(path)), options.repeat, [])


if __name__ == "__main__":
    main()
