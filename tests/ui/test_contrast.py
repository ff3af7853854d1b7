# SPDX-License-Identifier: MIT
"""How well text and sliders stand out, measured on the screen: WCAG 2.1, AA, in light and dark colors, on every panel, form and dialog, and for
images that are opened after the first one."""
import os
import time

import numpy as np

from person import (NUCLEI, SOURCE, Atspi, box, click, find, find_all, focus_window, has_state, has_text, keys, misplaced, mouse, name_of, press, ready,
                    role_of, screen, set_steps, set_text, settled, wait, windows, words_of)
from test_dialogs import CELLS, close_selections, draw, no_selections, open_files

STEPS = "channel index=1 as=green | gaussian skip=yes | otsu | label | regionprops intensity=green | gaussian from=green"
TEXT, PART = 4.5, 3
# Operations whose forms have, between them, every kind of control: sliders, a histogram, code, matrices, selections, choices, colors, texts.
FORMS = ("channel index=1", "gaussian", "threshold", 'kernel operation="z = x;"', "convolve", "keep", "label2rgb", "expression", "plain", "crop",
         "calibrate", "edit", "clahe", "display", "segment")
ACTIONS = ("properties", "set-scale", "record", "batch", "export-figure", "compare-devices", "models", "find-command", "edit-lut", "save", "open-steps", "import-raw-file b'/dev/null'",
           f"import-sequence-folder b'{SOURCE}/data/samples/ct'",
           "add-step 'calculate'", "add-step 'merge_channels'", "operations", "new-macro ''")


def luminance(rgb):
    c = np.asarray(rgb) / 255
    linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def contrast(pixels):
    """Between what most of the pixels are and what differs most from it."""
    flat = pixels.reshape(-1, 3)
    colours, counts = np.unique(flat, axis=0, return_counts=True)
    back, all_of_them = luminance(colours[counts.argmax()]), luminance(colours)
    return ((np.maximum(all_of_them, back) + 0.05) / (np.minimum(all_of_them, back) + 0.05)).max()


def behind(window):
    """The names of pages of which another one is in front."""
    return {name_of(tab) for tab in find_all(window, "page tab") if not has_state(tab, Atspi.StateType.SELECTED)}


def seen(node, clip, found, hidden):
    """What is below a node, wholly inside all that contains it, and can be used."""
    for i in range(min(node.get_child_count(), 200)):
        child = node.get_child_at_index(i)
        role = role_of(child) if child else None
        states = child.get_state_set() if role else None
        if not role or not states.contains(Atspi.StateType.SENSITIVE) or not states.contains(Atspi.StateType.VISIBLE):
            continue
        if not child.get_component_iface():  # a page of a stack
            if name_of(child) not in hidden and ("start" not in hidden or not find(child, "push button", "Try a Sample")):
                seen(child, clip, found, hidden)
            continue
        x, y, width, height = box(child)
        inside = (max(x, clip[0]), max(y, clip[1]), min(x + width, clip[2]), min(y + height, clip[3]))
        whole = inside == (x, y, x + width, y + height) and width > 20 and height > 3  # not an ellipsis of a text
        if role in ("label", "slider", "text") and whole:
            found.append((role, child, inside))
        if role != "menu" and inside[0] < inside[2] and inside[1] < inside[3]:
            seen(child, inside, found, hidden)


def still():
    """The screen once it has stopped changing."""
    before = None
    for _ in range(100):
        now = screen()
        if before is not None and np.array_equal(before, now):
            return now
        before = now.copy()
        time.sleep(0.1)
    return before


class Look:
    """Collects what is too pale in one scheme."""

    def __init__(self, program, theme):
        self.program, self.theme, self.pale, self.texts, self.sliders = program, theme, [], 0, 0
        program.do("theme", f"'{theme}'", where="")

    def measured(self, where, root, start_page):
        """What is too pale at the moment, and how many texts and sliders there are."""
        found, pale, pixels, beside = [], [], still(), misplaced(self.program)
        seen(root, (0, 0, *box(root)[2:]), found, behind(root) | (set() if start_page else {"start"}))
        texts = sliders = 0
        for role, node, (left, top, right, bottom) in found:
            words = words_of(node)
            if not words.strip() or words in ("GtkLabel", "GtkInscription"):
                continue
            limit = PART if role == "slider" else TEXT
            # It is somewhere below, where GTK misplaces it. All of that at once may have more pixels of a chosen row than of its background.
            ratio = max(contrast(pixels[top + y:bottom + y, left:right + beside]) for y in range(0, beside + 1, 6) if top + y < len(pixels))
            texts += role != "slider"
            sliders += role == "slider"
            if ratio < limit:
                pale.append(f"{where}: {role} '{words:.60}' {ratio:.2f}")
        return pale if texts else [f"{where}: no text is seen"], texts, sliders

    def at(self, where, root=None, start_page=False):
        """On a busy machine a widget can be found before it is painted: all is measured until it stands out, or, once something never did, a single time."""
        last = []

        def stands_out():
            last[:] = self.measured(where, root or self.program.window, start_page)
            return not last[0] or self.pale
        try:
            wait(stands_out, where)
        except AssertionError:
            if not last or not self.program.alive():
                raise
        pale, texts, sliders = last
        self.pale += pale
        self.texts += texts
        self.sliders += sliders


