# SPDX-License-Identifier: MIT
"""Macros: written, run and stopped in their windows; what the window does is recorded as one that does the same."""
import os
import random
import re
import shutil
import subprocess
import tempfile
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402
import numpy as np  # noqa: E402
import tifffile  # noqa: E402

from person import (NUCLEI, SOURCE, TIMEOUT, WORK, Program, box, click, click_away, column_titles, drag, find, find_all, focus_window, focused,  # noqa: E402
                    has_state, has_text, keys, mouse, name_file, name_of, no_step, no_window, page_tabs, press, ready, run_command, screen, set_steps, set_text, settled,
                    text_of, type_text, wait, window_titled)
from test_dialogs import OBJECTS, OTHER, fresh, open_files, record, visible  # noqa: E402
from test_display import choose, number, type_number  # noqa: E402

STACK = os.path.join(SOURCE, "data/samples/stack.tif")


def macro_file(name, text):
    path = os.path.join(WORK, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def as_bytes(path):
    return f"b'{path}'"


def opened(program, name, text):
    """The window of a macro in a file of this name."""
    program.do("open-macro-file", as_bytes(macro_file(name, text)))
    return window_titled(program, f"{name} – Macro")


def output(window):
    return text_of(find(window, "text", "Output"))


def says(window, part):
    return wait(lambda: find(window, "label", part=part), part)


def button(window, name):
    return wait(lambda: find(window, "push button", name), name)


def closed(program, window, name):
    focus_window(program, f"{name} – Macro")
    keys("ctrl+w")
    no_window(program, f"{name} – Macro")


# ---- Tests ----


def error_stands_at_its_line(program):
    """A macro that the command line names opens in its window; an error is shown below, and the cursor is there."""
    path = macro_file("wrong.lua", 'print("before")\n\nrun("Gaussian Blurr...", "sigma=2")\nprint("after")\n')
    subprocess.run([os.environ["FOVEA_PROGRAM"], path], check=True)
    window = window_titled(program, "wrong.lua – Macro")
    click(button(window, "Run"))
    says(window, "wrong.lua:3: ")
    assert output(window) == "before\n"
    text = find(window, "text", "Macro")
    assert text_of(text)[:text.get_text_iface().get_caret_offset()].count("\n") == 2
    closed(program, window, "wrong.lua")


def macros_are_found(program):
    """One that is dropped on the window opens; the dialog for others begins where it lies."""
    path = macro_file("dropped.lua", "print(1)\n")
    files = subprocess.Popen([*OTHER, "drag", path])
    try:
        wait(lambda: subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "^Files$"], capture_output=True, check=False).stdout, "the other window")
        drag(60, 30, 500, 400, steps=12)
        window = window_titled(program, "dropped.lua – Macro")
        files.wait(10)
    finally:
        files.kill()
    program.do("open-macro")
    dialog = window_titled(program, "Open Macro")
    wait(lambda: find(dialog, "label", os.path.basename(WORK)), "its folder")
    focus_window(program, "Open Macro")
    keys("Escape")
    no_window(program, "Open Macro")
    closed(program, window, "dropped.lua")


def macro_does_what_the_command_does(program):
    """Steps, pixels, tables and files."""
    by_command, by_macro = (os.path.join(WORK, f"{name}.csv") for name in ("command", "macro"))
    run_command("run", "channel index=2 | gaussian sigma=2 | otsu | label | regionprops", NUCLEI, "--table", by_command)
    window = opened(program, "cells.lua", f"""open("{NUCLEI}")
run("channel", "index=2")
run("gaussian", "sigma=2")
run("otsu")
run("label")
run("regionprops")
print(getTitle(), nResults())
saveAs("Results", "{by_macro}")
close()
""")
    click(button(window, "Run"))
    says(window, "Done.")
    lines = open(by_command, "rb").read()
    assert open(by_macro, "rb").read() == lines
    assert output(window) == f"nuclei_rgb.tif {lines.count(bytes([10])) - 1}\n", output(window)
    no_step(program)
    closed(program, window, "cells.lua")


