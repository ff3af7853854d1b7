#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reading and saving image files, compared with tifffile with imagecodecs and OpenCV (python3 -m pip install tifffile imagecodecs
opencv-python-headless numpy). All run in turn on the same cores, several times; prints the minimum of each.

    tests/bench/peers_files.py [--only reading] [--size 8192] [--repeat 7] [--program build/tests/bench/bench_files] [--folder /tmp/x]"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

import cv2
import imagecodecs
import numpy as np
import tifffile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TILE = (256, 256)


def scene(n):
    """Blobs with the noise of a camera."""
    random = np.random.default_rng(1)
    small = random.random((n // 32, n // 32), dtype=np.float32) ** 4
    light = cv2.resize(small, (n, n), interpolation=cv2.INTER_CUBIC).clip(0)
    return random.poisson(light * 3000 + 300).clip(0, 65535).astype(np.uint16)


class Program:
    """bench_files, which opens or saves a file each time it is told to and answers with its milliseconds."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ms(self, *words):
        self.process.stdin.write(" ".join(words) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit("bench_files ended")
        return tuple(map(float, answer.split()))


def compare(name, ours, peer, repeats, rows):
    """ours, peer: functions that return their milliseconds on the wall, and of all cores, which other work disturbs less."""
    mine, theirs = [], []
    for _ in range(repeats):
        mine.append(ours())
        theirs.append(peer())
    (wall, cpu), (peer_wall, peer_cpu) = map(min, zip(*mine)), map(min, zip(*theirs))
    rows.append(dict(work=name, fovea_ms=wall, fovea_cpu_ms=cpu, peer_ms=peer_wall, peer_cpu_ms=peer_cpu, factor=peer_wall / wall))
    print(f"{name:28s} fovea {wall:8.1f} ms, cores {cpu:8.1f}   peer {peer_wall:8.1f} ms, cores {peer_cpu:8.1f}   "
          f"{peer_wall / wall:5.2f} x, cores {peer_cpu / cpu:5.2f} x", flush=True)


def timed(call):
    def run():
        start, used = time.perf_counter(), time.process_time()
        call()
        return (time.perf_counter() - start) * 1e3, (time.process_time() - used) * 1e3
    return run


def reading(program, folder, pixels, options, rows):
    bytes8 = (pixels >> 4).clip(0, 255).astype(np.uint8)
    cases = {"LZW": (pixels, dict(compression="lzw", predictor=True)), "Deflate": (pixels, dict(compression="zlib", predictor=True)),
             "Zstandard": (pixels, dict(compression="zstd", predictor=True)), "JPEG": (bytes8, dict(compression="jpeg")),
             "JPEG RGB": (np.dstack([bytes8, bytes8[::-1], bytes8[:, ::-1]]), dict(compression="jpeg", photometric="rgb"))}
    for name, (data, how) in cases.items():
        path = os.path.join(folder, "tiles.tif")
        tifffile.imwrite(path, data, tile=TILE, maxworkers=options.threads, **how)
        compare(f"read {name} tiles", lambda: program.ms("read", path),
                timed(lambda: tifffile.imread(path, maxworkers=options.threads)), options.repeat, rows)


def saving(program, folder, pixels, options, rows):
    source, png, tif = (os.path.join(folder, name) for name in ("plain.tif", "out.png", "out.tif"))
    tifffile.imwrite(source, pixels)
    program.ms("hold", source)
    compare("save PNG", lambda: program.ms("save", png), timed(lambda: cv2.imwrite(os.path.join(folder, "peer.png"), pixels)), options.repeat, rows)
    rows[-1].update(fovea_bytes=os.path.getsize(png), peer_bytes=os.path.getsize(os.path.join(folder, "peer.png")))

    def synced(**how):
        path = os.path.join(folder, "peer.tif")
        with open(path, "wb") as file:
            tifffile.imwrite(file, pixels, maxworkers=options.threads, **how)
            os.fsync(file.fileno())
    compare("save TIFF, with fsync", lambda: program.ms("save", tif), timed(synced), options.repeat, rows)
    for method, theirs in (("deflate", "zlib"), ("zstd", "zstd")):
        compare(f"save TIFF, {method} tiles", lambda: program.ms("save", tif, method),
                timed(lambda: synced(tile=TILE, compression=theirs, predictor=True)), options.repeat, rows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, default=8192)
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--program", default=os.path.join(ROOT, "build", "tests", "bench", "bench_files"))
    parser.add_argument("--folder")
    parser.add_argument("--only", choices=["reading", "saving"])
    parser.add_argument("--output", help="JSON")
    options = parser.parse_args()
    rows = []
    cv2.setNumThreads(options.threads)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        program, pixels = Program(options.program), scene(options.size)
        if options.only != "saving":
            reading(program, folder, pixels, options, rows)
        if options.only != "reading":
            saving(program, folder, pixels, options, rows)
    if options.output:
        versions = {"tifffile": tifffile.__version__, "imagecodecs": imagecodecs.__version__, "OpenCV": cv2.__version__}
        with open(options.output, "w", encoding="utf-8") as file:
            json.dump(dict(size=options.size, threads=options.threads, versions=versions, lines=rows), file, indent=1)


if __name__ == "__main__":
    main()
