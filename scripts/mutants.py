#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Changes one operator or constant of the code at random, builds, runs the tests, and tells which changes no test noticed.

    scripts/mutants.py 100                    # a hundred mutants of kernels, core, command and plugin
    scripts/mutants.py 20 --in core --seed 7  # of one folder; the same seed makes the same mutants of the same source
    scripts/mutants.py 100 --minutes 60       # as many as an hour has room for
    scripts/mutants.py 100 --patience 60      # a minute of tests for each; slower ones might have caught what survives

The source is copied first, again at each start: nothing of it is changed. A survivor is a hole in the tests or a change that means
nothing; each deserves a look. What the compiler makes the same machine code of does not count. The tests run with AddressSanitizer
and UBSan, in which a wrong bound shows itself, one after the other at the lowest priority: first those that are quick, stand near to
the changed file and have caught much. A mutant ends at the first that fails twice.
"""
import argparse
import collections
import hashlib
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent
SUITES = ("unit", "ops", "golden", "cli")
# What a mutant is built into. core is a library of its own here, so that programs need not be linked anew for each mutant.
PRODUCTS = ("plugin/fovea-kernels.so", "core/libcore.so", "command/fovea")
SHARED = ("core/meson.build", "static_library('core'", "shared_library('core'")
# Comments, texts and preprocessor lines stay as they are, and so does what is for CUDA alone.
BLANK = re.compile(r"""/\*.*?\*/ | //[^\n]* | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'
                       | ^\#\s*ifdef\ (?:FOVEA_CUDA|__CUDA\w*)\n.*?^\#\s*(?:else|endif) | ^[ \t]*\#(?:\\\n|[^\n])*""", re.S | re.M | re.X)
CHANGES = [
    (re.compile(r" < "), " <= "), (re.compile(r" <= "), " < "), (re.compile(r" > "), " >= "), (re.compile(r" >= "), " > "),
    (re.compile(r" == "), " != "), (re.compile(r" != "), " == "), (re.compile(r" && "), " || "), (re.compile(r" \|\| "), " && "),
    (re.compile(r"(?<=[\w)\]]) \+ (?=[\w(])"), " - "), (re.compile(r"(?<=[\w)\]]) - (?=[\w(])"), " + "),
    (re.compile(r"(?<=[\w)\]]) / (?=[\w(])"), " * "), (re.compile(r" \+= "), " -= "), (re.compile(r"(?<![\w.])MIN(?= \()"), "MAX"),
    (re.compile(r"(?<![\w.])MAX(?= \()"), "MIN"), (re.compile(r"(?<![\w.])fmin(?= \()"), "fmax"),
    (re.compile(r"(?<![\w.])fmax(?= \()"), "fmin"), (re.compile(r"\btrue\b"), "false"), (re.compile(r"\bfalse\b"), "true"),
    (re.compile(r"\bTRUE\b"), "FALSE"), (re.compile(r"\bFALSE\b"), "TRUE"),
    (re.compile(r"(?<![\w.])\d+(?![\w.])"), None),  # a constant: one more
]
Mutant = collections.namedtuple("Mutant", "path start end replacement")


def sites(path, text):
    """Every change that the file offers."""
    hidden = BLANK.sub(lambda m: re.sub(r"[^\n]", "\0", m[0]), text)
    return [Mutant(path, m.start(), m.end(), replacement or str(int(m[0]) + 1))
            for pattern, replacement in CHANGES for m in pattern.finditer(hidden)]


def renew(folder):
    """Makes the folder, but for its build, what the source is; leaves alone what is so already, which need not be built again."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=SOURCE, capture_output=True, check=True)
    names = {name for name in listed.stdout.decode().split("\0") if (SOURCE / name).is_file()}
    for path in folder.rglob("*"):
        name = str(path.relative_to(folder))
        if not path.is_dir() and name not in names and not name.startswith("build/"):
            path.unlink()
    for name in names:
        data, path = (SOURCE / name).read_bytes(), folder / name
        if name == SHARED[0]:
            data = data.replace(SHARED[1].encode(), SHARED[2].encode())
        if not path.exists() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            path.chmod((SOURCE / name).stat().st_mode)


class Test:
    """One of meson's tests: a command, its environment, the folder of its source, and how long it takes."""

    def __init__(self, found, folder, sources):
        self.name, self.command = found["name"], found["cmd"]
        self.environment = {**os.environ, **found["env"], "OMP_WAIT_POLICY": "passive"}
        self.targets, self.workdir = found["depends"], found["workdir"] or folder / "build"
        self.seconds, self.known = 27, False  # how long it takes; whether it has ever passed
        written = [sources.get(word, word) for word in self.command]
        here = [pathlib.Path(word).relative_to(folder) for word in written if word.startswith(f"{folder}/tests/")]
        self.place = here[0].parent.parts[1:] if here else ()

    def nearness(self, path):
        path = pathlib.Path(path)
        return 2 * len(os.path.commonprefix([self.place, path.parent.parts])) + (self.name == path.stem)

    def passes_once(self):
        start = time.monotonic()
        process = subprocess.Popen(self.command, env=self.environment, cwd=self.workdir, start_new_session=True, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace")
        try:
            said, _ = process.communicate(timeout=60 + 20 * self.seconds)
        except subprocess.TimeoutExpired:
            return False
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)  # and what it has started
            except ProcessLookupError:
                pass
        if process.returncode not in (0, 77) or re.search("^not ok", said, re.M):
            return False
        self.seconds, self.known = time.monotonic() - start, True
        return True

    def passes(self):
        """On a busy machine a test may fail for want of time."""
        return self.passes_once() or self.passes_once()


