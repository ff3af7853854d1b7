# SPDX-License-Identifier: MIT
"""The program `fovea` that a wheel has, for a virtual environment's folder of programs."""
import os
import pathlib
import sys


def main():
    os.execv(pathlib.Path(__file__).parent / "bin/fovea", ["fovea", *sys.argv[1:]])
