#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The overhead of a batch of very many images. Its manifests and rows are copies of those of one that was run. `fovea batch` then shows the status,
merges the tables and finds nothing left to do, in a shard and before it submits to Slurm.

    tests/bench/million.py [--images 1000000] [--rows 10] [--shards 100] [--folder /dev/shm] [--program build/command/fovea]

Prints seconds on the wall, seconds of the processor and the most memory of each, and checks the merged table.
"""
import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time

import numpy as np
import tifffile

STEPS = "otsu | label | regionprops properties=label,area,centroid,solidity"
PER_FOLDER = 1000


def one_image(path, objects):
    """So many objects in a row."""
    image = np.zeros((8, 8 * objects), np.uint8)
    for i in range(objects):
        image[2:6, 8 * i + 2:8 * i + 6] = 200
    tifffile.imwrite(path, image)


def parts_of(folder):
    """Of a batch of one image: its line of the manifest, the line before, and the rows of its table."""
    with open(f"{folder}/manifest.jsonl", encoding="utf-8") as file:
        header, image = (json.loads(line) for line in file)
    with open(f"{folder}/.fovea-batch/parts", "rb") as file:
        return image, header, file.read()


def names(count):
    for i in range(count):
        yield f"plate{i // PER_FOLDER:04}/image{i % PER_FOLDER:04}.tif"


def write_inputs(count, content):
    """Files that are all alike, but each one of its own: a link to one would change it."""
    for i, name in enumerate(names(count)):
        if not i % PER_FOLDER:
            os.makedirs(os.path.join("in", os.path.dirname(name)))
        with open(os.path.join("in", name), "wb") as file:
            file.write(content)


def write_shard(number, shards, count, image, header, rows):
    """As if every image of it had been done."""
    stem = f"-{number + 1}-of-{shards}"
    mine = list(names(count))[number::shards]
    with open(f"out/manifest{stem}.jsonl", "w", encoding="utf-8") as manifest, open(f"out/.fovea-batch/parts{stem}", "wb") as parts:
        manifest.write(json.dumps({**header, "files": len(mine)}, separators=(",", ":")) + "\n")
        for i, name in enumerate(mine):
            about = os.stat(os.path.join("in", name))
            line = {**image, "file": name, "modified_ns": about.st_mtime_ns, "changed_ns": about.st_ctime_ns, "part": i * len(rows)}
            manifest.write(json.dumps(line, separators=(",", ":")) + "\n")
            parts.write(rows)


def measure(what, command):
    """Runs it; seconds, and memory of this process alone."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if status:
        sys.exit(f"{what}: {said}")
    print(f"{what:40} {time.monotonic() - begin:8.2f} s, {used.ru_utime + used.ru_stime:8.2f} s of the processor, "
          f"{used.ru_maxrss / 1024:6.0f} MiB", flush=True)
    return said


def check(path, count, rows):
    """Whether each image has its rows in the table, in order."""
    lines = rows.decode().split("\r\n")
    with open(path, encoding="utf-8", newline="") as file:
        assert file.readline() == f"file,{lines[0]}\r\n"
        for name in names(count):
            for row in lines[1:-1]:
                got = file.readline()
                assert got == f"{name},{row}\r\n", f"{got!r} is not the row {row!r} of {name}"
        assert not file.readline()


def inputs_of(manifest):
    """The hash of all names, in its last header."""
    with open(manifest, encoding="utf-8") as file:
        return [line["inputs"] for line in map(json.loads, file) if "inputs" in line][-1]


def submit_nowhere(program, arguments):
    """Programs that replace Slurm's: nothing is submitted."""
    os.mkdir("bin")
    for name, text in (("sbatch", "echo 1"), ("squeue", "true")):
        with open(f"bin/{name}", "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\n{text}\n")
        os.chmod(f"bin/{name}", 0o755)
    inputs = inputs_of(f"out/manifest-1-of-{arguments.shards}.jsonl")
    for number in range(arguments.shards):
        with open(f"out/manifest-{number + 1}-of-{arguments.shards}.jsonl", "a", encoding="utf-8") as file:
            files = len(range(number, arguments.images, arguments.shards))
            file.write(json.dumps({"fovea": "", "steps": "", "inputs": inputs, "files": files}) + "\n")
    os.environ["PATH"] = f"{os.path.abspath('bin')}:{os.environ['PATH']}"
    said = measure("finding that no shard has anything to do", [program, "batch", STEPS, "in", "--out", "out", "--resume", "--slurm",
                                                                f"--array={arguments.shards}"])
    assert said.startswith("All images are done."), said


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", type=int, default=1000000)
    parser.add_argument("--rows", type=int, default=10)
    parser.add_argument("--shards", type=int, default=100)
    parser.add_argument("--folder", default="/dev/shm")
    parser.add_argument("--program", default="build/command/fovea")
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.program)
    print(f"{arguments.images} images with {arguments.rows} rows in {arguments.shards} shards; {os.cpu_count()} cores, "
          f"{platform.system()} {platform.release()}, {time.strftime('%Y-%m-%d')}", flush=True)
    with tempfile.TemporaryDirectory(prefix="fovea-million-", dir=arguments.folder) as folder:
        os.chdir(folder)
        one_image("one.tif", arguments.rows)
        with open("one.tif", "rb") as file:
            content = file.read()
        subprocess.run([program, "batch", STEPS, "one.tif", "--out", "one", "--device=cpu", "--quiet"], check=True)
        image, header, rows = parts_of("one")
        write_inputs(arguments.images, content)
        os.makedirs("out/.fovea-batch")
        for number in range(arguments.shards):
            write_shard(number, arguments.shards, arguments.images, image, header, rows)
        measure("how it stands", [program, "batch", "--status", "out"])
        measure("merging", [program, "batch", "--merge", "out", "--table", "all.csv"])
        check("out/all.csv", arguments.images, rows)
        with open("list", "w", encoding="utf-8") as file:
            file.write("".join(f"{folder}/in/{name}\0" for name in names(arguments.images)))
        measure("a task that has nothing left to do", [program, "batch", STEPS, "-0", "--files", "@list", "--out", "out", "--device=cpu",
                                                       "--resume", f"--shard=1/{arguments.shards}", "--quiet"])
        submit_nowhere(program, arguments)
        os.chdir("/")


if __name__ == "__main__":
    main()
