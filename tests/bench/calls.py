#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Time and memory of one call from Python, compared with SciPy, scikit-image and OpenCV, or on a GPU with CuPy; results have to agree.

    PYTHONPATH=build/python tests/bench/calls.py [--device cuda:0] [--sizes 64,2048] [--repeat 20] [--lines REGEX] [--output FILE.json]

Time: the median; all are called in turn, so that other work on the machine affects all alike. Memory: what a process takes at most beyond its arrays,
on the GPU with --device, in a new process whose first call was on a small array. Peers that are not installed are left out.
"""
import argparse
import ctypes
import importlib
import json
import re
import subprocess
import sys
import time

import numpy as np

import fovea

MIB = 1 << 20
SMALL = 32  # side of the array of the first call


def found(name):
    """A module, or None."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def disk(radius):
    """All pixels whose centers are within the radius."""
    y, x = np.mgrid[-radius:radius + 1, -radius:radius + 1]
    return (x * x + y * y <= radius * radius).astype(np.uint8)


def inputs(size):
    """The arrays of all lines: noise of several types, blobs as a mask, and their labels."""
    import scipy.ndimage

    noise = np.random.default_rng(1).random((size, size), np.float32)
    blobs = scipy.ndimage.gaussian_filter(noise, 3) > 0.5
    return {"f32": noise, "u16": (noise * 60000).astype(np.uint16), "u8": (noise * 255).astype(np.uint8), "mask": blobs,
            "labels": scipy.ndimage.label(blobs, np.ones((3, 3)))[0].astype(np.int32)}


#: Of a line: the array that it takes, the tolerance, and for each library a function of the array and all arrays; names begin with that of the module.
LINES = {}


def line(name, array, tolerance=0, **calls):
    LINES[name] = array, tolerance, calls


