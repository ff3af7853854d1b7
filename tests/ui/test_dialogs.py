# SPDX-License-Identifier: MIT
"""Selections, side windows, tables, tabs and files: what a person does beside the main things."""
import csv
import io
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import zipfile

import numpy as np
import tifffile

from person import (NUCLEI, SOURCE, WORK, becomes, below, box, captions, click, drag, find, find_all, focus_window, has_step,
                    has_text, headers, keys, looked_at, mouse, name_file, name_of, no_step, no_window, page_tabs, press,
                    rows, run_command, screen, set_steps, set_text, settled, shows_file, text_of, texts, type_text,
                    wait, window_titled, zoom_100)

CELLS = os.path.join(SOURCE, "data/samples/cells_2channel.tif")
OTHER = [sys.executable, os.path.join(SOURCE, "tests/ui/other_program.py")]
OBJECTS = "channel index=1 as=green | gaussian sigma=2 | otsu | label as=cells min_size=2000 | regionprops intensity=green"


def green():
    image = tifffile.imread(NUCLEI)
    return (image[1] if image.shape[0] == 3 else image[..., 1]).astype(float)


def fresh(name):
    """A path with no file there, so that nothing asks whether to replace it."""
    path = os.path.join(WORK, name)
    if os.path.exists(path):
        os.remove(path)
    return path


def paste():
    """What is on the clipboard, for another program."""
    return subprocess.run([*OTHER, "paste"], check=True, capture_output=True, text=True, timeout=20).stdout


def column(program, table, header):
    """The values of a column, of the rows that can be seen."""
    i = headers(program, table).index(header)
    return [row[i] for row in rows(program, table)]


def spot(program, x, y):
    """Where on the screen a corner of pixels of the image is."""
    left, top, _, _ = box(program.find("image", "Image"))
    zoom, from_x, from_y = looked_at(program)
    return left + np.ceil((x - from_x) * zoom - 0.5), top + np.ceil((y - from_y) * zoom - 0.5)


def number(program, name):
    """Of the current selection, in its panel."""
    return program.find("spin button", name).get_value_iface().get_current_value()


def draw(program, tool, x, y, width, height):
    """Draws a selection at 100 % and checks the numbers in its panel."""
    program.do("selections")
    zoom_100(program)
    settled(program)
    press(program.find("push button", tool))
    drag(*spot(program, x, y), *spot(program, x + width, y + height))
    for name, value in (("X", x), ("Y", y), ("Width", width), ("Height", height)):
        wait(lambda: number(program, name) == value, f"{name} {value} of the {tool}")


def close_selections(program):
    press(program.find("page tab", "Steps"))


def no_selections(program):
    program.do("tool", "'hand'")
    program.do("select-none")
    program.do("clear-measurements")
    close_selections(program)


def measure(program):
    """By the key m; the row of measurements as the clipboard has it, by its header."""
    focus_window(program, "Fovea")
    keys("m")
    has_text(program, "Measurements: 1 row")
    click(visible(program, "push button", "Copy"))
    has_text(program, "Copied 1 row")
    lines = list(csv.DictReader(io.StringIO(paste()), delimiter="\t"))
    assert len(lines) == 1, lines
    return {name.split(" (")[0]: value for name, value in lines[0].items()}


def is_measured(row, pixels):
    want = {"area": pixels.size, "mean": pixels.mean(), "std": pixels.std(ddof=1), "min": pixels.min(), "max": pixels.max()}
    for name, value in want.items():
        assert np.isclose(float(row[name]), value, rtol=1e-12), (name, row[name], value)


# ---- Tests: each gets a window with the nuclei ----


def drop_files(program):
    """Two files dragged from another program are opened."""
    files = subprocess.Popen([*OTHER, "drag", CELLS, os.path.join(SOURCE, "data/samples/stack.tif")])
    try:
        wait(lambda: subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "^Files$"], capture_output=True).stdout,
             "the other window")
        drag(60, 30, 500, 400, steps=12)
        for name in ("cells_2channel.tif", "stack.tif"):
            program.find("push button", f"Close {name}")
        files.wait(10)
    finally:
        files.kill()
    for name in ("cells_2channel.tif", "stack.tif"):
        click(program.find("push button", f"Close {name}"))
        program.gone("push button", f"Close {name}")


