#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No type and no function of file scope has its name twice in the CUDA files. Types of one name and two layouts are undefined behavior when the files
are linked, and a GPU profile identifies kernels by name alone. Headers of kernels also share no constant and no macro, so that any two of them
can be included together. Output is TAP."""
import collections
import os
import pathlib
import re
import sys

TYPE = re.compile(r"^(?:template *<[^\n]*> *\n?)?(?:struct|class|enum|union) ([a-z]\w*)(?: final)?(?: *:[^{;\n]*)?\s*\{", re.M)
TYPEDEF = re.compile(r"^\} ([a-z]\w*);", re.M)
# As clang-format writes them: the name begins a line, and what stands before it ends the line before.
FUNCTION = re.compile(r"^(?:__launch_bounds__ \([^\n]*?\) )?([a-z]\w*) \([^;]*?\)\s*\n\{", re.M)


ENUM = re.compile(r"^(?:typedef )?enum\b[^{;]*\{(.*?)\}", re.M | re.S)
MACRO = re.compile(r"^#define (\w+)", re.M)


def code(path):
    return re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S)


def names(text):
    return {name for pattern in (TYPE, TYPEDEF, FUNCTION) for name in pattern.findall(text)}


def constants(text):
    """Enumerators, and macros that are not undefined again."""
    listed = {name for body in ENUM.findall(text) for name in re.findall(r"(?:^|,)\s*(\w+)", body)}
    return listed | {name for name in MACRO.findall(text) if f"#undef {name}" not in text}


def check(number, title, found, least):
    """Fails if two files have a name, or if so few names are found that the patterns no longer match."""
    homes = collections.defaultdict(list)
    for path, some in found:
        for name in some:
            homes[name].append(str(path))
    twice = {name: paths for name, paths in homes.items() if len(paths) > 1}
    print("not ok" if twice or len(homes) < least else "ok", number, "-", title)
    for name in sorted(twice):
        print("#", name, *twice[name])
    print(f"# {len(homes)} names")


def main():
    os.chdir(os.environ["FOVEA_SOURCE"])
    files = {p: code(p) for p in sorted(pathlib.Path("kernels").rglob("*")) if p.suffix in (".h", ".cu", ".cuh")}
    check(1, "no two CUDA files have the same name", ((p, names(text)) for p, text in files.items() if p.suffix != ".h"), 300)
    check(2, "no two headers have the same constant or macro", ((p, constants(text)) for p, text in files.items() if p.suffix != ".cu"), 300)
    check(3, "no two headers have the same type or function", ((p, names(text)) for p, text in files.items() if p.suffix != ".cu"), 300)
    print("1..3")


if __name__ == "__main__":
    sys.exit(main())