class Workshop:
    """A copy of the source with a build of its own, which mutants are put into and taken out of."""

    def __init__(self, folder, patience):
        self.folder, self.build = folder, folder / "build"
        folder.mkdir(parents=True, exist_ok=True)
        renew(folder)
        if not (self.build / "build.ninja").exists():
            subprocess.run(["meson", "setup", str(self.build), "-Dcuda=disabled", "-Dui=disabled", "-Dsanitize=true",
                            "-Doptimization=1", "-Ddebug=false", "-Db_ndebug=false"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        self.targets = ["build.ninja"]
        if not self.compile():
            sys.exit("the source as it is cannot be configured")
        self.find_tests()
        if not self.compile():
            sys.exit("the source as it is does not build")
        self.unchanged = self.fingerprint()
        self.patience, self.caught = patience, collections.Counter()

    def find_tests(self):
        def known(what):
            return json.loads((self.build / f"meson-info/intro-{what}.json").read_text(encoding="utf-8"))
        targets = {target["id"]: target for target in known("targets")}
        sources = {name: target["target_sources"][0]["sources"][0] for target in targets.values() if target["type"] == "executable"
                   for name in target["filename"]}
        self.tests = [Test(test, self.folder, sources) for test in known("tests") if any(s.split(":")[-1] in SUITES for s in test["suite"])]
        wanted = {name for test in self.tests for target in test.targets for name in targets[target]["filename"]}
        self.targets = [*PRODUCTS, *sorted(os.path.relpath(name, self.build) for name in wanted)]

    def compile(self):
        return subprocess.run(["ninja", "-C", str(self.build), "-j1", *self.targets], stdout=subprocess.DEVNULL).returncode == 0

    def fingerprint(self):
        return [hashlib.sha256((self.build / name).read_bytes()).digest() for name in PRODUCTS]

    def compiled(self):
        """The files that are built here, headers too: without those that are for CUDA alone."""
        said = subprocess.run(["ninja", "-C", str(self.build), "-t", "deps"], capture_output=True, text=True, check=True).stdout
        found = {os.path.normpath(self.build / line.strip()) for line in said.splitlines() if line.startswith("    ")}
        return sorted(os.path.relpath(name, self.folder) for name in found if name.startswith(f"{self.folder}/"))

    def choose(self, folders, seed):
        files = [name for name in self.compiled() if name.startswith(tuple(f"{part}/" for part in folders))]
        pool = [mutant for name in files for mutant in sites(name, (self.folder / name).read_text(encoding="utf-8"))]
        random.Random(seed).shuffle(pool)
        return pool

    def noticed(self, path):
        """The first test that fails, or None."""
        part, end = path.split("/")[0], time.monotonic() + self.patience
        for test in sorted(self.tests, key=lambda t: t.seconds / (1 + t.nearness(path) + self.caught[part, t.name])):
            if time.monotonic() > end:
                break
            if not test.passes():
                return test
        return None

    def put(self, mutant):
        """What became of it: 'does not compile', 'changes nothing', 'caught by TEST' or 'SURVIVED'."""
        path = self.folder / mutant.path
        text = path.read_text(encoding="utf-8")
        path.write_text(text[:mutant.start] + mutant.replacement + text[mutant.end:], encoding="utf-8")
        try:
            if not self.compile():
                return "does not compile"
            if self.fingerprint() == self.unchanged:
                return "changes nothing"
            test = self.noticed(mutant.path)
        finally:
            path.write_text(text, encoding="utf-8")
        if not test:
            return "SURVIVED"
        if not test.known:
            self.compile()
            test.passes()
        if not test.known:
            print(f"left out, for it fails without any change: {test.name}", flush=True)
            self.tests.remove(test)
            return self.put(mutant)
        self.caught[mutant.path.split("/")[0], test.name] += 1
        return f"caught by {test.name}"

    def describe(self, mutant):
        text = (self.folder / mutant.path).read_text(encoding="utf-8")
        line = text.count("\n", 0, mutant.start)
        return (f"{mutant.path}:{line + 1}: {text[mutant.start:mutant.end].strip()} -> {mutant.replacement.strip()}: "
                f"{text.splitlines()[line].strip()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int, nargs="?", default=60)
    parser.add_argument("--in", dest="parts", action="append", metavar="FOLDER", help="may be given several times")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no further mutant after that")
    parser.add_argument("--patience", type=float, default=float("inf"), metavar="SECONDS", help="begin no further test of a mutant after that")
    parser.add_argument("--folder", type=pathlib.Path, default=SOURCE / "build-mutants", help="where the copy is kept")
    arguments = parser.parse_args()
    os.nice(19)
    end = time.monotonic() + 60 * arguments.minutes
    workshop = Workshop(arguments.folder.resolve(), arguments.patience)
    print(f"seed {arguments.seed}", flush=True)
    outcomes = []
    for mutant in workshop.choose(arguments.parts or ["kernels", "core", "command", "plugin"], arguments.seed):
        if len(outcomes) == arguments.count or time.monotonic() > end:
            break
        outcome = workshop.put(mutant)
        print(f"{outcome}: {workshop.describe(mutant)}", flush=True)
        if outcome not in ("does not compile", "changes nothing"):
            outcomes.append(outcome)
    workshop.compile()
    print(f"{len(outcomes) - outcomes.count('SURVIVED')} of {len(outcomes)} caught")


if __name__ == "__main__":
    main()
