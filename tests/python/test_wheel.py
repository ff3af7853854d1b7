#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A wheel made of what a clone has, installed where nothing of the tree can be seen."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

import tap
from tap import Skip

SOURCE = pathlib.Path(os.environ["FOVEA_SOURCE"])
NEEDED = ["core", "kernels", "library", "plugin", "python", "docs", "meson.build", "meson_options.txt", "pyproject.toml", "LICENSE"]
# What pip says where the index cannot be reached.
UNREACHABLE = ("No matching distribution", "Temporary failure in name resolution", "Network is unreachable", "Connection refused", "timed out")
PROGRAM = """
import numpy, fovea
array = numpy.zeros((5, 7), numpy.float32)
array[2, 3] = 1
smooth = fovea.gaussian(array, sigma=1).numpy()
assert abs(smooth.sum() - 1) < 1e-2 and smooth.argmax() == 17, smooth
print(fovea.__file__, len(fovea.operations()))
"""


def call(*words, **more):
    """What it prints; an error has all of that."""
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if done.returncode and any(why in done.stdout for why in UNREACHABLE):
        raise Skip("what builds a wheel cannot be had from the package index")
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_wheel():
    """It has the library, the plugin and the types inside, and works by itself"""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("FOVEA_", "LD_", "MALLOC_", "PYTHON", "G_DEBUG"))}
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        (folder / "clone").mkdir()
        for name in NEEDED:
            (shutil.copytree if (SOURCE / name).is_dir() else shutil.copy)(SOURCE / name, folder / "clone" / name)
        call(sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-cache-dir", "--config-settings=setup-args=-Dcuda=disabled", "-w", folder, folder / "clone",
             env=environment, cwd=folder)
        wheel, = folder.glob("*.whl")
        names = zipfile.ZipFile(wheel).namelist()
        assert "-abi3-" in wheel.name and {"fovea/_fovea.abi3.so", "fovea/plugins/fovea-kernels.so", "fovea/__init__.pyi", "fovea/py.typed"} <= set(names), names
        shutil.rmtree(folder / "clone")
        call(sys.executable, "-m", "venv", "--system-site-packages", folder / "venv")
        call(folder / "venv/bin/python", "-m", "pip", "install", "--no-deps", wheel, env=environment, cwd=folder)
        said = call(folder / "venv/bin/python", "-c", PROGRAM, env=environment, cwd=folder)
        assert said.startswith(str(folder / "venv")) and int(said.split()[-1]) > 10, said


if __name__ == "__main__":
    tap.run(globals())
