# SPDX-License-Identifier: MIT
"""Each fault of faults.toml can still be planted, and its test is still there. Output is TAP. Argument: the build folder."""
import json
import pathlib
import sys

import run

faults = run.load()
known = {test["name"] for test in json.loads(pathlib.Path(sys.argv[1], "meson-info/intro-tests.json").read_text(encoding="utf-8"))}
print(f"1..{len(faults)}")
for i, (name, fault) in enumerate(faults.items()):
    why = "" if fault["test"] in known else f"the test {fault['test']} does not exist"
    try:
        run.changed(fault)
    except (OSError, ValueError) as error:
        why = str(error)
    print(f"{'not ok' if why else 'ok'} {i + 1} - {name}" + (f"\n# {why}" if why else ""))
