#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What ./run.sh builds can do all that an installed Fovea can: each installed file is made, but for pages. Output is TAP."""
import json
import os
import subprocess

PAGES = ("library-pages", "manual")
FOLDERS = ("data/samples", "data/samples/ct", "data/samples/plate")  # of which a command names a folder alone

build = os.environ["FOVEA_BUILD"]
targets = json.loads(subprocess.run(["meson", "introspect", build, "--targets"], capture_output=True, check=True).stdout)
commands = subprocess.run(["ninja", "-C", build, "-t", "commands", "programs"], capture_output=True, text=True, check=True).stdout
missing = sorted(path for target in targets if target["installed"] and target["name"] not in PAGES
                 for path in (os.path.relpath(file, build) for file in target["filename"][:1])
                 if path not in commands and os.path.dirname(path) not in FOLDERS)
print("1..1")
print("not ok" if missing or not commands else "ok", "1 - the target programs makes what is installed")
for path in missing:
    print("#", path)
