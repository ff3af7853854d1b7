#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reading movies beside PyAV (FFmpeg) and Pillow, and tables of numbers beside NumPy and pandas (python3 -m pip install av pillow pandas and what
peers_files.py names), in turn, several times; prints the least of each. Peers of movies end with all frames in one array, colors side by side.

    tests/bench/peers_movies.py [--frames 60] [--repeat 5] [--program build/tests/bench/bench_files] [--command build/command/fovea] [--folder /tmp/x]"""
import argparse
import os
import subprocess
import tempfile

import av
import numpy as np
import pandas
import tifffile
from PIL import Image

from peers_files import ROOT, Program, compare, timed

BUILD = os.path.join(ROOT, "build")


def scene(frames):
    """Waves that move, with noise, 768 × 1024."""
    rng, (y, x) = np.random.default_rng(0), np.mgrid[0:768, 0:1024].astype("f4")
    return np.array([(127 + 90 * np.sin(x / 40 + t / 5) * np.cos(y / 55) + rng.normal(0, 6, x.shape)).clip(0, 255) for t in range(frames)]).astype("u1")


def avi_files(folder, gray, command):
    """Paths and PyAV's names of their pixels: as Fovea saves them."""
    colors = np.stack([gray, gray[:, ::-1], gray[:, :, ::-1]], -1)
    for kind, pixels, name in ("gray", gray, "gray"), ("RGB", colors, "rgb24"):
        source = os.path.join(folder, f"{kind}.tif")
        tifffile.imwrite(source, pixels, photometric="rgb" if kind == "RGB" else "minisblack")
        for method in "none", "jpeg", "png":
            path = os.path.join(folder, f"{kind}_{method}.avi")
            subprocess.run([command, "convert", "-q", source, path, *([f"--compression={method}"] if method != "none" else [])], check=True)
            yield f"AVI, {kind}, {method}", path, name


def animations(folder, gray):
    frames = [Image.fromarray(frame) for frame in gray]
    colors = [Image.fromarray(np.stack([frame, frame[::-1], frame[:, ::-1]], -1)) for frame in gray]
    for name, mode, pictures in ("gray.gif", "L", frames), ("gray.png", "L", frames), ("rgb.png", "RGB", colors):
        path = os.path.join(folder, name)
        pictures[0].save(path, save_all=True, append_images=pictures[1:], duration=100, loop=0)
        yield name, path, mode


def decode(path, name):
    with av.open(path) as file:
        file.streams.video[0].thread_type = "AUTO"
        return np.stack([frame.to_ndarray(format=name) for frame in file.decode(video=0)])


def play(path, mode):
    picture, frames = Image.open(path), []
    for i in range(picture.n_frames):
        picture.seek(i)
        frames.append(np.asarray(picture.convert(mode)))
    return np.stack(frames)


def tables(program, folder, repeat):
    rng = np.random.default_rng(1)
    for name, separator, numbers, how in ("floats.txt", "\t", rng.normal(100, 20, (2048, 2048)), "%.6g"), ("integers.csv", ",", rng.integers(0, 65536, (2048, 2048)), "%d"):
        path = os.path.join(folder, name)
        np.savetxt(path, numbers, how, separator)
        compare(f"{name}, NumPy", lambda: program.ms("read", path), timed(lambda: np.loadtxt(path, "f4", delimiter=separator)), repeat, [])
        compare(f"{name}, pandas", lambda: program.ms("read", path), timed(lambda: pandas.read_csv(path, sep=separator, header=None, dtype="f4").to_numpy()), repeat, [])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--frames", type=int, default=60)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--program", default=os.path.join(BUILD, "tests", "bench", "bench_files"))
    parser.add_argument("--command", default=os.path.join(BUILD, "command", "fovea"))
    parser.add_argument("--folder")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        program, gray = Program(options.program), scene(options.frames)
        for name, path, pixels in avi_files(folder, gray, options.command):
            compare(name, lambda: program.ms("read", path), timed(lambda: decode(path, pixels)), options.repeat, [])
        for name, path, mode in animations(folder, gray[:len(gray) // 2]):
            compare(name, lambda: program.ms("read", path), timed(lambda: play(path, mode)), options.repeat, [])
        tables(program, folder, options.repeat)


if __name__ == "__main__":
    main()
