# SPDX-License-Identifier: MIT
"""The main things that a person does with the window."""
import json
import os
import subprocess

from person import (NUCLEI, SOURCE, WORK, Program, becomes, below, box, chosen_row, click, click_away, column_titles, drag, find, find_all,
                    focus_window, focused, has_step, has_text, headers, keys, mouse, name_file, name_of, no_step, picture, ready,
                    role_of, rows, run_command, set_steps, settled, shows_file, texts, type_text, wait, window_titled)
from test_display import choose, number, type_number

STEPS = ("channel index=1 as=green | gaussian sigma=2 | otsu | erosion footprint=disk radius=2 | label as=cells | "
         "regionprops intensity=green properties=label,area,intensity_mean,solidity | label2rgb from=cells")


# ---- Tests: each gets a window with the nuclei ----


def looks_right(program):
    """At 100 % the canvas shows the pixels that the command line saves."""
    saved = os.path.join(WORK, "labels.png")
    run_command("run", STEPS.replace("label2rgb", "label2rgb mode=plain"), NUCLEI, "-o", saved)
    set_steps(program, STEPS.replace("label2rgb", "label2rgb mode=plain"))
    has_step(program, "Labels to RGB")
    shows_file(program, saved)


def slider_changes_image(program):
    program.do("add-step", "'gaussian'")
    has_step(program, "Gaussian Blur")
    before = settled(program)
    slider = program.find("slider", "Sigma")
    x, y, width, height = box(slider)
    drag(x + width * 0.3, y + height / 2, x + width * 0.8, y + height / 2)
    wait(lambda: "Sigma 2 px" not in texts(program), "another sigma")
    wait(lambda: (settled(program) != before).any(), "another picture")
    program.do("undo")
    wait(lambda: "Sigma 2 px" in texts(program), "one undo for the whole drag")
    becomes(program, before, "undo brings the image back")


def table_is_the_commands(program):
    """Export CSV writes what the command writes, byte for byte; a click on a row lights its object up."""
    by_command, by_window = os.path.join(WORK, "command.csv"), os.path.join(WORK, "window.csv")
    run_command("run", STEPS, NUCLEI, "--table", by_command)
    set_steps(program, STEPS)
    has_text(program, "rows")
    before = settled(program)
    click(program.find("push button", part="Export CSV"))
    name_file(program, "Export Results", by_window)
    wait(lambda: open(by_window, "rb").read() == open(by_command, "rb").read(), "the same bytes")
    title = wait(lambda: column_titles(program, "Results")[headers(program, "Results").index("area")], "the column")
    x, y, width, height = box(title)
    mouse(x + width / 2, y + height / 2, 1)
    areas = sorted(float(line.split(",")[1]) for line in open(by_command, encoding="utf-8").read().splitlines()[1:])
    wait(lambda: float(rows(program, "Results")[0][1]) == areas[0], "the smallest comes first")
    mouse(x + width / 2, y + height * 2.25, 1)  # the second: the smallest is behind the scale bar
    wait(lambda: (picture(program) != before).any(), "the object lights up")


def one_channel(program):
    """Objects of a color image cannot be measured; the row of the error offers what mends it."""
    set_steps(program, "gaussian | otsu | label | regionprops")
    has_step(program, "Measure Objects")
    click(program.find("push button", "Use One Channel"))
    has_step(program, "Channel")
    program.gone("label", part="take one of them")
    has_text(program, "rows")


def count_from_the_menus(program):
    """Three entries of the menus count and measure the nuclei of a color image: in its green channel, whose intensities are
    measured, too; each is undone at once."""
    program.do("add-step", "'otsu'")
    program.find("label", part="selects channel 2")
    for step in ("label", "regionprops"):
        ready(program)
        program.do("add-step", f"'{step}'")
    program.find("label", "Channel 2")
    count = name_of(program.find("label", part=" objects")).split()[0]
    program.find("label", f"Results: {count} rows")
    wait(lambda: "intensity_mean" in headers(program, "Results"), "intensities")
    for _ in range(3):
        program.do("undo")
    no_step(program)


