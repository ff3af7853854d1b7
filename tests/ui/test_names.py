# SPDX-License-Identifier: MIT
"""Files whose names are not UTF-8: the window shows, keeps, records and saves beside them as beside any other."""
import os
import shutil

from person import NUCLEI, WORK, Program, find, has_step, name_file, set_steps, text_of, wait, window_titled

NAME = os.path.join(os.fsencode(WORK), b"a\xff\xc3\xa4.tif")
SHOWN = "a�ä.tif"


def name_that_is_not_utf8(program):
    assert program.end() == 0
    shutil.copy(NUCLEI, NAME)
    program = Program(NAME)
    program.find("image", "Image")
    wait(lambda: find(program.window, part=SHOWN), "the name")
    set_steps(program, "channel index=1 | otsu | label | regionprops")
    has_step(program, "Label Objects")
    program.do("properties")
    window_titled(program, "Image Properties")
    program.do("record")
    dialog = window_titled(program, "Record")
    wait(lambda: "xffä.tif" in text_of(find(dialog, "text", "Recorded commands")), "the name in the recorder")
    for action, title, path in (("save", "Save Image", "n.tif"), ("save-steps", "Save Steps", "n.steps")):
        program.do(action)
        name_file(program, title, os.path.join(WORK, path))
        wait(lambda path=path: os.path.exists(os.path.join(WORK, path)), path)
    assert program.end() == 0
    # An opened file is in the menu of recent files and opens from there.
    program = Program(NUCLEI)
    program.do("open-recent", "b'" + "".join(f"\\{byte:03o}" for byte in NAME) + "'", where="")
    wait(lambda: find(program.window, part=SHOWN), "the name")
    return program


TESTS = [name_that_is_not_utf8]
