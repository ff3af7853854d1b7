# SPDX-License-Identifier: MIT
"""F1 opens the manual in the browser at the heading of the selected step, and the Help window where that is not possible."""
import os
import tempfile

from person import NUCLEI, WORK, Program, find, focus_window, has_step, keys, press, set_steps, wait, window_titled

PAGES = {"index.html": "", "reference/operations/process-threshold.html": '<section id="local-threshold">'}


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def select_last_step(program, title):
    has_step(program, title)
    steps = program.find("list", "Steps")
    press(wait(lambda: find(steps, "list item", part=title), title))
    focus_window(program, "Fovea")


def manual_opens(program):
    """Auto Local Threshold is in the manual here, and Gaussian Blur is not."""
    program.end()
    home = tempfile.mkdtemp(dir=WORK)
    opened = os.path.join(home, "opened")
    for page, text in PAGES.items():
        write(os.path.join(home, "the manual", page), text)
    write(os.path.join(home, "browser"), f'printf "%s\\n" "$1" >>{opened}\n')
    write(os.path.join(home, "applications/browser.desktop"),
          f"[Desktop Entry]\nType=Application\nName=Browser\nExec=sh {home}/browser %u\nMimeType=x-scheme-handler/https;\n")
    write(os.path.join(home, "applications/mimeapps.list"), "[Default Applications]\nx-scheme-handler/https=browser.desktop\n")
    program = Program(NUCLEI, XDG_DATA_HOME=home, FOVEA_MANUAL=os.path.join(home, "the manual"))

    def addresses():
        with open(opened, encoding="utf-8") as lines:
            return lines.read().splitlines()
    program.do("manual")
    wait(lambda: addresses() == [f"{home}/the manual/index.html"], "the first page, which GIO makes a path")
    set_steps(program, "channel index=1 | local_threshold")
    select_last_step(program, "Auto Local Threshold")
    keys("F1")
    page = f"file://{home}/the%20manual/reference/operations/process-threshold.html#local-threshold"
    wait(lambda: addresses()[1:] == [page], "the page of the step")
    set_steps(program, "channel index=1 | gaussian")
    select_last_step(program, "Gaussian Blur")
    keys("F1")
    wait(lambda: find(window_titled(program, "Help"), "label", part="sigma"), "the parameters")
    assert len(addresses()) == 2, addresses()
    program.end()
    return Program(NUCLEI)


TESTS = [manual_opens]
