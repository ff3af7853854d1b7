#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How many images per second `fovea batch` processes, to a table alone and with label images saved. For comparison: the steps alone on images in
memory, and scikit-image with one process per core.

    tests/bench/batch.py [--images 10000] [--different 200] [--device cuda:0] [--jobs N] [--folder /dev/shm] [--output FILE.json]

The images are hard links to some different ones of 2048 x 2048 pixels of 16 bits, uncompressed, in a folder that should be in memory. Each different
one has 8.4 MB; each label image has 16.8 MB and is removed when it has been counted.
"""
import argparse
import ctypes
import datetime
import json
import multiprocessing
import os
import platform
import resource
import shutil
import statistics
import struct
import subprocess
import tempfile
import time

import numpy as np

from inputs import nuclei

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STEPS = "gaussian sigma=2 | otsu | erosion footprint=disk radius=2 | label as=cells | regionprops"
SIDE = 2048
HEADER = 512  # bytes before the pixels
CORES = len(os.sched_getaffinity(0))
FEW = 8  # images on which the steps alone are timed


def write_tiff(path, pixels):
    """One strip, so that anybody can read the pixels without a library."""
    tags = [(256, SIDE), (257, SIDE), (258, 16), (259, 1), (262, 1), (273, HEADER), (277, 1), (278, SIDE), (279, pixels.nbytes)]
    head = struct.pack("<2sHIH", b"II", 42, 8, len(tags)) + b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags)
    with open(path, "wb") as file:
        file.write(head.ljust(HEADER, b"\0") + pixels.tobytes())


def read_tiff(path):
    return np.fromfile(path, np.uint16, offset=HEADER).reshape(SIDE, SIDE)


def make_inputs(folder, images, different):
    """Hard links to shifted and turned copies of one image; the different ones."""
    base = nuclei(SIDE)
    os.makedirs(os.path.join(folder, "different"))
    os.makedirs(os.path.join(folder, "in"))
    files = []
    for i in range(different):
        files.append(os.path.join(folder, "different", f"{i}.tif"))
        write_tiff(files[-1], np.rot90(np.roll(base, (37 * i, 101 * i), (0, 1)), i % 4))
    for i in range(images):
        os.link(files[i % different], os.path.join(folder, "in", f"{i}.tif"))
    return files


def environment():
    libraries = os.path.join(ROOT, "build", "lib")  # on a machine without them: see tests/gpu/gather.sh
    return {**os.environ, **({"LD_LIBRARY_PATH": libraries} if os.path.isdir(libraries) else {})}


def processor_seconds():
    """Of all processes that have been waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


# ---- Fovea ----

def time_batch(folder, options, *more):
    """Seconds of the whole process, and what it says of itself."""
    out = os.path.join(folder, "out")
    command = [options.program, "batch", STEPS, os.path.join(folder, "in"), "--out", out, "-t", "all.csv", "-d", options.device, "-q", *more]
    command += ["-j", str(options.jobs)] if options.jobs else []
    start, used = time.monotonic(), processor_seconds()
    subprocess.run(command, env=environment(), check=True)
    seconds, used = time.monotonic() - start, processor_seconds() - used
    with open(os.path.join(out, "manifest.jsonl"), encoding="utf-8") as file:
        lines = [line for line in map(json.loads, file) if "rows" in line]
    rows = {line["file"]: line["rows"] for line in lines}
    each = statistics.median(line["seconds"] for line in lines)
    result = {"seconds": seconds, "images_per_second": options.images / seconds, "seconds_of_an_image": each,
              "processor_ms": 1000 * used / options.images,
              "rows": sum(rows.values()), "devices": sorted({line["device"] for line in lines})}
    assert len(rows) == options.images, f"{len(rows)} of {options.images} images"
    assert rows_of_table(os.path.join(out, "all.csv")) == result["rows"]
    shutil.rmtree(out)
    return result, rows


def rows_of_table(path):
    with open(path, "rb") as file:
        return sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(1 << 20), b"")) - 1


def run_steps(files, device, seconds, milliseconds):
    """Runs the steps on images in memory for so long; puts milliseconds of each run on the queue: on the wall, of its steps, and of the processor."""
    fovea = ctypes.CDLL(os.path.join(ROOT, "build", "library", "libfovea.so.0"))
    for name in "context_new", "image_open", "recipe_parse", "run_new":
        getattr(fovea, f"fovea_{name}").restype = ctypes.c_void_p
    fovea.fovea_run_ms.restype = ctypes.c_double
    none, device = ctypes.c_void_p(), device.encode()
    context = ctypes.c_void_p(fovea.fovea_context_new(0, none))
    recipe = ctypes.c_void_p(fovea.fovea_recipe_parse(context, STEPS.encode(), none))
    images = [ctypes.c_void_p(fovea.fovea_image_open(context, file.encode(), 0, none)) for file in files]
    times, start, n = [], time.monotonic(), 0
    while time.monotonic() - start < seconds or n < 3 * len(images):
        run = ctypes.c_void_p(fovea.fovea_run_new(recipe, images[n % len(images)], 0, none))
        begun, used = time.monotonic(), time.process_time()
        assert fovea.fovea_run_execute(run, device, none, none, none) == 0
        if n >= len(images):  # before that it reads the image
            times.append((1000 * (time.monotonic() - begun), fovea.fovea_run_ms(run), 1000 * (time.process_time() - used)))
        fovea.fovea_run_free(run)
        n += 1
    milliseconds.put(times)


