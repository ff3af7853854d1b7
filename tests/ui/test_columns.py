# SPDX-License-Identifier: MIT
"""Columns of the tables: which there are, what they are called, and how slices are counted."""
import csv
import os

import numpy as np
import tifffile
from scipy import ndimage

from person import has_text, name_file, press, ready, set_steps, wait
from test_dialogs import OBJECTS, fresh, headers, open_files, visible


def first_columns(program):
    """Without a choice there are label, area, mean and what is read next; no bounding boxes."""
    set_steps(program, "channel index=1 | otsu | label min_size=2000")
    ready(program)
    program.do("add-step", "'regionprops'")
    has_text(program, "Results:")
    wait(lambda: headers(program, "Results")[:5] == ["label", "area", "intensity_mean", "centroid-0", "centroid-1"], "the first columns")
    assert not any("bbox" in name for name in headers(program, "Results"))


def imagej_names(program):
    """With ImageJ's names the table and its CSV file have those, units stay, and the next start has them, too. What ImageJ calls
    Label (the title), X, Y, XM and YM (from the pixel's corner) is something else than ours, which keep their names."""
    set_steps(program, "calibrate width=0.5 unit=µm | " + OBJECTS +
              " properties=label,area,intensity_mean,centroid,centroid_weighted,num_pixels,equivalent_diameter_area,circularity,bbox")
    has_text(program, "Results:")
    program.set_state("column-names", "imagej")
    want = ["label", "Area (µm²)", "Mean", "centroid-0 (µm)", "centroid-1 (µm)"]
    wait(lambda: headers(program, "Results")[:5] == want, "ImageJ's names")
    assert {"Circ.", "bbox-0 (px)", "centroid_weighted-0 (µm)", "num_pixels", "equivalent_diameter_area (µm)"} <= set(headers(program, "Results"))
    assert not {"Label", "X (µm)", "Y (µm)", "XM (µm)", "YM (µm)", "Pixels", "Diameter (µm)"} & set(headers(program, "Results"))
    path = fresh("imagej.csv")
    press(visible(program, "push button", part="Export CSV"))
    name_file(program, "Export Results", path)
    wait(lambda: next(csv.reader(open(path, encoding="utf-8")))[:5] == want, "the same in the file")
    settings = os.path.join(os.environ["XDG_CONFIG_HOME"], "fovea/settings.ini")
    assert "names=imagej" in open(settings, encoding="utf-8").read()
    program.set_state("column-names", "scikit-image")
    wait(lambda: headers(program, "Results")[:3] == ["label", "area (µm²)", "intensity_mean"], "scikit-image's names")


def slices_count_as_the_slider(program):
    """Objects of the third slice have z = 3, as Z says; SciPy counts those of each slice."""
    path = fresh("stack.tif")
    stack = np.zeros((3, 40, 60), np.uint8)
    stack[0, 5:15, 5:15] = stack[2, 20:30, 10:20] = stack[2, 5:9, 40:50] = 200
    tifffile.imwrite(path, stack, imagej=True, metadata={"axes": "ZYX"})
    open_files(program, path)
    set_steps(program, "threshold method=manual lower=100 | label | regionprops properties=label,area")
    program.find("label", "Results: 3 rows")
    per_slice = [ndimage.label(plane, np.ones((3, 3)))[1] for plane in stack]
    want = [i + 1 for i, n in enumerate(per_slice) for _ in range(n)]
    table = fresh("slices.csv")
    press(visible(program, "push button", part="Export CSV"))
    name_file(program, "Export Results", table)
    wait(lambda: [float(row["z"]) for row in csv.DictReader(open(table, encoding="utf-8"))] == want, f"z = {want}")
    set_steps(program, "")
    program.do("close-page")
    program.gone("push button", "Close stack.tif")


TESTS = [first_columns, imagej_names, slices_count_as_the_slider]
