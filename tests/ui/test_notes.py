# SPDX-License-Identifier: MIT
"""What the window says, the finder's words, and steps that are switched off."""
from person import (box, chosen_row, click, find, find_all, focused, has_step, keys, name_of, no_window, page_tabs, press, screen,
                    set_steps, settled, type_text, wait, window_titled)


def canvas_box(program):
    return box(program.find("image", "Image"))


def notes_float(program):
    """What informs and what fails come with a word and a picture of their own, and move nothing."""
    settled(program)
    shown = {}
    for word, do in (("Note", lambda: program.do("keep-selection")),
                     ("Error", lambda: program.do("open-recent", "b'/missing.tif'", where=""))):
        before = canvas_box(program)
        do()
        label = program.find("label", word)
        x, y, width, height = box(label)
        settled(program)
        shown[word] = screen()[y:y + height, x - 26:x - 4].copy()
        assert canvas_box(program) == before, f"the image moves for {word}"
        assert x > before[0] and y > before[1], f"{word} does not stand over the image"
    assert (shown["Note"] != shown["Error"]).any(), "the same picture for both"
    click(program.find("push button", "Close the message"))
    program.gone("label", "Error")


def notes_belong_to_tabs(program):
    """A note of one tab is not seen in another, and is there again when that tab is."""
    program.do("add-step", "'nonsense'")
    program.find("label", "Error")
    program.do("duplicate")
    wait(lambda: len(page_tabs(program)) == 2, "another tab")
    program.gone("label", "Error")
    set_steps(program, "")
    program.do("close-page")
    program.find("label", "Error")
    click(program.find("push button", "Close the message"))
    program.gone("label", "Error")


def notes_go(program):
    """What only informs goes by itself."""
    program.do("keep-selection")
    program.find("label", "Note")
    program.gone("label", "Note")


def finds(program, words, wanted):
    """The first command that the finder has for these words is one of those wanted; nothing, when there are none."""
    keys("ctrl+l")
    finder = window_titled(program, "Find a Command")
    wait(lambda: focused(finder), "the focus in the finder")
    type_text(words)

    def found():
        row, label = chosen_row(finder), find(finder, "label", part="Nothing found")
        nothing = bool(label and label.get_component_iface()) and box(label)[3] > 4
        return name_of(find(row, "label")) in wanted and not nothing if row else nothing and not wanted
    wait(found, f"{words}: {wanted or 'nothing'}")
    keys("Escape")
    no_window(program, "Find a Command")


WORDS = {"count": ("Count Objects", "Label Objects...", "Measure Objects..."), "analyze particles": ("Label Objects...", "Measure Objects..."),
         "brightness": ("Brightness and Contrast",), "measure": ("Measure", "Measure Objects..."),
         "segment": ("Find Nuclei by a Network...",), "blur": ("Gaussian Blur...",), "rescale": ("Scale...",),
         "roi manager": ("Add to List", "Selections…", "Measure List of Selections"),
         "scale bar": ("Export Figure…", "Set Scale…", "Properties…"),
         "haze": ("Grade...",), "crop": ("Crop...",), "flip": ("Flip or Rotate...",), "maximum projection": ("Z Project...",), "histogram": ("Histogram...", "Brightness and Contrast")}


def finder_knows_words(program):
    for words, wanted in WORDS.items():
        finds(program, words, wanted)
    finds(program, "xyzzy", ())


def off_looks_off(program):
    """A step that is switched off has a line through it and another picture; to those who hear it, it says so."""
    set_steps(program, "channel index=1 | gaussian")
    has_step(program, "Gaussian Blur")
    press(find_all(program.find("list", "Steps"), "list item")[0])
    settled(program)
    label = next(n for n in find_all(program.find("list", "Steps"), "label") if name_of(n) == "Gaussian Blur")
    x, y, width, height = box(label)

    def widest():
        """The maximum share of a row of pixels that differs from the background."""
        seen = screen()[y:y + height, x:x + width].astype(int)
        return (abs(seen - seen[0, 0]).sum(2) > 120).mean(1).max()
    assert widest() < 0.9
    press(program.find(None, "Gaussian Blur is on"))
    program.find(None, "Gaussian Blur is off")
    wait(lambda: widest() > 0.9, "a line through it")


TESTS = [notes_float, notes_belong_to_tabs, notes_go, finder_knows_words, off_looks_off]
