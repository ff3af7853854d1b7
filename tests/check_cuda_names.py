#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No type and no function of file scope has its name twice in the CUDA files. Types of one name and two layouts are undefined behavior when the files
are linked, and a GPU profile identifies kernels by name alone. Output is TAP."""
import collections
import os
import pathlib
import re
import sys

TYPE = re.compile(r"^(?:template *<[^\n]*> *\n?)?(?:struct|class|enum|union) ([a-z]\w*)(?: final)?(?: *:[^{;\n]*)?\s*\{", re.M)
TYPEDEF = re.compile(r"^\} ([a-z]\w*);", re.M)
# As clang-format writes them: the name begins a line, and what stands before it ends the line before.
FUNCTION = re.compile(r"^(?:__launch_bounds__ \([^\n]*?\) )?([a-z]\w*) \([^;]*?\)\s*\n\{", re.M)


def names(text):
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return {name for pattern in (TYPE, TYPEDEF, FUNCTION) for name in pattern.findall(text)}


def main():
    os.chdir(os.environ["FOVEA_SOURCE"])
    homes = collections.defaultdict(list)
    for path in sorted(p for p in pathlib.Path("kernels").rglob("*.cu*") if p.suffix in (".cu", ".cuh")):
        for name in names(path.read_text(encoding="utf-8")):
            homes[name].append(str(path))
    twice = {name: paths for name, paths in homes.items() if len(paths) > 1}
    print("not ok 1" if twice or len(homes) < 300 else "ok 1", "- no name stands in two CUDA files")
    for name in sorted(twice):
        print("#", name, *twice[name])
    print(f"# {len(homes)} names")
    print("1..1")


if __name__ == "__main__":
    sys.exit(main())
