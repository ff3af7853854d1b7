# SPDX-License-Identifier: MIT
"""A file without a header: a form says what its pixels are, with a guess and whether they fit the file, and the session keeps it."""
import os

import numpy as np

from person import NUCLEI, WORK, Program, click, find, has_state, has_text, set_text, text_of, wait, window_titled, Atspi
from test_window import kept

IMAGE = np.random.default_rng(6).integers(0, 4096, (3, 30, 40)).astype(">u2")


def raw_is_imported(program):
    """Opening such a file asks. The guess is right once it is big-endian, and Import opens it."""
    path = os.path.join(WORK, "scan_40x30x3.raw")
    with open(path, "wb") as file:
        file.write(b"h" * 100 + IMAGE.tobytes())
    program.do("open-recent", f"b'{path}'", where="")
    form = window_titled(program, "Import Raw of scan_40x30x3.raw")
    entry = {name: wait(lambda n=name: find(form, "text", n), name) for name in ("Width", "Height", "Slices", "Offset")}
    assert {name: text_of(node) for name, node in entry.items()} == {"Width": "40", "Height": "30", "Slices": "3", "Offset": "100"}
    has_text(program, "It fills the file: 7300 bytes.")
    button = find(form, "push button", "Import")
    set_text(entry["Slices"], "4")
    has_text(program, "It would need 9700 bytes, and the file has 7300.")
    wait(lambda: not has_state(button, Atspi.StateType.SENSITIVE), "no import")
    set_text(entry["Slices"], "2")
    has_text(program, "It has 4900 bytes, and the file has 2400 more.")
    set_text(entry["Slices"], "3")
    has_text(program, "It fills the file")
    click(button)
    has_text(program, "40×30")
    wait(lambda: kept("type=u16"), "what its pixels are in the session")
    program.kill()
    again = Program()
    click(again.find("push button", "Restore"))
    has_text(again, "40×30")
    assert again.end() == 0
    return Program(NUCLEI)


TESTS = [raw_is_imported]
