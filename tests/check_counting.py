#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/count_tests.py names whatever failed: a case, a program whose cases passed and which ended badly; and says why, as far as
the program has said it. Output is TAP."""
import json
import os
import subprocess
import sys
import tempfile

PASSED = '<testcase classname="fovea.fovea:unit / one" name="1 /one/a"/>'
FAILED = '<testcase classname="fovea.fovea:unit / one" name="2 /one/b"><failure/></testcase>'
SKIPPED = '<testcase classname="fovea.fovea:unit / one" name="3 /one/c"><skipped/></testcase>'


def count(cases, **program):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "testlog.junit.xml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
        with open(os.path.join(folder, "testlog.json"), "w", encoding="utf-8") as file:
            file.write(json.dumps({"name": "fovea:unit / one", **program}) + "\n")
        done = subprocess.run([sys.executable, os.path.join(os.environ["FOVEA_SOURCE"], "scripts", "count_tests.py"), path],
                              capture_output=True, text=True, check=False)
        return done.stdout.splitlines(), done.returncode


B_FAILED, ONE_OF_TWO = "failed: fovea.fovea:unit / one 2 /one/b", "1 passed, 1 failed, 0 skipped"
LONG = "".join(f"# line {i}\n" for i in range(20))
CASES = {
    "all passed": (PASSED + SKIPPED, {"result": "OK"}, ["skipped: fovea.fovea:unit / one 3 /one/c", "1 passed, 0 failed, 1 skipped"], 0),
    "a case failed": (PASSED + FAILED, {"result": "FAIL"}, [B_FAILED, ONE_OF_TWO], 1),
    "it said why": (PASSED + FAILED, {"result": "FAIL", "stdout": "# of a\nok 1 /one/a\n# 2 is\n# not 3\nnot ok 2 /one/b\n# after\n", "stderr": "chatter\n"},
                    [B_FAILED, "  # 2 is", "  # not 3", ONE_OF_TWO], 1),
    "it said much": (PASSED + FAILED, {"result": "FAIL", "stdout": f"1..2\nok 1 /one/a\n{LONG}not ok 2 /one/b\n"},
                     [B_FAILED, *(f"  # line {i}" for i in range(8, 20)), ONE_OF_TWO], 1),
    "it said it elsewhere": (PASSED + FAILED, {"result": "FAIL", "stdout": "ok 1 /one/a\nnot ok 2 /one/b\n", "stderr": "**\nERROR: 2 is not 3\n"},
                             [B_FAILED, "  **", "  ERROR: 2 is not 3", ONE_OF_TWO], 1),
    "the end failed": (PASSED, {"result": "ERROR", "stdout": "ok 1 /one/a\n", "stderr": "2 bytes leaked\n"},
                       ["failed: fovea:unit / one ended badly", "  ok 1 /one/a", "  2 bytes leaked", ONE_OF_TWO], 1),
    "nothing ran": ("", {"result": "OK"}, ["0 passed, 0 failed, 0 skipped"], 1),
}
for number, (name, (xml, program, lines, status)) in enumerate(CASES.items(), 1):
    got = count(xml, **program)
    print(f"{'' if got == (lines, status) else 'not '}ok {number} - {name}", *([] if got == (lines, status) else ["#", got]))
print(f"1..{len(CASES)}")
