# SPDX-License-Identifier: MIT
"""Look-up tables from files: opened, kept, chosen, saved."""
import os
import subprocess

import numpy as np
import tifffile

from person import NUCLEI, WORK, Program, find, has_text, name_file, no_window, press, set_text, settled, wait, window_titled
from test_dialogs import fresh, open_files
from test_display import choose, close

TABLE = np.random.default_rng(4).integers(0, 256, (256, 3), dtype=np.uint8)
NAMES = 14  # of the tables that come with Fovea, and "default"


def ramp(program):
    """A ramp of all values, from left to right, in front."""
    path = fresh("ramp.tif")
    tifffile.imwrite(path, np.tile(np.arange(256, dtype=np.uint8), (128, 1)))
    open_files(program, path)
    program.do("display")
    program.do("zoom-100")


def shows(program, table, what):
    def found():
        row = settled(program)[:, 8:-8]
        row = row[row.shape[0] // 2]
        where = np.nonzero((row != row[0]).any(1))[0]
        return len(where) and where[-1] - where[0] == 255 and (row[where[0]:where[0] + 256] == table).all()
    wait(found, what)


def write_lut(name, table):
    path = fresh(name)
    with open(path, "wb") as file:
        file.write(table.T.tobytes())
    return path


def luts_from_files(program):
    """An opened file colors the image, and is in the list, also of a program that is started later; a saved one is read again. A file that is not a
    table is an error and changes nothing."""
    grey = np.tile(np.arange(256)[:, None], 3)
    ramp(program)
    shows(program, grey, "greys")
    subprocess.run([os.environ["FOVEA_PROGRAM"], write_lut("Red Hot.lut", TABLE)], check=True, timeout=20)
    shows(program, TABLE, "the colours of the file")
    choose(program, "Look-up table", 1)
    shows(program, grey, "greys again")
    choose(program, "Look-up table", NAMES)
    shows(program, TABLE, "the table from the list")
    bad = fresh("bad.lut")
    with open(bad, "w", encoding="utf-8") as file:
        file.write("1 2 300\n")
    program.do("open-lut")
    name_file(program, "Open Look-up Table", bad)
    has_text(program, "line 1 has 300, not 0 to 255")
    shows(program, TABLE, "the same as before")
    saved = os.path.join(WORK, "saved.lut")
    program.do("save-lut")
    name_file(program, "Save Look-up Table", saved)
    wait(lambda: os.path.exists(saved), "the file")
    assert open(saved, "rb").read() == TABLE.T.tobytes()
    close(program, "ramp.tif")
    program.end()
    program = Program(NUCLEI)
    ramp(program)
    choose(program, "Look-up table", NAMES)
    shows(program, TABLE, "the table of the other program")
    close(program, "ramp.tif")
    return program


def table_is_edited(program):
    """Inverted, in steps and with a stop that is moved, while the image shows it; it is kept under its name. What is not saved is undone."""
    values, grey = np.arange(256), np.tile(np.arange(256)[:, None], 3)
    ramp(program)
    program.do("edit-lut")
    dialog = window_titled(program, "Edit LUT")
    press(find(dialog, "push button", "Invert"))
    shows(program, 255 - grey, "the complement")
    number = find(dialog, "spin button", "Number of colors").get_value_iface()
    number.set_current_value(4)
    shows(program, np.tile((255 - values // 64 * 85)[:, None], 3), "four greys")
    number.set_current_value(256)
    press(find(dialog, "push button", "Add"))
    has_text(program, "Stop 2 of 3")
    find(dialog, "spin button", "Position of the stop").get_value_iface().set_current_value(64)
    bent = np.where(values < 64, 255 - values * 128 / 64, 127 - (values - 64) * 127 / 191)
    bent = np.tile(np.floor(bent + 0.5).astype(int)[:, None], 3)
    shows(program, bent, "the stop at 64")
    set_text(find(dialog, "text", "Name"), "Bent")
    press(find(dialog, "push button", "Save"))
    no_window(program, "Edit LUT")
    kept = os.path.join(os.environ["XDG_CONFIG_HOME"], "fovea", "luts", "Bent.lut")
    assert open(kept, "rb").read() == bent.T.astype(np.uint8).tobytes()
    shows(program, bent, "what was saved")
    program.do("edit-lut")
    dialog = window_titled(program, "Edit LUT")
    press(find(dialog, "push button", "Reverse"))
    shows(program, bent[::-1], "the other way round")
    if os.environ.get("FOVEA_EDITOR"):
        subprocess.run(["sh", "-c", 'xwd -root -silent | xwdtopnm | pnmtopng >"$0"', os.environ["FOVEA_EDITOR"]], check=True)
    press(find(dialog, "push button", "Cancel"))
    no_window(program, "Edit LUT")
    shows(program, bent, "as before")
    close(program, "ramp.tif")


TESTS = [luts_from_files, table_is_edited]
