# SPDX-License-Identifier: MIT
"""What a slider that is dragged leaves alone: the layout of the window, and the slider itself."""
import math
import os
import time

from gi.repository import Atspi
import numpy as np
import tifffile

from person import (NUCLEI, WORK, Program, below, box, click, column_titles, drag, find, find_all, has_text, mouse, name_of, press,
                    settled, set_steps, text_of, wait)

STEPS = "gaussian sigma=2 | otsu | label | regionprops properties=label,area,centroid"


def blobs():
    """Twelve, so far apart that they stay twelve at every sigma."""
    path = os.path.join(WORK, "blobs.tif")
    y, x = np.mgrid[:480, :640]
    squared = (y % 160 - 80) ** 2 + (x % 160 - 80) ** 2
    tifffile.imwrite(path, (4000 * np.exp(-squared / 800)).astype(np.uint16))
    return path


def sigma_of(program):
    press(wait(lambda: find(program.app, "list item", part="Gaussian"), "the step"))
    return wait(lambda: find(program.app, "slider", "Sigma"), "the slider")


def layouts(path, event="layout"):
    with open(path, encoding="utf-8") as file:
        return sum(line.split("\t")[1] == event for line in file)


def layouts_by_results(path):
    """How often results were followed by a layout before the next frame was finished, and how many results there were. The
    progress of a long run is not counted, since it has layouts of its own."""
    laid_out = results = 0
    changed = progress = False
    with open(path, encoding="utf-8") as file:
        for _, event, value, _ in (line.split("\t") for line in file):
            results += event == "results"
            laid_out += changed and event == "layout"
            if event == "progress":
                progress = value == "1"
            changed = not progress and (event in ("results", "table") or changed and event not in ("layout", "paint", "progress"))
    return laid_out, results


def dragging_moves_nothing(program):
    """The same number of rows with other values: the window is not laid out again for each."""
    times = os.path.join(WORK, "layouts")
    program.end()  # another would only hand it the file
    program = Program(blobs(), FOVEA_TIMES=times)
    set_steps(program, STEPS)
    settled(program)
    x, y, width, height = box(sigma_of(program))
    wait(lambda: "12" in " ".join(n.get_name() for n in below(program.find("list", "Steps"))), "twelve objects")
    middle, at = y + height // 2, x + width * 0.37  # where 2 lies between 0.3 and 50

    def drag_there_and_back():
        drag(at, middle, at + 40, middle, 40)
        drag(at + 40, middle, at, middle, 40)
        settled(program)
    drag_there_and_back()  # at first a figure may be longer than any before
    (before, had), results = layouts_by_results(times), 0
    while results < 12:
        drag_there_and_back()
        seen, results = np.subtract(layouts_by_results(times), (before, had))
    assert seen <= results // 4, f"{seen} layouts for {results} results"
    program.end()
    return Program(NUCLEI)


def slider_stays_where_it_is(program):
    """The step has three digits of what the hand set; the slider is not moved by them, but by another value. Accessibility hears of
    steps from 0.001 on, so that what is rounded has to be more."""
    set_steps(program, "channel index=1 | gaussian sigma=2")
    value = sigma_of(program).get_value_iface()
    value.set_current_value(math.log(1.0146))
    wait(lambda: text_of(program.find("text", "Sigma")) == "1.01", "the entry")
    settled(program)
    assert abs(math.exp(value.get_current_value()) - 1.0146) < 1e-9, math.exp(value.get_current_value())
    set_steps(program, "channel index=1 | gaussian sigma=5")
    wait(lambda: abs(math.exp(value.get_current_value()) - 5) < 1e-9, "the slider follows")


def running(program):
    """A run whose result and preview are not waited for; the Stop that ends it, once it can be pressed."""
    set_steps(program, "channel index=1 | slow seconds=100")
    stop = program.find("push button", "Stop")
    wait(lambda: stop.get_state_set().contains(Atspi.StateType.SENSITIVE), "a run that can be stopped")
    return stop


def progress_moves_nothing(program):
    """The line at the foot has room for the progress of a long run and its Stop."""
    before = box(program.find("image", "Image"))
    stop = running(program)
    assert box(program.find("image", "Image")) == before, "the image has moved"
    click(stop)
    settled(program)
    assert box(program.find("image", "Image")) == before, "the image has moved"


def waiting_paints_little(program):
    """While a step is run, its progress is all that changes: ten times a second, where an animation would be painted sixty times."""
    stop = running(program)
    start, before = time.monotonic(), layouts(program.times, "paint")
    time.sleep(1.5)
    painted, seconds = layouts(program.times, "paint") - before, time.monotonic() - start
    click(stop)
    settled(program)
    assert 0 < painted <= 20 * seconds, f"{painted} frames in {seconds} s"


def numbers_are_told(program):
    """What a step gave is whole in a tooltip, where its row has not the room."""
    set_steps(program, "gaussian sigma=2 | otsu | label")
    settled(program)
    numbers = wait(lambda: find(program.find("list", "Steps"), "label", part="threshold "), "the thresholds of all channels")
    x, y, width, height = box(numbers)
    mouse(x + width / 2, y + height / 2 - 1)
    mouse(x + width / 2, y + height / 2)
    wait(lambda: name_of(numbers) in [name_of(n) for n in find_all(program.app, "label") if n != numbers], "the tooltip")


def names_widen_nothing(program):
    """An input from a result with a long name leaves the picture its room."""
    set_steps(program, "channel")
    before = box(program.find("image", "Image"))[2]
    set_steps(program, "channel | background as=flat,back,rms | sources from=flat rms=rms")
    has_text(program, "Subtract Sky Background: Deviation of the background")
    settled(program)
    assert box(program.find("image", "Image"))[2] == before


def median_is_told(program):
    """So is the median of the column that a table is sorted by, and only then."""
    set_steps(program, "channel index=1 | otsu | label | regionprops properties=label,area,equivalent_diameter_area")

    def told(part):
        line = program.find("label", part=part)
        x, y, _, height = box(line)
        mouse(x + 20, y + height / 2 - 1)
        mouse(x + 20, y + height / 2)
        time.sleep(1)
        return [n for n in find_all(program.app, "label") if n != line and name_of(n) == name_of(line)]
    assert not told("area: median"), "a line that is whole"
    press(wait(lambda: column_titles(program, "Results")[2], "the diameters"))
    wait(lambda: told("equivalent_diameter_area: median"), "all of the line")


TESTS = [dragging_moves_nothing, slider_stays_where_it_is, progress_moves_nothing, waiting_paints_little,
         numbers_are_told, median_is_told, names_widen_nothing]
