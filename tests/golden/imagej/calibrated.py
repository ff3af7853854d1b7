#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures images with calibrated values in ImageJ (package imagej, a JDK, xvfb) and writes calibrated.zip: the images, as ImageJ saved them, and
calibrated.txt with a line "NAME<TAB>WHAT<TAB>NUMBERS" for each thing that was measured."""
import pathlib
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).parent
JAR = "/usr/share/java/ij.jar"


def main(target=HERE / "calibrated.zip"):
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        done = subprocess.run(["xvfb-run", "-a", "java", f"-Duser.home={folder}", "-cp", JAR, HERE / "Calibrated.java", folder], capture_output=True, text=True,
                              check=True)
        files = {path.name: path.read_bytes() for path in sorted(pathlib.Path(folder).glob("*.tif"))}
        for name, data in {**files, "calibrated.txt": done.stdout.encode()}.items():
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    main(*sys.argv[1:])
