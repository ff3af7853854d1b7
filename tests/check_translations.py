#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each text that the window shows has a translation in each language of po/, and a text that is new is missed. check_translations.py BUILD"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ["FOVEA_SOURCE"])
BUILD = os.path.abspath(sys.argv[1])


def check(source):
    return subprocess.run([source / "scripts/translations.py", BUILD, "--check"], capture_output=True, text=True, check=False)


def say(number, good, text, details):
    print(f"{'' if good else 'not '}ok {number} - {text}")
    for line in [] if good else details.splitlines():
        print("#", line)


def main():
    print("1..2")
    if not shutil.which("xgettext"):
        print("ok 1 # SKIP gettext is not installed\nok 2 # SKIP gettext is not installed")
        return
    done = check(SOURCE)
    say(1, done.returncode == 0, "all is translated", done.stdout + done.stderr)
    with tempfile.TemporaryDirectory() as folder:
        other = pathlib.Path(folder)
        for name in ("po", "scripts", "ui", "data/recipes"):
            shutil.copytree(SOURCE / name, other / name)
        with open(other / "ui/app/main.c", "a", encoding="utf-8") as file:
            file.write('\nconst char *more = N_ ("This text has no translation");\n')
        missed = check(other)
        say(2, missed.returncode and "This text has no translation" in missed.stdout, "a text without a translation is named", missed.stdout + missed.stderr)


main()
