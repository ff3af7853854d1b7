#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times the program and its peers on the same pixels in one run, on one device, and checks that their results agree. Prints both side by side with
the goals. Writes results/cpu.json or, named after the GPU, results/nvidia-h200.json. What was measured is kept after each line, and a line that fails
leaves the others alone. A choice of lines is written only where --output says: results/ holds whole runs.

    tests/bench/run.py [--device cuda:0] [--lines REGEX] [--repeat 20] [--huge] [--program build/tests/bench/bench]
"""
import argparse
import json
import math
import os
import platform
import re
import subprocess
import sys
import tempfile
import time

import numpy as np

import peers_imagej
from inputs import Inputs
from peers import time_peer
from table import milliseconds

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

# On a CPU: at most so many times as long as a peer in the same run.
CPU_GOALS = {
    "gaussian sigma=5 f32 2048": ("OpenCV", 0.5),
    "gaussian sigma=5 u16 2048": ("OpenCV", 0.7),
    "otsu u16 2048": ("OpenCV", 1),
    "erosion disk(2) 2048": ("OpenCV", 1),
    "erosion disk(10) 2048": ("OpenCV", 0.3),
    "distance 2048": ("OpenCV", 0.5),
    "distance volume 32x512x512": ("SciPy", 0.1),
    "median 3x3 u16 2048": ("OpenCV", 1),
    "median 5x5 u16 2048": ("OpenCV", 1),
    "mean 11x11 f32 2048": ("OpenCV", 1),
    "tophat disk(15) u16 2048": ("OpenCV", 0.2),
    "sobel f32 2048": ("OpenCV", 1),
    "laplacian f32 2048": ("OpenCV", 1),
    "log sigma=2 f32 2048": ("SciPy", 0.2),
    "dog 1,5 f32 2048": ("scikit-image", 0.2),
    "unsharp f32 2048": ("scikit-image", 0.2),
    "bilateral sigma=2 f32 2048": ("OpenCV", 1),
    "label nuclei 2048": ("OpenCV", 0.7),
    "label noise 2048": ("OpenCV", 1),
    "watershed 2048": ("scikit-image", 0.2),
    "split 2048": ("scikit-image", 1 / 20),
    "fill holes 2048": ("SciPy", 1 / 20),
    "remove small objects 2048": ("scikit-image", 1 / 20),
    "expand labels by 5 2048": ("scikit-image", 1 / 20),
    "thin 2048": ("scikit-image", 0.2),
    "skeleton 2048": ("scikit-image", 0.2),
    "label2rgb 2048": ("scikit-image", 1 / 50),
    "regionprops area, mean, solidity 2048": ("scikit-image", 1 / 50),
    "workflow 2048": ("scikit-image", 1 / 20),
    "convolve 15x15 f64 2048": ("OpenCV", 0.5),
    "convolve 15x15 random f64 2048": ("OpenCV", 0.5),
    "convolve 101x101 f32 2048": ("OpenCV", 0.5),
    "zoom order 3 volume 82x152x216": ("SciPy", 0.1),
    "zoom order 3 x2 2048": ("SciPy", 0.1),
    "sky to table 4096": ("SEP", 1),
    "patch_match 3x3 RGB 67x100": ("NumPy", 1 / 20),
}
# On an H200: milliseconds.
CUDA_GOALS = {
    "gaussian sigma=5 f32 4096": 0.10,
    "gaussian sigma=5 f32 16384": 1.2,
    "otsu f32 4096": 0.06,
    "erosion disk(2) 4096": 0.02,
    "erosion disk(10) 4096": 0.05,
    "grey erosion disk(5) u16 4096": 0.15,
    "distance 4096": 0.5,
    "distance volume 128x512x512": 1.5,
    "median 3x3 u16 4096": 0.06,
    "median 5x5 u16 4096": 0.12,
    "median disk(5) u16 4096": 0.4,
    "median disk(10) u16 4096": 0.8,
    "mean 11x11 f32 4096": 0.08,
    "maximum disk(5) u16 4096": 0.10,
    "tophat disk(15) u16 4096": 0.3,
    "sobel f32 4096": 0.06,
    "log sigma=2 f32 4096": 0.15,
    "dog 1,5 f32 4096": 0.15,
    "unsharp f32 4096": 0.12,
    "rolling_ball exact 25 u16 4096": 3,
    "rolling_ball paraboloid 25 u16 4096": 3,
    "local threshold mean 51 u16 4096": 0.12,
    "local threshold sauvola 51 u16 4096": 0.2,
    "label nuclei 4096": 0.15,
    "label noise 4096": 0.40,
    "watershed 4096": 3,
    "split 4096": 5,
    "fill holes 4096": 0.3,
    "remove small objects 4096": 0.2,
    "expand labels by 5 4096": 0.5,
    "thin 4096": 1,
    "skeleton 4096": 3,
    "label2rgb 4096": 0.06,
    "regionprops area, mean, solidity 4096": 0.6,
    "regionprops 12 basic 4096": 0.6,
    "zoom order 3 volume 330x608x865": 4,
    "zoom order 1 volume 330x608x865": 0.6,
    "zoom order 5 volume 330x608x865": 6,
    "zoom order 3 x2 4096": 0.6,
    "convolve 15x15 f64 2048": 0.3,
    "convolve 15x15 random f64 2048": 0.3,
    "convolve 101x101 f32 4096": 0.65,
    "deconvolve 10 rounds 15x15 f32 2048": 3,
    "sigma_clip sky f32 2048": 0.3,
    "sigma_clip noise f32 16384x4096": 3,
    "smooth_field order 3 volume 33x33x33": 4,
    "sky to table 4096": 15,
    "patch_match 3x3 RGB 134x200": 1,
    "patch_match 3x3 RGB 480x640": 30,
    "expression x*y+sqrt(abs(x)) 16384": 0.85,
    "workflow 640": 0.4,
    "workflow 4096": 2.0,
    "workflow on the device 4096": 1.2,
    "workflow 16384": 22,
}
GOAL_GPU = "H200"
STARTUP_INPUT = "nuclei-640-u16"

# Relative; by fact, else by the operation, else 1e-5. What is defined a little differently by a peer is given room.
TOLERANCES = {"otsu.threshold": 2e-3, "label2rgb": 0.01, "zoom": 1e-4, "regionprops.mean solidity": 1e-3}


def tolerance(fact):
    return TOLERANCES.get(fact, TOLERANCES.get(fact.split(".")[0], 1e-5))


def disagreements(ours, theirs):
    """Facts that both have and that differ, as text."""
    return [f"{fact} {ours[fact]:.9g} against {theirs[fact]:.9g}" for fact in sorted(ours.keys() & theirs.keys())
            if not math.isclose(ours[fact], theirs[fact], rel_tol=tolerance(fact), abs_tol=1e-9)]


# ---- Our side ----

def run_program(options, *arguments, lines=None, seconds=300):
    """What the program prints, read as JSON; None when that fails."""
    command = [options.program, "--device", options.device, "--lines", lines or options.lines, *arguments]
    command += ["--huge"] if options.huge else []
    command += ["--plugin", options.plugin] if options.plugin else []
    libraries = os.path.join(ROOT, "build", "lib")  # on a machine without them: see tests/gpu/gather.sh
    environment = dict(os.environ, LD_LIBRARY_PATH=libraries) if os.path.isdir(libraries) else None
    try:
        return json.loads(subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True,
                                         timeout=seconds).stdout)
    except (subprocess.TimeoutExpired, ValueError) as error:
        print(f"run.py: {' '.join(command)}: {type(error).__name__}", file=sys.stderr)
        return None


def time_startup(options, folder):
    """The way from nothing to the first result, in three processes."""
    runs = [run_program(options, "--startup", "--data", folder, "--started", str(time.monotonic_ns() // 1000),
                        seconds=60) for _ in range(3)]
    return [run for run in runs if run]


def time_program(options, folder, lines):
    """All lines in one process; those that it did not get done each in one of its own: a fault or a crash takes the
    rest with it."""
    arguments = ("--data", folder, "--repeat", str(options.repeat))
    results = run_program(options, *arguments) or {}
    done = {line["name"]: line for line in results.get("lines", [])}
    for line in lines:
        if line["name"] in done and "failed" not in done[line["name"]]:
            continue
        alone = run_program(options, *arguments, lines=f"^{re.escape(line['name'])}$", seconds=60)
        results = {**(alone or {}), **results}
        done[line["name"]] = alone["lines"][0] if alone else dict(line, failed="the program ended")
    results = {"device": options.device, "device_name": "", **results, "lines": [done[line["name"]] for line in lines]}
    rate = results.get("gigabytes_per_second", {}).get("copy")
    for line in results["lines"]:
        if rate and "device_ms" in line:
            line["floor_ms"] = line["bytes"] / rate / 1e6
            line["share"] = line["floor_ms"] / line["device_ms"]["median"]
    return results


def output_of(*command):
    """A command's first line, or nothing."""
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=60).stdout.partition("\n")[0].strip()
    except (OSError, subprocess.TimeoutExpired):
        return ""


