# SPDX-License-Identifier: MIT
"""What was clicked once runs on many images: as a batch, with the tables that the window makes of each."""
import csv
import os
import subprocess
import tempfile

import numpy as np
import tifffile

from person import click, find, find_all, has_text, name_file, name_of, run_command, settled, wait
from test_dialogs import fresh, open_files, record, visible
from test_macros import close_record, restarted, save_record


def wells(folder, n):
    """Images with bright spots, each other ones, and one with a calibration; their paths."""
    paths = []
    y, x = np.mgrid[:160, :200]
    for well in range(n):
        random = np.random.default_rng(well)
        image = random.normal(20, 2, (160, 200))
        for _ in range(6 + well):
            cy, cx, r = random.integers(10, 150), random.integers(10, 190), random.integers(4, 9)
            image += 150 * np.exp(-((y - cy) ** 2 + (x - cx) ** 2) / r ** 2)
        paths.append(os.path.join(folder, f"well {well + 1}.tif"))
        tifffile.imwrite(paths[-1], np.clip(image, 0, 255).astype(np.uint8), **({"resolution": (5e4, 5e4), "resolutionunit": "CENTIMETER"} if well == 3 else {}))
    return paths


def rows_of(path):
    """The content of each column that has some."""
    with open(path, encoding="utf-8", newline="") as file:
        return [{column: value for column, value in row.items() if value} for row in csv.DictReader(file)]


def rows(program):
    """The first label of each row of the steps in front: the image, and what is done to it."""
    return [name_of(find(row, "label")) for row in find_all(visible(program, "list", "Steps"), "list item")]


def count(program, path):
    """By hand, with a slider, too; the table that is exported."""
    table = fresh("cells.csv")
    open_files(program, path)
    wait(lambda: rows(program) == [os.path.basename(path)], "the image")
    program.do("add-step", "'gaussian sigma=1'")
    visible(program, "slider", "Sigma").get_value_iface().set_current_value(0.5)  # of its logarithm: the same each time, as no drag is
    for step in "otsu", "label", "regionprops properties=label,area,centroid":
        program.do("add-step", f"'{step}'")
    has_text(program, "Results: ")
    settled(program)
    click(visible(program, "push button", "Export CSV…"))
    name_file(program, "Export Results", table)
    wait(lambda: os.path.getsize(table), "the table")
    return rows_of(table)


def recorded_once_runs_on_many(program):
    folder = tempfile.mkdtemp()
    paths = wells(folder, 6)
    dialog = record(program)
    count(program, paths[0])
    macro = save_record(program, dialog, "count.lua")
    close_record(program)
    by_hand = [count(program, path) for path in paths]
    out = tempfile.mkdtemp()
    run_command("batch", macro, folder, "--out", out, "--table", "all.csv")
    wanted = [{"file": os.path.basename(path), **row} for path, rows in zip(paths, by_hand) for row in rows]
    assert len({len(rows) for rows in by_hand}) > 1 and len({tuple(row) for row in wanted}) == 2, "images that are much the same show little"
    assert rows_of(os.path.join(out, "all.csv")) == wanted
    return restarted(program)


TESTS = [recorded_once_runs_on_many]
