#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Asks ImageJ (package imagej, and a JDK) for the backgrounds of rolling_ball.py and writes rolling_ball.npz."""
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).parent
sys.path.remove(str(HERE))
sys.path.insert(0, str(HERE.parent))
import make  # noqa: E402,F401
from rolling_ball import imagej_cases, imagej_paraboloid_cases  # noqa: E402

JAR = "/usr/share/java/ij.jar"


def main():
    lines, found, cases = [], {}, imagej_cases() | imagej_paraboloid_cases()
    with tempfile.TemporaryDirectory() as folder:
        for name, (image, radius, light, smooth) in cases.items():
            image.astype("<f4").tofile(f"{folder}/{name}.raw")
            lines += [f"{name} {8 * image.dtype.itemsize} {image.shape[1]} {image.shape[0]} {radius} {light} {smooth} {name.startswith('paraboloid')}\n".lower()]
        subprocess.run(["java", "-Djava.awt.headless=true", "-cp", JAR, HERE / "RollingBall.java", folder], input="".join(lines), text=True,
                       check=True)
        for name, (image, *_) in cases.items():
            for end in ("", "-background"):
                found[name + end] = np.fromfile(f"{folder}/{name}{end}.made", "<f4").reshape(image.shape).astype(image.dtype)
    np.savez_compressed(HERE / "rolling_ball.npz", **found)


if __name__ == "__main__":
    main()