def rectangle_measures(program):
    """What m measures in a rectangle is what NumPy computes from the file."""
    set_steps(program, "channel index=1")
    has_step(program, "Channel")
    draw(program, "rectangle", 250, 200, 101, 57)
    is_measured(measure(program), green()[200:257, 250:351])
    no_selections(program)


def oval_measures(program):
    """Pixels whose centers lie in the ellipse."""
    set_steps(program, "channel index=1")
    has_step(program, "Channel")
    draw(program, "oval", 240, 180, 80, 120)
    y, x = np.mgrid[180:300, 240:320] + 0.5
    inside = ((x - 280) / 40) ** 2 + ((y - 240) / 60) ** 2 <= 1
    is_measured(measure(program), green()[180:300, 240:320][inside])
    no_selections(program)


def restrict(program):
    """Outside the selection the step has done nothing; what comes after it sees that."""
    steps = "channel index=1 as=green | gaussian sigma=4"
    after = "threshold lower=90", "erosion"
    saved = os.path.join(WORK, "restricted.png")
    set_steps(program, steps)
    has_step(program, "Gaussian Blur")
    draw(program, "rectangle", 260, 210, 110, 90)
    program.do("restrict")
    has_step(program, "Keep Inside")
    for step, title in zip(after, ("Threshold", "Erode")):
        program.do("add-step", f"'{step}'")
        has_step(program, title)
    no_selections(program)
    run_command("run", f"{steps} | keep inside=rectangle(260,210,110,90) outside=green | {' | '.join(after)}", NUCLEI, "-o", saved)
    shows_file(program, saved)


def crop_to_selection(program):
    """With a selection, the image becomes the box around it."""
    saved = os.path.join(WORK, "cropped.png")
    set_steps(program, "channel index=1")
    has_step(program, "Channel")
    draw(program, "rectangle", 130, 100, 300, 280)
    program.do("add-step", "'crop'")
    has_step(program, "Crop")
    program.do("keep-selection")
    program.find("label", part="No selection: draw one first")
    no_selections(program)
    program.do("zoom-fit")
    run_command("run", "channel index=1 | crop x=130 y=100 width=300 height=280", NUCLEI, "-o", saved)
    shows_file(program, saved)


def selection_in_steps(program):
    """A step that measures pixels takes the area that is selected, a kymograph and a profile the line; the first pixel's center is at 0 there."""
    set_steps(program, "channel index=1")
    has_step(program, "Channel")
    draw(program, "rectangle", 130, 100, 300, 280)
    program.do("add-step", "'z_profile'")
    has_step(program, "Z-axis Profile")
    wait(lambda: "pixels" in headers(program, "Results") and column(program, "Results", "pixels") == ["84000"], "the pixels of the rectangle")
    assert np.isclose(float(column(program, "Results", "mean")[0]), green()[100:380, 130:430].mean(), atol=5e-5)
    set_steps(program, "channel index=1")
    program.do("select-none")
    program.do("selections")
    zoom_100(program)
    settled(program)
    press(program.find("push button", "line"))
    drag(*spot(program, 250, 220), *spot(program, 300, 260))
    wait(lambda: number(program, "Width") == 50, "a line of 50 px across")
    x, y = number(program, "X") - 0.5, number(program, "Y") - 0.5
    assert abs(x - 250) <= 1 and abs(y - 220) <= 1, (x, y)
    program.do("add-step", "'kymograph'")
    has_step(program, "Kymograph")
    program.do("copy-steps")
    ends = wait(lambda: re.search(r"kymograph x1=(\S+) y1=(\S+) x2=(\S+) y2=(\S+)", paste()), "the line")
    assert np.allclose([float(end) for end in ends.groups()], [x, y, x + 50, y + 40], atol=1), (ends, x, y)
    set_steps(program, "channel index=1")
    program.do("add-step", "'profile'")
    has_step(program, "Profile Along Line")
    program.do("copy-steps")
    points = wait(lambda: re.search(r'profile points="(\S+) (\S+); (\S+) (\S+)"', paste()), "the line")
    assert [float(end) for end in points.groups()] == [float(end) for end in ends.groups()], (points, ends)
    no_selections(program)


