# SPDX-License-Identifier: MIT
"""Kernels that crash, print without end or never end, from the outside: the command says so, and nothing of them stays."""
import glob
import os
import signal
import subprocess
import time

import numpy as np
import tifffile

from command import FOVEA, fails, fovea, main, same

ENDLESS = "volatile int q = 1; while (q) q = 1; z = x;"


def arguments(operation, more=""):
    tifffile.imwrite("a.tif", np.arange(64 * 64, dtype=np.int32).reshape(64, 64))
    return ["run", "-q", "--allow-native", "--device", "cpu", f"kernel in_params='int32 x' out_params='int32 z' operation='{operation}' {more}", "a.tif",
            "-o", "out.tif"]


def read(path):
    """A file of /proc, empty when what it is of has ended."""
    try:
        with open(path, encoding="ascii") as file:
            return file.read()
    except OSError:
        return ""


def begin(operation, more=""):
    """The command, and the process of its kernel."""
    command = subprocess.Popen([FOVEA, *arguments(operation, more)], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    while True:
        for file in glob.glob(f"/proc/{command.pid}/task/*/children"):
            for child in read(file).split():
                if read(f"/proc/{child}/comm").startswith("fovea-kernel-w"):
                    return command, int(child)


def ends(process):
    """Waits until the process has ended; it is not our own child."""
    while read(f"/proc/{process}/comm") and ") Z " not in read(f"/proc/{process}/stat"):
        time.sleep(0.01)


def division():
    done = fovea(*arguments("z = 100 / (x - 5);"))
    same((done.returncode, done.stderr), (0, b""), "status and errors")
    x = np.arange(64 * 64).reshape(64, 64) - 5
    same(tifffile.imread("out.tif").tolist(), np.trunc(100 / np.where(x, x, np.inf)).astype(int).tolist(), "quotients")


def signed():
    """A file of signed 16 bits is read as it is, also as an array that a function of the preamble takes."""
    pixels = np.arange(-32768, 32767, 16, dtype=np.int16).reshape(64, 64)
    tifffile.imwrite("signed.tif", pixels)
    done = fovea("run", "-q", "--allow-native", "--device", "cpu",
                 "kernel in_params='raw int16 x' out_params='int16 z' preamble='short f (CArray<short, 3> &a, int k) { return a[k]; }' "
                 "operation='z = f (x, x.size () - 1 - i);'", "signed.tif", "-o", "out.tif")
    same((done.returncode, done.stderr), (0, b""), "status and errors")
    made = tifffile.imread("out.tif")
    same((made.dtype, made.tolist()), (pixels.dtype, pixels[::-1, ::-1].tolist()), "pixels")


def types():
    """Whole rows of each type come out, and nothing beside them."""
    pixels = np.arange(100 * 301).reshape(100, 301) % 128
    tifffile.imwrite("types.tif", pixels.astype(np.uint8))
    for type in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64"):
        for out, operation in ((f"{type} z", "z = x;"), (f"raw {type} z", "z[i] = x;")):
            done = fovea("run", "-q", "--allow-native", "--device", "cpu", f"kernel in_params='T x' out_params='{out}' operation='{operation}'", "types.tif", "-o", "out.tif")
            same((done.returncode, done.stderr), (0, b""), out)
            same(tifffile.imread("out.tif").tolist(), pixels.tolist(), out)


def crash():
    done = fovea(*arguments("if (x == 130) abort (); z = x;"))
    fails(done, "operation", "SIGABRT", "plane 0, row 2, column 2", status=1)
    assert not os.path.exists("out.tif")


def prints():
    """Megabytes go to standard error, and nothing to standard output."""
    done = fovea(*arguments('for (int k = 0; k < 1000; k++) { printf ("%d %d", x, k); puts (""); } z = x;', "preamble='#include <stdio.h>'"))
    same((done.returncode, done.stdout), (0, b""), "status and output")
    same(done.stderr.count(b"\n"), 64 * 64 * 1000, "lines")


def limit():
    done = fovea(*arguments(ENDLESS, "time_limit=0.4"))
    fails(done, "time_limit", "after 0.4 s", "0 for no limit", status=1)


def stopped():
    for number in (signal.SIGINT, signal.SIGTERM):
        command, worker = begin(ENDLESS, "time_limit=0")
        command.send_signal(number)
        command.communicate(timeout=60)
        assert command.returncode != 0
        ends(worker)


def killed():
    """The kernel ends with the program that began it."""
    command, worker = begin(ENDLESS, "time_limit=0")
    command.kill()
    command.communicate(timeout=60)
    ends(worker)


def ended_from_outside():
    command, worker = begin(ENDLESS, "time_limit=0")
    os.kill(worker, signal.SIGKILL)
    # It is looked for again, element by element, and that does not end.
    command.send_signal(signal.SIGTERM)
    command.communicate(timeout=60)
    assert command.returncode != 0


main([division, signed, types, crash, prints, limit, stopped, killed, ended_from_outside])
