# SPDX-License-Identifier: MIT
"""Signals while the command opens, computes, saves and prints: it ends at once, the old files are as they were and nothing is left."""
import fcntl
import lzma
import os
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time

import numpy as np
import tifffile

from command import FOVEA, NUCLEI, fovea, main, preloadable, same

FAILING, SLOW = preloadable(sys.argv.pop(1)), os.path.abspath(sys.argv.pop(1))
NAMED = {**os.environ, "LD_PRELOAD": FAILING, "FOVEA_NO_TMPFILE": "1"}  # a file system that needs temporary names


def pixels(rows, columns):
    return np.random.default_rng(1).integers(0, 16, (rows, columns), dtype=np.uint8)


def write_long(name, rows):
    """A TIFF file that takes seconds to be saved as PNG."""
    tifffile.imwrite(name, np.random.default_rng(1).integers(0, 60000, (rows, rows), dtype=np.uint16))


def write_one_strip(name, image):
    """A TIFF file in one piece that takes long to decode."""
    strip = lzma.compress(image.tobytes(), preset=0)
    tags = ((256, image.shape[1]), (257, image.shape[0]), (258, 8), (259, 34925), (262, 1), (273, 8), (277, 1), (278, image.shape[0]), (279, len(strip)))
    with open(name, "wb") as file:
        file.write(struct.pack("<2sHI", b"II", 42, 8 + len(strip)) + strip)
        file.write(struct.pack("<H", len(tags)) + b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags) + bytes(4))


def hear_hangup():
    """Tests that run under nohup ignore it, and so would what they start."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def start(*arguments, **options):
    options = {"preexec_fn": hear_hangup, "stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.Popen([FOVEA, *arguments], **options)


def until(test):
    end = time.monotonic() + 60
    while not test():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.005)


def has_signal(process, mask, number):
    """In one of the masks that the kernel shows of a process: SigCgt, what it catches; ShdPnd, what it has not taken yet."""
    with open(f"/proc/{process.pid}/status", encoding="ascii") as lines:
        return next((int(line.split()[1], 16) >> number - 1 & 1 for line in lines if line.startswith(mask)), 0)


def interrupt(process, after, *signals):
    """Sends them, so long after it is ready for them; the status, what was said, and the seconds from the last of them to the end."""
    until(lambda: process.poll() is not None or has_signal(process, "SigCgt", signal.SIGINT))
    time.sleep(after)
    assert process.poll() is None, f"ended too soon: {process.communicate()}"
    for number in signals:
        begin = time.monotonic()
        process.send_signal(number)
        until(lambda: process.poll() is not None or not has_signal(process, "ShdPnd", number))
    _, said = process.communicate(timeout=60)
    return process.returncode, said.decode(), time.monotonic() - begin


def at_once(seconds):
    """0.1 s and what it takes to begin and end a process, here and now."""
    begin = time.monotonic()
    fovea("--version")
    return seconds < max(0.6, 10 * (time.monotonic() - begin))


def stopped(process, after, *signals, status=1):
    before = sorted(os.listdir("."))
    ended, said, seconds = interrupt(process, after, *signals)
    same(ended, status, "status")
    assert said.endswith("Stopped.\n") if status == 1 else not said, said
    assert at_once(seconds), f"it took {seconds:.2f} s"
    return before


def saves(process):
    """Whether it has begun to write a file that has no name yet, or one of its own."""
    here = f"/proc/{process.pid}/fd"
    try:
        files = [os.readlink(f"{here}/{number}") for number in os.listdir(here)]
    except OSError:  # one was closed just now
        return False
    return any(file.startswith(os.getcwd()) and (".part" in file or "(deleted)" in file) for file in files)


def test_saving():
    write_long("in.tif", 12000)
    for environment in (None, NAMED):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with open("out.png", "wb") as old:
                old.write(b"old")
            for arguments in (("convert", "in.tif", "out.png"), ("run", "-q", "erosion", "in.tif", "-o", "out.png")):
                process = start(*arguments, env=environment)
                until(lambda: process.poll() is not None or saves(process))
                stopped(process, 0.1, number)
                same(sorted(os.listdir(".")), ["in.tif", "out.png"], "files")
                same(open("out.png", "rb").read(), b"old", "the old file")


def test_opening():
    image = pixels(4000, 5000)
    write_one_strip("strip.tif", image)
    for arguments in (("convert", "strip.tif", "out.tif"), ("run", "-q", "otsu", "strip.tif", "-o", "out.tif")):
        stopped(start(*arguments), 0.3, signal.SIGINT)
        same(sorted(os.listdir(".")), ["strip.tif"], "files")
    same(fovea("convert", "strip.tif", "out.tif").returncode, 0, "status")
    assert np.array_equal(tifffile.imread("out.tif"), image)


def test_computing():
    stopped(start("run", "-q", "zoom factor=12 order=5 | gaussian sigma=300 | gaussian sigma=300", NUCLEI, "-o", "x.tif"), 0.5, signal.SIGINT)
    same(os.listdir("."), [], "files")


def test_plugin_that_never_asks():
    os.mkdir("plugins")
    shutil.copy(SLOW, "plugins")
    environment = {**os.environ, "FOVEA_PLUGIN_PATH": os.path.abspath("plugins")}
    stopped(start("run", "-q", "deaf seconds=60", NUCLEI, env=environment), 0.5, signal.SIGINT)
    for second in (signal.SIGINT, signal.SIGTERM):
        stopped(start("run", "-q", "deaf seconds=60", NUCLEI, env=environment), 0.5, signal.SIGINT, second, status=-second)


def test_printing():
    """The reader of the pipe is gone."""
    process = start("ops", "--markdown")
    fcntl.fcntl(process.stdout, fcntl.F_SETPIPE_SZ, 4096)
    until(lambda: struct.unpack("i", fcntl.ioctl(process.stdout, termios.FIONREAD, bytes(4)))[0] == 4096)
    process.send_signal(signal.SIGINT)
    begin = time.monotonic()
    same(process.wait(timeout=60), -signal.SIGINT, "status")
    assert at_once(time.monotonic() - begin)


def test_ignored():
    """nohup lets it go on."""
    write_long("in.tif", 8000)
    process = start("convert", "in.tif", "out.png", preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    status, said, _ = interrupt(process, 0.3, signal.SIGHUP)
    same((status, said, sorted(os.listdir("."))), (0, "", ["in.tif", "out.png"]))


def test_killed():
    """What it left goes when something is saved beside it."""
    write_long("in.tif", 12000)
    interrupt(start("convert", "in.tif", "out.png"), 0.5, signal.SIGKILL)
    same(os.listdir("."), ["in.tif"], "files")

    def parts():
        return [name for name in os.listdir(".") if name.startswith(".fovea-") and name.endswith(".part")]
    killed = start("convert", "in.tif", "out.png", env=NAMED)
    until(parts)
    interrupt(killed, 0, signal.SIGKILL)
    left = [name for name in os.listdir(".") if name != "in.tif"]
    assert len(left) == 1 and left == parts(), left
    lives = start("convert", "in.tif", "out.png", env=NAMED)
    until(lambda: set(parts()) - set(left))
    same(fovea("convert", NUCLEI, "small.tif").returncode, 0, "status")
    assert lives.poll() is None
    assert left[0] not in os.listdir(".")
    same(lives.wait(), 0, "status of the one that lived")
    same(sorted(os.listdir(".")), ["in.tif", "out.png", "small.tif"], "files")


if __name__ == "__main__":
    main([test for name, test in list(globals().items()) if name.startswith("test_")])
