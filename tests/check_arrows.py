#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Includes only go down the rows of ROWS and name existing files. Output is TAP."""
import collections
import os
import pathlib
import re
import sys

# From the bottom to the top: a folder includes from itself and from rows further down, never from a neighbour or from above.
ROWS = {
    "kernels": [["plugin"], ["kernels/common"], ["kernels/label"], ["kernels/regions"],
                ["kernels/filters", "kernels/morphology", "kernels/threshold", "kernels/measure", "kernels/geometry",
                 "kernels/image", "kernels/display", "kernels/expression", "kernels/native", "kernels/patch", "kernels/contrast"],
                ["kernels/convolve", "kernels/sky", "kernels/fields", "kernels/objects", "kernels/own", "kernels/rank"], ["kernels"]],
    "core": [["plugin"], ["core/base"], ["core/data"], ["core/view"], ["core/ops", "core/selection", "core/files/shared"],
             ["core/files/fits", "core/files/tiff", "core/measure"], ["core/files"], ["core/recipe"], ["core/call"], ["core/run"], ["core/preview"], ["core/document", "core/figure"],
             ["core/macro"], ["core/batch"]],
}
ROWS["library"] = ROWS["core"] + [["library"]]
ROWS["command"] = [["library"], ["command"]]
ROWS["python"] = [["library"], ["python/module"]]
ROWS["ui"] = ROWS["core"] + [["ui/widgets"], ["ui/plot"], ["ui/view"], ["ui/form", "ui/selection"], ["ui/canvas"], ["ui/steps"], ["ui/look", "ui/results"],
                                  ["ui/shell"], ["ui/batch", "ui/devices", "ui/figure", "ui/folder", "ui/macro", "ui/several"], ["ui/app"]]
# The plugin's entry lists the operations; meson writes the list.
OPERATIONS = "kernels/operations.inc"
ALLOWED = {("plugin/plugin.c", OPERATIONS)}
SUFFIXES = (".c", ".h", ".cu", ".cuh")


def includes(path):
    for name in re.findall(r'^ *# *include "([^"]+)"', path.read_text(encoding="utf-8"), re.M):
        yield "plugin/" + name if name == "fovea-plugin.h" else name


def rank(rows, folder):
    return next((i for i, row in enumerate(rows) if folder in row), None)


def wrong_arrows(files):
    for file in files:
        folder, top = os.path.dirname(file), file.split("/")[0]
        rows = ROWS["kernels" if top == "plugin" else top]
        for name in includes(pathlib.Path(file)):
            other = os.path.dirname(name)
            if other == folder or (file, name) in ALLOWED:
                continue
            mine, its = rank(rows, folder), rank(rows, other)
            if mine is None or its is None or its >= mine:
                yield f"{file} includes {name}"


def circles(files):
    """Of stems (x.c and x.h are one): what can only be understood, and only be used, together."""
    arrows = collections.defaultdict(set)
    for file in files:
        stem = os.path.splitext(file)[0]
        arrows[stem] |= {os.path.splitext(name)[0] for name in includes(pathlib.Path(file))} - {stem}
    while True:  # what includes nothing that is left, or is included by nothing, is in no circle
        included = set().union(*arrows.values())
        free = {stem for stem in arrows if stem not in included or not arrows[stem] & arrows.keys()}
        if not free:
            break
        for stem in free:
            del arrows[stem]
    for stem in sorted(arrows):
        yield f"{stem} includes {', '.join(sorted(arrows[stem] & arrows.keys()))}"


def missing(files):
    """CUDA files too, which a machine without nvcc never compiles."""
    for file in files:
        for name in includes(pathlib.Path(file)):
            if name != OPERATIONS and not os.path.exists(name):
                yield f"{file} includes {name}, which is not there"


def check(number, name, faults):
    faults = list(faults)
    print(f"{'not ' if faults else ''}ok {number} - {name}")
    for fault in faults:
        print("#", fault)


def main():
    os.chdir(os.environ["FOVEA_SOURCE"])
    files = sorted(str(p) for top in ("command", "core", "kernels", "library", "plugin", "python", "ui") for p in pathlib.Path(top).rglob("*") if p.suffix in SUFFIXES)
    check(1, "arrows between folders go down", wrong_arrows(files))
    check(2, "every include names a file of the tree", missing(files))
    # An operation's parts in kernels/ include its struct of arguments.
    tied = [f for f in files if f.startswith(("command/", "core/", "library/", "python/", "ui/"))]
    check(3, "no circles of includes in command, core, library, python and ui", circles(tied))
    print("1..3")


if __name__ == "__main__":
    sys.exit(main())
