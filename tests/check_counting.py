#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/count_tests.py names whatever failed: a case, a program whose cases passed and which ended badly. Output is TAP."""
import json
import os
import subprocess
import sys
import tempfile

PASSED = '<testcase classname="fovea.fovea:unit / one" name="1 /one/a"/>'
FAILED = '<testcase classname="fovea.fovea:unit / one" name="2 /one/b"><failure/></testcase>'
SKIPPED = '<testcase classname="fovea.fovea:unit / one" name="3 /one/c"><skipped/></testcase>'


def count(cases, result):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "testlog.junit.xml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
        with open(os.path.join(folder, "testlog.json"), "w", encoding="utf-8") as file:
            file.write(json.dumps({"name": "fovea:unit / one", "result": result}) + "\n")
        done = subprocess.run([sys.executable, os.path.join(os.environ["FOVEA_SOURCE"], "scripts", "count_tests.py"), path],
                              capture_output=True, text=True, check=False)
        return done.stdout.splitlines(), done.returncode


CASES = {
    "all passed": (PASSED + SKIPPED, "OK", ["skipped: fovea.fovea:unit / one 3 /one/c", "1 passed, 0 failed, 1 skipped"], 0),
    "a case failed": (PASSED + FAILED, "FAIL", ["failed: fovea.fovea:unit / one 2 /one/b", "1 passed, 1 failed, 0 skipped"], 1),
    "the end failed": (PASSED, "ERROR", ["failed: fovea:unit / one ended badly", "1 passed, 1 failed, 0 skipped"], 1),
    "nothing ran": ("", "OK", ["0 passed, 0 failed, 0 skipped"], 1),
}
for number, (name, (xml, result, lines, status)) in enumerate(CASES.items(), 1):
    got = count(xml, result)
    print(f"{'' if got == (lines, status) else 'not '}ok {number} - {name}", *([] if got == (lines, status) else ["#", got]))
print(f"1..{len(CASES)}")
