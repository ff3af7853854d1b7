#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/count_tests.py names every failure and its reason as far as known: a case, a program whose cases passed but which ended badly, a missing
suite. Output is TAP."""
import json
import os
import subprocess
import sys
import tempfile

PASSED = '<testcase classname="fovea.fovea:unit / one" name="1 /one/a"/>'
FAILED = '<testcase classname="fovea.fovea:unit / one" name="2 /one/b"><failure/></testcase>'
SKIPPED = '<testcase classname="fovea.fovea:unit / one" name="3 /one/c"><skipped/></testcase>'


def count(cases, *words, name="fovea:unit / one", **program):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "log.junit.xml"), "w", encoding="utf-8") as file:
            file.write(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
        with open(os.path.join(folder, "log.json"), "w", encoding="utf-8") as file:
            file.write(json.dumps({"name": name, **program}) + "\n")
        done = subprocess.run([sys.executable, os.path.join(os.environ["FOVEA_SOURCE"], "scripts", "count_tests.py"), "log.junit.xml", *words],
                              capture_output=True, text=True, check=False, cwd=folder)
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
SUITES = {
    "the suites ran": (["--suites", "unit,threads"], {"name": "fovea:unit+threads / one", "result": "OK"}, [], 0),
    "a suite did not": (["--suites", "unit,ui"], {"result": "OK"}, ["failed: nothing of the suite ui ran"], 1),
    "a suite was skipped": (["--suites", "unit"], {"result": "SKIP"}, ["failed: nothing of the suite unit ran"], 1),
    "a log is not there": (["other.junit.xml"], {"result": "OK"}, ["failed: other.junit.xml was not written"], 1),
}
OUTCOMES = [(name, count(xml, **program), (lines, status)) for name, (xml, program, lines, status) in CASES.items()]
OUTCOMES += [(name, count(PASSED, *words, **program), ([*lines, f"1 passed, {len(lines)} failed, 0 skipped"], status))
             for name, (words, program, lines, status) in SUITES.items()]
for number, (name, got, wanted) in enumerate(OUTCOMES, 1):
    print(f"{'' if got == wanted else 'not '}ok {number} - {name}", *([] if got == wanted else ["#", got]))
print(f"1..{len(OUTCOMES)}")
