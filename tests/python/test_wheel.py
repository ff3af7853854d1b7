#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A source distribution made of what a clone has, a wheel made of that, and the wheel where nothing of the tree can be seen."""
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile

import tap
from tap import Skip

SOURCE = pathlib.Path(os.environ["FOVEA_SOURCE"])
NEEDED = ["command", "core", "data/models", "docs", "kernels", "library", "plugin", "python", "LICENSE", "meson.build", "meson_options.txt", "pyproject.toml", "readers", "runtime"]
UNNEEDED = {"tests/unneeded.txt", "data/unneeded.txt"}
BACKEND = ["meson-python==0.18.0", "meson==1.8.2", "pyproject-metadata==0.9.1", "packaging==25.0"]
# What pip says where the index cannot be reached.
UNREACHABLE = ("No matching distribution", "Temporary failure in name resolution", "Network is unreachable", "Connection refused", "timed out")
MAKE = "import sys, mesonpy; getattr(mesonpy, sys.argv[1])(sys.argv[2], {'setup-args': ['-Dcuda=disabled', '-Doptimization=0']})"
PROGRAM = """
import numpy, fovea
array = numpy.zeros((5, 7), numpy.float32)
array[2, 3] = 1
smooth = fovea.gaussian(array, sigma=1).numpy()
assert abs(smooth.sum() - 1) < 1e-2 and smooth.argmax() == 17, smooth
print(fovea.__file__, len(fovea.operations()))
"""
# A list of decoders in the package goes before the system's, here one that says that a library is missing.
LISTED = '"libnowhere.so"\n"bmp" 0 "gdk-pixbuf" "BMP" "LGPL"\n"image/bmp" ""\n"bmp" ""\n\n'
OPEN = """
import sys, fovea
try:
    print(fovea.open(sys.argv[1]).shape)
except fovea.UnsupportedError as error:
    print(error)
"""
# With a network of others: how many of the pixels differ from what Python makes of it, or how many objects there are, or what is missing.
PACKAGES = SOURCE / "tests/kernels/network/data/packages"
SEGMENT = """
import os, sys, numpy, fovea
os.environ["HOME"], folder, model = sys.argv[1:4]
image = numpy.load(folder + "/image.npy")
try:
    labels = numpy.asarray(fovea.segment(image, model=model))
    print((labels != numpy.load(folder + "/" + sys.argv[4])).sum() if sys.argv[4:] else labels.max())
except fovea.Error as error:
    print(error)
"""
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith(("FOVEA_", "LD_", "MALLOC_", "PYTHON", "G_DEBUG", "GIT_"))}


def call(*words, path=None, **more):
    """What it prints; an error has all of that."""
    environment = {**ENVIRONMENT, "PYTHONPATH": str(path), "MESON": str(path / "bin/meson")} if path else ENVIRONMENT
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment, **more)
    if done.returncode and any(why in done.stdout for why in UNREACHABLE):
        raise Skip("what builds a wheel cannot be had from the package index")
    assert done.returncode == 0, done.stdout
    return done.stdout


def pip_install(folder, *what):
    call(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile", "--disable-pip-version-check", "--root-user-action=ignore", "--target", folder, *what)


def clone(folder):
    """What git has, as it is now, and something that is not needed."""
    folder.mkdir()
    skipped = shutil.ignore_patterns("__pycache__")
    for name in NEEDED:
        if (SOURCE / name).is_dir():
            shutil.copytree(SOURCE / name, folder / name, ignore=skipped)
        else:
            shutil.copy(SOURCE / name, folder / name)
    (folder / "tests").mkdir()
    for name in UNNEEDED:
        (folder / name).touch()
    call("git", "init", "-q", cwd=folder)
    call("git", "add", "-A", cwd=folder)
    call("git", "-c", "user.name=Test", "-c", "user.email=test@localhost", "commit", "-qm", "All", cwd=folder)


def files_of(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() and ".git" not in path.relative_to(folder).parts}


def test_wheel():
    """The source distribution has what is needed, and the wheel that is made of it works by itself"""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        pip_install(folder / "backend", *BACKEND)
        clone(folder / "clone")
        call(sys.executable, "-c", MAKE, "build_sdist", folder, path=folder / "backend", cwd=folder / "clone")
        sdist, = folder.glob("*.tar.gz")
        with tarfile.open(sdist) as archive:
            archive.extractall(folder / "source")
        source, = (folder / "source").iterdir()
        assert files_of(source) - {"PKG-INFO"} == files_of(folder / "clone") - UNNEEDED
        call(sys.executable, "-c", MAKE, "build_wheel", folder, path=folder / "backend", cwd=source)
        wheel, = folder.glob("*.whl")
        names = zipfile.ZipFile(wheel).namelist()
        assert "-abi3-" in wheel.name and {"fovea/_fovea.abi3.so", "fovea/plugins/fovea-kernels.so", "fovea/plugins/fovea-kernel-worker", "fovea/__init__.pyi", "fovea/py.typed"} <= set(names), names
        shutil.rmtree(folder / "clone")
        shutil.rmtree(source)
        pip_install(folder / "installed", wheel)
        said = call(sys.executable, "-c", PROGRAM, path=folder / "installed", cwd=folder)
        assert said.startswith(str(folder / "installed")) and int(said.split()[-1]) > 10, said
        program = folder / "installed/bin/fovea"
        said = call(sys.executable, program, "run", "-q", "plain width=3 height=2 | gaussian", "-o", folder / "plain.tif", path=folder / "installed")
        assert (folder / "plain.tif").stat().st_size > 24, said
        (folder / "a.bmp").write_bytes(b"BM" + struct.pack("<IHHIIiiHHIIiiII", 58, 0, 0, 54, 40, 1, 1, 1, 24, 0, 4, 0, 0, 0, 0) + bytes(4))
        opened = call(sys.executable, "-c", OPEN, folder / "a.bmp", path=folder / "installed", cwd=folder)
        (folder / "installed/fovea/decoders").mkdir()
        (folder / "installed/fovea/decoders/loaders.cache").write_text(LISTED)
        listed = call(sys.executable, "-c", OPEN, folder / "a.bmp", path=folder / "installed", cwd=folder)
        check_networks(folder)
        assert opened == "(1, 1)\n" and "no loader for image/bmp" in listed, (opened, listed)


def check_networks(folder):
    """Packages and ONNX files of others, first without ONNX Runtime, where the machine has none."""

    def segment(*words):
        return call(sys.executable, "-c", SEGMENT, folder, PACKAGES, *words, path=folder / "installed", cwd=folder).strip()

    assert segment(PACKAGES / "edges.zip", "edges_labels.npy") == "0"
    said = segment(PACKAGES / "average.zip", "average_labels.npy")
    assert said == "0" or "after 'pip install onnxruntime'" in said, said
    pip_install(folder / "installed", "onnxruntime")
    said = segment(PACKAGES / "average.zip", "average_labels.npy")
    assert said == "0", said
    zipfile.ZipFile(PACKAGES / "average.zip").extract("weights.onnx", folder)
    said = segment(folder / "weights.onnx")
    assert said == "20", said  # the discs that were drawn, of which some touch


if __name__ == "__main__":
    tap.run(globals())