def bars_stand_out(program):
    """Those of a distribution, within its axes."""
    click(program.find("push button", "Distribution"))
    x, y, width, height = box(wait(lambda: find(program.app, "image", "Distribution"), "the plot"))
    settled(program)
    inside = screen()[y + 12:y + height - 50, x + 80:x + width - 24]
    assert contrast(inside) >= PART, contrast(inside)
    click(program.find("push button", "Distribution"))


def tables(program, look):
    set_steps(program, STEPS)
    has_text(program, "rows")
    program.do("open-recent", "b'/missing.tif'", where="")
    has_text(program, "does not exist")
    settled(program)
    look.at("steps and table")
    bars_stand_out(program)


def forms(program, look):
    for form in FORMS:
        set_steps(program, form)
        ready(program)
        if find(program.app, "push button", "Do Not Run"):
            look.at("code of others", next(w for w in windows(program) if find(w, "push button", "Do Not Run")))
            keys("Escape")
            program.gone("push button", "Do Not Run")
        press(find_all(program.find("list", "Steps"), "list item")[-1])
        mouse(640, 795)
        look.at(form)
    set_steps(program, "gaussian")
    ready(program)
    set_text(wait(lambda: find(program.app, "text", "Sigma"), "its entry"), "many")
    look.at("an entry at fault")


def panels(program, look):
    set_steps(program, "channel index=1")
    program.do("display")
    look.at("display")
    draw(program, "rectangle", 250, 200, 101, 57)
    program.do("keep-selection")
    program.do("measure")
    has_text(program, "Measurements: 1 row")
    press(find(program.find("list", "Kept selections"), "label"))
    look.at("selections")
    program.do("remove-selection")
    no_selections(program)
    close_selections(program)
    program.do("tool", "'objects'")
    look.at("the tool for objects")
    program.do("tool", "'hand'")
    program.do("tour")
    look.at("tour")
    keys("Escape")


def dialogs(program, look):
    set_steps(program, "channel index=1 | gaussian")
    ready(program)
    for action in ACTIONS + ("app.devices", "app.about", "close-page"):
        known, (name, *parameters) = windows(program), action.removeprefix("app.").split(" ", 1)
        program.do(name, *parameters, where="" if action.startswith("app.") else "window/1")
        window = wait(lambda: next((w for w in windows(program) if w not in known), None), action)
        mouse(1270, 795)
        look.at(action, window)
        if name_of(window):
            focus_window(program, name_of(window))
        keys("Escape" if name != "new-macro" else "ctrl+w")
        wait(lambda: len(windows(program)) == len(known), f"the end of {action}")


def second_image(program, look):
    """Alone, so that what is seen is its own."""
    set_steps(program, "")
    open_files(program, CELLS)
    click(program.find("push button", f"Close {os.path.basename(NUCLEI)}"))
    program.gone("push button", f"Close {os.path.basename(NUCLEI)}")
    look.at("a second image")
    set_steps(program, "gaussian")
    ready(program)
    look.at("the form of a second image")
    set_steps(program, "")
    program.do("close-page")
    program.find("push button", "Try a Sample")
    look.at("the start", start_page=True)
    open_files(program, NUCLEI)


def all_stand_out(program, theme):
    look = Look(program, theme)
    for stage in (tables, forms, panels, dialogs, second_image):
        stage(program, look)
    assert look.texts > 400 and look.sliders > 5, (look.texts, look.sliders)
    assert not look.pale, f"{theme}:\n" + "\n".join(look.pale)


def light_stands_out(program):
    try:
        all_stand_out(program, "light")
    finally:
        program.do("theme", "'dark'", where="")


def dark_stands_out(program):
    all_stand_out(program, "dark")


TESTS = [light_stands_out, dark_stands_out]