def describe(results, options):
    results["kernels_sha256"] = output_of(os.path.join(ROOT, "tests", "gpu", "kernels_sha256.sh"))
    if options.device.startswith("cuda"):
        results["driver"] = output_of("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader")


# ---- The peers ----

def find_peers(device):
    if device.startswith("cuda"):
        import peers_cuda as module
    else:
        import peers_cpu as module
    return module.find(), module.clock


def time_line(line, peers, clock, inputs, options, slow):
    """All peers on one line; one that fails is noted. slow: what was too slow to be done again on the same work."""
    found, arrays = [], None
    for name, unlike, peer in peers.works.get(line["work"], []):
        if (name, line["steps"], *line["inputs"]) in slow:
            continue
        try:
            arrays = arrays or [inputs.get(name) for name in line["inputs"]]
            timed = time_peer(name, peer, arrays, options.repeat, options.seconds, clock)
        except Exception as error:
            timed = {"name": name, "failed": f"{type(error).__name__}: {str(error)[:200]}"}
        if timed.get("repeats") == 1:
            slow.add((name, line["steps"], *line["inputs"]))
        if unlike:
            timed["unlike"] = unlike
        print(f"{line['name']:45s} {name}: {timed.get('failed') or '%.3f ms' % timed['wall_ms']['median']}",
              file=sys.stderr, flush=True)
        found.append(timed)
        peers.release()
    return found


