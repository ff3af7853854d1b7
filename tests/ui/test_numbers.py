# SPDX-License-Identifier: MIT
"""Numbers and words as people read them: channels count from 1 wherever the window shows them, forms show what matters, and pixel
types have the names that microscopists use."""
import os
import re

import numpy as np
import tifffile

from person import (box, find, find_all, has_step, has_text, keys, mouse, name_file, name_of, press, set_steps, settled, text_of, texts,
                    type_text, wait, window_titled)
from test_dialogs import close_window, fresh, open_files


def close_image(program, path):
    set_steps(program, "")
    program.do("close-page")
    program.gone("push button", f"Close {os.path.basename(path)}")


def three_channels(path):
    """Noise of clearly different means; the second channel has the most contrast."""
    random = np.random.default_rng(8)
    noise = [random.normal(mean, sd, (64, 96)) for mean, sd in ((5000, 100), (9000, 3000), (20000, 400))]
    tifffile.imwrite(path, np.array(noise).clip(0, 65535).astype(np.uint16), imagej=True, metadata={"axes": "CYX"})
    return np.array(noise)


def composite_takes_the_channel_of_the_slider(program):
    """In composite view a threshold is of the channel where C stands, as the list of steps, the form and the note say."""
    path = fresh("three.tif")
    noise = three_channels(path)
    open_files(program, path)
    has_text(program, "1/3")
    for channel in (1, 3):
        slider = wait(lambda: [n for n in find_all(program.window, "slider") if name_of(n) == "Channel" and box(n)[2] > 0][-1],
                      "the slider C")
        x, y, width, height = box(slider)
        mouse(x + (3 if channel == 1 else width - 3), y + height / 2, 1)
        has_text(program, f"{channel}/3")
        program.do("add-step", "'otsu'")
        program.find("label", part=f"Step 1 selects channel {channel}")
        program.find("label", f"Channel {channel}")
        found = float(wait(lambda: next(m[1] for m in (re.match(r"threshold ([\d.]+)", name_of(n)) for n in find_all(program.window, "label")) if m), "the threshold"))
        assert abs(found - noise[channel - 1].mean()) < 500, f"{found} is not a threshold of channel {channel}"
        set_steps(program, "")
    close_image(program, path)


def channel_form_counts_from_one(program):
    """The form of Channel shows 2 for index=1; what is typed there counts from 1, too, and so do files from 0."""
    path = fresh("channel.steps")
    set_steps(program, "channel index=1")
    has_step(program, "Channel")
    entry = wait(lambda: [n for n in find_all(program.window, "entry") + find_all(program.window, "text")
                          if name_of(n) == "Channel"][0], "the entry")
    assert text_of(entry) == "2", text_of(entry)
    press(entry)
    keys("ctrl+a")
    type_text("3")
    program.find("label", "Channel 3")
    keys("ctrl+a")
    type_text("0")
    program.find("label", "The first one is 1.")
    keys("ctrl+a")
    type_text("3")
    program.gone("label", "The first one is 1.")
    program.do("save-steps")
    name_file(program, "Save Steps", path)
    wait(lambda: "channel index=2" in open(path, encoding="utf-8").read(), "index=2 in the file")


def help_says_how_numbers_count(program):
    program.do("operations")
    page = window_titled(program, "Help")
    wait(lambda: find(page, "label", part="count from 1 in the window"), "the note on counting")
    wait(lambda: find(page, "label", part="32-bit float"), "the note on types")
    close_window(program, "Help")


def types_in_words(program):
    """The list of steps says 8-bit and 16-bit."""
    program.find("label", part="8-bit")
    path = fresh("three.tif")
    three_channels(path)
    open_files(program, path)
    program.find("label", part="16-bit, 3 channels")
    settled(program)
    names = wait(lambda: [name_of(label) for label in find_all(program.window, "label")], "all that is written")
    assert not [name for name in names if {"u8", "u16", "i32", "f32", "f64"} & set(name.replace(",", " ").split())], names
    close_image(program, path)


def shown(program, name):
    return any(name_of(n).split("  ")[0] == name and box(n)[2] > 0 for n in find_all(program.window, "label"))


def more_folds(program):
    """The form of a Gaussian shows its sigma; border and truncation come with More, and stay for the next step."""
    set_steps(program, "channel index=1 | gaussian")
    has_step(program, "Gaussian Blur")
    wait(lambda: shown(program, "Sigma"), "Sigma")
    settled(program)  # nothing moves any more
    assert not shown(program, "Truncate") and not shown(program, "Border")
    more = wait(lambda: next(n for n in find_all(program.window, "label") if name_of(n) == "More" and box(n)[2] > 0), "More")
    press(more)
    wait(lambda: shown(program, "Truncate") and shown(program, "Border"), "what is folded")
    assert not shown(program, "Value outside"), "matters only with a constant border"
    settled(program)
    press(more)
    wait(lambda: not shown(program, "Truncate"), "folded again")
    set_steps(program, "channel index=1 | gaussian border=constant value=3")
    has_step(program, "Gaussian Blur")
    set_steps(program, "channel index=1")
    wait(lambda: "Gaussian Blur" not in texts(program), "no blur")
    set_steps(program, "channel index=1 | gaussian border=constant value=3")
    wait(lambda: shown(program, "Value outside"), "what is changed is not folded away")


def rows_say_what_matters(program):
    """The row of a step tells the number that it is about, and no value that its method has no use for."""
    set_steps(program, "channel index=1 | gaussian")
    wait(lambda: "Sigma 2 px" in texts(program), "the sigma of a blur, though it is the usual one")
    set_steps(program, "channel index=1 | local_threshold method=median k=0.3")
    wait(lambda: "Method Median, Radius 10 px" in texts(program), "the method and the radius alone")
    set_steps(program, "channel index=1 | local_threshold method=niblack k=0.3")
    wait(lambda: any("Factor k 0.3" in text for text in texts(program)), "the factor, which matters")


TESTS = [composite_takes_the_channel_of_the_slider, channel_form_counts_from_one, help_says_how_numbers_count, types_in_words,
         more_folds, rows_say_what_matters]
