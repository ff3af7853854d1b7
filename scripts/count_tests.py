#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints "N passed, N failed, N skipped" for meson's JUnit files, and the names of what failed or was skipped, with the last that was said of each
failure. A program whose cases all pass and which then ends badly has failed, too, which only the .json of the log says. So has an expected suite of
which nothing ran, and a missing log."""
import argparse
import itertools
import json
import os
import re
import sys
import xml.etree.ElementTree as xml

MOST_LINES = 12


def outcome(case):
    if case.find("failure") is not None or case.find("error") is not None:
        return "failed"
    return "skipped" if case.find("skipped") is not None else "passed"


def programs(path):
    """What meson keeps of each program, by its name, such as "fovea:unit / text"."""
    with open(path.removesuffix(".junit.xml") + ".json", encoding="utf-8") as log:
        return {program["name"]: program for program in map(json.loads, log)}


def said_of_case(program, number):
    """The lines "# ..." right above the case's own in what the program wrote; without any, its errors."""
    lines = program.get("stdout", "").splitlines()
    cases = [i for i, line in enumerate(lines) if re.match(r"(not )?ok\b", line)][:number]
    above = reversed(lines[:cases[-1]] if cases else [])
    said = [*itertools.takewhile(lambda line: line.startswith("#"), above)][::-1]
    return said or program.get("stderr", "").splitlines()


def said_at_end(program):
    return (program.get("stdout", "") + program.get("stderr", "")).splitlines()


def cases(path):
    """(outcome, name, what was said) of each case, and of each program that ended badly though no case of it failed."""
    ran, failed = programs(path), set()
    for case in xml.parse(path).iter("testcase"):
        kind, name = outcome(case), case.get("name")
        program = next((p for p in ran if case.get("classname").endswith(p)), None)
        if kind == "failed":
            failed.add(program)
        number = re.match(r"\d+", name) if kind == "failed" else None
        yield kind, f"{case.get('classname')} {name}", said_of_case(ran[program], int(number[0])) if program and number else []
    for name, program in ran.items():
        if program["result"] not in ("OK", "SKIP", "EXPECTEDFAIL") and name not in failed:
            yield "failed", f"{name} ended badly", said_at_end(program)


def missing_suites(expected, paths):
    ran = set()
    for path in paths:
        for name, program in programs(path).items():
            suites = re.match(r"[^:]*:(\S+) / ", name)
            if suites and program["result"] != "SKIP":
                ran.update(suites[1].split("+"))
    return [suite for suite in expected if suite not in ran]


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--suites", default="", help="what is expected, such as unit,ops")
    options.add_argument("logs", nargs="+", metavar="FILE.junit.xml")
    options = options.parse_args()
    found = {"passed": [], "failed": [], "skipped": []}
    logs = [path for path in options.logs if os.path.exists(path)]
    for path in logs:
        for kind, name, said in cases(path):
            found[kind].append((name, said))
    found["failed"] += [(f"{path} was not written", []) for path in options.logs if path not in logs]
    found["failed"] += [(f"nothing of the suite {suite} ran", []) for suite in missing_suites(filter(None, options.suites.split(",")), logs)]
    for name, said in found["failed"]:
        print(f"failed: {name}")
        print("".join(f"  {line}\n" for line in said[-MOST_LINES:]), end="")
    for name, _ in found["skipped"]:
        print(f"skipped: {name}")
    print(", ".join(f"{len(each)} {kind}" for kind, each in found.items()))
    return bool(found["failed"]) or not found["passed"]


if __name__ == "__main__":
    sys.exit(main())
