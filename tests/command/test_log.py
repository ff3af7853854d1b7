#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Notes about a run, --quiet, which leaves results and errors, and --log, which has all output."""
import datetime
import os
import re
import shutil
import threading

from command import COUNT, NUCLEI, SOURCE, fails, fovea, main, same

STACK = os.path.join(SOURCE, "data/samples/stack.tif")
NOTE = "No file was saved"


def lines(name="l.txt", several=False):
    """What a log says. Each line has a time that is now, in order unless several processes have written it."""
    with open(name, encoding="utf-8") as file:
        rows = [re.fullmatch(r"(\S+)  (.*)", row).groups() for row in file.read().splitlines()]
    times = [datetime.datetime.fromisoformat(time) for time, _ in rows]
    now = datetime.datetime.now(datetime.timezone.utc)
    assert (several or times == sorted(times)) and all(abs(now - time) < datetime.timedelta(minutes=5) for time in times), times
    return [text for _, text in rows]


def test_nothing_saved():
    """A run whose images and tables are not saved says so, and what would save them."""
    for arguments, said in (((), True), (("-q",), False), (("-o", "mask.png"), False), (("--report", "r.json"), False)):
        done = fovea("run", "channel index=1 | otsu", NUCLEI, *arguments)
        same((done.returncode, NOTE in done.stderr.decode()), (0, said), arguments)
    same(NOTE in fovea("run", COUNT, NUCLEI, "-t", "t.csv").stderr.decode(), False, "with a table")


def test_quiet():
    """Errors and results stay, for every command."""
    for arguments in (("run", "otsu volume=no | label", STACK, "-o", "labels.tif"), ("convert", STACK, "copy.tif"), ("batch", "otsu volume=no", STACK, "--out", "out")):
        done = fovea(*arguments, "--quiet")
        same((done.returncode, done.stdout, done.stderr), (0, b"", b""), arguments[0])
    for arguments in (("info", STACK), ("compare", "otsu", STACK), ("formats",), ("macro", "-")):
        done = fovea(*arguments, "-q", stdin=None, input=b"print(5)")
        assert done.stdout and not done.stderr, (arguments, done)
    fails(fovea("run", "-q", "channel index=7", NUCLEI), "index", status=1)


def test_log():
    """The command line, all that is printed, or would be, and the exit code; more is added to what is there."""
    shutil.copy(NUCLEI, "a b.tif")
    loud = fovea("run", COUNT, "a b.tif", "-t", "t.csv", "--log", "l.txt")
    first = lines()
    assert first[0].endswith(": run 'channel index=1 | otsu as=mask | label as=cells | regionprops' 'a b.tif' -t t.csv --log l.txt"), first[0]
    same(first[1:], [*loud.stdout.decode().splitlines(), "exit status 0"], "what was said")
    same(fovea("run", "-q", COUNT, "a b.tif", "-t", "t.csv", "--log", "l.txt").stdout, b"", "quiet")
    second = lines()[len(first):]
    same([re.sub(r" *[0-9.]+ ms", "", line) for line in second[1:]], [re.sub(r" *[0-9.]+ ms", "", line) for line in first[1:]], "the same, quiet")
    failed = fovea("run", "channel index=7", "a b.tif", "--log", "failed.txt")
    same(lines("failed.txt")[-2:], [failed.stderr.decode().removeprefix("fovea: ").strip(), "exit status 1"], "a failure")
    # Each of more failures than are printed.
    for n in range(25):
        shutil.copy(NUCLEI, f"in{n}.tif")
    fovea("batch", "channel index=7", *(f"in{n}.tif" for n in range(25)), "--out", "out", "--log", "batch.txt")
    same(sum("No such channel" in line for line in lines("batch.txt")), 25, "failures")


def test_together():
    """Lines of processes that use one log are whole."""
    threads = [threading.Thread(target=fovea, args=("macro", "-q", "-", "--log", "l.txt"), kwargs={"stdin": None, "input": b"for i = 1, 50 do print('line', i) end"})
               for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    same(len(lines(several=True)), 4 * 52, "lines")


def test_refused():
    """A log replaces no file of another kind, and no output replaces it."""
    shutil.copy(NUCLEI, "a.tif")
    before = os.stat("a.tif").st_size
    fails(fovea("run", "otsu", "a.tif", "--log", "a.tif"), "'a.tif' is not a log", status=2)
    same(os.stat("a.tif").st_size, before, "size")
    fails(fovea("run", "otsu", "a.tif", "--log", "nowhere/l.txt"), "nowhere/l.txt", status=2)
    fails(fovea("run", "otsu", "a.tif", "--log", "l.txt", "--report", "./l.txt"), "are the same file", status=2)
    fails(fovea("info", "a.tif", "--log", "/dev/full"), "The log '/dev/full' cannot be written: No space left on device", status=1)


if __name__ == "__main__":
    main([test_nothing_saved, test_quiet, test_log, test_together, test_refused])
