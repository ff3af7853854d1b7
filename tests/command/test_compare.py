# SPDX-License-Identifier: MIT
"""fovea compare: what it prints and writes, of one device and of several, and that its clock is right."""
import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import tifffile
from scipy import ndimage

from command import FOVEA, SOURCE, fails, fovea, main, same

POSING, SLOW = (os.path.dirname(os.path.abspath(sys.argv.pop(1))) for _ in range(2))
CARDS = {**os.environ, "FOVEA_PLUGIN_PATH": POSING, "FOVEA_POSING_TWICE": "1"}
ONE = {**os.environ, "FOVEA_PLUGIN_PATH": SLOW}  # whose operations run on the CPU alone


def image():
    tifffile.imwrite("in.tif", np.arange(60 * 70, dtype=np.uint8).reshape(60, 70))


def compared(*arguments, env=CARDS):
    done = fovea("compare", *arguments, "--json", env=env)
    same((done.returncode, done.stderr), (0, b""), "status and errors")
    return json.loads(done.stdout)


def devices(report):
    return {device["device"]: device for device in report["devices"]}


def test_devices():
    """Each has its times, the bytes that went, and what is the same."""
    image()
    report = compared("pose as=turned | pose_rows", "in.tif", "--repeat", "3", "--report", "r.json")
    with open("r.json", encoding="utf-8") as file:
        saved = json.load(file)
    others = [key for key in devices(saved) if not key.startswith("cuda")]  # the machine's own GPUs, or the error that no driver exists
    same((saved["steps"], saved["repeat"], others), (["pose as=turned", "pose_rows"], 3, ["cpu", "pose:0", "pose:1"]), "report")
    found = devices(report)
    same(found["cpu"]["results"], [], "what the first is compared with")
    for key in "pose:0", "pose:1":
        gpu = found[key]
        same((gpu["fault"], gpu["bytes_uploaded"], gpu["bytes_downloaded"]), (None, 60 * 70, 2 * 60 * 70 + 8), key)
        same([(r["result"], r["column"], r["agrees"], r["differing"]) for r in gpu["results"]],
             [("turned", None, True, 0), ("pose_rows", "asked", True, 0), ("pose_rows", None, True, 0)], "results")
        assert gpu["up_ms"] > 0 and gpu["down_ms"] > 0 and all(ms > 0 for ms in gpu["step_ms"]), gpu


def test_table():
    """For people: a column for each device, and what is not the same in capitals."""
    image()
    done = fovea("compare", "pose_badly", "in.tif", env=CARDS)
    same(done.returncode, 0, "status")
    text = done.stdout.decode()
    lines = text.splitlines()
    same(lines[0], "in.tif, the median of 5 runs on each device", "first line")
    assert ["cpu", "pose:0", "pose:1"] in [line.split() for line in lines], text
    assert any(line.startswith("pose_badly ") and line.count(" ms") == 3 for line in lines), text
    assert any(line.startswith("the way to the device ") and line.count(" ms") == 2 for line in lines), text
    assert any(line.startswith("speed-up, steps ") and " 1.000 " in line for line in lines), text
    same(text.count("DIFFERS in 1 of 4200 values, by up to 3"), 2, "differences")


def test_one_device():
    """It reports that nothing can be compared; its times are those of a step that is known to take 200 ms."""
    image()
    report = compared("slow seconds=0.2 | slow seconds=0", "in.tif", "-n", "2", env=ONE)
    cpu = devices(report)["cpu"]
    assert 200 <= cpu["step_ms"][0] < 400 and cpu["step_ms"][1] < 100, cpu
    assert 200 <= cpu["steps_ms"] <= cpu["wall_ms"] < 500, cpu
    text = fovea("compare", "slow seconds=0", "in.tif", "-n", "1", env=ONE).stdout.decode()
    assert "no other device" in text and "speed-up" not in text, text


def test_lesson():
    """The sample is a grid of ones, of which a Gaussian makes as many times its kernel: that of SciPy."""
    points = os.path.join(SOURCE, "data", "samples", "points.tif")
    expected = np.zeros((2048, 2048), np.float32)
    expected[64::128, 64::128] = 1
    np.testing.assert_array_equal(tifffile.imread(points), expected)
    same(fovea("run", "-q", "gaussian sigma=2.5", points, "-o", "bells.tif").returncode, 0, "status")
    np.testing.assert_allclose(tifffile.imread("bells.tif"), ndimage.gaussian_filter(expected, 2.5), atol=1e-7)
    same(len(devices(compared("gaussian sigma=2.5", points, "-n", "1", env=None))["cpu"]["step_ms"]), 1, "steps")


def test_refused():
    image()
    fails(fovea("compare"), "Usage: fovea compare STEPS INPUT", status=2)
    fails(fovea("compare", "gausian", "in.tif"), "Did you mean 'gaussian'", status=2)
    fails(fovea("compare", "gaussian", "none.tif"), "none.tif", status=2)
    fails(fovea("compare", "label | regionprops table=x", "in.tif"), "table", status=2)
    for n in "0", "1001", "-1":
        fails(fovea("compare", "gaussian", "in.tif", "-n", n), "--repeat must be from 1 to 1000", status=2)
    fails(fovea("compare", "gaussian", "in.tif", "--report", "in.tif"), "in.tif", status=2)
    fails(fovea("compare", "gaussian", "in.tif", "--report", "none/r.json"), "none/r.json", status=2)


def test_interrupted():
    image()
    with subprocess.Popen([FOVEA, "compare", "slow seconds=100", "in.tif"], env=ONE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        time.sleep(0.5)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.wait(timeout=30)
        assert process.returncode != 0 and time.monotonic() - start < 5, process.returncode
        same(process.stdout.read(), b"", "output")


main([test_devices, test_table, test_one_device, test_lesson, test_refused, test_interrupted])
