# SPDX-License-Identifier: MIT
"""A folder of numbered images: a form says how they open and shows the result. The command opens the same by the path that it shows."""
import os
import shutil
import subprocess

import numpy as np
import tifffile

from person import (NUCLEI, WORK, Atspi, Program, find, find_all, focus_window, has_state, has_text, keys, name_file, name_of, no_window, page_tabs, press, ready,
                    set_steps, text_of, type_text, wait, window_titled)

TITLE = "Image Sequence"


def folder_of(name, files):
    """files: name -> value of all pixels."""
    folder = os.path.join(WORK, name)
    shutil.rmtree(folder, ignore_errors=True)
    for file, value in files.items():
        path = os.path.join(folder, file)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        tifffile.imwrite(path, np.full((48, 64), value, np.uint8))
    return folder


def says(form, text):
    wait(lambda: find(form, "label", part=text), text)


def shows_path(form, path):
    wait(lambda: find(form, "label", path), path)


def choose(form, name, item):
    """Opens a drop-down of the form by the mouse and takes an item by keys, from the first one down."""
    choice = wait(lambda: find(form, "combo box", name), name)
    press(choice)
    items = wait(lambda: [name_of(find(row, "label")) for row in find_all(choice, "list item")], "the list")
    keys("Home", *["Down"] * items.index(item), "Return")


def type_into(form, name, text):
    entry = wait(lambda: find(form, "text", name), name)
    press(entry)
    keys("ctrl+a", "Delete")
    type_text(text)
    wait(lambda: text_of(entry) == text, f"{text} in {name}")


def open_button(form):
    button = wait(lambda: find(form, "push button", "Open"), "the button")
    wait(lambda: has_state(button, Atspi.StateType.SENSITIVE), "a button that can be pressed")
    return button


def in_front(program, name, size):
    wait(lambda: name_of(find(page_tabs(program)[-1], "label")) == name, name)
    has_text(program, size)


def by_command(path):
    """What the command says that it is."""
    said = subprocess.run([os.environ["FOVEA_COMMAND"], "info", path], check=True, capture_output=True, text=True).stdout
    return said.splitlines()[0].removeprefix(path).split(": ", 1)[1]


def stack_of_numbers(program):
    """File > Open Folder of numbered slices: all of them, then some of them; what the path opens in the command has the same size."""
    folder = folder_of("slices", {f"s{i}.tif": i for i in range(1, 13)})
    program.do("open-folder")
    name_file(program, "Open Folder", folder)
    form = window_titled(program, TITLE)
    says(form, "1 image: 64×48 8-bit, 12 slices")
    says(form, "12 of 12 files")
    shows_path(form, f"{folder}/{{z}}.tif")
    focus_window(program, f"{TITLE} of slices")
    type_into(form, "First", "3")
    type_into(form, "Count", "4")
    type_into(form, "Step", "2")
    says(form, "1 image: 64×48 8-bit, 4 slices")
    path = f"{folder}/{{z:3-9-2}}.tif"
    shows_path(form, path)
    type_into(form, "First", "13")
    says(form, "There are only 12 files.")
    wait(lambda: not has_state(find(form, "push button", "Open"), Atspi.StateType.SENSITIVE), "nothing to open")
    type_into(form, "First", "3")
    shows_path(form, path)
    choose(form, "Files are", "Frames")
    says(form, "4 frames")
    choose(form, "Files are", "Slices")
    shows_path(form, path)
    press(open_button(form))
    no_window(program, TITLE)
    in_front(program, "slices", "64×48")
    assert by_command(path) == "64×48 8-bit, 4 slices", by_command(path)
    set_steps(program, "project")
    ready(program)
    program.do("record")
    record = window_titled(program, "Record")
    wait(lambda: f'open("{path}");' in text_of(find(record, "text", "Recorded commands")), "the path in the record")
    focus_window(program, "Record")
    keys("Escape")
    no_window(program, "Record")
    set_steps(program, "")
    ready(program)
    out = os.path.join(WORK, "some.tif")
    subprocess.run([os.environ["FOVEA_COMMAND"], "convert", path, out], check=True, capture_output=True)
    assert [plane.max() for plane in tifffile.imread(out)] == [3, 5, 7, 9]
    program.do("close-page")


