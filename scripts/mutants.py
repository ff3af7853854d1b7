#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Changes one operator or constant of the code at random, builds, runs the tests, and tells which changes no test noticed.

    scripts/mutants.py 100                    # a hundred mutants of kernels, core and plugin
    scripts/mutants.py 20 --in core --seed 7  # of one folder; the same seed makes the same mutants

The source is copied first: nothing of it is changed. A survivor is a hole in the tests or a change that means nothing; each
deserves a look. The tests run with AddressSanitizer and UBSan, in which a wrong bound shows itself.
"""
import argparse
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent
# Comments, texts and preprocessor lines stay as they are; so do declarations' labels and helps, which are texts.
BLANK = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:\\\n|[^\n])*', re.S | re.M)
CHANGES = [
    (re.compile(r" < "), [" <= "]), (re.compile(r" <= "), [" < "]), (re.compile(r" > "), [" >= "]), (re.compile(r" >= "), [" > "]),
    (re.compile(r" == "), [" != "]), (re.compile(r" != "), [" == "]), (re.compile(r" && "), [" || "]), (re.compile(r" \|\| "), [" && "]),
    (re.compile(r"(?<=[\w)\]]) \+ (?=[\w(])"), [" - "]), (re.compile(r"(?<=[\w)\]]) - (?=[\w(])"), [" + "]),
    (re.compile(r"(?<=[\w)\]]) / (?=[\w(])"), [" * "]), (re.compile(r" \+= "), [" -= "]), (re.compile(r"(?<![\w.])MIN(?= \()"), ["MAX"]),
    (re.compile(r"(?<![\w.])MAX(?= \()"), ["MIN"]), (re.compile(r"(?<![\w.])fmin(?= \()"), ["fmax"]),
    (re.compile(r"(?<![\w.])fmax(?= \()"), ["fmin"]), (re.compile(r"\btrue\b"), ["false"]), (re.compile(r"\bfalse\b"), ["true"]),
    (re.compile(r"\bTRUE\b"), ["FALSE"]), (re.compile(r"\bFALSE\b"), ["TRUE"]),
    (re.compile(r"(?<![\w.])\d+(?![\w.])"), None),  # a constant: one more
]


def sites(path):
    """[(start, end, replacement)] of every change that the file offers."""
    text = path.read_text()
    hidden = BLANK.sub(lambda m: re.sub(r"[^\n]", "\0", m[0]), text)
    found = []
    for pattern, to in CHANGES:
        for m in pattern.finditer(hidden):
            for replacement in to or [str(int(m[0]) + 1)]:
                found.append((m.start(), m.end(), replacement))
    return found


def line_of(text, start):
    return text.count("\n", 0, start) + 1


class Workshop:
    """A copy of the source with a build of its own, which mutants are put into and taken out of."""

    def __init__(self, folder, seconds):
        self.folder, self.build, self.seconds = folder, folder / "build", seconds
        if not (folder / "meson.build").exists():
            names = subprocess.run(["git", "ls-files", "-z"], cwd=SOURCE, capture_output=True, check=True).stdout.decode().split("\0")
            for name in filter(None, names):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(SOURCE / name, folder / name)
            subprocess.run(["meson", "setup", str(self.build), "-Dcuda=disabled", "-Dui=disabled", "-Dsanitize=true",
                            "-Dbuildtype=debugoptimized", "-Dwerror=false"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        if not self.compile():
            sys.exit("the source as it is does not build")
        if self.noticed():
            sys.exit(f"the tests fail without any change: {self.noticed()}")

    def compile(self):
        return subprocess.run(["ninja", "-C", str(self.build)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0

    def noticed(self):
        """The suite that fails first, or None."""
        for suite in ("ops", "golden", "unit", "cli"):
            command = ["meson", "test", "-C", str(self.build), "--no-rebuild", "--maxfail", "1", "--suite", suite]
            try:
                if subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=self.seconds).returncode:
                    return suite
            except subprocess.TimeoutExpired:
                return suite + " (too long)"
        return None

    def put(self, name, start, end, replacement):
        """What became of one mutant: 'does not compile', the suite that noticed it, or None."""
        path = self.folder / name
        text = path.read_text()
        path.write_text(text[:start] + replacement + text[end:])
        try:
            return self.noticed() if self.compile() else "does not compile"
        finally:
            path.write_text(text)


def describe(folder, name, start, end, replacement):
    text = (folder / name).read_text()
    line = line_of(text, start)
    return f"{name}:{line}: {text[start:end].strip()} -> {replacement.strip()}: {text.splitlines()[line - 1].strip()}"


def choose(folder, parts, count, seed):
    files = [p for part in parts for p in sorted((folder / part).rglob("*")) if p.suffix in (".c", ".h") and "operations" not in p.name]
    pool = [(str(p.relative_to(folder)), *site) for p in files for site in sites(p)]
    random.Random(seed).shuffle(pool)
    return pool[:count * 2]  # some will not compile


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int, nargs="?", default=60)
    parser.add_argument("--in", dest="parts", action="append", metavar="FOLDER", help="kernels, core and plugin unless said")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--folder", type=pathlib.Path, default=SOURCE / "build-mutants", help="where the copy is kept")
    parser.add_argument("--seconds", type=int, default=300, help="a suite that takes longer has noticed")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    workshop = Workshop(arguments.folder.resolve(), arguments.seconds)
    print(f"seed {arguments.seed}", flush=True)
    tried = caught = 0
    for mutant in choose(workshop.folder, arguments.parts or ["kernels", "core", "plugin"], arguments.count, arguments.seed):
        if tried == arguments.count:
            break
        what = describe(workshop.folder, *mutant)
        by = workshop.put(*mutant)
        if by == "does not compile":
            continue
        tried += 1
        caught += by is not None
        print(f"{'caught by ' + by if by else 'SURVIVED'}: {what}", flush=True)
    workshop.compile()
    print(f"{caught} of {tried} caught")


if __name__ == "__main__":
    main()
