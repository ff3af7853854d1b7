# SPDX-License-Identifier: MIT
"""An interrupted batch resumes: nothing is done twice, changed files are done again, and the end is that of an uninterrupted one. Shards are the
parts of one."""
import collections
import os
import random
import re
import shutil
import signal
import subprocess
import time

import tifffile

from batches import STEPS, batch, cells, contents, good, manifest, table, write
from command import FOVEA, fails, fovea, in_time, main, same

OUTPUTS = ("-o", "mask={name}_mask.png", "-o", "cells=labels/{name}.tif")
ALL = (STEPS, "in", "-t", "all.csv", *OUTPUTS)


def write_inputs(n):
    for seed in range(n):
        write(f"in/{'even' if seed % 2 == 0 else 'odd'}/{seed}.tif", seed)


def done_by_resuming(*arguments):
    """The files whose images were done."""
    before = len(manifest())
    good(batch(*(arguments or ALL), "--resume"))
    return sorted(line["file"] for line in manifest()[before:])


def test_what_is_done_again():
    write_inputs(6)
    good(batch(*ALL))
    fails(batch(*ALL), "already has a batch", "--resume", status=1)
    same(done_by_resuming(), [], "done again")
    first = contents("out")
    # Touched, and the same; other contents, with the old size and time; gone; new; an output that is not there; and one that is not whole.
    os.utime("in/even/0.tif", ns=(1, 1))
    about = os.stat("in/odd/1.tif")
    write("in/odd/1.tif", 11)
    os.utime("in/odd/1.tif", ns=(about.st_atime_ns, about.st_mtime_ns))
    same(os.path.getsize("in/odd/1.tif"), about.st_size, "size")
    os.remove("in/even/2.tif")
    write("in/new.tif", 7)
    os.remove("out/labels/odd/3.tif")
    with open("out/even/4_mask.png", "ab") as file:
        file.write(b"more")
    again = done_by_resuming()
    same(again, ["even/0.tif", "even/2.tif", "even/4.tif", "new.tif", "odd/1.tif", "odd/3.tif"], "lines")
    good(batch(*ALL, out="fresh"))
    fresh, second = contents("fresh"), contents("out")
    for stale in "labels/even/2.tif", "even/2_mask.png":  # outputs of an input that has gone stay
        same(second.pop(stale), first[stale], stale)
    same(second, fresh, "files")
    same({line["file"] for line in manifest() if line.get("removed")}, {"even/2.tif"}, "removed")
    same(done_by_resuming(), [], "done again")
    # Another recipe, and another version of the manifest's work.
    same(len(done_by_resuming(STEPS.replace("100", "120"), "in", "-t", "all.csv", *OUTPUTS)), 6, "with other steps")
    same(len(done_by_resuming(STEPS.replace("100", "120"), "in", "-t", "all.csv")), 6, "with other outputs")
    shutil.rmtree("out/.fovea-batch")  # all rows
    same(len(done_by_resuming(STEPS.replace("100", "120"), "in", "-t", "all.csv")), 6, "without rows")
    good(batch(STEPS.replace("100", "120"), "in", "-t", "all.csv", out="other"))
    same(table(), table("other/all.csv"), "table")


def test_series_again():
    """A file with fewer images than before has none of the old ones."""
    def write_series(*seeds):
        with tifffile.TiffWriter("in.ome.tif") as file:
            for n, seed in enumerate(seeds):
                file.write(cells(seed, 48 - n))

    arguments = (STEPS, "in.ome.tif", "-t", "all.csv")
    for seeds in (1, 2, 3), (1, 4), (5, 6, 7):
        write_series(*seeds)
        good(batch(*arguments, "--resume"))
        good(batch(*arguments, out=f"fresh{len(seeds)}{seeds[1]}"))
        same(table(), table(f"fresh{len(seeds)}{seeds[1]}/all.csv"), "table")


def test_torn_manifest():
    """Lines without an end and lines of nonsense are as if they were not there."""
    write_inputs(6)
    good(batch(*ALL))
    good_files = contents("out")
    with open("out/manifest.jsonl", "rb") as file:
        lines = file.read().splitlines(True)
    for torn, again in ((lines[:-1] + [lines[-1][:-20]], 1), (lines[:3] + [b"\0" * 400 + b"\n", b"[1]\n", b'{"file":3}\n'] + lines[3:], 0),
                        (lines[:4], 3), (lines[:1], 6), ([], 6)):
        with open("out/manifest.jsonl", "wb") as file:
            file.writelines(torn)
        before = len([line for line in torn[1:] if line.startswith(b'{"file":"') and line.endswith(b"\n")])
        good(batch(*ALL, "--resume"))
        with open("out/manifest.jsonl", "rb") as file:
            after = [line for line in file.read().splitlines() if line.startswith(b'{"file":"')]
        same(len(after) - before, again, "done again")
        same(contents("out"), good_files, "files")


def kill(arguments, seconds, lines):
    """Ends a batch after so many seconds, once the manifest has so many lines; whether that came before its end."""
    with subprocess.Popen([FOVEA, "batch", *arguments, "--resume", "--out", "out", "-q"], stderr=subprocess.PIPE) as process:
        while lines and process.poll() is None and whole_lines() < lines:
            time.sleep(0.001)
        time.sleep(seconds)
        process.kill()
        same(process.communicate(timeout=60)[1], b"", "errors")
        return process.returncode == -signal.SIGKILL