def cropped_is_seen(program):
    """What is left of an image is not where one looked at it."""
    set_steps(program, "channel index=1")
    has_step(program, "Channel")
    program.do("zoom-fit")
    zoom_100(program)
    for _ in range(4):
        program.do("zoom-in")
    wait(lambda: min(looked_at(program)[1:]) > 150, "the middle")
    set_steps(program, "channel index=1 | crop x=500 y=500 width=100 height=80")
    wait(lambda: max(looked_at(program)[1:]) < 0, "all of the image")
    program.do("zoom-fit")


def selections_as_file(program):
    """A list saved as .zip and opened again has the same names and shapes."""
    path = fresh("kept.zip")
    draw(program, "oval", 320, 260, 50, 60)
    focus_window(program, "Fovea")
    keys("t", "ctrl+a", "t")
    has_text(program, "Selections: 2")
    kept = program.find("list", "Kept selections")
    names = [name_of(n) for n in find_all(kept, "label")]
    click(program.find("push button", part="Save all selections"))
    name_file(program, "Save Selections", path)
    wait(lambda: os.path.getsize(path) > 0, "the file")
    for left in (1, 0):
        press(find_all(kept, "label")[0])
        press(program.find("push button", part="Remove the selected selection"))
        wait(lambda: len(find_all(kept, "label")) == left, f"{left} in the list")
    click(program.find("push button", part="Add the selections"))
    name_file(program, "Open Selections", path)
    wait(lambda: [name_of(n) for n in find_all(kept, "label")] == names, "the same names")
    press(find_all(kept, "label")[0])
    for name, value in (("X", 320), ("Y", 260), ("Width", 50), ("Height", 60)):
        wait(lambda: number(program, name) == value, name)
    no_selections(program)


def selections_of_imagej(program):
    """Paths, angles and outlines of several parts are listed, with the boxes that they have, and what one lost is told."""
    path, folder = fresh("kinds.zip"), os.path.join(SOURCE, "tests/core/selection/data")
    names = ["ring", "fine-polyline", "fine-angle", "ellipse", "arrow"]
    with zipfile.ZipFile(path, "w") as kinds:
        for name in names:
            kinds.write(os.path.join(folder, f"imagej-{name}.roi"), f"{name}.roi")
    program.do("selections")
    zoom_100(program)
    settled(program)
    kept = program.find("list", "Kept selections")
    before = len(find_all(kept, "label"))
    click(program.find("push button", part="Add the selections"))
    name_file(program, "Open Selections", path)
    wait(lambda: [name_of(n) for n in find_all(kept, "label")][before:] == names, "the names")
    has_text(program, "'arrow.roi' in it loses its arrow head.")
    for name, x, y, width, height in (("fine-polyline", 2.75, 2.5, 17.75, 13.25), ("ring", 1, 1, 24.5, 18)):
        press(find_all(kept, "label")[before + names.index(name)])
        for field, value in (("X", x), ("Y", y), ("Width", width), ("Height", height)):
            wait(lambda: number(program, field) == value, f"{field} of {name}")
    for left in reversed(range(len(names))):
        press(find_all(kept, "label")[before])
        press(program.find("push button", part="Remove the selected selection"))
        wait(lambda: len(find_all(kept, "label")) == before + left, "one less")
    no_selections(program)


def profile_opens(program):
    """The values along a line are those of the file, as the clipboard has them; the pane goes away again."""
    set_steps(program, "channel index=1")
    has_step(program, "Channel")
    program.do("selections")
    zoom_100(program)
    settled(program)
    press(program.find("push button", "line"))
    drag(*spot(program, 250, 220), *spot(program, 300, 220))
    wait(lambda: number(program, "Width") == 50, "a line of 50 px")
    x, y = int(number(program, "X")), int(number(program, "Y"))
    assert abs(x - 250) <= 1 and abs(y - 220) <= 1, (x, y)
    program.do("line-profile")
    wait(lambda: box(program.find(None, "Line profile"))[3] > 100, "the plot")
    click(visible(program, "push button", "Copy"))
    has_text(program, "Copied 51 values")
    values = [float(line.split("\t")[1]) for line in paste().splitlines()[1:]]
    assert np.allclose(values, green()[y, x:x + 51], rtol=1e-12), values
    click(program.find("push button", "Close the line profile"))
    wait(lambda: box(program.find("image", "Image"))[3] > 500, "the image has its height again")
    no_selections(program)


