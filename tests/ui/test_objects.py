# SPDX-License-Identifier: MIT
"""A row of the table, and its object in the image of every step."""
import os

import numpy as np
import tifffile
from scipy import ndimage

from person import (NUCLEI, WORK, Program, box, line_of, find_all, has_step, has_text, keys, looked_at, mouse, name_of, picture, run_command,
                    screen, set_steps, settled, table_rows, wait)

STEPS = "channel index=1 as=green | gaussian sigma=2 | otsu | label as=cells | regionprops intensity=green properties=label,area,centroid | gaussian from=green sigma=1"
BRIGHT, BLACK = (255, 230, 40), (0, 0, 0)


SOURCES = "channel index=1 as=green | background as=flat,back,rms | sources from=flat rms=rms threshold=3 min_area=200"


def labels_of(steps="channel index=1 as=green | gaussian sigma=2 | otsu | label"):
    path = os.path.join(WORK, "objects.tif")
    run_command("run", steps, NUCLEI, "-o", path)
    return tifffile.imread(path).reshape(640, 640)


def press_row(program, i):
    x, y, width, height = line_of(find_all(program.find("list", "Steps"), "list item")[i])
    mouse(x + width * 0.7, y + height / 2, 1)


def cells_of(program):
    return [cell for row in wait(lambda: table_rows(program, "Results"), "the table") for cell in row]


def first_cells(program):
    return float(name_of(cells_of(program)[0]))


def lit(seen, labels, label, program):
    """The label's own rim is bright and what lies around it is black, where SciPy finds them."""
    zoom, left, top = looked_at(program)
    y, x = np.mgrid[:seen.shape[0], :seen.shape[1]]
    row, column = np.floor(top + (y + 0.5) / zoom).astype(int), np.floor(left + (x + 0.5) / zoom).astype(int)
    inside = (row >= 0) & (column >= 0) & (row < 640) & (column < 640)
    shown = np.where(inside, labels[row.clip(0, 639), column.clip(0, 639)], 0) == label
    square = np.ones((5, 5), bool)
    rim = shown & ~ndimage.binary_erosion(shown, square)
    around = ndimage.binary_dilation(shown, square) & ~shown & inside
    rim[:4], rim[-4:], rim[:, :4], rim[:, -4:] = False, False, False, False
    edge = ~ndimage.binary_erosion(inside, square)  # of the image, told to a tenth of a pixel
    bar = (y > seen.shape[0] - 60) & (x > seen.shape[1] - 260)  # the scale bar
    rim, around = rim & ~bar & ~edge, around & ~bar & ~edge
    return rim.sum() > 20 and (seen[rim] == BRIGHT).all(1).mean() > 0.98 and (seen[around] == BLACK).all(1).mean() > 0.98


def row_lights_object(program):
    """On the source, a channel, the mask, the labels, the table's step, and a step after it."""
    set_steps(program, STEPS)
    has_text(program, "rows")
    settled(program)
    labels = labels_of()
    x, y, _, height = box(cells_of(program)[0])
    mouse(x + 10, y + height / 2, 1)
    label = first_cells(program)
    for step in (0, 1, 2, 3, 4, 5, 6):
        press_row(program, step)
        wait(lambda: lit(picture(program), labels, label, program), f"object {label:g} on step {step}")


def row_lights_source(program):
    """The labels are made by the step that measures."""
    set_steps(program, SOURCES)
    has_text(program, "rows")
    settled(program)
    labels = labels_of(SOURCES)
    x, y, _, height = box(cells_of(program)[0])
    mouse(x + 10, y + height / 2, 1)
    label = first_cells(program)
    for step in (1, 2, 3):
        press_row(program, step)
        wait(lambda: lit(picture(program), labels, label, program), f"source {label:g} on step {step}")


def object_chooses_row(program):
    """A click on an object in the image of any step chooses its row, which comes into view."""
    set_steps(program, STEPS)
    has_text(program, "rows")
    settled(program)
    labels = labels_of()
    wide = [label for label in range(1, labels.max() + 1) if (labels == label).sum() > 300]
    for step, label in zip((0, 3, 4, 5, 6), wide[5::len(wide) // 6]):
        press_row(program, step)
        settled(program)
        zoom, left, top = looked_at(program)
        row, column = np.argwhere(ndimage.binary_erosion(labels == label, iterations=4))[0]
        x, y, _, _ = box(program.find("image", "Image"))
        mouse(x + (column + 0.5 - left) * zoom, y + (row + 0.5 - top) * zoom, 1)
        wait(lambda: lit(picture(program), labels, label, program), f"object {label} on step {step}")
        wait(lambda: chosen(program, label), f"the row of {label}")


def chosen(program, label):
    """The row that begins with this label has the color of what is selected, as seen on the screen."""
    cell = next(n for n in cells_of(program) if name_of(n) == str(label))
    x, y, _, height = box(cell)
    red, _, blue = screen()[y + height // 2, x + 1]
    return blue > int(red) + 80


def view_goes_there(program):
    """An object out of sight comes to the middle."""
    set_steps(program, STEPS)
    has_text(program, "rows")
    settled(program)
    for _ in range(6):
        program.do("zoom-in")
    before = looked_at(program)
    settled(program)
    x, y, _, height = box(cells_of(program)[0])
    mouse(x + 10, y + height / 2, 1)
    keys("Home")  # the first object is at the top, wherever the table was left
    wait(lambda: looked_at(program)[2] < before[2] - 20, "the view moves up")
    assert looked_at(program)[0] == before[0]
    assert (settled(program) == BRIGHT).all(2).sum() > 50
    program.do("zoom-fit")
    wait(lambda: looked_at(program)[0] < before[0], "all of it")


def movie():
    """One square in the first frame, another two in the second."""
    path = os.path.join(WORK, "movie.tif")
    frames = np.zeros((2, 200, 300), np.uint8)
    frames[0, 20:60, 20:60] = frames[1, 100:150, 30:80] = frames[1, 100:150, 180:240] = 200
    tifffile.imwrite(path, frames, imagej=True, metadata={"axes": "TYX"})
    return path


def row_shows_its_frame(program):
    """Objects of two frames have the same labels: a row leads to its own."""
    program.end()
    program = Program(movie())
    set_steps(program, "otsu | label | regionprops properties=label,area,centroid")
    has_text(program, "3 rows")
    settled(program)
    x, y, _, height = box(table_rows(program, "Results")[2][0])
    mouse(x + 10, y + height / 2, 1)

    def seen():
        zoom, left, top = looked_at(program)
        rows, columns = np.nonzero((picture(program) == BRIGHT).all(2))
        return len(rows) and np.hypot(top + rows.mean() / zoom - 125, left + columns.mean() / zoom - 210) < 3
    wait(seen, "the second square of the second frame")
    return program


TESTS = [row_lights_object, row_lights_source, object_chooses_row, view_goes_there, row_shows_its_frame]
