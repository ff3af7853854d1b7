#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Asks ImageJ (package imagej, and a JDK) for the watershed of split.imagej_masks() and writes watershed_masks.npz: bits of what is left of each mask."""
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).parent
sys.path.remove(str(HERE))
sys.path.insert(0, str(HERE.parent))
import make  # noqa: E402,F401
from split import imagej_masks  # noqa: E402

JAR = "/usr/share/java/ij.jar"


def main():
    lines, found = [], {}
    with tempfile.TemporaryDirectory() as folder:
        for name, mask in imagej_masks().items():
            mask.tofile(f"{folder}/{name}.raw")
            lines += [f"{name} {mask.shape[1]} {mask.shape[0]}\n"]
        subprocess.run(["java", "-Djava.awt.headless=true", "-cp", JAR, HERE / "Watershed.java", folder], input="".join(lines), text=True, check=True)
        for name in imagej_masks():
            found[name] = np.packbits(np.fromfile(f"{folder}/{name}.split", np.uint8) > 0)
    np.savez_compressed(HERE / "watershed_masks.npz", **found)


if __name__ == "__main__":
    main()
