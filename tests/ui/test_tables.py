# SPDX-License-Identifier: MIT
"""A step that takes a table: which one is chosen among those that earlier steps made."""
import os

import tifffile

from person import NUCLEI, WORK, find_all, has_step, keys, name_file, name_of, press, run_command, set_steps, wait

TABLES = "channel index=1 as=green | otsu | label as=cells | regionprops properties=label,area | regionprops properties=label,solidity | "


def table_is_chosen(program):
    """The last table has no area: the first one is chosen, and the objects are those that the command keeps."""
    set_steps(program, TABLES + "filter_objects from=cells column=area min=3000")
    wait(lambda: any("no column of numbers 'area'" in name_of(n) for n in find_all(program.app, "label")), "what is wrong")
    choice = wait(lambda: next((n for n in find_all(program.app, "combo box") if name_of(n).startswith("Table")), None), "the choice")
    press(choice)
    wait(lambda: any(name_of(n) == "4 Measure Objects" for n in find_all(program.app, "label")), "the tables")
    keys("Home", "Down", "Return")
    wait(lambda: not any("no column of numbers 'area'" in name_of(n) for n in find_all(program.app, "label")), "nothing is wrong")
    has_step(program, "Filter Objects")
    expected = os.path.join(WORK, "kept.tif")
    run_command("run", TABLES.replace("label,area", "label,area as=t") + "filter_objects from=cells table=t column=area min=3000", NUCLEI, "-o",
                expected)
    saved = os.path.join(WORK, "kept-here.tif")
    program.do("save")
    name_file(program, "Save Image", saved)
    wait(lambda: os.path.exists(saved) and (tifffile.imread(saved) == tifffile.imread(expected)).all(), "the objects that are kept")


TESTS = [table_is_chosen]
