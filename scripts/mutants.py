#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Changes one operator or constant of the code at random, builds, runs the tests, and tells which changes no test noticed.

    scripts/mutants.py 100                    # a hundred mutants of kernels, core, library, command and plugin
    scripts/mutants.py 20 --in core --seed 7  # of one folder; the same seed makes the same mutants of the same source
    scripts/mutants.py 100 --minutes 60       # as many as an hour has room for
    scripts/mutants.py 100 --patience 60      # a minute of tests for each; slower ones might have caught what survives

The source is copied first, again at each start: nothing of it is changed. A survivor is a hole in the tests or a change that means
nothing; each deserves a look. What the compiler makes the same machine code of does not count. The tests run with AddressSanitizer
and UBSan, in which a wrong bound shows itself, one after the other at the lowest priority, and a mutant ends at the first that fails
twice. A second build counts lines, once: only tests that run through the changed function are tried, first those that run through the
line, are quick, stand near to the file and have caught much. What a test does in a program that it kills is not counted, so that
a survivor may be one too many, never one too few.
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
PARTS = ("kernels", "core", "library", "command", "plugin")
# What a mutant is built into. core is a library of its own here, so that programs need not be linked again for each mutant.
PRODUCTS = ("plugin/fovea-kernels.so", "plugin/fovea-kernel-worker", "plugin/fovea-jpeg-xr", "plugin/fovea-jpeg-ls", "core/libcore.so", "library/libfovea.so", "command/fovea")
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
BUILDS = {"build": ("-Dsanitize=true", "-Ddebug=false"), "build-lines": ("-Db_coverage=true",)}
Mutant = collections.namedtuple("Mutant", "path line start end replacement")


def sites(path, text):
    """Every change that the file offers."""
    hidden = BLANK.sub(lambda m: re.sub(r"[^\n]", "\0", m[0]), text)
    return [Mutant(path, 1 + text.count("\n", 0, m.start()), m.start(), m.end(), replacement or str(int(m[0]) + 1))
            for pattern, replacement in CHANGES for m in pattern.finditer(hidden)]


def renew(folder):
    """Makes the folder, but for its builds, what the source is; leaves alone what is so already, which need not be built again."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=SOURCE, capture_output=True, check=True)
    names = {name for name in listed.stdout.decode().split("\0") if (SOURCE / name).is_file()}
    for path in folder.rglob("*"):
        name = str(path.relative_to(folder))
        if not path.is_dir() and name not in names and not name.startswith(tuple(f"{build}/" for build in BUILDS)):
            path.unlink()
    for name in names:
        data, path = (SOURCE / name).read_bytes(), folder / name
        if name == SHARED[0]:
            data = data.replace(SHARED[1].encode(), SHARED[2].encode())
        if not path.exists() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            path.chmod((SOURCE / name).stat().st_mode)


def digest(paths):
    found = hashlib.sha256()
    for path in paths:
        found.update(path.read_bytes())
    return found.hexdigest()


class Test:
    """One of meson's tests: a command, its environment, the files of its source, and how long it takes."""

    def __init__(self, found, build, sources):
        self.name, self.command = found["name"], found["cmd"]
        self.environment = {**os.environ, **found["env"]}
        self.targets, self.workdir = found["depends"], found["workdir"] or build
        self.seconds, self.known = 27, False  # how long it takes; whether it has ever passed
        written = [sources.get(word, word) for word in self.command]
        self.files = [pathlib.Path(word) for word in written if word.startswith(f"{build.parent}/tests/") and os.path.isfile(word)]
        self.folder = self.files[0].relative_to(build.parent).parent.parts[1:] if self.files else ()

    def nearness(self, path):
        path = pathlib.Path(path)
        return 2 * len(os.path.commonprefix([self.folder, path.parent.parts])) + (self.name == path.stem)

    def outcome(self, limit):
        start = time.monotonic()
        process = subprocess.Popen(self.command, env=self.environment, cwd=self.workdir, start_new_session=True, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace")
        try:
            said, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            return "stalled"
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)  # and what it has started
            except ProcessLookupError:
                pass
        if process.returncode not in (0, 77) or re.search("^not ok", said, re.M):
            return "failed"
        self.seconds, self.known = time.monotonic() - start, True
        return "passed"

    def passes(self):
        """On a busy machine a test may fail once for want of time."""
        limit = 30 + 20 * self.seconds
        outcome = self.outcome(limit)
        return (self.outcome(limit) if outcome == "failed" else outcome) == "passed"