def folders_are_asked_for(program):
    """Files that the user has not opened, and saving next to them."""
    folder = tempfile.mkdtemp()
    shutil.copy(STACK, os.path.join(folder, "other.tif"))
    window = opened(program, "elsewhere.lua", f'open("{folder}/other.tif")\nclose()\nprint(File.exists("{folder}/other.tif"))\n')
    click(button(window, "Run"))
    has_text(program, f"Allow this macro to use files in {folder}?")
    click(program.find("push button", "Refuse"))
    says(window, "elsewhere.lua:1: ")
    click(button(window, "Run"))
    has_text(program, f"Allow this macro to use files in {folder}?")
    click(program.find("push button", "Allow"))
    says(window, "Done.")
    assert output(window) == "true\n"
    shutil.copytree(folder, folder + "2", dirs_exist_ok=True)
    window = opened(program, "elsewhere2.lua", f'open("{folder}2/other.tif")\n')
    click(button(window, "Run"))
    has_text(program, f"Allow this macro to use files in {folder}2?")
    click(button(window, "Stop"))
    says(window, "Stopped.")
    closed(program, window, "elsewhere2.lua")
    closed(program, window, "elsewhere.lua")
    shutil.rmtree(folder)
    shutil.rmtree(folder + "2")


def replaced_files_are_asked_about(program):
    """Files that are there and that the macro has not made: one by one, or once for all; a refusal is one for all."""
    paths = [macro_file(f"asked{n}.txt", "mine") for n in range(4)]
    calls = [f'File.saveString("new", "asked{n}.txt")\n' for n in range(4)]
    window = opened(program, "asks.lua", "".join(calls))
    click(button(window, "Run"))
    has_text(program, f"Allow this macro to replace {paths[0]}?")
    click(program.find("push button", "Replace"))
    has_text(program, f"Allow this macro to replace {paths[1]}?")
    click(program.find("push button", "Replace All"))
    says(window, "Done.")
    assert [read(path) for path in paths] == ["new"] * 4
    for path in paths:
        macro_file(os.path.basename(path), "mine again")
    click(button(window, "Run"))
    has_text(program, f"Allow this macro to replace {paths[0]}?")
    click(program.find("push button", "Refuse"))
    says(window, "asks.lua:1: ")
    closed(program, window, "asks.lua")
    window = opened(program, "insists.lua", f"for i = 1, 10000 do pcall(function() {calls[0]} {calls[1]} end) end print(1)")
    click(button(window, "Run"))
    has_text(program, f"Allow this macro to replace {paths[0]}?")
    click(program.find("push button", "Refuse"))
    says(window, "Done.")
    assert output(window) == "1\n"
    assert [read(path) for path in paths] == ["mine again"] * 4
    closed(program, window, "insists.lua")


def ended_at(program):
    """When, on the clock of time.monotonic(), the window has said last that a macro has ended."""
    with open(program.times, encoding="utf-8") as times:
        return [int(line.split("\t")[0]) for line in times if line.split("\t")[1] == "macro"][-1] / 1e6


def stop_ends_a_loop(program):
    """Within a tenth of a second and ten response times of this machine: in a loop of Lua, in one that calls the app, or in a step, which ends, too.
    One of five may be late when the cores are busy."""
    for name, text in (("loop.lua", 'print("begun") while true do end'), ("asking.lua", 'print("begun") while true do getPixel(1, 1) end'),
                       ("waiting.lua", 'run("slow", "seconds=100") if getImage("source").width == 640 then print("begun") end getPixel(1, 1)'),
                       ("own.lua", 'print("begun") recipe("slow seconds=100"):run(getImage("source"))')):
        window = opened(program, name, text)
        late = []
        while not late or (min(late) > 0 and len(late) < 5):
            click(button(window, "Run"))
            wait(lambda: output(window) == "begun\n", "the output")
            working = wait(lambda: find(program.window, "push button", "Stop"), "Stop beside the progress")
            has_text(program, name)
            stop = button(window, "Stop")
            before = time.monotonic()
            program.heard()
            start = time.monotonic()
            click(stop)
            says(window, "Stopped.")
            late.append(ended_at(program) - start - 0.1 - (start - before))
            wait(lambda: not has_state(working, Atspi.StateType.SENSITIVE), "the end of all work")
            set_steps(program, "")
            time.sleep(0.3)  # the button is as it was
        assert min(late) <= 0, (text, late)
        closed(program, window, name)


