# SPDX-License-Identifier: MIT
"""The steps of the page in front on many images: set up, run, stopped and gone on with in a window, and their table, whose rows lead to the images."""
import csv
import json
import os
import shutil
import subprocess
import sys
import time

import numpy as np
import tifffile
from scipy import ndimage

from person import (NUCLEI, SOURCE, WORK, Program, box, click, drag, find, focus_window, headers, keys, looked_at, name_file, name_of, no_window,
                    page_tabs, picture, press, run_command, set_steps, set_text, settled, table_rows, wait, window_titled)

SIDE = 160
STEPS = "threshold method=manual lower=100 as=mask | label as=cells | regionprops properties=label,area,centroid"
TABLE, TITLE = "Results of the batch", "Results of the Batch"
BRIGHT = (255, 230, 40)
POSING = os.path.join(os.path.dirname(os.environ["FOVEA_PROGRAM"]), "..", "tests", "posing")
OTHER = [sys.executable, os.path.join(SOURCE, "tests/ui/other_program.py")]


def discs(seed):
    """Some that do not touch, on a dark ground."""
    random = np.random.default_rng(seed)
    y, x = np.mgrid[:SIDE, :SIDE]
    image = np.full((SIDE, SIDE), 10, np.uint8)
    for row in range(20, SIDE, 40):
        for column in range(20, SIDE, 40):
            if random.random() < 0.6:
                image[(y - row) ** 2 + (x - column) ** 2 < random.uniform(4, 14) ** 2] = 200
    return image


def folder_of(name, images):
    """A fresh folder with these images, by name; bytes are written as they are."""
    folder = os.path.join(WORK, name)
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    for file, image in images.items():
        path = os.path.join(folder, file)
        if isinstance(image, bytes):
            with open(path, "wb") as broken:
                broken.write(image)
        else:
            tifffile.imwrite(path, image)
    return folder


def fresh_folder(name):
    path = os.path.join(WORK, name)
    shutil.rmtree(path, ignore_errors=True)
    return path


def measured(file, image):
    """What SciPy finds, a row for each object."""
    labels, n = ndimage.label(image > 100, np.ones((3, 3)))
    at = range(1, n + 1)
    areas, centres = ndimage.sum_labels(image > 100, labels, at), ndimage.center_of_mass(image > 100, labels, at)
    return [(file, i, area, y, x) for i, area, (y, x) in zip(at, areas, centres)]


def read_table(path):
    with open(path, encoding="utf-8", newline="") as file:
        lines = list(csv.reader(file))
    return lines[0], lines[1:]


def button(window, name):
    return wait(lambda: find(window, "push button", name), name)


def says(window, part):
    return wait(lambda: find(window, "label", part=part), part)


def opened(program, path, steps):
    """The window of batches over a new program that shows an image with these steps."""
    program.end()
    program = Program(path)
    set_steps(program, steps)
    settled(program)
    program.do("batch")
    return program, window_titled(program, "Batch")


def add_folder(program, window, folder):
    focus_window(program, "Batch")
    click(button(window, "Add Folder…"))
    name_file(program, "Add Folders of Images", folder)
    focus_window(program, "Batch")


def results_in(window, folder):
    set_text(wait(lambda: find(window, "text", "Folder"), "the field"), folder)


def manifest(folder):
    with open(os.path.join(folder, "manifest.jsonl"), encoding="utf-8") as lines:
        return [record for record in map(json.loads, lines) if "file" in record]


def back(program):
    """The program that the next test gets."""
    program.end()
    return Program(NUCLEI)


# ---- Tests ----


def table_of_many(program):
    """Images of a folder, one of them broken: table, files and failures are what SciPy says; a row opens its image, with the object lit."""
    images = {name: discs(seed) for seed, name in enumerate(("a1.tif", "a2.tif", "a10.tif"))}
    folder, out = folder_of("plate", {**images, "broken.tif": b"II*\0rubbish"}), fresh_folder("plate-results")
    program, window = opened(program, os.path.join(folder, "a1.tif"), STEPS)
    says(window, "Steps of a1.tif")
    says(window, "Threshold: ")
    says(window, "Add images.")
    add_folder(program, window, folder)
    says(window, "4 images")
    says(window, "Choose a folder for the results.")
    results_in(window, out)
    press(wait(lambda: find(window, "check box", part="cells"), "cells"))
    click(button(window, "Start"))
    says(window, "Done: 3 of 4 images")
    says(window, "broken.tif is truncated")
    expected = [row for name in images for row in measured(name, images[name])]
    header, lines = read_table(os.path.join(out, "all.csv"))
    assert [name.split(" (")[0] for name in header] == ["file", "label", "area", "centroid-0", "centroid-1"], header
    assert [(line[0], int(line[1]), float(line[2])) for line in lines] == [row[:3] for row in expected]
    assert np.allclose([[float(value) for value in line[3:]] for line in lines], [row[3:] for row in expected], rtol=1e-12)
    for name, image in images.items():
        saved = tifffile.imread(os.path.join(out, name.replace(".tif", "_cells.tif")))
        assert (saved == ndimage.label(image > 100, np.ones((3, 3)))[0]).all()
    row_leads_to_image(program, images, expected)
    known_to_command(folder, out)
    return back(program)


