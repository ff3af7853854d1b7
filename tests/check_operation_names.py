#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Only the files of ALLOWED name an operation, or a property of regionprops, by its key outside kernels/. What an operation is used for is one
of its traits, and names of ImageJ are part of its declaration, fv_op. Output is TAP."""
import os
import pathlib
import re
import sys

SOURCE = pathlib.Path(os.environ["FOVEA_SOURCE"])
FOLDERS = ("core", "ui", "library", "command", "python")
# Steps that the program writes itself, and what is about one operation.
ALLOWED = {
    "command/files.c": "convert is a command, too",
    "command/score.c": "score is a command, too",
    "core/call/box.c": "crop, substack and channel read their part of a file",
    "core/call/take.c": "check_labels and interpret make labels and masks of other images",
    "core/figure/lut_colors.c": "display paints",
    "core/figure/scene.c": "display paints",
    "core/macro/imagej.c": "steps of ImageJ's lines that are computed",
    "core/macro/imagej_lines.c": "steps of ImageJ's lines that are computed",
    "core/macro/imagej_types.c": "steps of ImageJ's lines that are computed",
    "core/macro/particles.c": "steps and properties of Analyze Particles and Set Measurements",
    "core/macro/recipes.c": "an example in a help text",
    "core/macro/scale.c": "steps of Set Scale",
    "core/macro/several.c": "steps of Merge Channels and the Image Calculator",
    "core/macro/steps.c": "steps of Plot Profile",
    "core/ops/operation_text.c": "kernel and expression become operations of the user",
    "core/recipe/calibration.c": "the calibration of the opened image is a step calibrate",
    "core/recipe/edits.c": "edits by hand are steps edit",
    "core/recipe/imagej.c": "Open and Close- are two steps; a threshold's methods",
    "core/recipe/step.c": "the mean intensity is measured with an intensity image",
    "core/run/speed.c": "two operations measure the machine",
    "library/example.c": "an example",
    "python/examples/lesson.py": "an example",
    "python/fovea/__init__.py": "an example",
    "python/fovea/_display.py": "display paints, and substack takes the slice",
    "python/fovea/_runs.py": "a step whose image is given, which never runs",
    "ui/app/actions.c": "keep, in a selection, is a step that restricts",
    "ui/app/convert_shown.c": "Image > Type is a step convert",
    "ui/app/image_actions.c": "New Image, Split Channels and Slices Are Frames are steps",
    "ui/app/keys.c": "keys of the keyboard for some operations",
    "ui/canvas/painter.c": "display paints",
    "ui/several/dialogs.c": "two operations have dialogs of their own",
    "ui/steps/adjustment.c": "a threshold by hand is a step threshold",
    "ui/steps/new_step.c": "one channel is a step channel",
    "ui/steps/restrict.c": "a restriction is a step keep",
    "ui/steps/step_row.c": "one channel is a step channel",
}

# Keys that are words for other things, too: they count where an operation is asked for.
ORDINARY = set("""calibrate channel closing contrast convert display distance edit expression keep kernel label log mean opening outline profile rgb split
stack threshold zoom""".split())


def keys():
    stems = re.findall(r"^  '[a-z]+/([a-z0-9_]+)',$", (SOURCE / "kernels/meson.build").read_text(), re.M)
    return [stem for stem in stems if list(SOURCE.glob(f"kernels/*/{stem}.c"))
            and any(f'.key = "{stem}"' in p.read_text() for p in SOURCE.glob(f"kernels/*/{stem}.c"))]


def properties():
    found = re.findall(r"^  X \((\w+), \"", (SOURCE / "kernels/regions/properties.h").read_text(), re.M)
    return [key for key in found if "_" in key]


def patterns():
    key, measured = "|".join(keys()), "|".join(properties())
    unmistakable = "|".join(k for k in keys() if k not in ORDINARY)
    return [re.compile(pattern) for pattern in (
        rf'"(?:[^"\n]*\| ?)?(?:{key}) [a-z_0-9]+=',  # a step with an argument
        rf'"(?:{key})[^"\n]* \| ',  # several steps
        rf'"(?:{unmistakable})"',
        rf'(?:fv\.key\b|\bmodules_op \(|\bstrcmp \((?:key|step|op|verb),|"win.add-step",|\bname =)[^;{{}}]*?"(?:{key})"',  # where one is asked for
        rf'"(?:[a-z_]+,)*(?:{measured})(?:,[a-z_]+)*"')]


def bare(text):
    """Without comments and lines that include."""
    text = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.S)
    return re.sub(r"^#include.*$", "", text, flags=re.M)


def found(text, all_patterns):
    return sorted({text.count("\n", 0, m.start()) + 1 for pattern in all_patterns for m in pattern.finditer(text)})


def planted(all_patterns):
    """Each kind of name is found where there is one, and nothing where there is none."""
    faults = ('strcmp (step->op->fv.key, "label")', 'strcmp (op->fv.key,\n "label")', 'modules_op (modules, "edit", error)', 'find ("regionprops")',
              'parse ("gaussian sigma=2")', 'parse ("%s | channel index=%d")', 'strcmp (key, "crop")', 'parse ("otsu | label")', 'find ("area,intensity_mean")',
              'strcmp (column->key, "perimeter_imagej")')
    fine = ('table_find (table, "label")', '/* "gaussian sigma=2" */', '#include "label/label.h"', 'op_has_trait (op, FV_EDITS_LABELS)',
            'printf ("no mean=%g", mean)', 'printf ("Gaussian Blur...")')
    for text, wanted in [*((text, True) for text in faults), *((text, False) for text in fine)]:
        if bool(found(bare(text), all_patterns)) != wanted:
            yield f"{text!r} is {'missed' if wanted else 'taken for a name'}"


def sources():
    for folder in FOLDERS:
        for path in sorted(p for p in (SOURCE / folder).rglob("*") if p.suffix in (".c", ".h", ".py")):
            yield str(path.relative_to(SOURCE)), bare(path.read_text(encoding="utf-8"))


def names(all_patterns):
    for name, text in sources():
        lines = found(text, all_patterns)
        if lines and name not in ALLOWED:
            yield f"{name}:{lines[0]}: an operation or a property by its key: {text.splitlines()[lines[0] - 1].strip()}"
        if not lines and name in ALLOWED:
            yield f"{name} is allowed to name operations and names none"
    for name in ALLOWED:
        if not (SOURCE / name).exists():
            yield f"{name} is allowed to name operations and is not there"


def main():
    all_patterns, checks = patterns(), (planted, names)
    failed = 0
    for n, check in enumerate(checks, 1):
        faults = list(check(all_patterns))
        failed += bool(faults)
        print(f"{'not ' if faults else ''}ok {n} - {check.__name__}", *("# " + fault for fault in faults), sep="\n")
    print(f"1..{len(checks)}")
    return failed > 0


sys.exit(main())