def close_window(program, title):
    focus_window(program, title)
    keys("Escape")
    no_window(program, title)


def record(program):
    """Opens the recorder without a line, below the image."""
    program.do("record")
    dialog = window_titled(program, "Record")
    click(find(dialog, "push button", "Clear"))
    subprocess.run(["xdotool", "search", "--name", "^Record$", "windowmove", "0", "420"], check=True)
    wait(lambda: not record_lines(dialog), "an empty record")
    return dialog


def record_lines(dialog):
    return text_of(find(dialog, "text", "Recorded commands")).splitlines()


def recorder_listens(program):
    """A line for each step; one for all of a slider's way."""
    focus_window(program, "Fovea")
    keys("ctrl+r")
    dialog = record(program)
    program.do("add-step", "'channel index=1'")
    program.do("add-step", "'gaussian sigma=2.5'")
    wait(lambda: len(record_lines(dialog)) == 3, "three lines")
    lines = record_lines(dialog)
    assert lines[0].startswith("select"), lines
    assert lines[1:] == ['run("Channel...", "index=1");', 'run("gaussian", "sigma=2.5");'], lines
    x, y, width, height = box(program.find("slider", "Sigma"))
    drag(x + width * 0.3, y + height / 2, x + width * 0.7, y + height / 2)
    settled(program)
    lines = record_lines(dialog)
    assert len(lines) == 4 and lines[3].startswith('run("Change Step...", "step=2 sigma='), lines
    close_window(program, "Record")


def command_does_the_same(program):
    """Copy as Command, in a terminal, writes the table that the window wrote; the file has an awkward name."""
    folder = os.path.join(WORK, "l'été à 4 °C")
    image, table = os.path.join(folder, 'the "best" one.tif'), fresh("it's mine.csv")
    os.makedirs(folder, exist_ok=True)
    shutil.copy(NUCLEI, image)
    open_files(program, image)
    dialog = record(program)
    set_steps(program, OBJECTS + " properties=label,area")
    has_rows(program)
    click(visible(program, "push button", "Export CSV…"))
    name_file(program, "Export Results", table)
    wait(lambda: len(record_lines(dialog)) == 3, "the export in the record")
    os.rename(table, os.path.join(WORK, "by_window.csv"))
    click(find(dialog, "push button", "Copy as Command"))
    wait(lambda: find(dialog, "label", part="Copied as a shell command"), "the copy")
    command = shlex.split(paste())
    assert command[:2] == ["fovea", "run"] and image in command, command
    run_command(*command[1:])
    with open(table, "rb") as again, open(os.path.join(WORK, "by_window.csv"), "rb") as first:
        assert again.read() == first.read(), "the command writes another table"
    close_window(program, "Record")
    program.do("close-page")
    program.gone("push button", f"Close {os.path.basename(image)}")


def open_files(program, *paths):
    """As the file manager does: by another start of the program."""
    subprocess.run([os.environ["FOVEA_PROGRAM"], *paths], check=True, timeout=20)
    for path in paths:
        program.find("push button", f"Close {os.path.basename(path)}")


def has_rows(program):
    return wait(lambda: re.search(r"^Results: (\d+)", name_of(visible(program, "label", part="Results: "))), "rows")


def visible(program, role, name=None, part=""):
    """The widget on the newest page."""
    def look():
        return [n for n in find_all(program.window, role) if part in name_of(n) and name_of(n).endswith(name or "")
                and box(n)[2] > 0][-1]
    return wait(look, f"{role} {name or part} in front")