def lights(program, image, label):
    """All that is bright is the rim of the object, where SciPy finds it."""
    zoom, left, top = looked_at(program)
    y, x = np.nonzero((picture(program) == BRIGHT).all(2))
    row, column = (np.floor(start + (at + 0.5) / zoom).astype(int).clip(0, SIDE - 1) for start, at in ((top, y), (left, x)))
    found = ndimage.label(image > 100, np.ones((3, 3)))[0] == label
    return len(y) > 20 and (ndimage.binary_dilation(found, np.ones((3, 3))) & ~ndimage.binary_erosion(found, np.ones((3, 3)), 3))[row, column].all()


def closed(program, title):
    focus_window(program, title)
    keys("Escape")
    no_window(program, title)


def titles(program):
    return [name_of(find(tab, "label")) for tab in page_tabs(program)]


def choose_row(program, i):
    """With the mouse, in the window in the upper left corner of the screen; the first cells of the row."""
    focus_window(program, TITLE)
    cell = wait(lambda: table_rows(program, TABLE)[i][0], f"row {i}")
    wait(lambda: box(cell)[1] > 60, "its position below the header")
    program.heard()
    press(cell)
    return [name_of(cell) for cell in table_rows(program, TABLE)[i]][:2]


def row_leads_to_image(program, images, expected):
    """One image replaces the one before; an open one with these steps comes to the front."""
    table, first = window_titled(program, TITLE), len(measured("a1.tif", images["a1.tif"]))
    says(table, f"all.csv: {len(expected)} rows")
    assert headers(program, TABLE)[:3] == ["file", "label", "area"], headers(program, TABLE)
    assert choose_row(program, first + 1) == ["a2.tif", "2"]
    wait(lambda: titles(program) == ["a1.tif", "a2.tif"], "the image of the row")
    assert choose_row(program, first + len(measured("a2.tif", images["a2.tif"]))) == ["a10.tif", "1"]
    wait(lambda: titles(program) == ["a1.tif", "a10.tif"], "the next one instead")
    assert choose_row(program, 2) == ["a1.tif", "3"]
    window_titled(program, "a1.tif – Fovea")
    closed(program, TITLE)
    closed(program, "Batch")
    wait(lambda: lights(program, images["a1.tif"], 3), "the object")
    click(program.find("push button", "Close a10.tif"))
    program.do("batch")
    window = window_titled(program, "Batch")
    click(button(window, "Show Table"))
    window_titled(program, TITLE)
    choose_row(program, first + 1)
    wait(lambda: titles(program) == ["a1.tif", "a2.tif"], "the image of the row")
    closed(program, TITLE)
    closed(program, "Batch")
    wait(lambda: lights(program, images["a2.tif"], 2), "the object")
    click(program.find("push button", "Close a2.tif"))  # whose steps the batch keeps: no question is asked
    wait(lambda: titles(program) == ["a1.tif"], "it is closed")


def known_to_command(folder, out):
    """The command resumes what the app has done, and finds that only the broken one is left."""
    before = manifest(out)
    subprocess.run([os.environ["FOVEA_COMMAND"], "batch", STEPS, folder, "--out", out, "--table", "all.csv", "-o", "cells={name}_cells.tif",
                    "--resume", "--quiet"], check=False, capture_output=True)
    after = manifest(out)
    assert [record["file"] for record in after[len(before):]] == ["broken.tif"], after[len(before):]


def stops_and_goes_on(program):
    """Two hundred images: the window answers meanwhile, what is done when it is stopped is kept, and nothing is done twice."""
    folder = folder_of("many", {f"{i}.tif": discs(i)[:40, :40] for i in range(200)})
    out = fresh_folder("many-results")
    program, window = opened(program, os.path.join(folder, "0.tif"), "slow seconds=0.05 | " + STEPS)
    add_folder(program, window, folder)
    says(window, "200 images")
    results_in(window, out)
    click(button(window, "Start"))
    stop = button(window, "Stop")
    wait(lambda: os.path.exists(os.path.join(out, "manifest.jsonl")) and len(manifest(out)) > 20, "some images")
    start = time.monotonic()
    program.heard()
    assert time.monotonic() - start < 2
    click(stop)
    says(window, "Stopped: ")
    done = manifest(out)
    assert 20 < len(done) < 200, len(done)
    says(window, f"{len(done)} of 200 images are done. Resume processes the others.")
    click(button(window, "Resume"))
    says(window, "Done: 200 of 200 images")
    assert sorted(record["file"] for record in manifest(out)) == sorted(f"{i}.tif" for i in range(200))
    _, lines = read_table(os.path.join(out, "all.csv"))
    assert len(lines) == sum(len(measured("", discs(i)[:40, :40])) for i in range(200))
    closed(program, TITLE)
    set_steps(program, "threshold lower=50 | label | regionprops properties=label,area")
    says(window, "This folder has a batch of other steps")
    button(window, "Replace")
    return back(program)


