#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Leaves in a source distribution what the package is built of; meson runs it when one is made."""
import os
import pathlib
import shutil

NEEDED = {"LICENSE", "command", "core", "docs", "kernels", "library", "meson.build", "meson_options.txt", "plugin", "pyproject.toml", "python"}

for path in pathlib.Path(os.environ["MESON_DIST_ROOT"]).iterdir():
    if path.name not in NEEDED:
        (shutil.rmtree if path.is_dir() else os.remove)(path)