def time_imagej(lines, peers, inputs, options):
    """{name of a line: ImageJ's times} for those lines that were asked for."""
    wanted = {f"{work} {peers_imagej.SIZE}" for work, _ in peers_imagej.WORKS.values()}
    wanted &= {line["name"] for line in lines}
    if not wanted:
        return {}
    missing = peers_imagej.missing()
    if not missing:
        try:
            found, peers.versions["ImageJ"] = peers_imagej.measure(inputs, min(options.repeat, 10))
            return {name: found[name] for name in wanted}
        except Exception as error:
            missing = f"{type(error).__name__}: {error}"
    peers.missing["ImageJ"] = missing
    return {}


# ---- Both sides ----

def compare(line, kind):
    """Adds to each peer how many times as long it takes and what it finds differently."""
    for peer in line["peers"]:
        if "failed" in peer or "wall_ms" not in line:
            continue
        peer["ratio"] = milliseconds(peer, line, kind) / milliseconds(line, line, kind)
        peer["compared"] = sorted(line["facts"].keys() & peer["facts"].keys())
        peer["disagrees"] = disagreements(line["facts"], peer["facts"])


def judge(line, kind, device_name):
    """Adds the line's goal in milliseconds, and whether it is met."""
    goal, text = None, ""
    if kind == "cuda" and line["name"] in CUDA_GOALS and GOAL_GPU in device_name:
        goal, text = CUDA_GOALS[line["name"]], GOAL_GPU
    elif kind == "cpu" and line["name"] in CPU_GOALS:
        name, factor = CPU_GOALS[line["name"]]
        times = [milliseconds(p, line, kind) for p in line["peers"] if p["name"] == name and "failed" not in p]
        goal, text = (factor * times[0], f"{factor:g} x {name}") if times else (None, "")
    if goal is not None and "wall_ms" in line:
        line["goal"] = {"ms": goal, "text": text, "met": milliseconds(line, line, kind) <= goal}


