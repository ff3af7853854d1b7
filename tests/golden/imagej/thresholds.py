#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Asks ImageJ (package imagej, and a JDK) for the thresholds of threshold.imagej_images() and writes thresholds.txt."""
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import make  # noqa: E402,F401
from threshold import imagej_images  # noqa: E402

JAR = "/usr/share/java/ij.jar"


def main():
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for name, image in imagej_images().items():
            pixels = image.astype(image.dtype.newbyteorder("<"))
            (pathlib.Path(folder) / f"{name}.raw").write_bytes(pixels.tobytes())
            lines.append(f"{name} {8 * image.dtype.itemsize} {image.shape[1]} {image.shape[0]}\n")
        done = subprocess.run(["java", "-Djava.awt.headless=true", "-cp", JAR, HERE / "Thresholds.java", folder],
                              input="".join(lines), capture_output=True, text=True, check=True)
    (HERE / "thresholds.txt").write_text(done.stdout, encoding="utf-8")


if __name__ == "__main__":
    main()