def preview_is_what_is_done(program):
    """The first image opens with the steps; what is changed there is what the batch does. Files can be added one by one, and taken off."""
    images = {name: discs(seed) for seed, name in enumerate(("b.tif", "c.tif"), 20)}
    folder, out = folder_of("two", images), fresh_folder("two-results")
    program, window = opened(program, NUCLEI, "channel index=1 | threshold lower=250 | label | regionprops properties=label,area")
    for name, count in (("c.tif", "1 image"), ("b.tif", "2 images")):
        focus_window(program, "Batch")
        click(button(window, "Add Files…"))
        name_file(program, "Add Images", os.path.join(folder, name))
        says(window, count)
    press(wait(lambda: find(window, "label", part="/c.tif"), "its row"))
    click(button(window, "Remove"))
    says(window, "1 image")
    click(button(window, "Preview First Image"))
    says(window, "Steps of b.tif")
    assert titles(program) == ["nuclei_rgb.tif", "b.tif"]
    set_steps(program, "threshold lower=100 | label | regionprops properties=label,area | erosion")
    says(window, "Erode")
    results_in(window, out)
    press(wait(lambda: find(window, "check box", part="Last image"), "the last image"))
    set_text(find(window, "text", "Table"), "sizes")
    click(button(window, "Start"))
    says(window, "Done: 1 of 1 images")
    _, lines = read_table(os.path.join(out, "sizes.csv"))
    assert [(line[0], int(line[1]), float(line[2])) for line in lines] == [row[:3] for row in measured("b.tif", images["b.tif"])]
    assert sorted(os.listdir(out)) == [".fovea-batch", "b.tif", "manifest.jsonl", "sizes.csv"]
    closed(program, TITLE)
    set_steps(program, "")
    click(program.find("push button", "Close b.tif"))
    wait(lambda: titles(program) == ["nuclei_rgb.tif"], "it is closed")
    return back(program)


def files_are_dropped(program):
    """Folders and files dragged from another program are the images, each once; what is in the folder of the results is none."""
    folder = folder_of("dropped", {f"{i}.tif": discs(i) for i in range(3)})
    os.mkdir(os.path.join(folder, "results"))
    tifffile.imwrite(os.path.join(folder, "results", "old.tif"), discs(9))
    program, window = opened(program, NUCLEI, "threshold lower=100")
    files = subprocess.Popen([*OTHER, "drag", folder, os.path.join(folder, "1.tif")])
    try:
        wait(lambda: subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "^Files$"], capture_output=True).stdout, "the other window")
        drag(60, 30, 300, 200, steps=12)
        says(window, "4 images")
        files.wait(10)
    finally:
        files.kill()
    results_in(window, os.path.join(folder, "results"))
    says(window, "3 images")
    says(window, "Name a table or choose what to save for each image.")
    closed(program, "Batch")
    return back(program)


def images_of_one_file(program):
    """A row leads to the image of its file, also when the file's name is not valid text; a failure leads to the error of its file."""
    folder, out = folder_of("series", {"broken.tif": b"II*\0rubbish"}), fresh_folder("series-results")
    both = os.path.join(folder, os.fsdecode(b"bo\xffth.tif"))
    second = discs(31)[:120, :140]
    tifffile.imwrite(both, discs(30))
    tifffile.imwrite(both, second, append=True)
    program, window = opened(program, NUCLEI, "threshold lower=100 | label | regionprops properties=label,area")
    add_folder(program, window, folder)
    results_in(window, out)
    click(button(window, "Start"))
    says(window, "Done: 2 of 3 images")
    rows = measured("", second)
    header, lines = read_table(os.path.join(out, "all.csv"))
    assert header[:3] == ["file", "series", "label"] and [float(line[3]) for line in lines if line[1] == "1"] == [row[2] for row in rows]
    window_titled(program, TITLE)
    assert choose_row(program, len(lines) - len(rows)) == ["bo\\xffth.tif", "1"]
    wait(lambda: titles(program) == ["nuclei_rgb.tif", "bo�th.tif #2"], "the second image")
    closed(program, TITLE)
    press(says(window, "broken.tif is truncated"))
    wait(lambda: find(program.app, "label", part="broken.tif' is truncated"), "what is wrong, in the main window")
    click(program.find("push button", "Close bo�th.tif #2"))
    wait(lambda: titles(program) == ["nuclei_rgb.tif"], "it is closed")
    return back(program)


