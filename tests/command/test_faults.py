# SPDX-License-Identifier: MIT
"""Every write, fsync, opening, naming and large allocation fails once. The old file is intact or the new one whole, the message is a sentence about
the user's file, and no temporary file remains. After a power cut, too: what is on the disk comes before what says so."""
import errno
import os
import shutil
import sys

import numpy as np
import tifffile

import batches
from command import NUCLEI, fails, fovea, main, preloadable, same

FAILING = preloadable(sys.argv.pop(1))
STEPS = "channel index=1 | otsu as=mask | label as=cells | regionprops"
# The arguments and the files that they write.
CALLS = {
    "png": (("run", "-q", "otsu | label", "in.tif", "-o", "out.png"), ["out.png"]),
    "tiff": (("run", "-q", "gaussian", "in.tif", "-o", "out.tif"), ["out.tif"]),
    "jpeg": (("convert", "in.tif", "out.jpg"), ["out.jpg"]),
    "stack": (("convert", "stack.tif", "out.tif"), ["out.tif"]),
    "tables": (("run", "-q", "otsu | label | regionprops", "in.tif", "-t", "out.csv", "--report", "out.json"), ["out.csv", "out.json"]),
}


def make_inputs(rows=600):
    pixels = np.random.default_rng(1).integers(0, 255, (rows, 1100), dtype=np.uint8)
    tifffile.imwrite("in.tif", pixels)
    tifffile.imwrite("stack.tif", np.stack([pixels, pixels // 2, pixels // 3]), photometric="minisblack", compression="zlib")


def call(arguments, what, n, fault, **more):
    environment = {**os.environ, "LD_PRELOAD": FAILING, "FOVEA_FAIL": f"{what}:{n}:{fault}", "FOVEA_FAILED": os.path.abspath("failed"), **more}
    done = fovea(*arguments, env=environment)
    failed = os.path.exists("failed")
    if failed:
        os.remove("failed")
    return done, failed


def contents(name):
    with open(name, "rb") as file:
        return file.read()


def restore(names, existing):
    for name in names:
        if existing:
            with open(name, "wb") as file:
                file.write(b"old")
        elif os.path.exists(name):
            os.remove(name)


def is_good(name, good):
    """A report holds times."""
    got = contents(name)
    return got.rstrip().endswith(b"}") and b'"save_ms"' in got if name.endswith(".json") else got == good[name]


def try_all(arguments, names, what, fault, existing, **more):
    """Fails each call in turn; how many there were."""
    kept = sorted(os.listdir("."))
    restore(names, False)
    same(call(arguments, "none", 0, 0)[0].returncode, 0, "status")
    good = {name: contents(name) for name in names}
    for n in range(1, 1000):
        restore(names, existing)
        done, failed = call(arguments, what, n, fault, **more)
        where = f"{what} {n} of {arguments}"
        text = done.stderr.decode("utf-8")
        assert ".part" not in text and ".fovea" not in text, f"{where}: {text}"
        new = [name for name in names if os.path.exists(name) and is_good(name, good)]
        old = [name for name in names if (contents(name) == b"old" if os.path.exists(name) else not existing)]
        same(len(new) + len(old), len(names), f"{where}: files that are whole")
        left = [name for name in os.listdir(".") if name not in kept + names]
        same(left, [], f"{where}: what is left")
        if not failed:
            same((done.returncode, text), (0, ""), where)
            return n - 1
        if done.returncode == 0:
            same((text, len(new)), ("", len(names)), where)
            continue
        fails(done, status=1)
        if what != "memory":  # that may be about the image that is read
            assert any(f"'{name}'" in text for name in names), f"{where}: {text}"
    raise AssertionError("it never ends")


def try_everything(what, fault, calls=tuple(CALLS), **more):
    make_inputs(1300 if what == "memory" else 600)
    for key in calls:
        arguments, names = CALLS[key]
        for existing in (False, True):
            count = try_all(arguments, names, what, fault, existing, **more)
            assert count >= (len(names) if what != "memory" else 1) or what == "chmod" and not existing, f"{key}: {count} calls of {what}"


def test_write():
    try_everything("write", errno.ENOSPC)


def test_sync():
    try_everything("sync", errno.EIO)


def test_name():
    try_everything("name", errno.EIO)


def test_open():
    try_everything("open", errno.EACCES)


def test_chmod():
    try_everything("chmod", errno.EPERM)


def test_file_system_without_tmpfile():
    for what, fault in (("write", errno.ENOSPC), ("sync", errno.EIO), ("name", errno.EIO), ("open", errno.EROFS)):
        try_everything(what, fault, ("png", "tables"), FOVEA_NO_TMPFILE="1")


def test_short_and_interrupted_writes():
    """They are no failures."""
    make_inputs()
    arguments, names = CALLS["stack"]
    same(fovea(*arguments).returncode, 0)
    good = contents(names[0])
    for what in ("short", "write"):
        for n in (1, 2, 3):
            os.remove(names[0])
            done, failed = call(arguments, what, n, errno.EINTR)
            same((done.returncode, failed), (0, True), f"{what} {n}")
            assert contents(names[0]) == good


def test_batch():
    """What a batch cannot record it does later, and so the end is that of an undisturbed one; short and interrupted writes are no failures."""
    for seed in range(4):
        batches.write(f"in/{seed}.tif", seed)
    arguments = ("batch", batches.STEPS, "in", "-t", "all.csv", "-o", "cells={name}.png", "-j", "1", "-q", "--out")
    batches.good(fovea(*arguments, "whole"))
    for what, fault in (("writeat", errno.ENOSPC), ("sync", errno.EIO), ("sync", errno.EINVAL), ("writeat", errno.EINTR), ("shortat", 0)):
        n, failed = 1, True
        while failed:
            done, failed = call((*arguments, "out"), what, n, fault)
            if failed and fault in (errno.ENOSPC, errno.EIO):
                fails(done, status=1)
                batches.good(fovea(*arguments, "out", "--resume"))
            else:
                batches.good(done)
            same(batches.contents("out"), batches.contents("whole"), f"files after {what} {n}")
            shutil.rmtree("out")
            n += 1
        assert n > 4, f"only {n} of {what}"


def calls_of(arguments):
    """Pairs of what is done (write, fsync, fdatasync, syncfs, name) and with which file, in order."""
    done = fovea(*arguments, env={**os.environ, "LD_PRELOAD": FAILING, "FOVEA_CALLS": os.path.abspath("calls")})
    same(done.returncode, 0, done.stderr.decode())
    with open("calls", encoding="utf-8") as file:
        calls = [tuple(line.rstrip("\n").split(" ", 1)) for line in file]
    os.remove("calls")
    return calls


def last(calls, what, ending=""):
    """The index of the last such call; -1: there is none."""
    return max((i for i, (did, name) in enumerate(calls) if did == what and name.endswith(ending)), default=-1)


def test_order():
    """A file is on the disk before it has its name, and then the name is."""
    make_inputs()
    for arguments, names in CALLS.values():
        calls = calls_of(arguments)
        for name in names:
            named = last(calls, "name", name)
            assert named >= 0, f"{name} got no name: {calls}"
            before = [call for call in calls[:named] if call[0] in ("write", "fsync")]
            assert before[-1][0] == "fsync" and before[-2][0] == "write", f"{name} has its name before it is on the disk: {before[-3:]}"
            after = [call for call in calls[named:] if call[0] == "fsync"]
            assert after and os.path.samefile(after[0][1], "."), f"{name} has a name that is not on the disk: {calls[named:named + 4]}"


def test_order_of_batch():
    """An image's files and rows are on the disk before the manifest has it, and then the manifest is."""
    batches.write("in/0.tif", 0)
    calls = calls_of(("batch", batches.STEPS, "in", "-t", "all.csv", "-o", "cells={name}.png", "-j", "1", "-q", "--out", "out"))
    recorded = last(calls, "write", "manifest.jsonl")
    before = calls[:recorded]
    assert last(before, "name", "0.png") < last(before, "syncfs"), f"0.png is not on the disk: {before}"
    assert -1 < last(before, "write", "/parts") < last(before, "fdatasync", "/parts"), f"its rows are not on the disk: {before}"
    assert last(calls, "fdatasync", "manifest.jsonl") > recorded, f"the manifest is not on the disk: {calls[recorded:]}"


def test_memory():
    try_everything("memory", errno.ENOMEM)


if __name__ == "__main__":
    main([test for name, test in list(globals().items()) if name.startswith("test_")])
