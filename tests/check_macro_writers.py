#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Nothing that macros call makes, changes or removes files but through core/base/file_target.h, which refuses what core/macro/cage.h has not let
through, or by a function that OWN names. Output is TAP.

A function is taken to call all functions that it names, and those that a table names which it names."""
import collections
import os
import pathlib
import re
import sys

# What the system has for that.
RAW = re.compile(r"\b(?:g_)?(?:mkdir\w*|mkdtemp\w*|mkstemp\w*|mkfifo\w*|mknod\w*|rename(?:at2?)?|unlink\w*|rmdir|remove|creat|fopen|freopen|symlink\w*|link|linkat|truncate|"
                 r"ftruncate|chmod|fchmod\w*|chown|fchown\w*|file_set_contents\w*|file_replace\w*|file_create\w*|file_delete\w*|file_copy|file_move)\s*\(|"
                 r"\bO_(?:CREAT|TMPFILE|WRONLY|RDWR)\b|\b(?:system|popen|g_spawn\w*|exec[lv]\w*|posix_spawn\w*)\s*\(")
# Files that ask the thread's limit, and the function that knows where folders may be.
GUARDED = {"core/base/file_target.c", "core/base/file_temporary.c", "core/base/file_folder.c", "core/macro/cage.c"}
# Functions that write what no macro names.
OWN = {
    "core/run/speed.c:speed_keep": "how fast the machine is, in the program's cache",
    "core/files/codec/process.c:files_codec_process": "starts a decoder that is installed with the program, whose result is in a file without a name",
    "core/base/disk_memory.c:open_nameless": "memory on the disk, in files without a name",
}


def units(path):
    """(name, is_static, text) of the functions and tables of a file."""
    text = path.read_text(encoding="utf-8")
    text = re.sub(r'fopen \([^;]*?, "r[be]*"\)', "reads ()", text)
    text = re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', " ", text, flags=re.S)
    for match in re.finditer(r"^((?:static )?[^\n;{}#]*)\n(\w+) \(([^{};]*?)\)\n\{\n(.*?)^\}", text, re.M | re.S):
        yield match[2], match[1].startswith("static"), match[4]
    for match in re.finditer(r"^((?:static |const )[^\n;{}()#]*?|\} )(\w+)(?:\[\w*\])*(?: =\s*\{(.*?)\n?\});", text, re.M | re.S):
        yield match[2], match[1].startswith("static") or match[1] == "} ", match[3]


def graph():
    """All units of core as FILE:NAME, what each names of them, and those that write by themselves."""
    found, globals_, edges, writing = {}, {}, collections.defaultdict(set), set()
    for path in sorted(pathlib.Path("core").rglob("*.c")):
        for name, static, body in units(path):
            found.setdefault(f"{path}:{name}", "")
            found[f"{path}:{name}"] += body
            if not static:
                globals_[name] = f"{path}:{name}"
    for unit, body in found.items():
        file, own = unit.split(":")
        for word in set(re.findall(r"\w+", body)) - {own}:
            other = f"{file}:{word}" if f"{file}:{word}" in found else globals_.get(word)
            if other:
                edges[unit].add(other)
        if RAW.search(body):
            writing.add(unit)
    return found, edges, writing


def reached(start, edges, stop):
    """The way from each unit that can be reached to the one before it."""
    before, left = {unit: None for unit in start}, list(start)
    while left:
        unit = left.pop()
        for other in edges[unit]:
            if other not in before and not stop(other):
                before[other] = unit
                left.append(other)
    return before


def way(unit, before):
    names = []
    while unit:
        names.append(unit)
        unit = before[unit]
    return " <- ".join(names)


def faults(found, edges, writing):
    def stop(unit):
        return unit in OWN or unit.split(":")[0] in GUARDED

    start = [unit for unit in found if unit.startswith("core/macro/") and not stop(unit)]
    before = reached(start, edges, stop)
    return [way(unit, before) for unit in sorted(writing & set(before))], before


def main():
    os.chdir(os.environ["FOVEA_SOURCE"])
    found, edges, writing = graph()
    wrong, before = faults(found, edges, writing)
    # It would notice one: writers of files are reached, and one that wrote by itself would be named.
    reaches = {"core/files/tiff/write.c:files_tiff_save", "core/data/table.c:table_save_csv", "core/figure/figure.c:figure_save",
               "core/selection/files.c:selections_write", "core/recipe/steps_text.c:steps_text_save", "core/files/pictures/png_write.c:files_png_save"}
    missed = sorted(reaches - set(before)) + sorted(name for name in OWN if name not in writing)
    noticed = all(faults(found, edges, writing | {unit})[0] for unit in reaches)
    print("1..2")
    for line in wrong:
        print(f"# writes files by itself: {line}")
    print(("not " if wrong else "") + "ok 1 - macros write through one function")
    for line in missed:
        print(f"# is not reached, or writes nothing: {line}")
    print(("not " if missed or not noticed else "") + "ok 2 - another way would be noticed")
    sys.exit(bool(wrong or missed or not noticed))


if __name__ == "__main__":
    main()
