#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Asks ImageJ (package imagej, and a JDK) for the maxima of maxima.imagej_cases() and writes maxima.npz: bits of points and of areas."""
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).parent
sys.path.remove(str(HERE))
sys.path.insert(0, str(HERE.parent))
import make  # noqa: E402,F401
from maxima import imagej_cases  # noqa: E402

JAR = "/usr/share/java/ij.jar"


def main():
    lines, found = [], {}
    with tempfile.TemporaryDirectory() as folder:
        for name, (image, prominence, strict, edges, light, threshold) in imagej_cases().items():
            image.astype("<f4").tofile(f"{folder}/{name}.raw")
            lines += [f"{name} {8 * image.dtype.itemsize} {image.shape[1]} {image.shape[0]} {prominence} {strict} {edges} {light} {threshold}\n".lower()]
        subprocess.run(["java", "-Djava.awt.headless=true", "-cp", JAR, HERE / "Maxima.java", folder], input="".join(lines), text=True, check=True)
        for name in imagej_cases():
            for end in ("points", "areas"):
                found[f"{name}-{end}"] = np.packbits(np.fromfile(f"{folder}/{name}.{end}", np.uint8) > 0)
    np.savez_compressed(HERE / "maxima.npz", **found)


if __name__ == "__main__":
    main()