def parts_of_names(program):
    """Dropped on the program by its command line: numbers and words in the names are frames, slices and channels; one that is nothing else is changed."""
    files = {f"run_t{t}_z{z}_{c}.tif": 100 * k + 10 * t + z for t in (1, 2) for z in (1, 2, 3) for k, c in enumerate(("DAPI", "GFP"))}
    folder = folder_of("parts", files)
    program.end()
    program = Program()
    subprocess.run([os.environ["FOVEA_PROGRAM"], folder], check=True, timeout=60, stderr=subprocess.DEVNULL)
    form = window_titled(program, TITLE)
    says(form, "1 image: 64×48 8-bit, 2 channels, 3 slices, 2 frames")
    shows_path(form, f"{folder}/run_t{{t}}_z{{z}}_{{channel}}.tif")
    focus_window(program, f"{TITLE} of parts")
    choose(form, "z 1, 2, 3", "Fields")
    says(form, "3 images: 64×48 8-bit, 2 channels, 2 frames")
    choose(form, "z 1, 2, 3", "Slices")
    says(form, "1 image: 64×48 8-bit, 2 channels, 3 slices, 2 frames")
    type_into(form, "Channels", "2")
    type_into(form, "Slices", "2-end")
    says(form, "1 image: 64×48 8-bit, 2 slices, 2 frames")
    says(form, "4 of 12 files")
    type_into(form, "Channels", "3")
    says(form, "there are only 2")
    type_into(form, "Channels", "")
    type_into(form, "Slices", "")
    type_into(form, "Names with", "GFP")
    says(form, "6 of 12 files")
    shows_path(form, f"{folder}/run_t{{t}}_z{{z}}_GFP.tif")
    choose(form, "Open as", "By a pattern")
    says(form, "1 image: 64×48 8-bit, 3 slices, 2 frames")
    wait(lambda: text_of(find(form, "text", "Pattern")) == "run_t{t}_z{z}_GFP.tif", "the pattern to begin with")
    path = f"{folder}/run_t{{t}}_z{{z:3}}_GFP.tif"
    type_into(form, "Pattern", "run_t{t}_z{z:3}_GFP.tif")
    says(form, "1 image: 64×48 8-bit, 2 frames")
    shows_path(form, path)
    press(open_button(form))
    no_window(program, TITLE)
    in_front(program, "parts", "64×48")
    assert by_command(path) == "64×48 8-bit, 2 frames", by_command(path)
    program.end()
    return Program(NUCLEI)


def separate_images(program):
    """They go to the window of the folder, for a batch. A folder of other names is not asked about, and File > Import Image Sequence asks about each."""
    folder = folder_of("plates", {f"{row}0{column}_f1.tif": 7 for row in "AB" for column in (1, 2)})
    program.do("open-folder-path", f"b'{folder}'")
    form = window_titled(program, TITLE)
    says(form, "4 images: 64×48 8-bit")
    shows_path(form, f"{folder}/{{well}}_f1.tif")
    focus_window(program, f"{TITLE} of plates")
    choose(form, "Open as", "Separate images")
    says(form, "4 images in a window")
    press(open_button(form))
    no_window(program, TITLE)
    window = window_titled(program, "Folder plates")
    says(window, "4 images")
    focus_window(program, "Folder plates")
    keys("Escape")
    no_window(program, "Folder plates")
    folder = folder_of("pets", {"cat.tif": 1, "dog.tif": 2, "cow.tif": 3})
    program.do("open-folder-path", f"b'{folder}'")
    says(window_titled(program, "Folder pets"), "3 images")
    focus_window(program, "Folder pets")
    keys("Escape")
    no_window(program, "Folder pets")
    program.do("import-sequence")
    name_file(program, "Import Image Sequence", folder)
    form = wait(lambda: window_titled(program, f"{TITLE} of pets"), "the form")
    says(form, "1 image: 64×48 8-bit, 3 channels")
    focus_window(program, f"{TITLE} of pets")
    keys("Escape")
    no_window(program, f"{TITLE} of pets")


TESTS = [stack_of_numbers, parts_of_names, separate_images]
