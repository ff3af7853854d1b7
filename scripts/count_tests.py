#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints "N passed, N failed, N skipped" for meson's JUnit files, and the names of what failed or was skipped."""
import sys
import xml.etree.ElementTree as xml


def outcome(case):
    if case.find("failure") is not None or case.find("error") is not None:
        return "failed"
    return "skipped" if case.find("skipped") is not None else "passed"


def main():
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    skipped = []
    for path in sys.argv[1:]:
        for case in xml.parse(path).iter("testcase"):
            kind, name = outcome(case), f"{case.get('classname')} {case.get('name')}"
            counts[kind] += 1
            if kind == "failed":
                print(f"failed: {name}")
            elif kind == "skipped":
                skipped.append(name)
    for name in skipped:
        print(f"skipped: {name}")
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return counts["failed"] > 0 or counts["passed"] == 0


if __name__ == "__main__":
    sys.exit(main())
