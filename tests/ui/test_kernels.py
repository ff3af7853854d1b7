# SPDX-License-Identifier: MIT
"""Code that a step carries: what is typed here runs, what comes from elsewhere is shown and asked about before."""
import os
import time

import numpy as np
import tifffile

from person import (NUCLEI, WORK, Program, box, click, find, find_all, has_step, has_text, keys, line_of, mouse, name_file, name_of, picture,
                    press, ready, screen, set_steps, set_text, settled, text_of, wait, windows, window_titled)
from test_batch import add_folder, discs, folder_of, fresh_folder, results_in
from test_batch import closed as batch_closed
from test_macros import opened as macro_opened
from test_macros import as_bytes, closed, macro_file, output, says

KEPT = os.path.join(os.environ["XDG_CONFIG_HOME"], "fovea", "allowed-code")
OWN = os.path.join(os.environ["XDG_DATA_HOME"], "fovea", "operations", "over_turn.operation")
QUESTION = "Run the code of step"
RUN = "Run"
REFUSED = "code is not allowed to run"
FAULT = "line 1, column 11: "


def inverse_of(program, before):
    return np.median(np.abs(picture(program).astype(int) + before - 255)) <= 1  # a scale bar lies on it


def typed_code(program):
    set_steps(program, "kernel")
    ready(program)
    before = settled(program).astype(int)
    entry = program.find("text", "Operation")
    set_text(entry, "z = 255 - x;")
    wait(lambda: inverse_of(program, before), "the inverse")
    set_text(entry, "z = 255 - y;")
    program.find("label", part=FAULT)
    set_text(entry, "z = 255 - x;")
    program.gone("label", part=FAULT)
    assert not find(program.app, "label", part=QUESTION) and not find(program.app, "label", part=REFUSED)


def asked(program, code):
    program.find("label", part=QUESTION)
    assert code in text_of(program.find("text", "Code"))


def choose(program, button):
    """In the dialog: the window of a macro has a button Run, too."""
    dialog = wait(lambda: next((window for window in windows(program) if find(window, "push button", "Do Not Run")), None), "the dialog")
    ends_so = [node for node in find_all(dialog, "push button") if name_of(node).endswith(button)]
    click(min(ends_so, key=lambda node: len(name_of(node))))  # Run, and not Do Not Run


def answer(program, button):
    choose(program, button)
    program.gone("label", part=QUESTION)


def code_from_elsewhere(program):
    steps = 'kernel preamble="int most () { return 254; }" operation="z = most () - x;"'
    set_steps(program, steps)
    asked(program, "z = most () - x;")
    answer(program, "Do Not Run")
    program.find("label", part=REFUSED)
    set_text(program.find("text", "Operation"), "z = most () - 1 - x;")  # what is beside it has not been allowed
    asked(program, "z = most () - 1 - x;")
    answer(program, RUN)
    program.gone("label", part=REFUSED)
    set_steps(program, "gaussian")
    ready(program)


