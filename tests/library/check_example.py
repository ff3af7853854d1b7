#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The library's example, built with what pkg-config says in the build tree and as installed, makes what the command makes. Output is
TAP. Arguments: the command, the C compiler's words."""
import os
import pathlib
import shlex
import re
import shutil
import subprocess
import sys
import tempfile

import numpy
import tifffile

SOURCE, BUILD = (pathlib.Path(os.environ[name]) for name in ("FOVEA_SOURCE", "FOVEA_BUILD"))
EXAMPLE = SOURCE / "library/example.c"


def recipe():
    return re.search(r'fovea_recipe_parse \(context, "([^"]+)"', EXAMPLE.read_text(encoding="utf-8"))[1]


def install(prefix):
    """As meson does: the header, the library, and what pkg-config says of it."""
    for folder in "include", "lib/pkgconfig":
        (prefix / folder).mkdir(parents=True)
    shutil.copy(SOURCE / "library/fovea.h", prefix / "include")
    for name in "libfovea.so", "libfovea.so.0":
        (prefix / "lib" / name).symlink_to(BUILD / "library" / name)
    described = (BUILD / "meson-private/fovea.pc").read_text(encoding="utf-8")
    described = re.sub("^prefix=.*", f"prefix={prefix}", described, flags=re.M)
    (prefix / "lib/pkgconfig/fovea.pc").write_text(re.sub("^libdir=.*", "libdir=${prefix}/lib", described, flags=re.M), encoding="utf-8")


def draw(path):
    """A few disks of different size."""
    y, x = numpy.mgrid[:120, :160]
    disks = [(20, 30, 9), (60, 50, 14), (90, 120, 20), (25, 130, 12)]
    tifffile.imwrite(path, (20 + 180 * sum((y - cy) ** 2 + (x - cx) ** 2 < r * r for cy, cx, r in disks)).astype("u1"))


def build_and_run(compiler, package, pkg_config_path, library_path, image, folder):
    folder.mkdir()
    environment = dict(os.environ, PKG_CONFIG_PATH=str(pkg_config_path), LD_LIBRARY_PATH=str(library_path))
    # pkg-config puts a backslash before a blank and before each byte of an umlaut.
    flags = os.fsdecode(subprocess.run(["pkg-config", "--cflags", "--libs", package], env=environment, check=True, capture_output=True).stdout)
    subprocess.run([*compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", str(EXAMPLE), "-o", folder / "example", *shlex.split(flags)], check=True)
    done = subprocess.run([folder / "example", image, folder / "cells.csv"], env=environment, check=True, capture_output=True, text=True)
    return done.stdout, done.stderr, (folder / "cells.csv").read_bytes()


def main():
    command, *compiler = sys.argv[1:]
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        image = scratch / "disks.tif"
        draw(image)
        subprocess.run([command, "run", "-q", recipe(), image, "-o", f"mask={scratch}/mask.tif", "-t", scratch / "cells.csv"], check=True)
        table = (scratch / "cells.csv").read_bytes()
        inside = numpy.count_nonzero(tifffile.imread(scratch / "mask.tif"))
        install(scratch / "prefix")
        installs = {
            "in the build tree": ("fovea-uninstalled", BUILD / "meson-uninstalled", BUILD / "library"),
            "installed": ("fovea", scratch / "prefix/lib/pkgconfig", scratch / "prefix/lib"),
        }
        for n, (where, folders) in enumerate(installs.items(), 1):
            said, progress, saved = build_and_run(compiler, *folders, image, scratch / str(n))
            objects = table.count(b"\r\n") - 1
            good = saved == table and objects == 4 and said.startswith(f"{objects} objects, {inside} pixels\n") and "step 4 of 4, 100 %" in progress
            print(f"{'' if good else 'not '}ok {n} - the example {where} makes what the command makes")
            if not good:
                print("#", said, progress)
    print("1..2")


if __name__ == "__main__":
    main()