def steps_as_file(program):
    """Steps that were saved come back by Open Steps."""
    path = fresh("mine.steps")
    set_steps(program, "channel index=1 | gaussian sigma=3.5 | otsu")
    has_step(program, "Otsu Threshold")
    program.do("save-steps")
    name_file(program, "Save Steps", path)
    wait(lambda: "sigma=3.5" in open(path, encoding="utf-8").read(), "the file")
    set_steps(program, "")
    no_step(program)
    program.do("open-steps")
    name_file(program, "Open Steps", path)
    has_step(program, "Otsu Threshold")
    wait(lambda: any("Sigma 3.5" in t for t in texts(program)), "Sigma 3.5")


def choose_measurement(program):
    """Searching and Return tick a property: the table gets its column, with the values of the command line."""
    set_steps(program, OBJECTS + " properties=label,area | label2rgb from=cells")
    has_rows(program)
    wait(lambda: headers(program, "Results") == ["label", "area"], "two columns")
    press(program.find("push button", "Measurements…"))
    program.find("list", "Properties")
    wait(lambda: find(program.app, "entry", part="Search"), "the search")
    type_text("solidity")
    wait(lambda: len([n for n in find_all(program.find("list", "Properties"), "check box") if box(n)[3] > 0]) > 0, "rows")
    keys("Return")
    wait(lambda: "solidity" in headers(program, "Results"), "the column")
    keys("Escape", "Escape")
    by_command = os.path.join(WORK, "solidity.csv")
    run_command("run", OBJECTS + " properties=label,area,solidity", NUCLEI, "--table", by_command)
    with open(by_command, encoding="utf-8") as table:
        want = [float(line["solidity"]) for line in csv.DictReader(table)]
    wait(lambda: np.allclose([float(v) for v in column(program, "Results", "solidity")[:4]], want[:4], rtol=1e-4), "the values")


def scale_calibrates(program):
    """200 px are 50 µm: areas become a sixteenth, with the unit, and the properties say so."""
    set_steps(program, OBJECTS + " properties=label,area")
    wait(lambda: "area" in headers(program, "Results"), "pixels")
    pixels = [float(v) for v in column(program, "Results", "area")]
    assert len(pixels) > 2
    mouse_select(program, 0)
    program.do("set-scale")
    for name, text in (("Distance in pixels", "200"), ("Known length", "50"), ("Unit", "um")):
        set_text(program.find("text", name), text)
    has_text(program, "4 pixels per um")
    click(program.find("push button", "Set"))
    wait(lambda: "area (µm²)" in headers(program, "Results"), "µm²")
    wait(lambda: np.allclose([float(v) for v in column(program, "Results", "area (µm²)")[:len(pixels)]],
                             np.array(pixels) / 16, rtol=1e-4), "a sixteenth")
    program.do("properties")
    said = captions(window_titled(program, "Image Properties"))
    assert said["Pixel width"] == "0.25 µm" and said["Size"] == "640 × 640 pixels   (160 × 160 µm)", said
    close_window(program, "Image Properties")


def mouse_select(program, row):
    """Looks at the step in that row of the list; the opened image is row 0."""
    press(find_all(program.find("list", "Steps"), "list item")[row])


def devices_are_said(program):
    """The report names the CPU and the last run."""
    program.do("devices", where="")
    report = find(window_titled(program, "Device Report"), "text", "Device report")
    assert re.search(r"^ *cpu\b", text_of(report), re.M), text_of(report)
    assert "LAST RUN OF nuclei_rgb.tif" in text_of(report)
    close_window(program, "Device Report")


def filter_fades(program):
    """Limits of a column leave fewer rows, and the other objects fade in the image."""
    set_steps(program, OBJECTS + " properties=label,area")
    has_rows(program)
    before = settled(program)
    areas = sorted(float(v) for v in column(program, "Results", "area"))
    press(program.find("push button", "Filter…"))
    set_text(program.find("text", "Least of area"), str(areas[-2]))
    wait(lambda: re.search(r"Results: \d+ of \d+ rows", has_text(program, "Results: ").get_name()), "fewer rows")
    keys("Escape")
    wait(lambda: float(min(column(program, "Results", "area"), key=float)) >= areas[-2], "only large ones")
    wait(lambda: (settled(program) != before).any(), "objects that fade")
    click(visible(program, "push button", "Show All"))
    wait(lambda: "of" not in has_text(program, "Results: ").get_name().split(), "all rows")
    becomes(program, before, "no object is faded")


