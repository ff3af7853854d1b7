#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Includes only go down the rows of ROWS and name existing files. Files include and call each other in no circle. Output is TAP."""
import collections
import os
import pathlib
import re
import sys

# From the bottom to the top: a folder includes from itself and from rows further down, never from a neighbor or from above.
ROWS = {
    "kernels": [["plugin"], ["kernels/common"], ["kernels/label"], ["kernels/gaussian", "kernels/regions"],
                ["kernels/filters", "kernels/morphology", "kernels/threshold", "kernels/measure", "kernels/geometry",
                 "kernels/image", "kernels/display", "kernels/expression", "kernels/native", "kernels/patch", "kernels/contrast"],
                ["kernels/convolve", "kernels/edit", "kernels/fields", "kernels/maxima", "kernels/network", "kernels/objects", "kernels/own", "kernels/rank",
                 "kernels/skeletons", "kernels/sky", "kernels/split"], ["kernels"]],
    "core": [["plugin"], ["core/base"], ["core/base/system"], ["core/data"], ["core/view"], ["core/ops", "core/selection", "core/files/shared"], ["core/files/codec"],
             ["core/files/czi", "core/files/dicom", "core/files/fits", "core/files/jpeg2000", "core/files/lif", "core/files/nd2", "core/files/pictures", "core/files/plate", "core/files/text",
              "core/files/tiff", "core/files/volumes", "core/files/zarr", "core/measure"],
             ["core/files/movies", "core/files/ome", "core/files/openslide"], ["core/files"], ["core/recipe"], ["core/call"], ["core/run"], ["core/preview"], ["core/document", "core/figure"],
             ["core/macro/host"], ["core/macro"], ["core/batch"]],
}
ROWS["library"] = ROWS["core"] + [["library"]]
ROWS["readers"] = [["plugin"], ["readers/process"], ["readers/bioformats", "readers/hdf5"], ["readers"]]
ROWS["runtime"] = [["plugin"], ["kernels/common"], ["kernels/network"], ["runtime"]]
ROWS["command"] = [["library"], ["command"]]
ROWS["python"] = [["library"], ["python/module"]]
ROWS["ui"] = ROWS["core"] + [["ui/widgets"], ["ui/plot"], ["ui/view"], ["ui/form", "ui/selection"], ["ui/canvas"], ["ui/steps"], ["ui/look", "ui/results"],
                                  ["ui/shell"], ["ui/batch", "ui/devices", "ui/figure", "ui/folder", "ui/macro", "ui/models", "ui/several"], ["ui/start"], ["ui/app"]]
# The plugin's entry lists the operations, in a file that meson writes, and makes those of the user's texts.
OPERATIONS = "kernels/operations.inc"
ALLOWED = {("plugin/plugin.c", OPERATIONS), ("plugin/plugin.c", "kernels/own/operation.h")}
MOST_SOURCES = 60  # of a folder
SUFFIXES = (".c", ".h", ".cu", ".cuh")
BESIDE_CODE = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"|__attribute__ \(\(.*?\)\)+', re.S)
# As clang-format writes them: the name of a function that is defined begins a line.
PROTOTYPE = re.compile(r"^(?!static|typedef|template|#|[A-Z]+ )[^\s(=][^\n(=]*?\b(\w+) \([^;{}]*\);", re.M)
FUNCTION = re.compile(r"^(?!.*\b(?:static|template|__global__)\b)[^\n]*\n(\w+) \([^;{}]*\)\s*\n\{", re.M)
VARIABLES = re.compile(r"^extern ([^;(]*);", re.M)
VARIABLE = re.compile(r"^(?!static|extern|typedef)[^\s(=;#][^\n(=;]*?\b(\w+)(?:\[[^\]\n]*\])*(?: = |;$)", re.M)


def includes(text):
    for name in re.findall(r'^ *# *include "([^"]+)"', text, re.M):
        yield "plugin/" + name if name == "fovea-plugin.h" else name


def rank(rows, folder):
    return next((i for i, row in enumerate(rows) if folder in row), None)


def wrong_arrows(sources):
    for file, text in sources.items():
        folder, top = os.path.dirname(file), file.split("/")[0]
        rows = ROWS["kernels" if top == "plugin" else top]
        for name in includes(text):
            other = os.path.dirname(name)
            if other == folder or (file, name) in ALLOWED:
                continue
            mine, its = rank(rows, folder), rank(rows, other)
            if mine is None or its is None or its >= mine:
                yield f"{file} includes {name}"


def stem(file):
    """x.c, x.h, x.cu and x.cuh are one."""
    return os.path.splitext(file)[0]


def arrows_of_includes(sources):
    return {(stem(file), stem(name)) for file, text in sources.items() for name in includes(text)}


def everything_included(sources, file):
    seen, waiting = set(), [file]
    while waiting:
        for name in includes(sources.get(waiting.pop(), "")):
            if name not in seen:
                seen.add(name)
                waiting.append(name)
    return seen