def on_cpu():
    """Lines in host memory."""
    ndimage, cv2 = importlib.import_module("scipy.ndimage"), found("cv2")
    filters, morphology, measure = (found(f"skimage.{name}") for name in ("filters", "morphology", "measure"))
    small, large, square = disk(2), disk(15), np.ones((5, 5), np.uint8)
    line("gaussian sigma=5 f32", "f32", 1e-5, fovea=lambda a, _: fovea.gaussian(a, 5, device="cpu"), scipy=lambda a, _: ndimage.gaussian_filter(a, 5, mode="nearest"),
         skimage=lambda a, _: filters.gaussian(a, sigma=5, mode="nearest"), cv2=lambda a, _: cv2.GaussianBlur(a, (41, 41), 5, borderType=cv2.BORDER_REPLICATE))
    line("threshold_otsu u16", "u16", 1, fovea=lambda a, _: fovea.threshold_otsu(a, device="cpu"), skimage=lambda a, _: filters.threshold_otsu(a),
         cv2=lambda a, _: cv2.threshold(a, 0, 65535, cv2.THRESH_BINARY | cv2.THRESH_OTSU)[0])
    line("median 5x5 u8", "u8", fovea=lambda a, _: fovea.median(a, "square", 2, device="cpu"), scipy=lambda a, _: ndimage.median_filter(a, 5, mode="nearest"),
         skimage=lambda a, _: filters.median(a, square, mode="nearest"), cv2=lambda a, _: cv2.medianBlur(a, 5))
    line("erosion disk 2 u8", "u8", fovea=lambda a, _: fovea.erosion(a, radius=2, device="cpu"), scipy=lambda a, _: ndimage.grey_erosion(a, footprint=small, mode="nearest"),
         skimage=lambda a, _: morphology.erosion(a, small), cv2=lambda a, _: cv2.erode(a, small))
    line("tophat disk 15 u8", "u8", fovea=lambda a, _: fovea.tophat(a, radius=15, device="cpu"), skimage=lambda a, _: morphology.white_tophat(a, large),
         cv2=lambda a, _: cv2.morphologyEx(a, cv2.MORPH_TOPHAT, large))
    line("sobel f32", "f32", 1e-6, fovea=lambda a, _: fovea.sobel(a, border="reflect", device="cpu"), skimage=lambda a, _: filters.sobel(a))
    line("label mask", "mask", fovea=lambda a, _: fovea.label(a, device="cpu"), scipy=lambda a, _: ndimage.label(a, np.ones((3, 3)))[0],
         skimage=lambda a, _: measure.label(a, connectivity=2), cv2=lambda a, _: cv2.connectedComponents(a.view(np.uint8))[1])
    line("distance mask", "mask", 1e-3, fovea=lambda a, _: fovea.distance(a, device="cpu"), scipy=lambda a, _: ndimage.distance_transform_edt(a),
         cv2=lambda a, _: cv2.distanceTransform(a.view(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE))
    line("fill_holes mask", "mask", fovea=lambda a, _: fovea.fill_holes(a, device="cpu"), scipy=lambda a, _: ndimage.binary_fill_holes(a))
    line("regionprops area, mean", "labels", 1e-4, fovea=lambda a, all_: fovea.regionprops(a, all_["f32"], "label,area,intensity_mean", device="cpu")["intensity_mean"],
         skimage=lambda a, all_: measure.regionprops_table(a, all_["f32"], ("label", "area", "intensity_mean"))["intensity_mean"],
         scipy=lambda a, all_: ndimage.mean(all_["f32"], a, np.arange(1, a.max() + 1)))


def on_gpu(device):
    """Lines whose arrays are CuPy's on a GPU."""
    cupy, ndimage = importlib.import_module("cupy"), importlib.import_module("cupyx.scipy.ndimage")
    small, large, ones = cupy.asarray(disk(2)), cupy.asarray(disk(15)), cupy.ones((3, 3))
    line("gaussian sigma=5 f32", "f32", 1e-5, fovea=lambda a, _: fovea.gaussian(a, 5, device=device), cupy=lambda a, _: ndimage.gaussian_filter(a, 5, mode="nearest"))
    line("median 5x5 u8", "u8", fovea=lambda a, _: fovea.median(a, "square", 2, device=device), cupy=lambda a, _: ndimage.median_filter(a, 5, mode="nearest"))
    line("erosion disk 2 u8", "u8", fovea=lambda a, _: fovea.erosion(a, radius=2, device=device), cupy=lambda a, _: ndimage.grey_erosion(a, footprint=small, mode="nearest"))
    line("tophat disk 15 u8", "u8", fovea=lambda a, _: fovea.tophat(a, radius=15, device=device), cupy=lambda a, _: ndimage.white_tophat(a, footprint=large, mode="nearest"))
    line("label mask", "mask", fovea=lambda a, _: fovea.label(a, device=device), cupy=lambda a, _: ndimage.label(a, ones)[0])
    line("fill_holes mask", "mask", fovea=lambda a, _: fovea.fill_holes(a, device=device), cupy=lambda a, _: ndimage.binary_fill_holes(a))
    line("regionprops area, mean", "labels", 1e-4, fovea=lambda a, all_: fovea.regionprops(a, all_["f32"], "label,area,intensity_mean", device=device)["intensity_mean"],
         cupy=lambda a, all_: ndimage.mean(all_["f32"], a, cupy.arange(1, int(a.max()) + 1)))


class Machine:
    """Where the arrays are, and how much memory is taken there."""

    def __init__(self, device):
        self.cupy = None if device == "cpu" else importlib.import_module("cupy")
        on_cpu() if device == "cpu" else on_gpu(device)

    def put(self, arrays):
        return arrays if self.cupy is None else {name: self.cupy.asarray(array) for name, array in arrays.items()}

    def wait(self):
        if self.cupy is not None:
            self.cupy.cuda.Device().synchronize()

    def host(self, result):
        return self.cupy.asnumpy(result) if self.cupy is not None and isinstance(result, self.cupy.ndarray) else np.asarray(result)

    def begin(self):
        """Of the host, its peak is set to what is taken now; of a GPU, pools keep what they once had."""
        if self.cupy is not None:
            return self.cupy.cuda.runtime.memGetInfo()[0]
        ctypes.CDLL(None).malloc_trim(0)  # what is free is given back, so that it cannot be used unseen
        with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
            file.write("5")
        return host_memory("VmRSS")

    def taken(self, begun):
        """Bytes since then, at most."""
        self.wait()
        return begun - self.cupy.cuda.runtime.memGetInfo()[0] if self.cupy is not None else host_memory("VmHWM") - begun


def host_memory(field):
    with open("/proc/self/status", encoding="ascii") as file:
        return 1024 * int(re.search(rf"^{field}:\s+(\d+) kB", file.read(), re.M)[1])


def one_memory(machine, name, library, size):
    """MiB that a call takes beyond its arrays, in this process, which has done nothing else."""
    array, _, calls = LINES[name]
    few, many = machine.put(inputs(SMALL)), machine.put(inputs(size))
    calls[library](few[array], few)
    begun = machine.begin()
    result = calls[library](many[array], many)
    taken = machine.taken(begun)
    del result
    return taken / MIB


def memory(arguments, name, library, size):
    """The same in a process of its own."""
    command = [sys.executable, "-B", __file__, "--device", arguments.device, "--memory-of", json.dumps([name, library, size])]
    return float(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def agree(name, results, tolerance):
    """Stops unless all results are the same, objects as many."""
    expected = results.pop("fovea")
    for library, result in results.items():
        if name.startswith("label"):
            same = expected.max() == result.max() and np.array_equal(expected > 0, result > 0)
        else:
            same = expected.shape == result.shape and np.allclose(expected, result, rtol=tolerance, atol=tolerance)
        if not same:
            sys.exit(f"calls.py: {name}: {library} and fovea differ.")


def medians(machine, calls, array, arrays, repeat):
    """Milliseconds of each, called in turn."""
    times = {library: [] for library in calls}
    for _ in range(repeat + 1):
        for library, call in calls.items():
            start = time.perf_counter()
            call(array, arrays)
            machine.wait()
            times[library].append(time.perf_counter() - start)
    return {library: 1e3 * float(np.median(taken[1:])) for library, taken in times.items()}


def measure_line(machine, arguments, name, size, arrays):
    """A row of the results."""
    array, tolerance, all_calls = LINES[name]
    calls = {library: call for library, call in all_calls.items() if found(library) is not None}
    agree(name, {library: machine.host(call(arrays[array], arrays)) for library, call in calls.items()}, tolerance)
    times = medians(machine, calls, arrays[array], arrays, arguments.repeat)
    taken = {library: memory(arguments, name, library, size) for library in calls} if size >= 1024 else {}
    return {"line": name, "size": size, "ms": times, "mib": taken}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--sizes", default="64,2048", type=lambda text: [int(size) for size in text.split(",")])
    parser.add_argument("--repeat", default=20, type=int)
    parser.add_argument("--lines", default="")
    parser.add_argument("--output")
    parser.add_argument("--memory-of", type=json.loads, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    machine = Machine(arguments.device)
    if arguments.memory_of:
        print(one_memory(machine, *arguments.memory_of))
        return
    rows = []
    for size in arguments.sizes:
        arrays = machine.put(inputs(size))
        for name in LINES:
            if not re.search(arguments.lines, name):
                continue
            rows.append(measure_line(machine, arguments, name, size, arrays))
            text = ", ".join(f"{library} {taken:.3g} ms" + (f" {rows[-1]['mib'][library]:.0f} MiB" if rows[-1]["mib"] else "") for library, taken in rows[-1]["ms"].items())
            print(f"{name} {size}: {text}", flush=True)
    if arguments.output:
        modules = {module: found(module).__version__ for module in ("fovea", "numpy", "scipy", "skimage", "cv2", "cupy") if found(module)}
        with open(arguments.output, "w", encoding="utf-8") as file:
            json.dump({"device": arguments.device, "repeat": arguments.repeat, "versions": modules, "rows": rows}, file, indent=1)


if __name__ == "__main__":
    main()