def ends_in_its_middle(program):
    """The batch ends with Fovea; the command resumes it."""
    folder, out = folder_of("many", {f"{i}.tif": discs(i)[:40, :40] for i in range(200)}), fresh_folder("many-results")
    steps = "slow seconds=0.05 | " + STEPS
    program, window = opened(program, os.path.join(folder, "0.tif"), steps)
    add_folder(program, window, folder)
    says(window, "200 images")
    results_in(window, out)
    click(button(window, "Start"))
    wait(lambda: os.path.exists(os.path.join(out, "manifest.jsonl")) and len(manifest(out)) > 5, "some images")
    closed(program, "Batch")
    done = len(manifest(out))
    wait(lambda: len(manifest(out)) > done, "the batch continues without its window")
    assert program.end() == 0
    done = manifest(out)
    assert len(done) < 200
    run_command("batch", steps, folder, "--out", out, "--table", "all.csv", "--resume", "--quiet")
    assert manifest(out)[:len(done)] == done and sorted(record["file"] for record in manifest(out)) == sorted(f"{i}.tif" for i in range(200))
    return Program(NUCLEI)


def gpu_is_shared(program):
    """The device of the window is that of the batch, here a GPU that poses; page and batch have it in turns."""
    images = {f"{i}.tif": discs(i) for i in range(40)}
    folder, out = folder_of("gpu", images), fresh_folder("gpu-results")
    program.end()
    program = Program(os.path.join(folder, "0.tif"), FOVEA_PLUGIN_PATH=POSING)
    press(wait(lambda: find(program.app, "combo box", "Device"), "the devices"))
    keys("End", "Return")
    set_steps(program, "pose as=turned")
    wait(lambda: find(program.app, part="on pose:0"), "the GPU")
    program.do("batch")
    window = window_titled(program, "Batch")
    add_folder(program, window, folder)
    results_in(window, out)
    press(wait(lambda: find(window, "check box", part="turned"), "what is saved"))
    click(button(window, "Start"))
    for steps in 5 * ("pose as=turned | pose", "pose as=turned"):
        set_steps(program, steps)
    says(window, "Done: 40 of 40 images")
    assert {record["device"] for record in manifest(out)} == {"pose:0"}
    for name, image in images.items():
        assert (tifffile.imread(os.path.join(out, name.replace(".tif", "_turned.tif"))) == 255 - image).all()
    return back(program)


def table_of_images(program):
    """A second table, with a row for each image or group of images, and parts of their names in both; a name that does not match is reported."""
    images = {f"p{plate}_{well}.tif": discs(10 * plate + n) for plate in (1, 2) for n, well in enumerate(("A1", "B2"))}
    folder, out = folder_of("wells", images), fresh_folder("wells-results")
    program, window = opened(program, os.path.join(folder, "p1_A1.tif"), STEPS)
    add_folder(program, window, folder)
    results_in(window, out)
    entry = lambda name: wait(lambda: find(window, "text", name), name)  # noqa: E731
    set_text(entry("Table of Images"), "all")
    says(window, "Give the two tables different names.")
    set_text(entry("Table of Images"), "images.jsonl")
    set_text(entry("Names"), "{plate}-{well}.tif")
    click(button(window, "Start"))
    says(window, "does not match '{plate}-{well}.tif'")
    set_text(entry("Names"), "p{plate}_{well}.tif")
    click(button(window, "Start"))
    says(window, "Done: 4 of 4 images")
    counts = {name: len(measured(name, image)) for name, image in images.items()}
    with open(os.path.join(out, "images.jsonl"), encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    assert [(row["plate"], row["well"], row["file"], row["rows"]) for row in rows] == [(n[1], n[3:5], n, counts[n]) for n in sorted(images)], rows
    header, lines = read_table(os.path.join(out, "all.csv"))
    assert header[:3] == ["plate", "well", "file"] and len(lines) == sum(counts.values()), header
    closed(program, TITLE)
    focus_window(program, "Batch")
    set_text(entry("Table of Images"), "plates")
    set_text(entry("Groups"), "plate")
    click(button(window, "Resume"))
    wait(lambda: os.path.exists(os.path.join(out, "plates.csv")), "the table of groups")
    header, lines = read_table(os.path.join(out, "plates.csv"))
    assert [line[:4] for line in lines] == [[p, "2", "0", str(sum(counts[n] for n in counts if n[1] == p))] for p in "12"], (header, lines)
    return back(program)


TESTS = [table_of_many, table_of_images, stops_and_goes_on, preview_is_what_is_done, files_are_dropped, images_of_one_file, ends_in_its_middle, gpu_is_shared]