def distribution_is_live(program):
    """The plot comes up beside the table, takes nothing of the image, follows the steps, and goes by its button."""
    set_steps(program, OBJECTS + " properties=label,area")
    has_rows(program)
    settled(program)
    image = box(program.find("image", "Image"))
    press(program.find("push button", "Distribution"))
    x, y, width, height = wait(lambda: next((box(n) for n in find_all(program.window, "image") if name_of(n) == "Distribution" and box(n)[2] >= 200), None), "the plot")
    assert box(program.find("image", "Image")) == image, "the plot takes room of the image"
    assert x > box(program.find("tree table", "Results"))[0] + 100 and y >= image[1] + image[3], "the plot is beside the table"

    def bars():
        return screen()[y:y + height, x + 66:x + width - 18].copy()
    wait(lambda: (lambda b: (b.max(axis=2) - b.min(axis=2).astype(int) > 60).sum() > 200)(bars()), "bars")
    before = bars()
    set_steps(program, OBJECTS.replace("min_size=2000", "min_size=300") + " properties=label,area")
    wait(lambda: (bars() != before).any(), "other bars")
    press(program.find("push button", "Distribution"))
    wait(lambda: not find(program.window, "combo box", "Column across"), "no plot")


def dark_and_light(program):
    """The colors change at once and are kept."""
    def brightness():
        return float(screen()[300:700, 950:1270].mean())
    for theme, fits in (("dark", lambda b: b < 90), ("light", lambda b: b > 180)):
        program.set_state("theme", theme)
        wait(lambda: fits(brightness()), theme)
    with open(os.path.join(os.environ["XDG_CONFIG_HOME"], "fovea/settings.ini"), encoding="utf-8") as settings:
        assert "theme=light" in settings.read()


def channel_slider(program):
    """Not as a composite, the slider C goes from one channel to the other; both are shown as they are in the file."""
    open_files(program, CELLS)
    slider = visible(program, "slider", "Channel")
    both = settled(program)
    program.do("display")
    press(visible(program, "check box", part="mposite"))
    x, y, width, height = box(slider)
    mouse(x + width - 3, y + height / 2, 1)
    has_text(program, "2/2 cytoplasm")
    second = settled(program)
    mouse(x + 3, y + height / 2, 1)
    has_text(program, "1/2 nuclei")
    first = settled(program)
    assert (first != second).any() and (first != both).any(), "the channels look the same"
    program.do("close-page")
    program.gone("push button", "Close cells_2channel.tif")


def tabs(program):
    """Two images are two pages with steps of their own; closing one leaves the other as it was."""
    set_steps(program, "channel index=1 | gaussian sigma=3")
    has_step(program, "Gaussian Blur")
    before = settled(program)
    open_files(program, CELLS)
    wait(lambda: len(page_tabs(program)) == 2, "two tabs")
    mouse_select_tab(program, "nuclei_rgb.tif")
    becomes(program, before, "the first page shows what it did")
    mouse_select_tab(program, "cells_2channel.tif")
    assert not np.array_equal(settled(program), before), "both pages show the same"
    click(program.find("push button", "Close cells_2channel.tif"))
    program.gone("push button", "Close cells_2channel.tif")
    has_step(program, "Gaussian Blur")
    becomes(program, before, "the page that stays shows what it did")


def mouse_select_tab(program, name):
    press(find(program.find("page tab list"), "label", name))


def skip_and_delete(program):
    """The eye turns a step off and on; Delete takes it away."""
    set_steps(program, "channel index=1")
    has_step(program, "Channel")
    without = settled(program)
    program.do("add-step", "'gaussian sigma=8'")
    has_step(program, "Gaussian Blur")
    blurred = settled(program)
    assert (without != blurred).any()
    for want in (without, blurred):
        press(find_all(program.find("list", "Steps"), "push button")[1])
        becomes(program, want, "the eye")
    mouse_select(program, 2)
    keys("Delete")
    wait(lambda: "Gaussian Blur" not in texts(program), "no blur")
    becomes(program, without, "the picture without the step")
    program.do("undo")
    has_step(program, "Gaussian Blur")


