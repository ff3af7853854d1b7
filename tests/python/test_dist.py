#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What python/dist.py leaves in a source distribution can be configured: it has each folder and file that the build names."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import tap
from tap import Skip

SOURCE = pathlib.Path(os.environ["FOVEA_SOURCE"])


def copy(folder):
    """What git has, as it is now."""
    listed = subprocess.run(["git", "-C", SOURCE, "ls-files", "-z"], capture_output=True, text=True, check=False)
    if listed.returncode:
        raise Skip("this is no clone")
    for name in filter(None, listed.stdout.split("\0")):
        if (SOURCE / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(SOURCE / name, folder / name)


def test_dist():
    """A source distribution of the package can be configured, and has no tests"""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / "source"
        copy(folder)
        subprocess.run([sys.executable, SOURCE / "python/dist.py"], env=dict(os.environ, MESON_DIST_ROOT=str(folder)), check=True)
        made = subprocess.run(["meson", "setup", "-Dwheel=true", "-Dui=disabled", "-Dcuda=disabled", folder / "build", folder], capture_output=True, text=True, check=False)
        assert made.returncode == 0, made.stdout[-2000:] + made.stderr
        assert not (folder / "tests").exists() and not (folder / "data/samples").exists()


if __name__ == "__main__":
    tap.run(globals())
