#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plants the faults of faults.toml, one at a time, and says which the tests find: an answer to whether the tests still test. By hand, before a release.

    tests/faults/run.py                    # all
    tests/faults/run.py NAME...            # those
    tests/faults/run.py --without-baseline # the tests are known to pass without a fault

The builds must be there, as ./test.sh all makes them. First the tests run without a fault, since one that fails anyway finds nothing. Each
changed file is as it was afterwards, also after Ctrl-C, and a last build forgets the faults."""
import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import tomllib

SOURCE = pathlib.Path(__file__).resolve().parents[2]
FAULTS = pathlib.Path(__file__).with_name("faults.toml")
PROGRAMS = ("executable", "shared library", "shared module")
SHOWN = 110  # characters of what a test says
PATIENCE = 4  # times a test's own limit, for a busy machine


def load():
    return tomllib.loads(FAULTS.read_text(encoding="utf-8"))


def changed(fault):
    """The text of the file with the fault; an error when it cannot be planted."""
    text = (SOURCE / fault["file"]).read_text(encoding="utf-8")
    if text.count(fault["before"]) != 1 or fault["before"] == fault["after"]:
        raise ValueError(f"{fault['file']}: {text.count(fault['before'])} times the text that is replaced, which must be there once: {fault['before']!r}")
    return text.replace(fault["before"], fault["after"])


class Build:
    """A build folder: what its tests are, and what they need."""

    def __init__(self, name):
        self.folder = SOURCE / name
        if not (self.folder / "build.ninja").exists():
            sys.exit(f"{name}/ is missing: ./test.sh all makes it.")
        subprocess.run(["ninja", "-C", self.folder, "--quiet", "build.ninja"], check=True, stdout=subprocess.DEVNULL)
        self.tests = {test["name"]: test for test in self.known("tests")}
        targets = self.known("targets")
        self.targets = {target["id"]: target["filename"] for target in targets}
        # Tests do not name the programs and modules that each of them may load.
        self.programs = [name for target in targets for name in target["filename"] if target["build_by_default"] and target["type"] in PROGRAMS
                         and not name.startswith(f"{self.folder}/tests/")]

    def known(self, what):
        return json.loads((self.folder / f"meson-info/intro-{what}.json").read_text(encoding="utf-8"))

    def make(self, fault):
        """Builds what the test needs; the end of what the compiler says, or nothing when all is built."""
        if reads_source(fault):
            return ""
        names = [name for target in self.tests[fault["test"]]["depends"] for name in self.targets[target]]
        files = [*sorted({os.path.relpath(name, self.folder) for name in names + self.programs}), *fault.get("also", [])]
        done = subprocess.run(["ninja", "-C", self.folder, "--quiet", *files], capture_output=True, text=True, errors="replace", check=False)
        return "" if done.returncode == 0 else done.stdout[-1000:]

    def run(self, test, arguments):
        """passed, skipped, or what the test says when it fails."""
        found = self.tests[test]
        command = found["cmd"]
        if arguments and command[-1] in ("--smoke", "--rest"):  # of the window's scenarios, in place of all
            command = command[:-1]
        if self.folder.name == "build-threads":  # where addresses are random, ThreadSanitizer may find no room
            command = ["setarch", "-R", *command]
        process = subprocess.Popen([*command, *arguments], cwd=found["workdir"] or self.folder, env={**os.environ, **found["env"]},
                                   start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True, errors="replace")
        try:
            said, _ = process.communicate(timeout=PATIENCE * found["timeout"])
        except subprocess.TimeoutExpired:
            return "it does not end"
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)  # and what it has started
            except ProcessLookupError:
                pass
        results = re.findall(r"^(not )?ok\b(.*)", said, re.M)
        if process.returncode == 77 or re.match(r"1\.\.0\b", said) or (results and all("# SKIP" in words for _, words in results)):
            return "skipped"
        if process.returncode == 0 and not any(bad for bad, _ in results):
            return "passed"
        return first_fault(said) or f"status {process.returncode}"

    def is_quick(self, test):
        """Whether ./test.sh runs it, not ./test.sh all alone."""
        return self.folder.name != "build-threads" and not any(suite.endswith(":long") for suite in self.tests[test]["suite"])


def first_fault(said):
    """The line that says most, shortened."""
    for pattern in (r"(?:ERROR|WARNING): (?:Address|Leak|Thread)Sanitizer: .*", r"runtime error: .*", r"Bail out! .*", r"^not ok.*", r"^\w*(?:Error|Exception)\b.*"):
        found = re.search(pattern, said, re.M)
        if found:
            return found[0].strip()[:SHOWN]
    lines = [line for line in said.splitlines() if line.strip() and not line.endswith("ok")]
    return lines[-1].strip()[:SHOWN] if lines else ""


def plant(fault, build):
    """What the test says with the fault; the file is as it was afterwards."""
    path = SOURCE / fault["file"]
    text, before, stat = changed(fault), path.read_bytes(), path.stat()
    try:
        path.write_text(text, encoding="utf-8")
        trouble = build.make(fault)
        return f"does not build: {trouble}" if trouble else build.run(fault["test"], fault.get("arguments", []))
    finally:
        path.write_bytes(before)
        if reads_source(fault):
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))  # else it is newer than what was built with the fault


def reads_source(fault):
    return fault.get("reads") == "source"


def report(name, outcome, *, good, words="", seconds=0.0):
    print(f"{'ok' if good else 'NOT FOUND'}  {name}  [{words}]  {seconds:.0f} s\n      {outcome}", flush=True)


def main():
    parser = argparse.ArgumentParser(description="Plants faults and says which the tests find.")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--without-baseline", action="store_true", help="do not run the tests without a fault first")
    options = parser.parse_args()
    faults = load()
    unknown = set(options.names) - set(faults)
    if unknown:
        sys.exit(f"Unknown fault: {', '.join(sorted(unknown))}.")
    faults = {name: fault for name, fault in faults.items() if not options.names or name in options.names}
    builds = {name: Build(name) for name in sorted({fault.get("build", "build") for fault in faults.values()})}
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("Ended by SIGTERM."))
    missed, broken, touched = [], [], {}
    try:
        for name, fault in faults.items():
            build, test, start = builds[fault.get("build", "build")], fault["test"], time.monotonic()
            touched[name] = build
            whole = "passed" if options.without_baseline else build.make(fault) or build.run(test, fault.get("arguments", []))
            if whole != "passed":
                broken.append(name)
                report(name, whole, good=False, words=f"{test} without the fault", seconds=time.monotonic() - start)
                continue
            outcome = plant(fault, build)
            good = outcome not in ("passed", "skipped") and not outcome.startswith("does not build")
            missed += [] if good else [name]
            report(name, outcome, good=good, words=f"{test}, {'quick' if build.is_quick(test) else 'all'}", seconds=time.monotonic() - start)
    finally:
        for name, build in touched.items():
            build.make(faults[name])
    print(f"{len(faults) - len(missed) - len(broken)} of {len(faults)} faults found; not found: {', '.join(missed) or 'none'}; "
          f"tests that fail without a fault: {', '.join(broken) or 'none'}")
    sys.exit(bool(missed or broken))


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)