def time_steps(files, options):
    """Images a second that the steps alone do: on the CPU a thread on each core, all at once; on a GPU one after the other."""
    workers = CORES if options.device == "cpu" else 1
    before = dict(os.environ)
    os.environ.update(environment(), OMP_NUM_THREADS=str(CORES // workers))  # which processes inherit
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    processes = [context.Process(target=run_steps, args=(files[:FEW], options.device, options.seconds, queue)) for _ in range(workers)]
    for process in processes:
        process.start()
    runs = [time for _ in processes for time in queue.get(timeout=600)]
    for process in processes:
        process.join()
    os.environ.clear()
    os.environ.update(before)
    wall, steps, used = (statistics.median(run[i] for run in runs) for i in range(3))
    return {"images_per_second": 1000 * workers / wall, "wall_ms": wall, "steps_ms": steps, "processor_ms": used, "processes": workers}


# ---- scikit-image ----

def do_by_peer(path):
    """Rows of the table."""
    from skimage import filters, measure, morphology
    from scipy import ndimage
    pixels = ndimage.gaussian_filter(read_tiff(path).astype(np.float32), 2, mode="nearest")
    mask = morphology.binary_erosion(pixels > filters.threshold_otsu(pixels), morphology.disk(2))
    table = measure.regionprops_table(measure.label(mask), properties=("label", "area", "centroid", "equivalent_diameter_area", "axis_major_length",
                                                                      "axis_minor_length", "solidity"))
    return len(table["label"])


def time_peer(folder, options, rows):
    try:
        import skimage
    except ImportError as error:
        return {"missing": str(error)}
    names = [f"{i}.tif" for i in range(min(options.images, options.peer_images * CORES))]
    paths = [os.path.join(folder, "in", name) for name in names]
    os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
    with multiprocessing.get_context("spawn").Pool(CORES) as pool:
        pool.map(do_by_peer, paths[:CORES], 1)  # imports
        start = time.monotonic()
        theirs = pool.map(do_by_peer, paths, 1)
        seconds = time.monotonic() - start
    ours = [rows[name] for name in names]
    return {"version": skimage.__version__, "images_per_second": len(paths) / seconds, "images": len(paths), "processes": CORES,
            "rows": sum(theirs), "our_rows": sum(ours)}


# ---- Both ----

def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--images", type=int, default=10000, help="how many, 10000")
    parser.add_argument("--different", type=int, default=200, help="of so many different ones, 200")
    parser.add_argument("--device", default="cpu", help="cpu, cuda (all GPUs) or cuda:0")
    parser.add_argument("--jobs", type=int, default=0, help="images at a time")
    parser.add_argument("--folder", default="/dev/shm", help="where the images lie, /dev/shm")
    parser.add_argument("--program", default=os.path.join(ROOT, "build", "command", "fovea"), help="the command")
    parser.add_argument("--seconds", type=float, default=5, help="for the steps alone, 5")
    parser.add_argument("--peer-images", type=int, default=4, help="of scikit-image, for each core, 4; 0: none")
    parser.add_argument("--saved", type=int, default=1, help="0: without saving label images")
    parser.add_argument("--output", help="where to write the JSON")
    return parser.parse_args()


def measure(options, folder):
    files = make_inputs(folder, options.images, options.different)
    results = {"date": datetime.date.today().isoformat(), "machine": platform.processor() or platform.machine(), "cores": CORES,
               "device": options.device, "images": options.images, "different": options.different, "steps": STEPS}
    results["steps_alone"] = time_steps(files, options)
    results["table"], rows = time_batch(folder, options)
    if options.saved:
        results["labels"], _ = time_batch(folder, options, "-o", "cells={name}.tif")
    if options.peer_images:
        results["scikit-image"] = time_peer(folder, options, rows)
    return results


def main():
    options = parse_options()
    with tempfile.TemporaryDirectory(prefix="fovea-batch-", dir=options.folder) as folder:
        results = measure(options, folder)
    alone = results["steps_alone"]["images_per_second"]
    for name in "steps_alone", "table", "labels", "scikit-image":
        line = results.get(name, {})
        if "images_per_second" in line:
            used = f"  {line['processor_ms']:7.1f} ms of a core" if "processor_ms" in line else ""
            print(f"{name:14s} {line['images_per_second']:9.1f} images/s  {100 * line['images_per_second'] / alone:5.0f} % of the steps alone{used}")
        elif "missing" in line:
            print(f"{name:14s} {line['missing']}")
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