def declarations(code):
    """What each header declares, and the stems that define each name."""
    declared, homes = {}, collections.defaultdict(set)
    for file, text in code.items():
        if file.endswith((".h", ".cuh")):
            names = {re.sub(r"\W", "", part.split()[-1]) for line in VARIABLES.findall(text) for part in re.sub(r"\[.*?\]", "", line).split(",")}
            declared[file] = names | set(PROTOTYPE.findall(text))
        else:
            for name in FUNCTION.findall(text) + VARIABLE.findall(text):
                homes[name].add(stem(file))
    return declared, homes


def with_declared(sources):
    """Each file, its code, and the names that it and its headers declare."""
    code = {file: BESIDE_CODE.sub("", text) for file, text in sources.items()}
    declared, homes = declarations(code)
    for file, text in code.items():
        yield file, text, set().union(*(declared.get(name, ()) for name in everything_included(sources, file) | {file})), homes


def arrows_of_uses(sources):
    """From the stem that uses a function or a variable of some header to the stem that defines it."""
    for file, text, known, homes in with_declared(sources):
        for name in known & set(re.findall(r"\w+", PROTOTYPE.sub("", VARIABLES.sub("", text)))):
            if len(homes[name]) == 1:
                yield stem(file), *homes[name]


def undeclared(sources):
    """Definitions whose header is not included: in C++ they have another name than their callers think."""
    headers = set().union(*declarations({file: BESIDE_CODE.sub("", text) for file, text in sources.items()})[0].values())
    for file, text, known, _ in with_declared(sources):
        for name in set(FUNCTION.findall(text) if file.endswith((".c", ".cu")) else ()) & headers - known:
            yield f"{file} defines {name}() without the header that declares it"


def circles(sources):
    """Stems that can only be understood and used together."""
    to = collections.defaultdict(set)
    for one, other in arrows_of_includes(sources) | set(arrows_of_uses(sources)):
        to[one] |= {other} - {one}
    while True:  # a stem that needs no other stem left, or that none needs, is in no circle
        needed = set().union(*to.values())
        free = {one for one in to if one not in needed or not to[one] & to.keys()}
        if not free:
            break
        for one in free:
            del to[one]
    for one in sorted(to):
        yield f"{one} needs {', '.join(sorted(to[one] & to.keys()))}"


def missing(sources):
    """CUDA files too, which a machine without nvcc never compiles."""
    for file, text in sources.items():
        for name in includes(text):
            if name != OPERATIONS and not os.path.exists(name):
                yield f"{file} includes {name}, which is not there"


def crowded(sources):
    folders = collections.Counter(os.path.dirname(file) for file in sources)
    for folder, number in folders.items():
        if number > MOST_SOURCES:
            yield f"{folder} has {number} sources, more than {MOST_SOURCES}: give a family of them a folder of its own"


# Sources with one fault each, and the check that must find it.
PLANTED = [
    (wrong_arrows, {"kernels/common/low.h": '#include "kernels/label/high.cuh"\n'}),
    (wrong_arrows, {"kernels/label/one.cu": '#include "core/base/error.h"\n'}),
    (wrong_arrows, {"core/base/low.c": '#include "core/macro/high.h"\n'}),
    (circles, {"kernels/label/x.cu": '#include "kernels/label/y.cuh"\n', "kernels/label/y.cuh": '#include "kernels/label/x.h"\n', "kernels/label/x.h": ""}),
    (circles, {"kernels/label/x.h": "fv_status y_run (int n);\n", "kernels/label/y.c": '#include "kernels/label/x.h"\n\nfv_status\ny_run (int n)\n{\n}\n',
               "kernels/label/x.c": '#include "kernels/label/x.h"\n\nstatic fv_status\nx_run (void)\n{\n  return y_run (1);\n}\n'}),
    (crowded, {f"core/base/x{number}.c": "" for number in range(61)}),
    (undeclared, {"kernels/label/x.h": "fv_status x_cuda (int n);\n", "kernels/label/x.cu": "fv_status\nx_cuda (int n)\n{\n}\n"}),
    (circles, {"kernels/label/x.h": "extern const int y_numbers[];\n", "kernels/label/y.c": '#include "kernels/label/x.h"\n\nconst int y_numbers[] = {1};\n',
               "kernels/label/x.c": '#include "kernels/label/x.h"\n\nconst int *x_first = y_numbers;\n'}),
]


def overlooked():
    for number, (find, sources) in enumerate(PLANTED):
        if not list(find(sources)):
            yield f"planted fault {number} is not found"


def check(number, name, faults):
    faults = list(faults)
    print(f"{'not ' if faults else ''}ok {number} - {name}")
    for fault in faults:
        print("#", fault)


def main():
    os.chdir(os.environ["FOVEA_SOURCE"])
    tops = ("command", "core", "kernels", "library", "plugin", "python", "readers", "runtime", "ui")
    sources = {str(p): p.read_text(encoding="utf-8") for top in tops for p in sorted(pathlib.Path(top).rglob("*")) if p.suffix in SUFFIXES}
    check(1, "arrows between folders go down", wrong_arrows(sources))
    check(2, "every include names a file of the tree", missing(sources))
    check(3, "no circles of includes and calls", circles(sources))
    check(4, "a function is defined where its header is included", undeclared(sources))
    check(5, "no folder is crowded", crowded(sources))
    check(6, "planted faults are found", overlooked())
    print("1..6")


if __name__ == "__main__":
    sys.exit(main())
