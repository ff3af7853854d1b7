#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Leaves in a source distribution what the package is built of; meson runs it when one is made."""
import os
import pathlib

NEEDED = ("LICENSE", "command", "core", "data/models", "docs", "kernels", "library", "meson.build", "meson_options.txt", "plugin", "pyproject.toml", "python", "readers", "runtime")

root = pathlib.Path(os.environ["MESON_DIST_ROOT"])
needed = [root / name for name in NEEDED]
for path in sorted(root.rglob("*"), reverse=True):  # what is in a folder before the folder
    if path.is_dir() and not path.is_symlink():
        if not any(path.iterdir()):
            path.rmdir()
    elif not any(path.is_relative_to(name) for name in needed):
        path.unlink()