class Build:
    """A build of the copy and its tests."""

    def __init__(self, folder, name):
        self.folder = folder / name
        if not (self.folder / "build.ninja").exists():
            subprocess.run(["meson", "setup", str(self.folder), "-Dcuda=disabled", "-Dui=disabled", "-Doptimization=1", "-Db_ndebug=false",
                            *BUILDS[name]], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        self.targets = ["build.ninja"]
        if not self.compile():
            sys.exit("the source as it is cannot be configured")
        self.find_tests()
        if not self.compile():
            sys.exit("the source as it is does not build")

    def find_tests(self):
        def known(what):
            return json.loads((self.folder / f"meson-info/intro-{what}.json").read_text(encoding="utf-8"))
        targets = {target["id"]: target for target in known("targets")}
        sources = {name: target["target_sources"][0]["sources"][0] for target in targets.values() if target["type"] == "executable"
                   for name in target["filename"]}
        self.tests = [Test(test, self.folder, sources) for test in known("tests") if any(s.split(":")[-1] in SUITES for s in test["suite"])]
        wanted = {name for test in self.tests for target in test.targets for name in targets[target]["filename"]}
        self.targets = sorted(os.path.relpath(name, self.folder) for name in wanted)

    def compile(self):
        return subprocess.run(["ninja", "-C", str(self.folder), "-j1", *self.targets], stdout=subprocess.DEVNULL).returncode == 0

    def compiled(self):
        """The files that are built here, headers too: without those that are for CUDA alone."""
        said = subprocess.run(["ninja", "-C", str(self.folder), "-t", "deps"], capture_output=True, text=True, check=True).stdout
        found = {os.path.normpath(self.folder / line.strip()) for line in said.splitlines() if line.startswith("    ")}
        return sorted(os.path.relpath(name, self.folder.parent) for name in found if name.startswith(f"{self.folder.parent}/"))


class Lines:
    """Which lines each test runs through, as gcov tells; kept in a file, and counted again for tests that changed, or all if the source did."""

    def __init__(self, folder):
        self.build, kept = Build(folder, "build-lines"), folder / "build-lines" / "lines.json"
        source = digest(folder / name for name in self.build.compiled() if name.startswith(PARTS))
        self.tests, self.functions = {}, {}
        if kept.exists():
            known = json.loads(kept.read_text(encoding="utf-8"))
            if known["source"] == source:
                self.tests, self.functions = known["tests"], known["functions"]
        for test in self.build.tests:
            of = digest(test.files)
            if self.tests.get(test.name, {"of": None})["of"] != of:
                self.tests[test.name] = {"of": of, "lines": self.count(test), "seconds": test.seconds}
                kept.write_text(json.dumps({"source": source, "tests": self.tests, "functions": self.functions}), encoding="utf-8")

    def count(self, test):
        """Runs the test alone, on one thread, for counting in several is slow. None: it takes too long to be counted."""
        for counts in self.build.folder.rglob("*.gcda"):
            counts.unlink()
        test.environment["OMP_NUM_THREADS"] = "1"
        if test.outcome(600) == "stalled":
            return None
        counts = [str(path) for path in self.build.folder.rglob("*.gcda")]
        said = subprocess.run(["gcov", "--json-format", "--stdout", *counts], cwd=self.build.folder, capture_output=True, text=True).stdout
        lines = collections.defaultdict(set)
        for unit in said.splitlines():
            for file in json.loads(unit)["files"]:
                path = os.path.relpath(self.build.folder / file["file"], self.build.folder.parent)
                if path.startswith(PARTS):
                    self.functions[path] = sorted([function["start_line"], function["end_line"]] for function in file["functions"])
                    lines[path].update(line["line_number"] for line in file["lines"] if line["count"])
        return {path: sorted(found) for path, found in lines.items()}

    def reach(self, name, mutant):
        """2 when the test runs through the line, 1 when it does through its function or, outside of functions, the file, else 0."""
        lines = self.tests.get(name, {}).get("lines")
        if lines is None or mutant.path not in self.functions:
            return 1
        ran = lines.get(mutant.path, [])
        around = [range(start, end + 1) for start, end in self.functions[mutant.path] if start <= mutant.line <= end]
        return 2 if mutant.line in ran else int(any(not around or any(line in function for function in around) for line in ran))


class Workshop:
    """A copy of the source with a build of its own, which mutants are put into and taken out of."""

    def __init__(self, folder, patience):
        folder.mkdir(parents=True, exist_ok=True)
        renew(folder)
        self.folder, self.lines, self.build = folder, Lines(folder), Build(folder, "build")
        self.tests = self.build.tests
        for test in self.tests:
            test.seconds = self.lines.tests.get(test.name, {}).get("seconds", test.seconds)
        self.unchanged = self.fingerprint()
        self.patience, self.caught = patience, collections.Counter()

    def fingerprint(self):
        return [digest([self.build.folder / name]) for name in PRODUCTS]

    def choose(self, folders, seed):
        files = [name for name in self.build.compiled() if name.startswith(tuple(f"{part}/" for part in folders))]
        pool = [mutant for name in files for mutant in sites(name, (self.folder / name).read_text(encoding="utf-8"))]
        random.Random(seed).shuffle(pool)
        return pool

    def likely(self, mutant):
        """The tests that come near to it, the likeliest to notice it first; all, where none is known to."""
        part = mutant.path.split("/")[0]
        reach = {test: self.lines.reach(test.name, mutant) for test in self.tests}
        weight = {test: 1 + test.nearness(mutant.path) + self.caught[part, test.name] for test in self.tests}
        near = [test for test in self.tests if reach[test]] or self.tests
        return sorted(near, key=lambda test: (-reach[test], test.seconds / weight[test]))

    def noticed(self, mutant):
        """The first test that fails, or None, and how many have passed."""
        end = time.monotonic() + self.patience
        for passed, test in enumerate(self.likely(mutant)):
            if time.monotonic() > end:
                return None, passed
            if not test.passes():
                return test, passed
        return None, len(self.likely(mutant))

    def put(self, mutant):
        """What became of it: 'does not compile', 'changes nothing', 'caught by TEST' or 'SURVIVED N of M tests that run through it'."""
        path = self.folder / mutant.path
        text = path.read_text(encoding="utf-8")
        path.write_text(text[:mutant.start] + mutant.replacement + text[mutant.end:], encoding="utf-8")
        try:
            if not self.build.compile():
                return "does not compile"
            if self.fingerprint() == self.unchanged:
                return "changes nothing"
            test, passed = self.noticed(mutant)
        finally:
            path.write_text(text, encoding="utf-8")
        if not test:
            return f"SURVIVED {passed} of {len(self.likely(mutant))} tests that run through it"
        if not test.known:
            self.build.compile()
            test.passes()
        if not test.known:
            print(f"left out, for it fails without any change: {test.name}", flush=True)
            self.tests.remove(test)
            return self.put(mutant)
        self.caught[mutant.path.split("/")[0], test.name] += 1
        return f"caught by {test.name}"

    def describe(self, mutant):
        text = (self.folder / mutant.path).read_text(encoding="utf-8")
        return (f"{mutant.path}:{mutant.line}: {text[mutant.start:mutant.end].strip()} -> {mutant.replacement.strip()}: "
                f"{text.splitlines()[mutant.line - 1].strip()}")


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
    for mutant in workshop.choose(arguments.parts or PARTS, arguments.seed):
        if len(outcomes) == arguments.count or time.monotonic() > end:
            break
        outcome = workshop.put(mutant)
        print(f"{outcome}: {workshop.describe(mutant)}", flush=True)
        if outcome not in ("does not compile", "changes nothing"):
            outcomes.append(outcome)
    workshop.build.compile()
    print(f"{sum(outcome.startswith('caught') for outcome in outcomes)} of {len(outcomes)} caught")


if __name__ == "__main__":
    main()
