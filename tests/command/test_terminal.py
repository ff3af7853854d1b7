# SPDX-License-Identifier: MIT
"""What stands on a terminal while the command works: how far it is and how long it takes, by the clock; a clean line in the end."""
import os
import re
import subprocess
import sys
import time

from batches import write
from command import FOVEA, fovea, in_time, main, same

ENVIRONMENT = {**os.environ, "FOVEA_PLUGIN_PATH": os.path.dirname(os.path.abspath(sys.argv.pop(1)))}
CLEAR = "\r\x1b[K"


def on_terminal(*arguments):
    """Standard output, and what was written onto the terminal of standard error: (seconds since the start, text)."""
    leader, follower = os.openpty()
    start = time.monotonic()
    pieces = []
    with subprocess.Popen([FOVEA, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=follower, env=ENVIRONMENT) as process:
        os.close(follower)
        while True:
            try:
                piece = os.read(leader, 1 << 16)
            except OSError:  # the other end is closed
                break
            pieces.append((time.monotonic() - start, piece.decode()))
        said = process.stdout.read().decode()
        same(process.wait(timeout=60), 0, "status")
    os.close(leader)
    return said, pieces


def lines_of(pieces):
    """(seconds, line), independent of each other."""
    return [(when, line) for when, piece in pieces for line in piece.split(CLEAR)[1:]]


def check_rate(when, text, images, before):
    """How many of them have ended."""
    found = re.fullmatch(r"(\d+)/(\d+) images, ([\d.]+) images/s, (\d+:\d\d|\?) left", text)
    assert found, text
    ended, rate = int(found[1]), float(found[3])
    same(int(found[2]), images, "images")
    new = ended - before
    assert new / when - 0.06 <= rate <= 3 * new / when + 0.06, (when, text)  # its own clock begins later
    if rate < 0.1:
        return ended
    minutes, seconds = map(int, found[4].split(":"))
    assert (images - ended) / (rate + 0.06) - 0.6 <= 60 * minutes + seconds <= (images - ended) / (rate - 0.06) + 0.6, text
    return ended


def check_batch(images, before, *more):
    said, pieces = on_terminal("batch", "slow seconds=0.25", "in", "--out", "out", "-j", "1", *more)
    lines = lines_of(pieces)
    same(lines[-1][1], "", "the end")
    ended = [check_rate(when, text, images, before) for when, text in lines[:-1]]
    assert ended == sorted(ended) and len(ended) > 3 and ended[-1] > before + 1, ended
    assert lines[0][0] > 1 and all(b[0] - a[0] > 0.05 for a, b in zip(lines[:-2], lines[1:])), lines
    done = rf" \({before} done before\)" if before else ""
    found = re.fullmatch(rf"{images} of {images} images in 0:(\d\d){done}: out\n", said)
    assert found and abs(int(found[1]) - pieces[-1][0]) < 1.6, (said, pieces[-1])


def test_batch():
    for seed in range(9):
        write(f"in/{seed}.tif", seed)
    check_batch(9, 0)
    for seed in range(9, 18):
        write(f"in/{seed}.tif", seed)
    check_batch(18, 9, "--resume")
    same(on_terminal("batch", "slow seconds=1.3", "in/1.tif", "--out", "quiet", "-q"), ("", []), "output of --quiet")
    same(fovea("batch", "slow seconds=1.3", "in/1.tif", "--out", "off", env=ENVIRONMENT).stderr, b"", "errors without a terminal")


def test_side_by_side():
    """As many images at a time as are asked for, or as there are cores: of four that take a second each two or four at once."""
    for seed in range(4):
        write(f"in/{seed}.tif", seed)
    for jobs, at_least, below in (("-j", "2"), 2, 3.5), (("-j", "4"), 1, 2.5), ((), 1, 2.5):
        start = time.monotonic()
        done = fovea("batch", "slow seconds=1", "in", "--out", f"out{len(jobs)}{below}", *jobs, env={**ENVIRONMENT, "OMP_NUM_THREADS": "4"})
        same((done.returncode, done.stderr), (0, b""), "end")
        assert at_least < time.monotonic() - start and in_time(start, below), jobs


def test_failures():
    """Twenty are told of."""
    os.mkdir("in")
    for n in range(25):
        with open(f"in/{n}.tif", "w", encoding="utf-8") as file:
            file.write("no image")
    lines = fovea("batch", "otsu", "in", "--out", "out", "-j", "1").stderr.decode().splitlines()
    same([line.split(": ")[:2] for line in lines[:-1]], [["fovea", f"{n}.tif"] for n in range(20)], "files")
    same(lines[-1], "fovea: 25 of 25 images failed; 'fovea batch --status' with the folder says why.", "the end")


def test_run():
    write("in.tif", 1)
    lines = lines_of(on_terminal("run", "slow seconds=2 | slow seconds=1", "in.tif", "--report", "r.json")[1])
    same(lines[-1][1], "", "the end")
    done = [re.fullmatch(r"([12])/2 slow (\d+) %", text) for _, text in lines[:-1]]
    steps = [100 * int(found[1]) + int(found[2]) for found in done]
    assert steps == sorted(steps) and steps[0] >= 110 and steps[-1] > 201 and min(step % 100 for step in steps) >= 0, steps
    assert 150 < max(step for step in steps if step < 200), steps
    assert lines[0][0] > 1 and len(lines) > 5, lines


def test_macro():
    with open("m.lua", "w", encoding="utf-8") as file:
        file.write('showProgress(0.256) showProgress(1, 4) showProgress(-1) showProgress(1, 0) showStatus("works") showProgress(7) print("x")')
    said, pieces = on_terminal("macro", "m.lua")
    same(("".join(text for _, text in pieces), said), ("".join(CLEAR + text for text in ("26 %", "25 %", "0 %", "0 %", "works", "", "", "")), "x\n"), "output")
    same(on_terminal("macro", "m.lua", "-q"), ("x\n", []), "output of --quiet")


main([test_batch, test_side_by_side, test_failures, test_run, test_macro])