def print_line(line, kind):
    ours = f"{milliseconds(line, line, kind):.3f}" if "wall_ms" in line else line.get("skipped") or line.get("failed")
    goal = line.get("goal")
    verdict = f"  goal {goal['ms']:.3f}: {'met' if goal['met'] else 'MISSED'}" if goal else ""
    share = f"  {100 * line['share']:.0f} % of a copy's rate" if "share" in line else ""
    print(f"{line['name']:45s} {ours:>12s}{share}{verdict}")
    for peer in line["peers"]:
        if "failed" in peer:
            print(f"{'':10s}{peer['name']}: failed: {peer['failed']}")
            continue
        ratio = f"{peer['ratio']:10.2f} x" if "ratio" in peer else ""
        agreement = "; ".join(peer.get("disagrees", [])) or ("agrees" if peer.get("compared") else "not compared")
        agreement += f" ({peer['unlike']})" if "unlike" in peer else ""
        print(f"{'':10s}{peer['name']:35s} {milliseconds(peer, line, kind):12.3f} {ratio:>12s}  {agreement}")


def parse_options():
    parser = argparse.ArgumentParser(description="Times the program and its peers on the same pixels.")
    parser.add_argument("--program", default=os.path.join(ROOT, "build", "tests", "bench", "bench"), help="built bench")
    parser.add_argument("--plugin", help="the plugin with the operations, when it is not where the program looks")
    parser.add_argument("--device", default="cpu", help="cpu or cuda:0")
    parser.add_argument("--lines", default="", help="only lines whose names match this regular expression")
    parser.add_argument("--repeat", type=int, default=20, help="how often each line is timed, 20")
    parser.add_argument("--seconds", type=float, default=4, help="a peer's time on one line; two runs at least, 4")
    parser.add_argument("--huge", action="store_true", help="images of 16384 x 16384 too")
    parser.add_argument("--data", help="keep the inputs in this folder")
    parser.add_argument("--output", help="where to write the JSON")
    return parser.parse_args()


def save(results, options):
    if options.lines and not options.output:
        return
    name = results["device_name"].lower().replace(" ", "-") if options.device != "cpu" else "cpu"
    path = options.output or os.path.join(HERE, "results", (name or "gpu") + ".json")
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(results, file, indent=1, ensure_ascii=False)
        file.write("\n")


def run(options, folder):
    kind = options.device.split(":")[0]
    inputs = Inputs(folder)
    lines = run_program(options, "--list")
    if not lines:
        sys.exit("run.py: the program lists nothing")
    able = [line for line in lines if "skipped" not in line]
    inputs.make_all({STARTUP_INPUT, *(name for line in able for name in line["inputs"])})
    startup = time_startup(options, folder)
    results = time_program(options, folder, lines)
    results["startup"] = startup
    describe(results, options)
    results["versions"], slow = {"Python": platform.python_version(), "NumPy": np.__version__}, set()
    for line in results["lines"]:
        line["peers"] = []
    save(results, options)
    peers, clock = find_peers(options.device)
    results["versions"].update(peers.versions)
    results["peers_missing"] = peers.missing
    imagej = time_imagej(lines, peers, inputs, options) if kind == "cpu" else {}
    results["versions"].update(peers.versions)
    for line in results["lines"]:
        if "wall_ms" in line:
            line["peers"] = time_line(line, peers, clock, inputs, options, slow)
            line["peers"] += [imagej[line["name"]]] if line["name"] in imagej else []
        compare(line, kind)
        judge(line, kind, results["device_name"])
        save(results, options)
    return results


def report(results, kind):
    for line in results["lines"]:
        print_line(line, kind)
    for run in results["startup"]:
        print("start-up: " + ", ".join(f"{key[:-3].replace('_', ' ')} {value:.1f} ms" for key, value in run.items()
                                       if key.endswith("_ms")))
    for name, why in results["peers_missing"].items():
        print(f"{name} was not timed: {why}")


def main():
    options = parse_options()
    if options.data:
        os.makedirs(options.data, exist_ok=True)
        results = run(options, options.data)
    else:
        with tempfile.TemporaryDirectory() as folder:
            results = run(options, folder)
    report(results, options.device.split(":")[0])
    wrong = [line["name"] for line in results["lines"]
             if "failed" in line or any(peer.get("disagrees") for peer in line["peers"])]
    sys.exit(f"run.py: failed, or found otherwise than a peer: {', '.join(wrong)}" if wrong else 0)


if __name__ == "__main__":
    main()
