#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The search words of the window's actions: each action is there, once, in order, since a second line of one is never read; and every
operation of a menu has some of its own. Output is TAP.

    check_synonyms.py FOVEA"""
import json
import os
import pathlib
import re
import subprocess
import sys

ENTRY = re.compile(r'^  \{"([^"]+)",', re.M)


def main(fovea):
    ui = pathlib.Path(os.environ["FOVEA_SOURCE"], "ui")
    table = ui / "app/synonyms.c"
    named = ENTRY.findall(table.read_text(encoding="utf-8"))
    others = "".join(path.read_text(encoding="utf-8") for path in ui.rglob("*.c") if path != table)
    listed = json.loads(subprocess.run([fovea, "ops", "--no-plugins", "--json"], check=True, capture_output=True).stdout)
    faults = [f"not in order: {b}" for a, b in zip(named, named[1:]) if not a < b]
    faults += [f"no action: {name}" for name in named if f'"{re.split("[.:]", name)[1]}' not in others]
    faults += [f"no search words: {op['key']}" for op in listed if op.get("menu") and not op.get("search")]
    print("not ok 1" if faults or len(named) < 40 else "ok 1", "- actions and operations have search words")
    for fault in faults:
        print("#", fault)
    print("1..1")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
