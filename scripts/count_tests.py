#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints "N passed, N failed, N skipped" for meson's JUnit files, and the names of what failed or was skipped. A program whose
cases all pass and which then ends badly, which only the testlog.json beside the file tells, has failed too."""
import json
import os
import sys
import xml.etree.ElementTree as xml


def outcome(case):
    if case.find("failure") is not None or case.find("error") is not None:
        return "failed"
    return "skipped" if case.find("skipped") is not None else "passed"


def ended_badly(path):
    """Names of the programs, such as "fovea:unit / text", that meson does not call good."""
    with open(os.path.join(os.path.dirname(path), "testlog.json"), encoding="utf-8") as log:
        programs = [json.loads(line) for line in log]
    return [p["name"] for p in programs if p["result"] not in ("OK", "SKIP", "EXPECTEDFAIL")]


def main():
    passed, failed, skipped = 0, [], []
    for path in sys.argv[1:]:
        here = []
        for case in xml.parse(path).iter("testcase"):
            kind, name = outcome(case), f"{case.get('classname')} {case.get('name')}"
            passed += kind == "passed"
            {"passed": [], "failed": here, "skipped": skipped}[kind].append(name)
        failed += here
        failed += [f"{program} ended badly" for program in ended_badly(path)
                   if not any(program.split(" / ")[-1] in name for name in here)]
    for name in failed:
        print(f"failed: {name}")
    for name in skipped:
        print(f"skipped: {name}")
    print(f"{passed} passed, {len(failed)} failed, {len(skipped)} skipped")
    return bool(failed) or passed == 0


if __name__ == "__main__":
    sys.exit(main())
