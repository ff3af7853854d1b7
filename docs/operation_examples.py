#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the examples of notes.ini for the pages of operations: operation_examples.py FOVEA SAMPLES_FOLDER OUTPUT.

An example becomes two pictures, without and with its last step, or the beginning of a table. The name of a file follows from the sample and
the steps, so that only new examples run in an existing folder.
"""
import concurrent.futures
import configparser
import hashlib
import json
import os
import pathlib
import subprocess
import sys

DOCS = pathlib.Path(__file__).resolve().parent
NOTES = DOCS / "reference/operations/notes.ini"
ROWS = 3


def notes():
    """Formulas, examples and related operations, which declarations do not have."""
    parser = configparser.ConfigParser(interpolation=None)
    parser.read(NOTES, encoding="utf-8")
    return parser


def file_name(sample, steps, extension):
    return hashlib.sha256(f"{sample} {steps}".encode()).hexdigest()[:16] + extension


def without_last_step(steps):
    return steps.rpartition(" | ")[0]


def draw(fovea, sample, steps, path):
    words = ["-s", steps] if steps else []
    subprocess.run([fovea, "figure", "--no-plugins", sample, path, *words, "width=240", "bar=no"], check=True, stdout=subprocess.DEVNULL)


def tabulate(fovea, sample, steps, path):
    """The head of the table; empty for a step that finds numbers alone."""
    run = subprocess.run([fovea, "run", "--no-plugins", "-q", steps, sample, "-t", "-"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    path.write_text("".join(run.stdout.splitlines(keepends=True)[:ROWS + 1]), encoding="utf-8")


def main():
    fovea, samples, output = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    output.mkdir(exist_ok=True)
    declared = json.loads(subprocess.run([fovea, "ops", "--no-plugins", "--json"], check=True, capture_output=True, text=True).stdout)
    pictured = {operation["key"] for operation in declared if operation["outputs"]}
    jobs = {}
    for key, note in notes().items():
        if "example" in note:
            for steps in (without_last_step(note["example"]), note["example"]) if key in pictured else (note["example"],):
                extension, make = (".png", draw) if key in pictured else (".csv", tabulate)
                jobs[output / file_name(note["sample"], steps, extension)] = make, note["sample"], steps
    for path in set(output.iterdir()) - jobs.keys():
        path.unlink()

    def run(job):
        path, (make, sample, steps) = job
        built, source = samples / sample, DOCS.parent / "data/samples" / sample
        if not path.exists():
            make(fovea, source if source.exists() else built, steps, path)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(run, jobs.items()))


if __name__ == "__main__":
    main()