def runaway_call_is_left_behind(program):
    """What cannot be interrupted does not hold up the window: another macro runs, with the images as they are, and the program ends."""
    window = opened(program, "runaway.lua", "print('begun')\nx = ('a'):rep(1e5):find(('.-'):rep(50) .. 'b')\nopen('x')\n")
    click(button(window, "Run"))
    wait(lambda: output(window) == "begun\n", "the output")
    click(button(window, "Stop"))
    says(window, "Stopped, but")
    other = opened(program, "next.lua", f'print(nImages(), getTitle()) open("{STACK}") print(nImages()) close() print(getTitle())\n')
    click(button(other, "Run"))
    says(other, "Done.")
    assert output(other) == "1 nuclei_rgb.tif\n2\nnuclei_rgb.tif\n", output(other)
    closed(program, other, "next.lua")
    closed(program, window, "runaway.lua")
    return restarted(program)


def dialog_asks(program):
    window = opened(program, "ask.lua", """Dialog.create("Blur")
Dialog.addNumber("Sigma", 2)
Dialog.addString("Name", "cells")
Dialog.addCheckbox("Log", true)
Dialog.addChoice("Method", {"mean", "median"}, "median")
Dialog.show()
print(Dialog.getNumber(), Dialog.getString(), Dialog.getCheckbox(), Dialog.getChoice())
""")
    click(button(window, "Run"))
    dialog = window_titled(program, "Blur")
    sigma = wait(lambda: find(dialog, "text", "Sigma"), "the field")
    set_text(sigma, "many")
    says(dialog, "This is not a number")
    press(find(dialog, "text", "Name"))
    wait(lambda: not has_state(sigma, Atspi.StateType.FOCUSED), "the focus elsewhere")
    click(button(dialog, "OK"))
    wait(lambda: has_state(sigma, Atspi.StateType.FOCUSED), "the focus in the field at fault")
    set_text(sigma, "3.5")
    click(button(dialog, "OK"))
    says(window, "Done.")
    assert output(window) == "3.5 cells true median\n", output(window)
    click(button(window, "Run"))
    window_titled(program, "Blur")
    click(button(window, "Stop"))
    says(window, "Stopped.")
    no_window(program, "Blur")
    closed(program, window, "ask.lua")


def at_editor(program, window, name):
    """The keys go to the text, of which nothing is selected."""
    focus_window(program, f"{name} – Macro")
    press(find(window, "text", "Macro"))
    keys("ctrl+Home")


def chosen_lines_run_alone(program):
    """With the numbers that they have in the whole; what is found is selected."""
    window = opened(program, "lines.lua", 'print("one")\nprint("two")\nprint("three") error("wrong")\nprint("four")\n')
    at_editor(program, window, "lines.lua")
    keys("Down", "shift+Down")
    keys("ctrl+shift+r")
    says(window, "Done.")
    assert output(window) == "two\n"
    keys("ctrl+f")
    wait(lambda: any(name_of(node) == "Find" for node in focused(window)), "the focus in the field")
    type_text("three")
    text = find(window, "text", "Macro")
    wait(lambda: Atspi.Text.get_n_selections(text) and Atspi.Text.get_selection(text, 0).start_offset == 33, "what was to be found")
    keys("Escape", "ctrl+shift+r")
    says(window, "lines.lua:3: wrong")
    assert output(window) == "three\n"
    closed(program, window, "lines.lua")


