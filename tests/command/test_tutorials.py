# SPDX-License-Identifier: MIT
"""The commands of docs/tutorials make tables whose numbers are those of the pages: test_tutorials.py MAKE_SAMPLES. What they print is compared by
check_docs.py, and what the app shows by tests/ui/test_tutorials.py, so that app and command make the same numbers."""
import csv
import os
import re
import shutil
import statistics
import subprocess
import sys

from command import FOVEA, SOURCE, main

MAKE_SAMPLES = os.path.abspath(sys.argv.pop(1))
PAGES = os.path.join(SOURCE, "docs", "tutorials")
BLOCK = re.compile(r"^```console\n(.*?)^```", re.M | re.S)
COMMAND = re.compile(r"^\$ .*\n(?:> .*\n)*", re.M)
NUMBER = re.compile(r"<!--(\w+)=(\w+) (\S+?)(?: (\S+?))?-->(.*?)<!--/-->")
MEANINGS = {"median": statistics.median, "min": min, "max": max, "value": lambda values: values[0]}


def number(meaning, path, column):
    """`rows` of a table, or the median, minimum, maximum or first value of a column, which is named without its unit."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    if meaning == "rows":
        return len(rows)
    key = next(key for key in rows[0] if key.split(" (")[0] == column)
    return MEANINGS[meaning]([float(row[key]) for row in rows])


def is_shown(value, shown):
    """All digits of the page are those of the value."""
    return abs(float(shown) - value) <= 0.5000001 * 10.0 ** -len(shown.partition(".")[2])


def run_page(page):
    """All commands of it in turn, in a folder of samples."""
    subprocess.run([MAKE_SAMPLES, "."], check=True)
    shutil.copytree(os.path.join(SOURCE, "data", "samples"), ".", dirs_exist_ok=True)
    path = os.path.dirname(FOVEA) + os.pathsep + os.environ["PATH"]
    commands = [command for block in BLOCK.findall(page) for command in COMMAND.findall(block)]
    assert commands, "no command"
    for command in commands:
        done = subprocess.run(["bash", "-c", re.sub(r"^[$>] ", "", command, flags=re.M)], capture_output=True, timeout=120, stdin=subprocess.DEVNULL,
                              text=True, env={**os.environ, "PATH": path}, check=False)
        assert done.returncode == 0, (command, done.stderr)


def tutorial(name):
    def test():
        with open(os.path.join(PAGES, name + ".md"), encoding="utf-8") as file:
            page = file.read()
        run_page(page)
        numbers = NUMBER.findall(page)
        for key, meaning, table, column, shown in numbers:
            value = number(meaning, table, column)
            assert is_shown(value, shown), (key, shown, value)
        assert numbers or not [table for table in os.listdir(".") if table.endswith(".csv")], "no number of a table"
    test.__name__ = name.replace("-", "_")
    return test


main([tutorial(name[:-3]) for name in sorted(os.listdir(PAGES)) if name.endswith(".md") and name != "index.md"])