def threshold_by_hand(program):
    """What a method has found becomes a threshold with sliders that makes the same objects."""
    set_steps(program, "channel index=1 | otsu | label")
    count = name_of(program.find("label", part=" objects"))
    set_steps(program, "channel index=1 | otsu")
    click(program.find("push button", "Adjust by Hand"))
    program.find("label", part="Method Manual")
    program.do("add-step", "'label'")
    program.find("label", count)


def panes_by_key(program):
    """F6 goes through all panes and comes back; in each a widget has the focus."""
    set_steps(program, "channel index=1 | gaussian")
    has_step(program, "Gaussian Blur")
    seen = []
    focus_window(program, "Fovea")
    for _ in range(10):
        keys("F6")
        seen.append(wait(lambda: next((now for now in [tuple((role_of(n), name_of(n)) for n in focused(program.app))]
                                       if now and [now] != seen[-1:]), None), "the focus elsewhere"))
    assert len(set(seen[:5])) == 5 and seen[:5] == seen[5:], seen


def before_and_after(program):
    """The line divides what the step took from what it made, and can be dragged and moved by keys."""
    set_steps(program, "channel index=1 | gaussian sigma=6")
    has_step(program, "Gaussian Blur")
    after = settled(program)
    program.do("compare")
    wait(lambda: (picture(program) != after).any(), "another picture")
    both = settled(program)
    width = both.shape[1]
    assert (both[:, :width // 2 - 10] != after[:, :width // 2 - 10]).any(), "the left half shows what was before"
    assert (both[40:, width // 2 + 80:] == after[40:, width // 2 + 80:]).all(), "the right half shows the result"
    x, y, _, height = box(program.find("image", "Image"))
    drag(x + width / 2, y + height / 2, x + width * 0.25, y + height / 2)
    wait(lambda: (picture(program)[40:, width // 4 + 80:] == after[40:, width // 4 + 80:]).all(), "the line has moved")
    keys("b")
    becomes(program, after, "the key b ends it")


def undo_all_redo_all(program):
    for step in ("channel", "gaussian", "otsu", "erosion", "label", "regionprops"):
        program.do("add-step", f"'{step}'")
    has_step(program, "Measure Objects")
    shown = settled(program)
    for _ in range(6):
        program.do("undo")
    no_step(program)
    for _ in range(6):
        program.do("redo")
    has_step(program, "Measure Objects")
    program.find("label", part="rows")
    becomes(program, shown, "redo shows the same")


def slow_step_stops(program):
    program.do("add-step", "'slow seconds=100'")  # longer than anything here waits
    click(program.find("push button", "Stop"))
    program.gone("push button", "Stop")
    set_steps(program, "channel index=1 | gaussian")
    has_step(program, "Gaussian Blur")
    settled(program)


def damaged_file(program):
    path = os.path.join(WORK, "damaged.tif")
    with open(NUCLEI, "rb") as good, open(path, "wb") as bad:
        bad.write(good.read()[:3000])
    program.do("open", where="")
    name_file(program, "Open Images", path)
    has_text(program, "damaged.tif")
    assert program.alive()


def open_by_dialog(program):
    keys("ctrl+o")
    name_file(program, "Open Images", os.path.join(SOURCE, "data/samples/cells_2channel.tif"))
    wait(lambda: find(program.app, "label", "cells_2channel.tif"), "the tab of the opened image")
    program.do("close-page")


def nonsense(program):
    """Into every entry of every operation: an error is shown next to the field, and the program keeps working."""
    operations = subprocess.run([os.environ["FOVEA_COMMAND"], "ops", "--json"], check=True, capture_output=True, text=True).stdout
    for op in json.loads(operations):
        # The first takes minutes; the others begin with objects to edit, and with dialogs.
        if not op.get("menu") or op["key"] in ("slow", "edit", "calculate", "merge_channels"):
            continue
        program.do("add-step", f"'{op['key']}'")
        wait(lambda: len(find_all(program.find("list", "Steps"), "list item")) in (2, 3), op["key"])  # maybe a channel, too
        for entry in [n for n in find_all(program.app, "text") if n.get_editable_text_iface()]:
            try:
                entry.get_editable_text_iface().set_text_contents("12, nonsense µ \"'|=")
            except Exception:  # noqa: BLE001 - an entry that is gone by now
                pass
        program.heard()
        assert program.alive(), op["key"]
        set_steps(program, "")
        no_step(program)


def keyboard_alone(program):
    keys("ctrl+l")
    finder = window_titled(program, "Find a Command")
    wait(lambda: focused(finder), "the focus in the finder")
    type_text("gaussian")
    wait(lambda: name_of(find(chosen_row(finder), "label")) == "Gaussian Blur...", "the command")
    keys("Return")
    has_step(program, "Gaussian Blur")


def every_action(program):
    """Every entry of the menus, once; those that open a window or a dialog are closed again by Escape."""
    bar = [name_of(n) for n in find_all(program.find("menu bar"), "menu item")]
    assert bar == ["File", "Edit", "Image", "Process", "Analyze", "Macros", "Plugins", "View", "Help"], bar
    actions = program.call("DescribeAll", "window/1", None)[0]
    set_steps(program, STEPS)
    has_step(program, "Labels to RGB")
    names = [name for name, (_, takes, _) in actions.items() if not takes]
    assert len(names) > 15, names
    for name in names:
        if name in ("close-page", "duplicate", "split-channels", "fullscreen", "new-image"):  # other pages and sizes
            continue
        program.do(name)
        program.heard()
        keys("Escape")
        program.heard()
        assert program.alive(), name
    if not find(program.app, "page tab", "Steps"):  # whether View ▸ Panels came last
        program.do("panels")
    set_steps(program, "")
    no_step(program)


def closing_asks(program):
    """Quitting with steps that were not saved asks; Cancel keeps everything."""
    set_steps(program, "channel index=1 | gaussian sigma=7")
    has_step(program, "Gaussian Blur")
    program.do("quit", where="")
    click_away(program, program.find("push button", "Cancel"))
    has_step(program, "Gaussian Blur")
    assert program.alive()


def kept(text):
    """Whether the file of a session has that."""
    sessions = os.path.join(os.environ["XDG_STATE_HOME"], "fovea", "sessions")
    return any(text in open(os.path.join(sessions, name), encoding="utf-8").read() for name in os.listdir(sessions))


def crash_and_restore(program):
    set_steps(program, "channel index=1 | gaussian sigma=7")
    has_step(program, "Gaussian Blur")
    look = {"Shown darkest": 20, "Shown brightest": 90, "Gamma": 0.5}
    choose(program, "Stretch", 3)
    for name, value in look.items():
        type_number(program, name, value)
    wait(lambda: kept("sigma=7") and kept("low=20 high=90 gamma=0.5 stretch=sqrt"), "the steps and how they are shown in the session")
    program.kill()
    again = Program()
    click(again.find("push button", "Restore"))
    has_step(again, "Gaussian Blur")
    wait(lambda: any("Sigma 7" in t for t in texts(again)), "Sigma 7")
    wait(lambda: {name: number(again, name) for name in look} == look and has_text(again, "Square root"), "the look as it was")
    return again


def new_image_survives(program):
    """One of no file is restored, too, by its steps."""
    program.do("new-image")
    set_steps(program, "plain width=30 height=20 fill=ramp")
    wait(lambda: kept("fill=ramp"), "the steps in the session")
    program.kill()
    again = Program()
    click(again.find("push button", "Restore"))
    has_text(again, "Fill with Ramp")
    ready(again)
    return again


TESTS = [open_by_dialog, looks_right, slider_changes_image, table_is_the_commands, one_channel, count_from_the_menus,
         threshold_by_hand, panes_by_key, before_and_after, undo_all_redo_all, slow_step_stops, damaged_file, nonsense, keyboard_alone,
         every_action, closing_asks, crash_and_restore, new_image_survives]