def what_is_not_saved_is_asked_about(program):
    """When its window is closed, and when the program ends; saved, it is in the menu of macros with its key."""
    program.do("new-macro", "''")
    window = window_titled(program, "New macro – Macro")
    folder = os.path.join(os.environ["XDG_CONFIG_HOME"], "fovea", "macros")
    at_editor(program, window, "New macro")
    type_text("print(7 * 6) ")
    keys("Return")
    type_text(" -- key: <Control><Alt>7")
    keys("ctrl+w")
    window_titled(program, "• New macro – Macro")
    has_text(program, "Close New macro without saving?")
    click_away(program, program.find("push button", "Cancel"))
    program.do("quit", where="")
    has_text(program, "Close New macro without saving?")
    click(program.find("push button", "Save…"))
    name_file(program, "Save Macro", os.path.join(folder, "six_sevens.lua"))
    assert program.process.wait(TIMEOUT) == 0
    with open(os.path.join(folder, "six_sevens.lua"), encoding="utf-8") as file:
        assert file.read() == "print(7 * 6) \n -- key: <Control><Alt>7"
    program = Program(NUCLEI)
    focus_window(program, "Fovea")
    keys("ctrl+alt+7")
    window = window_titled(program, "six_sevens.lua – Macro")
    says(window, "Done.")
    assert output(window) == "42\n"
    shutil.rmtree(folder)
    closed(program, window, "six_sevens.lua")
    return program


# ---- Recording ----


def canvas_drag(program, tool, x0, y0, x1, y1):
    """With a tool, from and to parts of the canvas."""
    program.do("tool", f"'{tool}'")
    left, top, width, height = front_box(program)
    drag(left + x0 * width, top + y0 * height, left + x1 * width, top + y1 * height)
    program.heard()


def front_box(program):
    """The canvas in front."""
    return wait(lambda: next(box(n) for n in find_all(program.window, "image") if name_of(n) == "Image" and box(n)[2] > 0), "the canvas")


def outputs(name):
    return [fresh(f"{name}.{end}") for end in ("tif", "csv")]


def save_outputs(program, image, table):
    """The last image, and what was measured."""
    ready(program)
    program.do("save")
    name_file(program, "Save Image", image)
    wait(lambda: os.path.getsize(image), "the image")
    click(visible(program, "push button", "Export CSV…"))
    name_file(program, "Export Measurements", table)
    wait(lambda: os.path.getsize(table), "the table")


def taken(paths):
    """What is in the files, which then are no more."""
    contents = []
    for path in paths:
        with open(path, "rb") as file:
            contents.append(file.read())
        os.remove(path)
    return contents


def save_record(program, dialog, name):
    path = fresh(name)
    click(button(dialog, "Save…"))
    name_file(program, "Save the Record", path)
    wait(lambda: os.path.getsize(path), "the record")
    return path


def close_record(program):
    focus_window(program, "Record")
    keys("Escape")
    no_window(program, "Record")


def move_record(y):
    subprocess.run(["xdotool", "search", "--name", "^Record$", "windowmove", "0", str(y)], check=True)


def replayed(path, *inputs):
    done = subprocess.run([os.environ["FOVEA_COMMAND"], "macro", "--allow", WORK, "--allow", SOURCE, path, *inputs], capture_output=True, text=True, check=False)
    with open(path, encoding="utf-8") as file:
        assert done.returncode == 0, done.stderr + file.read()


def recording_does_the_same(program):
    """Selections, positions, measurements and steps: by the command, and in the window."""
    record_window = record(program)
    files = outputs("recorded")
    open_files(program, STACK)
    wait(lambda: len(page_tabs(program)) == 2, "the stack")
    program.do("add-step", "'gaussian sigma=1.5'")
    canvas_drag(program, "rectangle", 0.3, 0.3, 0.6, 0.5)
    program.do("measure")
    has_text(program, "Measurements: 1 row")
    settled(program)  # the table has taken its room from the canvas
    program.do("move-position", "'z+'")
    canvas_drag(program, "oval", 0.4, 0.6, 0.7, 0.8)
    program.do("keep-selection")
    program.do("measure")
    program.do("move-position", "'z+'")
    canvas_drag(program, "rectangle", 0.35, 0.35, 0.5, 0.6)
    program.do("keep-selection")
    program.do("measure-list")
    program.do("select-none")
    program.do("measure")
    has_text(program, "Measurements: 5 rows")
    save_outputs(program, *files)
    lines = text_of(find(record_window, "text", "Recorded commands"))
    assert lines.count("Stack.setPosition(") == 3 and lines.count("makeRectangle(") == 2 and lines.count("makeOval(") == 1, lines
    path = save_record(program, record_window, "recorded.lua")
    wanted = taken(files)
    replayed(path)
    assert taken(files) == wanted
    click(button(record_window, "Open in Macro Window"))
    window = window_titled(program, "New macro – Macro")
    click(button(window, "Run"))
    says(window, "Done.")
    assert taken(files) == wanted
    closed(program, window, "New macro")
    close_record(program)
    return restarted(program)


