#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times the README's workflow from a compressed, tiled TIFF in the file cache to the table, in one warm process. Times reading alone in turn with it.
Prints the medians.

    tests/bench/file_to_table.py [--device cuda:0] [--side 16384] [--repeat 9] [--program build/tests/bench/bench_files] [--folder /dev/shm]"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile

from large import ROOT, TILES, make_block, write_tiff


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--side", type=int, default=16384, help="a multiple of 4096")
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--program", default=os.path.join(ROOT, "build", "tests", "bench", "bench_files"))
    parser.add_argument("--folder")
    options = parser.parse_args()
    block = max(TILES)
    libraries = os.path.join(ROOT, "build", "lib")  # on a machine without them: see tests/gpu/gather.sh
    environment = dict(os.environ, LD_LIBRARY_PATH=libraries) if os.path.isdir(libraries) else None
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        path = os.path.join(folder, "plane.tif")
        write_tiff(path, make_block(block), options.side // block)
        plugin = os.path.join(ROOT, "build", "plugin", "fovea-kernels.so")
        orders = [f"load {plugin}\n"] + [f"read {path}\n", f"table {path} {options.device}\n"] * (1 + options.repeat)
        answers = subprocess.run([options.program], input="".join(orders), env=environment, stdout=subprocess.PIPE, text=True, check=False)
    if answers.returncode:
        sys.exit("bench_files failed")
    wall = [float(line.split()[0]) for line in answers.stdout.splitlines()][3:]  # the first ones wake everything
    for name, times in (("read", wall[::2]), ("read and table", wall[1::2])):
        print(f"{options.side} u8, {options.device}: {name:14s} {statistics.median(times):8.1f} ms ({min(times):.1f} to {max(times):.1f})")


if __name__ == "__main__":
    main()
