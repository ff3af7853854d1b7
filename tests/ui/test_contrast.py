# SPDX-License-Identifier: MIT
"""How well text and sliders stand out, measured on the screen: WCAG 2.1, AA, in light and dark colours."""
import time

import numpy as np

from person import Atspi, box, click, find, has_text, misplaced, name_of, role_of, screen, set_steps, settled, text_of, wait

STEPS = "channel index=1 as=green | gaussian skip=yes | otsu | label | regionprops intensity=green | gaussian from=green"
TEXT, PART = 4.5, 3


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


def seen(node, clip, found):
    """What is below a node and wholly inside all that it stands in, and can be used."""
    for i in range(min(node.get_child_count(), 200)):
        child = node.get_child_at_index(i)
        role = role_of(child) if child else None
        states = child.get_state_set() if role else None
        if not role or not states.contains(Atspi.StateType.SENSITIVE) or not states.contains(Atspi.StateType.VISIBLE):
            continue
        if not child.get_component_iface():  # a page of a stack, and not the start page, which is behind
            if not find(child, "push button", "Try a Sample"):
                seen(child, clip, found)
            continue
        x, y, width, height = box(child)
        inside = (max(x, clip[0]), max(y, clip[1]), min(x + width, clip[2]), min(y + height, clip[3]))
        whole = inside == (x, y, x + width, y + height) and width > 3 and height > 3
        if role in ("label", "slider", "text") and whole:
            found.append((role, child, inside))
        if role != "menu" and inside[0] < inside[2] and inside[1] < inside[3]:
            seen(child, inside, found)


def bars_stand_out(program):
    """Those of a distribution, within its axes."""
    click(program.find("push button", "Distribution"))
    x, y, width, height = box(wait(lambda: find(program.app, "image", "Distribution"), "the plot"))
    settled(program)
    inside = screen()[y + 12:y + height - 50, x + 80:x + width - 24]
    assert contrast(inside) >= PART, contrast(inside)
    click(program.find("push button", "Distribution"))


def all_stand_out(program, theme):
    program.do("theme", f"'{theme}'", where="")
    set_steps(program, STEPS)
    has_text(program, "rows")
    program.do("open-recent", "b'/missing.tif'", where="")
    has_text(program, "does not exist")
    settled(program)
    time.sleep(0.5)
    pixels, beside, found, pale = screen(), misplaced(program), [], []
    seen(program.window, (0, 0, 1280, 800), found)
    for role, node, (left, top, right, bottom) in found:
        words = text_of(node) if role == "text" else name_of(node)
        ratio = contrast(pixels[top:bottom + beside, left:right + beside])
        if words.strip() and words not in ("GtkLabel", "GtkInscription") and ratio < (PART if role == "slider" else TEXT):
            pale.append(f"{role} '{words}' {ratio:.2f}")
    assert sum(role == "label" for role, _, _ in found) > 40 and any(role == "slider" for role, _, _ in found), len(found)
    assert not pale, f"{theme}: {pale}"
    bars_stand_out(program)


def light_stands_out(program):
    try:
        all_stand_out(program, "light")
    finally:
        program.do("theme", "'dark'", where="")


def dark_stands_out(program):
    all_stand_out(program, "dark")


TESTS = [light_stands_out, dark_stands_out]