def look_is_recorded(program):
    """Limits, stretch, its parameter and gamma, of an image whose steps make another type of it: a macro shows it the same again."""
    record_window = record(program)
    path = fresh("bands.tif")
    tifffile.imwrite(path, np.tile(np.repeat(np.arange(8, dtype="u2") * 1000, 40), (240, 1)))
    open_files(program, path)
    wait(lambda: len(page_tabs(program)) == 2, "the bands")
    for high in (5000, 6000):
        type_number(program, "Shown brightest", high)
    program.do("add-step", "'gaussian sigma=1.5'")
    wait(lambda: number(program, "Shown brightest") == 7000, "the limits of another type, set automatically")
    choose(program, "Stretch", 2)
    type_number(program, "Parameter a of the stretch", 0.5)
    type_number(program, "Gamma", 0.5)
    type_number(program, "Shown brightest", 4000)
    type_number(program, "Shown darkest", 500)

    def look():
        return [number(program, name) for name in ("Shown darkest", "Shown brightest", "Gamma", "Parameter a of the stretch")]
    wanted = look()
    assert wanted == [500, 4000, 0.5, 0.5], wanted
    lines = text_of(find(record_window, "text", "Recorded commands")).splitlines()
    said = [line for line in lines if re.match("(re)?set[MS]", line)]
    assert said == ["setMinAndMax(0, 6000);", 'setStretch("asinh", 0.5, 0.5);', "setMinAndMax(500, 4000);"], lines
    path = save_record(program, record_window, "look.lua")
    close_record(program)
    picture = settled(program)
    replayed(path)
    program.do("open-macro-file", as_bytes(path))
    window = window_titled(program, "look.lua – Macro")
    click(button(window, "Run"))
    says(window, "Done.")
    closed(program, window, "look.lua")
    wait(lambda: len(page_tabs(program)) == 3, "the bands again")
    wait(lambda: look() == wanted, "the same look")
    assert (settled(program) == picture).all()
    return restarted(program)


def macro_is_recorded(program):
    """What one does with images, selections and tables in the window, which then does the same again: also with image 2 of a file."""
    file, files = fresh("several.tif"), [fresh(name) for name in ("rows.csv", "measured.csv", "plain.tif", "step.tif")]
    with tifffile.TiffWriter(file) as tiff:
        for seed, size in enumerate(((60, 50), (70, 80))):
            tiff.write(np.random.default_rng(seed).integers(0, 250, size).astype("u1"))
    record_window = record(program)
    window = opened(program, "recorded.lua", f"""open("{file}", 2)
makeRectangle(2, 3, 20, 18) roiManager("add") run("Measure")
makeOval(10, 12, 31, 22) roiManager("add") roiManager("add", "0,0,0")
roiManager("select", 0) roiManager("rename", "it's \\"one\\"") roiManager("select", 1) roiManager("delete")
run("gaussian", "sigma=2") roiManager("measure") run("Measure", "step=0") roiManager("measure", 0)
roiManager("select", 0) makePoint(4, 5) roiManager("update") roiManager("measure")
setThreshold(125, 255) run("Analyze Particles...", "size=2-Infinity display add") roiManager("measure")
run("Save Results...", "path=[{files[0]}] table=measurements separator=semicolon sort=mean names=imagej keep=[area 1 inf] image=yes")
saveAs("Measurements", "{files[1]}") saveAs("Tiff", "{files[2]}") run("Save...", "path=[{files[3]}] step=0 compression=deflate")
""")
    click(button(window, "Run"))
    says(window, "Done.")
    wanted = taken(files)
    path = save_record(program, record_window, "of_macro.lua")
    replayed(path)
    assert taken(files) == wanted
    closed(program, window, "recorded.lua")
    close_record(program)
    return restarted(program)


