#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What other work on the machine costs: the command, a batch, Python and the window beside busy loops, three for each core, and alone.

    tests/bench/load.py [--build build] [--rounds 5] [--cases command,batch,python,window] [--output FILE.json]
    tests/bench/load.py --check        judges a batch of small images, as TAP

Each case runs alone and beside the loops, with no variable set and with OMP_WAIT_POLICY=passive, in turn; the minimum of the rounds counts.
Beside the loops a program gets about a quarter of each core. Threads that spin while they wait take that quarter from those that compute:
then the ratio to `passive`, whose threads always sleep, is far above 1.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
CORES = len(os.sched_getaffinity(0))
LOOPS = 3 * CORES
STEPS = "gaussian sigma=2 | otsu | erosion footprint=disk radius=2 | label as=cells | regionprops"
MAX_RATIO = 4  # times what passive threads take, in --check: it is 1.0 to 1.3, a little more by chance, and 10 to 30 with threads that spin for milliseconds
CALLS = """
import time, numpy as np, fovea
y, x = np.mgrid[:512, :512]
mask = ((np.sin(x / 9) * np.sin(y / 11) > .5) * 255).astype("u1")
image = (mask * 8. + y).astype("f4")
for name, call in {"label": lambda: fovea.label(mask, device="cpu"), "gaussian": lambda: fovea.gaussian(image, sigma=2, device="cpu")}.items():
    times = []
    for _ in range(60):
        start = time.perf_counter()
        np.asarray(call())
        times.append(time.perf_counter() - start)
    print(name, 1e3 * float(np.median(times[10:])))
"""


def write_tiff(path, side, seed):
    """Bright squares on noise, 16 bits, one strip."""
    noise = random.Random(seed)
    pixels = [noise.randrange(300) + 3000 * (x // 8 % 3 == 1 and y // 8 % 3 == 1) for y in range(side) for x in range(side)]
    data = struct.pack(f"<{side * side}H", *pixels)
    tags = [(256, side), (257, side), (258, 16), (259, 1), (262, 1), (273, 512), (277, 1), (278, side), (279, len(data))]
    head = struct.pack("<2sHIH", b"II", 42, 8, len(tags)) + b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags)
    path.write_bytes(head.ljust(512, b"\0") + data)


def timed(*words, env):
    """Seconds until it ends."""
    start = time.perf_counter()
    subprocess.run([str(word) for word in words], check=True, env=env, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def cpu_name():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        return next((line.partition(":")[2].strip() for line in file if line.startswith("model name")), platform.machine())


class Cases:
    """Each method runs a case once and returns its milliseconds by name."""

    def __init__(self, build, folder, images):
        self.build, self.folder = build, folder
        self.command = build / "command" / "fovea"
        write_tiff(folder / "one.tif", 512, 0)
        (folder / "in").mkdir()
        write_tiff(folder / "in" / "0.tif", 256, 1)
        for i in range(1, images):
            shutil.copy(folder / "in" / "0.tif", folder / "in" / f"{i}.tif")

    def command_(self, env):
        return {"command: five steps, 512²": 1e3 * timed(self.command, "run", "-q", STEPS, self.folder / "one.tif", env=env)}

    def batch(self, env):
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        images = len(os.listdir(self.folder / "in"))
        taken = timed(self.command, "batch", "-q", "-j", "1", STEPS, self.folder / "in", "--out", self.folder / "out", env=env)
        return {f"batch: {images} images of 256²": 1e3 * taken}

    def python(self, env):
        said = subprocess.run(["/usr/bin/python3", "-c", CALLS], check=True, stdout=subprocess.PIPE, text=True,
                              env={**env, "PYTHONPATH": str(self.build / "python")}).stdout
        return {f"Python: {name}, 512²": float(ms) for name, ms in map(str.split, said.splitlines())}

    def window(self, env):
        found = self.folder / "window.json"
        subprocess.run([SOURCE / "tests/bench/interaction.sh", self.build / "ui/fovea-gtk", "-o", found, "start", "latency 2048"], check=True, env=env,
                       stdout=subprocess.DEVNULL)
        found = json.loads(found.read_text())
        return {"window: start to first frame": found["start"]["first_frame_ms"], "window: a slider, 2048²": found["latency 2048"]["median_ms"]}


class Load:
    """Busy loops, while it is entered."""

    def __init__(self, loops):
        self.loops, self.running = loops, []

    def __enter__(self):
        self.running = [subprocess.Popen(["/bin/sh", "-c", "while :; do :; done"]) for _ in range(self.loops)]

    def __exit__(self, *_):
        for loop in self.running:
            loop.kill()
            loop.wait()


def environments():
    """A user's, without our variables, and the same with threads that sleep."""
    plain = {name: value for name, value in os.environ.items() if name not in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "OMP_NUM_THREADS")}
    return {"default": plain, "passive": {**plain, "OMP_WAIT_POLICY": "passive"}}


def measure(case, rounds, loads):
    """Name -> load -> environment -> the least milliseconds."""
    least = {}
    for _ in range(rounds):
        for load in loads:
            for kind, env in environments().items():
                with Load(loads[load]):
                    for name, ms in case(env).items():
                        at = least.setdefault(name, {}).setdefault(load, {})
                        at[kind] = min(at.get(kind, ms), ms)
    return least


def check(build):
    """Whether a batch beside busy loops takes about as long as with threads that sleep."""
    with tempfile.TemporaryDirectory() as folder:
        cases = Cases(build, pathlib.Path(folder), 30)
        (name, found), = measure(cases.batch, 3, {"loaded": LOOPS}).items()
    loaded = found["loaded"]
    ratio = loaded["default"] / loaded["passive"]
    print(f"# {name} beside {LOOPS} busy loops: {loaded['default']:.0f} ms, {loaded['passive']:.0f} with OMP_WAIT_POLICY=passive")
    print(f"1..1\n{'ok' if ratio <= MAX_RATIO else 'not ok'} 1 - threads that wait leave the cores to others ({ratio:.2f} <= {MAX_RATIO})")
    return ratio > MAX_RATIO


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / "build")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cases", default="command,batch,python,window")
    parser.add_argument("--output", type=pathlib.Path, default=SOURCE / "tests/bench/results/load.json")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    build = options.build.resolve()
    if options.check:
        sys.exit(check(build))
    results = {"date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"), "machine": f"{platform.system()} {platform.release()}", "cpu": cpu_name(),
               "cores": CORES, "loops": LOOPS, "rounds": options.rounds, "cases": {}}
    with tempfile.TemporaryDirectory() as folder:
        cases = Cases(build, pathlib.Path(folder), 200)
        methods = {"command": cases.command_, "batch": cases.batch, "python": cases.python, "window": cases.window}
        for key in options.cases.split(","):
            for name, found in measure(methods[key], options.rounds, {"quiet": 0, "loaded": LOOPS}).items():
                quiet, loaded = found["quiet"], found["loaded"]
                found["loaded_by_quiet"] = loaded["default"] / quiet["default"]
                found["quiet_by_passive"] = quiet["default"] / quiet["passive"]
                found["loaded_by_passive"] = loaded["default"] / loaded["passive"]
                results["cases"][name] = found
                print(f"{name}: {quiet['default']:.1f} ms alone ({found['quiet_by_passive']:.2f} of passive), {loaded['default']:.1f} ms beside {LOOPS} loops:"
                      f" {found['loaded_by_quiet']:.1f} times as long, {found['loaded_by_passive']:.2f} of passive", flush=True)
    options.output.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