def step_counts(program):
    """How many rows the lists of steps have, sorted: on all pages, or on the one in front where GTK tells of no other."""
    return sorted(len(find_all(steps, "list item")) for steps in find_all(program.window, "list") if name_of(steps) == "Steps")


def file_twice(program):
    """A file that is opened twice has two pages, with steps of their own."""
    open_files(program, CELLS, CELLS)
    tabs = wait(lambda: len(page_tabs(program)) == 3 and page_tabs(program), "three tabs")
    program.do("add-step", "'channel index=1'")
    wait(lambda: step_counts(program) in ([1, 1, 2], [2]), "one step on this page")
    for tab in tabs[:2]:
        press(find(tab, "label"))
        wait(lambda: step_counts(program) in ([1, 1, 2], [1]), "no step on that page")
    press(find(tabs[2], "label"))
    program.do("undo")
    for left in (2, 1):
        program.do("close-page")
        wait(lambda: len(page_tabs(program)) == left, f"{left} tabs")


def awkward_name(program):
    """The name is in the tab and in the list of steps, and opens again from Open Recent."""
    name = "50 % \"a'b\" <b>&amp; Zellen – 細胞.tif"
    path = os.path.join(WORK, name)
    shutil.copy(NUCLEI, path)
    open_files(program, path)
    assert name in [name_of(n) for n in find_all(program.find("page tab list"), "label")]
    wait(lambda: [n for n in find_all(program.window, "list") if name_of(n) == "Steps" and find(n, "label", name)], "the list")
    program.do("close-page")
    program.gone("push button", f"Close {name}")
    recent = os.path.join(os.environ["XDG_DATA_HOME"], "recently-used.xbel")  # which GTK writes when it finds the time
    wait(lambda: "%E7%B4%B0%E8%83%9E.tif" in pathlib.Path(recent).read_text(encoding="utf-8"), "the name among the recent ones")


def small_window(program):
    """At 640 × 400 the image, the steps and the numbers are there, and steps can be added."""
    resize(program, 640, 400)
    canvas = wait(lambda: inside(program, "image", "Image", 640, 400), "the image in the window")
    assert canvas[2] >= 160 and canvas[3] >= 120, canvas
    set_steps(program, "channel index=1")
    has_step(program, "Channel")
    before = settled(program)
    program.do("add-step", "'gaussian sigma=8'")
    has_step(program, "Gaussian Blur")
    wait(lambda: inside(program, "push button", "Delete the step (Delete)", 640, 400), "the steps in the window")
    assert (settled(program) != before).any(), "the step is not to be seen"
    wait(lambda: inside(program, "menu item", "Help", 640, 400), "the menus in the window")
    set_steps(program, OBJECTS + " properties=label,area")
    has_rows(program)
    program.do("selections")
    wait(lambda: box(program.find("list", "Kept selections"))[2] > 0, "the list of selections")
    assert inside(program, "image", "Image", 640, 400), "table and selections push the image out of the window"
    close_selections(program)
    resize(program, 1280, 800)
    wait(lambda: box(program.find("image", "Image"))[2] > 640, "the large window")


def resize(program, width, height):
    subprocess.run(["xdotool", "search", "--all", "--onlyvisible", "--pid", str(program.process.pid), "--name", "Fovea$",
                    "windowsize", "--sync", str(width), str(height)], check=True, timeout=10)


def inside(program, role, name, width, height):
    """The position of a widget, when the window has this size and shows all of it."""
    x, y, w, h = box(program.find(role, name))
    size = box(program.window)[2:]
    return (x, y, w, h) if size == (width, height) and min(x, y) >= 0 and x + w <= width and y + h <= height else None


TESTS = [drop_files, rectangle_measures, oval_measures, restrict, crop_to_selection, selection_in_steps, cropped_is_seen, selections_as_file, selections_of_imagej, profile_opens, recorder_listens,
         command_does_the_same, steps_as_file, choose_measurement, scale_calibrates, devices_are_said, filter_fades,
         distribution_is_live, dark_and_light, channel_slider, tabs, skip_and_delete, file_twice, awkward_name, small_window]