def export_is_recorded(program):
    """A table that is sorted, filtered and named as in ImageJ is exported so again."""
    table = fresh("some.csv")
    record_window = record(program)
    move_record(900)  # out of the way
    set_steps(program, OBJECTS + " properties=label,area,intensity_mean")
    ready(program)
    program.set_state("column-names", "imagej")
    press(program.find("push button", "Filter…"))
    set_text(program.find("text", "Least of label"), "3")
    keys("Escape")
    wait(lambda: " of " in name_of(program.find("label", part="Results: ")), "some rows")
    press(wait(lambda: column_titles(program, "Results")[1], "the areas"))
    ready(program)
    click(visible(program, "push button", "Export CSV…"))
    name_file(program, "Export Results", table)
    wait(lambda: os.path.getsize(table), "the table")
    move_record(420)
    path = save_record(program, record_window, "export.lua")
    wanted = taken([table])
    replayed(path, NUCLEI)
    assert taken([table]) == wanted
    with open(path, encoding="utf-8") as file:
        assert re.search(r'run\("Save Results...", "path=\S+ names=imagej sort=area( descending=yes)? keep=\[', file.read())
    program.set_state("column-names", "scikit-image")
    close_record(program)


def first_line_is_seen(program):
    """When the record is shown for the first time, and in the output of a macro: where there is room for all, the margin above the text is."""
    for step in ("channel index=1", "gaussian sigma=2", "otsu"):
        program.do("add-step", f"'{step}'")
    program.do("record")
    record_window = window_titled(program, "Record")
    wait(lambda: text_of(find(record_window, "text", "Recorded commands")).count("\n") > 2, "the lines")
    has_margin(program, "Record", find(record_window, "text", "Recorded commands"), 8)
    close_record(program)
    window = opened(program, "lines.lua", "for i = 1, 3 do print(i) end\n")
    click(button(window, "Run"))
    says(window, "Done.")
    has_margin(program, "lines.lua – Macro", find(window, "text", "Output"), 4)
    closed(program, window, "lines.lua")


def has_margin(program, title, text, margin):
    """So many rows above the first line of a text are empty, and below them are letters."""
    found = subprocess.run(["xdotool", "search", "--all", "--onlyvisible", "--pid", str(program.process.pid), "--name", f"^{title}$", "getwindowgeometry",
                            "--shell"], check=True, stdout=subprocess.PIPE, text=True).stdout
    left, top = (int(re.search(rf"^{axis}=(-?\d+)", found, re.M).group(1)) for axis in "XY")

    def seen():
        x, y, width, height = box(text)
        shown = screen()[top + y:top + y + 40, left + x + 6:left + x + 120].astype(int)
        inked = (abs(shown - shown[1, 1]) > 60).any(axis=(1, 2)).nonzero()[0]
        return inked.size and margin <= inked[0] < margin + 12
    wait(seen, f"the first line of {title}")


