#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the workflow of the README on a u8 plane that may be larger than memory, from a compressed TIFF to a compressed TIFF and a table. Prints the
time and the memory of the process. The plane repeats one block of nuclei with a black margin, so that its table is known from that of the block.

    tests/bench/large.py [--side 100000] [--device cpu] [--folder /var/tmp] [--memory MIB] [--group MIB] [--output FILE.json]

The folder takes the files, and what does not fit into memory: at 100000 up to 70 GB. --memory is a limit for the program,
--group one that the system holds it to, pages of files included: a control group of version 1, for who may make one.
"""
import argparse
import collections
import csv
import datetime
import json
import math
import os
import platform
import struct
import subprocess
import sys
import tempfile
import time
import zlib

import numpy as np

from inputs import nuclei

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TILES = {4096: 512, 4000: 400}  # sides of blocks and of their tiles in the file
MARGIN = 40
GROUP = "/sys/fs/cgroup/memory/fovea-large"
STEPS = ("channel index=0 as=green | gaussian sigma=5 | otsu | erosion footprint=disk radius=2 | label as=cells | "
         "regionprops intensity=green properties=label,intensity_mean,area,solidity | label2rgb from=cells")


def make_block(side):
    block = np.minimum(nuclei(side) // 16, 255).astype(np.uint8)
    for edge in (block[:MARGIN], block[-MARGIN:], block[:, :MARGIN], block[:, -MARGIN:]):
        edge[...] = 0
    return block


def write_tiff(path, block, blocks):
    """A BigTIFF in which every block is the same tiles of the file."""
    side, tile_side = len(block), TILES[len(block)]
    n, across = side // tile_side, blocks * (side // tile_side)
    with open(path, "wb") as file:
        file.write(struct.pack("<2sHHHQ", b"II", 43, 8, 0, 0))
        chunks = []
        for y in range(n):
            for x in range(n):
                pixels = block[y * tile_side:(y + 1) * tile_side, x * tile_side:(x + 1) * tile_side]
                tile = zlib.compress(pixels.tobytes(), 1)
                chunks.append((file.tell(), len(tile)))
                file.write(tile)
        order = [chunks[(i // across % n) * n + i % across % n] for i in range(across * across)]
        arrays = []
        for values in zip(*order):
            file.write(b"\0" * (-file.tell() % 8))
            arrays.append(file.tell())
            file.write(np.array(values, "<u8").tobytes())
        directory = file.tell()
        tags = ((256, 4, 1, blocks * side), (257, 4, 1, blocks * side), (258, 3, 1, 8), (259, 3, 1, 8), (262, 3, 1, 1), (277, 3, 1, 1),
                (322, 4, 1, tile_side), (323, 4, 1, tile_side), (324, 16, len(order), arrays[0]), (325, 16, len(order), arrays[1]), (339, 3, 1, 1))
        file.write(struct.pack("<Q", len(tags)))
        for tag in tags:
            file.write(struct.pack("<HHQQ", *tag))
        file.write(struct.pack("<Q", 0))
        file.seek(8)
        file.write(struct.pack("<Q", directory))


def resident(pid):
    """Bytes of the process's own and of files in memory."""
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8") as status:
            lines = dict(line.split(":", 1) for line in status)
        return [int(lines[key].split()[0]) * 1024 for key in ("RssAnon", "RssFile")]
    except (OSError, KeyError):
        return [0, 0]


def write(path, number):
    with open(path, "w", encoding="ascii") as file:
        file.write(str(number))


def make_group(mib):
    os.makedirs(GROUP, exist_ok=True)
    write(f"{GROUP}/memory.limit_in_bytes", mib << 20)
    write(f"{GROUP}/memory.max_usage_in_bytes", 0)


def end_group():
    """The most bytes that it had."""
    with open(f"{GROUP}/memory.max_usage_in_bytes", encoding="ascii") as file:
        most = int(file.read())
    os.rmdir(GROUP)
    return most


def run(name, folder, arguments):
    """How it went."""
    command = [os.path.join(ROOT, "build", "command", "fovea"), "run", "-q", STEPS, name + ".tif", "-d", arguments.device, "-o", name + "-rgb.tif",
               "--compression=zstd", "--tile=512", "-t", name + ".csv", "--report", name + ".json"]
    environment = {**os.environ, "FOVEA_SCRATCH": folder}
    if arguments.memory:
        environment["FOVEA_HOST_MEMORY"] = str(arguments.memory)
    if arguments.group:
        make_group(arguments.group)
        command = ["sh", "-c", f'echo $$ >{GROUP}/cgroup.procs && exec "$@"', "sh", *command]
    start, most = time.monotonic(), [0, 0]
    with subprocess.Popen(command, cwd=folder, env=environment) as process:
        while process.poll() is None:
            most = [max(pair) for pair in zip(most, resident(process.pid))]
            time.sleep(0.05)
    seconds = time.monotonic() - start
    group = {"group_limit": arguments.group << 20, "group_most": end_group()} if arguments.group else {}
    if process.returncode:
        sys.exit(process.returncode)
    with open(os.path.join(folder, name + ".json"), encoding="utf-8") as file:
        report = json.load(file)
    steps = {step["operation"]: round(step["ms"] / 1000, 3) for step in report["steps"]}
    return {"seconds": round(seconds, 2), "own_memory": most[0], "memory_of_files": most[1], **group, "device": report["device_name"], "steps": steps,
            "save": round(report["save_ms"] / 1000, 2), "on_disk": sum(step["bytes_on_disk"] for step in report["steps"])}


def measured(folder, name):
    """Areas and mean intensities."""
    with open(os.path.join(folder, name + ".csv"), encoding="utf-8") as file:
        return [(float(row["area"]), float(row["intensity_mean"])) for row in csv.DictReader(file)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--side", type=int, default=100000, help="a multiple of " + " or ".join(map(str, TILES)))
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--folder", default="/var/tmp")
    parser.add_argument("--memory", type=int, help="MiB that the program may have")
    parser.add_argument("--group", type=int, help="MiB that the system lets it have")
    parser.add_argument("--output")
    arguments = parser.parse_args()
    side = next((side for side in TILES if arguments.side % side == 0), None)
    if not side:
        parser.error(f"--side {arguments.side} is not a multiple of " + " or ".join(map(str, TILES)))
    blocks = arguments.side // side
    with tempfile.TemporaryDirectory(prefix="fovea-large-", dir=arguments.folder) as folder:
        block = make_block(side)
        write_tiff(os.path.join(folder, "one.tif"), block, 1)
        write_tiff(os.path.join(folder, "all.tif"), block, blocks)
        run("one", folder, arguments)
        result = {"side": arguments.side, "date": datetime.date.today().isoformat(), "machine": platform.platform(), "cores": os.cpu_count(),
                  **run("all", folder, arguments)}
        one, found = collections.Counter(measured(folder, "one")), collections.Counter(measured(folder, "all"))
        expected = collections.Counter({row: n * blocks * blocks for row, n in one.items()})
        result["objects"] = sum(found.values())
        assert result["objects"] == sum(expected.values()), f"{result['objects']} objects instead of {sum(expected.values())}"
        # A GPU blurs in another order near the edge of its tiles: a pixel that is the threshold to the last digit may fall to either side.
        result["objects_that_differ"] = sum((found - expected).values())
        assert result["objects_that_differ"] <= result["objects"] / (1000 if arguments.device != "cpu" else math.inf), found - expected
    print(json.dumps(result, indent=1))
    if arguments.output:
        with open(arguments.output, "w", encoding="utf-8") as file:
            json.dump(result, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
