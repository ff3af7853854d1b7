#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The finder's other words are of commands that there are, each once, in order: a second line of a command is never read. Output is TAP.

    check_synonyms.py FOVEA"""
import os
import re
import subprocess
import sys

ENTRY = re.compile(r'^  \{"([^"]+)",', re.M)


def main(fovea):
    with open(os.path.join(os.environ["FOVEA_SOURCE"], "ui/app/synonyms.c"), encoding="utf-8") as file:
        named = ENTRY.findall(file.read())
    operations = [name for name in named if "." not in name]
    actions = [name for name in named if "." in name]
    listed = subprocess.run([fovea, "ops", "--no-plugins"], check=True, capture_output=True, text=True).stdout
    known = {line.split()[0] for line in listed.splitlines()}
    faults = [f"no operation: {name}" for name in operations if name not in known]
    faults += [f"not in order: {b}" for names in (operations, actions) for a, b in zip(names, names[1:]) if not a < b]
    print("not ok 1" if faults or len(operations) < 60 else "ok 1", "- each command has one line of other words")
    for fault in faults:
        print("#", fault)
    print("1..1")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