def random_actions(program, dice):
    """What a person may do next, by name."""
    def drawn(tool):
        x, y = dice.uniform(0.3, 0.5), dice.uniform(0.3, 0.5)
        return lambda: canvas_drag(program, tool, x, y, x + dice.uniform(0.05, 0.2), y + dice.uniform(0.05, 0.2))

    def clicked(tool):
        def act():
            program.do("tool", f"'{tool}'")
            left, top, width, height = front_box(program)
            mouse(left + dice.uniform(0.4, 0.6) * width, top + dice.uniform(0.4, 0.6) * height, 1)
            program.heard()
        return act

    def done(action, *parameters):
        return lambda: program.do(action, *parameters)

    def turned():
        press(dice.choice(page_tabs(program)))
        program.heard()

    def slid():
        sliders = [s for s in find_all(program.window, "slider") if name_of(s) in ("Sigma", "Lower") and box(s)[2] > 0]
        for slider in sliders[:1]:
            x, y, width, height = box(slider)
            drag(x + dice.uniform(0.3, 0.5) * width, y + height / 2, x + dice.uniform(0.3, 0.8) * width, y + height / 2)
            program.heard()

    def stretched():
        choose(program, "Stretch", 1)
        type_number(program, "Gamma", dice.choice((0.5, 1, 2)))

    def limited():
        high = number(program, "Shown brightest")
        type_number(program, "Shown darkest", high / dice.choice((2, 3, 5)))

    def scaled():
        program.do("set-scale")
        for name, text in (("Distance in pixels", "200"), ("Known length", str(dice.randint(1, 99))), ("Unit", "um")):
            set_text(program.find("text", name), text)
        click(program.find("push button", "Set"))
        no_window(program, "Set Scale")

    def ended():
        tabs = len(page_tabs(program))
        if tabs < 2:
            return
        program.do("close-page")
        wait(lambda: len(page_tabs(program)) < tabs or find(program.app, "push button", "Discard"), "the end of the page")
        if len(page_tabs(program)) == tabs:
            click(program.find("push button", "Discard"))
        wait(lambda: len(page_tabs(program)) < tabs, "the end of the page")

    def opened_again():
        tabs = len(page_tabs(program))
        if tabs < 4:
            subprocess.run([os.environ["FOVEA_PROGRAM"], dice.choice((STACK, NUCLEI))], check=True, timeout=20)
            wait(lambda: len(page_tabs(program)) > tabs, "one more image")
    return {**{tool: drawn(tool) for tool in ("rectangle", "oval", "line", "freehand")}, **{tool: clicked(tool) for tool in ("wand", "point")},
            **{action: done(action) for action in ("select-all", "select-none", "keep-selection", "measure", "measure-list", "undo", "redo",
                                                   "clear-measurements", "duplicate")},
            **{f"to {where}": done("move-position", f"'{where}'") for where in ("c+", "c-", "z+", "t+")},
            **{f"add {step}": done("add-step", f"'{step}'") for step in ("gaussian sigma=1.5", "dilation", "otsu", "threshold")},
            "stretch": stretched, "limits": limited, "another image": turned, "slider": slid, "set scale": scaled, "close": ended, "open": opened_again}


def random_session_does_the_same(program):
    """FOVEA_SEED names another one, FOVEA_ACTIONS says how many."""
    seed = int(os.environ.get("FOVEA_SEED", "4"))
    dice = random.Random(seed)
    program = restarted(program)
    files = outputs("random")
    open_files(program, STACK)
    wait(lambda: len(page_tabs(program)) == 2, "the stack")
    program.do("record")
    record_window = window_titled(program, "Record")
    move_record(900)
    done = []
    for _ in range(int(os.environ.get("FOVEA_ACTIONS", "16"))):
        actions = random_actions(program, dice)
        name = dice.choice(sorted(actions) + 3 * ["slider"] + ["set scale"])
        done.append(name)
        actions[name]()
    program.do("measure")
    save_outputs(program, *files)
    move_record(420)
    path = save_record(program, record_window, "random.lua")
    wanted = taken(files)
    replayed(path)
    with open(path, encoding="utf-8") as file:
        assert taken(files) == wanted, f"seed {seed}: {done}\n{file.read()}"
    return restarted(program)


def restarted(program):
    program.end()
    return Program(NUCLEI)


TESTS = [recording_does_the_same, look_is_recorded, random_session_does_the_same, macro_is_recorded, export_is_recorded, first_line_is_seen, chosen_lines_run_alone, what_is_not_saved_is_asked_about, error_stands_at_its_line, macros_are_found,
         macro_does_what_the_command_does, stop_ends_a_loop, runaway_call_is_left_behind, dialog_asks, folders_are_asked_for, replaced_files_are_asked_about]