def test_kills():
    """Fifty kills at any time, half of them when something has been recorded since the last: the very files of an undisturbed batch, and each
    image recorded once."""
    write_inputs(40)
    arguments = (f"zoom factor=20 | {STEPS}", "in", "-t", "all.csv", "-o", "cells=labels/{name}.png")  # which takes some time
    start = time.monotonic()
    good(batch(*arguments, out="whole"))
    took = time.monotonic() - start
    chance = random.Random(5)
    kills = useful = 0
    while kills < 50:
        before = whole_lines()
        if kill(arguments, chance.uniform(0, took / 2 if kills % 2 else 0.03), 0 if kills % 2 else before + 1):
            kills += 1
            useful += whole_lines() > before
        else:
            check_killed()
    good(batch(*arguments, "--resume"))
    check_killed()
    assert useful >= 20, f"only {useful} were killed after they had recorded something"


def whole_lines():
    if not os.path.exists("out/manifest.jsonl"):
        return 0
    with open("out/manifest.jsonl", "rb") as file:
        return sum(line.startswith(b'{"file"') and line.endswith(b"}\n") for line in file)


def check_killed():
    same(contents("out"), contents("whole"), "files")
    counts = collections.Counter(line["file"] for line in manifest())
    same((set(counts.values()), len(counts)), ({1}, 40), "how often each was done, and how many")
    shutil.rmtree("out")


def test_stopped():
    """SIGINT: what was done is kept."""
    write_inputs(40)
    steps = f"zoom factor=12 | {STEPS}"
    with subprocess.Popen([FOVEA, "batch", steps, "in", "-t", "all.csv", "--out", "out"], stderr=subprocess.PIPE) as process:
        end = time.monotonic() + 30
        while (not os.path.exists("out/.fovea-batch/parts") or not os.path.getsize("out/.fovea-batch/parts")) and time.monotonic() < end:
            time.sleep(0.005)
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)[1]
        assert in_time(begun, 0.5)
    same((process.returncode, b"Stopped." in said), (1, True), "status and message")
    assert not os.path.exists("out/all.csv")
    good(batch(steps, "in", "-t", "all.csv", "--resume"))
    good(batch(steps, "in", "-t", "all.csv", out="whole"))
    same(contents("out"), contents("whole"), "files")


def test_folder_goes():
    """The folder of the outputs is taken away."""
    write_inputs(40)
    steps = f"zoom factor=12 | {STEPS}"
    with subprocess.Popen([FOVEA, "batch", steps, "in", "-o", "cells={name}.tif", "--out", "out"], stderr=subprocess.PIPE) as process:
        while not os.path.exists("out/even"):
            time.sleep(0.002)
        os.rename("out", "away")
        said = process.communicate(timeout=60)[1].decode()
    same(process.returncode, 1, "status")
    assert "out" in said and re.search("does not exist|was removed or replaced|No such file", said), said
    assert not os.path.exists("out"), "it was made again"
    os.rename("away", "out")
    good(batch(steps, "in", "-o", "cells={name}.tif", "--resume"))
    good(batch(steps, "in", "-o", "cells={name}.tif", out="whole"))
    same(contents("out"), contents("whole"), "files")


def test_one_at_a_time():
    """Two never work on one folder."""
    write_inputs(40)
    steps = f"zoom factor=12 | {STEPS}"
    with subprocess.Popen([FOVEA, "batch", steps, "in", "-t", "all.csv", "--out", "out", "-q"]) as process:
        while not os.path.exists("out/.fovea-batch/parts"):
            time.sleep(0.002)
        process.send_signal(signal.SIGSTOP)  # it is not done before the other has looked
        try:
            fails(batch(steps, "in", "-t", "all.csv", "--resume"), "another batch", status=1)
        finally:
            process.send_signal(signal.SIGCONT)
        same(process.wait(timeout=60), 0, "status")


def shard(k, n, *more):
    return batch(STEPS, "in", *OUTPUTS, "--shard", f"{k}/{n}", *more, out="parts")


def merge():
    return fovea("batch", "--merge", "parts", "-t", "all.csv")


def test_shards():
    write_inputs(11)
    good(batch(*ALL))
    for k in 1, 3:
        good(shard(k, 3))
    fails(merge(), "lacks the manifest of shard 2/3", status=1)
    fails(shard(1, 4), "3 shards", status=1)
    good(shard(2, 3, "--resume"))
    good(merge())
    same(contents("parts"), contents("out"), "files")
    same([len(manifest(f"parts/manifest-{k}-of-3.jsonl")) for k in (1, 2, 3)], [4, 4, 3], "images of each")
    status = fovea("batch", "--status", "parts")
    same((status.returncode, status.stdout), (0, b"11 of 11 images are done, 0 failed.\n"), "status")
    # One that has not done all that it should.
    with open("parts/manifest-2-of-3.jsonl", "rb") as file:
        lines = file.read().splitlines(True)
    with open("parts/manifest-2-of-3.jsonl", "wb") as file:
        file.writelines(lines[:-1])
    fails(merge(), "10 of 11 files", "--resume", status=1)
    same(fovea("batch", "--status", "parts").stdout, b"10 of 11 images are done, 0 failed.\n", "status")
    good(shard(2, 3, "--resume"))
    # An input more moves others to other shards.
    write("in/a.tif", 77)
    good(shard(1, 3, "--resume"))
    fails(merge(), "different inputs", status=1)
    for k in 2, 3:
        good(shard(k, 3, "--resume"))
    good(merge())
    good(batch(*ALL, out="more"))
    same(contents("parts"), contents("more"), "files")


main([test_what_is_done_again, test_series_again, test_torn_manifest, test_kills, test_stopped, test_folder_goes, test_one_at_a_time, test_shards])