def long_lines_are_seen(program):
    """What stands far to the right is wrapped, and not beyond the edge."""
    set_steps(program, 'kernel operation="' + "z = x; " * 100 + 'z = 1;"')
    asked(program, "z = 1;")
    x, y, width, height = box(program.find("text", "Code"))
    wait(lambda: (screen()[y + height * 7 // 8:y + height, x:x + width].max(2) < 100).any(), "text down to the end")
    answer(program, "Do Not Run")


def press_first(program, title):
    """The row of a step that may have gone up, out of view, for the form of one below."""
    row = next(row for row in find_all(program.find("list", "Steps"), "list item") if find(row, "label", title))
    x, top, _, height = box(program.find("page tab", "Steps"))
    for _ in range(20):
        if line_of(row)[1] > top + height:
            break
        mouse(x + 60, top + height + 14, 4)
        time.sleep(0.2)
    press(row)


def refused_asks_no_more(program):
    """However often what stands before it changes, until its button is pressed."""
    set_steps(program, 'gaussian sigma=1 | kernel operation="z = 200 - x;"')
    asked(program, "z = 200 - x;")
    keys("Escape")
    program.gone("label", part=QUESTION)
    ready(program)
    press_first(program, "Gaussian Blur")
    program.find("slider", "Sigma").get_value_iface().set_current_value(0)
    ready(program)
    assert not find(program.app, "label", part=QUESTION) and find(program.app, "label", part=REFUSED)
    press(program.find("push button", part="Run Its Code"))
    asked(program, "z = 200 - x;")
    answer(program, RUN)
    program.gone("label", part=REFUSED)
    program.gone("push button", part="Run Its Code")
    set_steps(program, "")


def one_question_at_a_time(program):
    """Of several pages, each in front while it is asked about; what is allowed in one is not asked about in another."""
    set_steps(program, 'kernel operation="z = 100 - x;"')
    asked(program, "z = 100 - x;")
    answer(program, "Do Not Run")
    for _ in range(2):
        program.do("duplicate")
    asked(program, "z = 100 - x;")
    assert len([w for w in windows(program) if find(w, "push button", "Do Not Run")]) == 1
    answer(program, RUN)
    program.gone("label", part=REFUSED)
    assert not find(program.app, "label", part=QUESTION)
    for _ in range(2):
        set_steps(program, "")
        program.do("close-page")


def steps_file(program, value):
    path = os.path.join(WORK, "kernel.steps")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"gaussian sigma=1\nkernel operation='z = {value} - x;'\n")
    program.do("open-steps")
    name_file(program, "Open Steps", path)
    return path


def file_is_named(program):
    """What is remembered is not asked about again, in another program either, until it has changed or all is forgotten."""
    path = steps_file(program, 250)
    program.find("label", part="Run the code of step 2, Custom Kernel?")
    program.find("label", part=f"It is from the file '{path}'")
    answer(program, "Run and Remember")
    wait(lambda: os.path.exists(KEPT), "what is kept")
    ready(program)
    with open(KEPT, encoding="utf-8") as file:
        lines = file.read().splitlines()
    assert len(lines) == 1 and lines[0][64:] == " Custom Kernel", lines
    set_steps(program, "")
    program.end()
    program = Program(NUCLEI)
    steps_file(program, 250)
    has_step(program, "Custom Kernel")
    ready(program)
    assert not find(program.app, "label", part="Run the code")
    steps_file(program, 249)
    program.find("label", part="Run the code of step 2")
    answer(program, "Do Not Run")
    program.do("forget-code")
    has_text(program, "The permission of this code is removed")
    assert not os.path.exists(KEPT)
    steps_file(program, 250)
    program.find("label", part="Run the code of step 2")
    answer(program, "Do Not Run")
    return program


def own_operation_asks(program):
    """One of a file is asked about as the file that it is."""
    os.makedirs(os.path.dirname(OWN), exist_ok=True)
    with open(OWN, "w", encoding="utf-8") as file:
        file.write("[operation]\nlabel=Over Turn\nin_params=T x, float32 k=level\nkernel=\n  z = k - x;\n[parameter level]\ndefault=255\n")
    program.end()
    program = Program(NUCLEI)
    ready(program)
    before = settled(program).astype(int)
    program.do("add-step", "'over_turn'")
    program.find("label", part="Run the code of step 1, Over Turn?")
    program.find("label", part=f"It is from the file '{OWN}'")
    assert "  z = k - x;" in text_of(program.find("text", "Code"))
    answer(program, RUN)
    wait(lambda: inverse_of(program, before), "the inverse")
    program.find("slider", "level").get_value_iface().set_current_value(200)
    ready(program)
    assert not find(program.app, "label", part="Run the code")
    os.remove(OWN)
    return program


MACRO = """run("gaussian", "sigma=1");
run("Custom Kernel...", "operation=[z = 240 - x;]");
print("done");
"""


def macro_asks_first(program):
    """Before anything is done; a second time it is known."""
    window = macro_opened(program, "kernel.lua", MACRO)
    click(find(window, "push button", "Run"))
    program.find("label", part="Run a macro that contains code?")
    program.find("label", part="kernel.lua'. It runs with your permissions")
    choose(program, "Do Not Run")
    program.gone("label", part="Run a macro")
    ready(program)
    assert not find(program.app, "label", "Gaussian Blur")  # nothing was done
    assert output(window) == ""
    click(find(window, "push button", "Run"))
    program.find("label", part="Run a macro that contains code?")
    choose(program, RUN)
    has_step(program, "Custom Kernel")
    wait(lambda: output(window) == "done\n", "the end of the macro")
    ready(program)
    assert not find(program.app, "label", part="Run the code")
    closed(program, window, "kernel.lua")


def macro_asks_on_its_way(program):
    """About code that its text does not show, with the macro's name."""
    window = macro_opened(program, "hidden.lua", "local name = 'ker' .. 'nel'\nrun(name, 'operation=[z = 230 - x;]')\nprint('done')\n")
    click(find(window, "push button", "Run"))
    program.find("label", part="Run the code of step 1, Custom Kernel?")
    program.find("label", part="hidden.lua'. It runs with your permissions")
    answer(program, "Do Not Run")
    says(window, "was not allowed to run")
    assert output(window) == ""
    click(find(window, "push button", "Run"))
    program.find("label", part="Run the code of step 1, Custom Kernel?")
    answer(program, RUN)
    wait(lambda: output(window) == "done\n", "the end of the macro")
    closed(program, window, "hidden.lua")


def batch_asks_first(program):
    """Refused, it has written nothing."""
    folder, out = folder_of("coded", {"a.tif": discs(1), "b.tif": discs(2)}), fresh_folder("coded-results")
    set_steps(program, 'kernel operation="z = 220 - x;"')
    asked(program, "z = 220 - x;")
    answer(program, "Do Not Run")
    program.do("batch")
    window = window_titled(program, "Batch")
    add_folder(program, window, folder)
    results_in(window, out)
    press(wait(lambda: find(window, "check box", part="Last image"), "the last image"))
    start = wait(lambda: find(window, "push button", "Start"), "Start")
    click(start)
    asked(program, "z = 220 - x;")
    answer(program, "Do Not Run")
    assert not os.path.exists(out)
    click(start)
    asked(program, "z = 220 - x;")
    assert find(program.app, "label", part=REFUSED)
    answer(program, RUN)
    program.gone("label", part=REFUSED)  # in the page, too, whose steps they are
    says(window, "Done: 2 of 2 images")
    for seed, name in ((1, "a.tif"), (2, "b.tif")):
        assert np.array_equal(tifffile.imread(os.path.join(out, name)), 220 - discs(seed))
    batch_closed(program, "Batch")


TESTS = [typed_code, code_from_elsewhere, long_lines_are_seen, refused_asks_no_more, one_question_at_a_time, file_is_named, own_operation_asks, macro_asks_first, macro_asks_on_its_way, batch_asks_first]
