# SPDX-License-Identifier: MIT
"""A threshold seen on the image, as in ImageJ, with its limits in the histogram of what it is of."""
import os

import numpy as np
import tifffile

from person import (NUCLEI, WORK, box, drag, find, focused, has_step, keys, looked_at, mouse, name_file, name_of, no_step, press, run_command, set_steps,
                    settled, text_of, wait, zoom_100)


def image_of(steps, name):
    path = os.path.join(WORK, name)
    run_command("run", steps, NUCLEI, "-o", path)
    return tifffile.imread(path).reshape(640, 640)


def part(program, whole):
    """The middle of the canvas at 100 %, and what of a whole image is there."""
    zoom_100(program)
    seen = settled(program)
    _, left, top = looked_at(program)
    y, x = seen.shape[0] // 2 - 100, seen.shape[1] // 2 - 100
    row, column = int(np.floor(top + y + 0.5)), int(np.floor(left + x + 0.5))
    return seen[y:y + 200, x:x + 200].astype(int), [w[row:row + 200, column:column + 200] for w in whole]


def see_as(program, look):
    choice = program.find("combo box", "Seen as")
    press(choice)
    wait(lambda: focused(choice), "the list")
    keys("Home", *["Down"] * ["Red", "Over/Under", "Black & White"].index(look), "Return")
    wait(lambda: find(choice, "label", look), look)


def red_over_image(program):
    """Red where the command's mask is; elsewhere the gray of the image. Then the mask itself; and what is saved is the mask."""
    mask, grey = image_of("channel index=1 | otsu", "mask.tif"), image_of("channel index=1", "grey.tif")
    set_steps(program, "channel index=1 | otsu")
    has_step(program, "Otsu Threshold")
    seen, (is_in, value) = part(program, (mask, grey))
    red, green, blue = seen[..., 0], seen[..., 1], seen[..., 2]
    assert 0.05 < (is_in > 0).mean() < 0.95
    assert (((red > 180) & (green < 80) & (blue < 80)) == (is_in > 0)).all(), "red where it takes pixels"
    assert ((red == green) & (green == blue))[is_in == 0].all(), "grey elsewhere"
    assert np.corrcoef(green[is_in == 0], value[is_in == 0])[0, 1] > 0.95, "the image is seen"
    see_as(program, "Black & White")
    seen, (is_in,) = part(program, (mask,))
    assert (seen == np.where(is_in > 0, 255, 0)[..., None]).all(), "the mask itself"
    see_as(program, "Red")
    program.do("save")
    saved = os.path.join(WORK, "seen-mask.tif")
    name_file(program, "Save Image", saved)
    wait(lambda: (tifffile.imread(saved).reshape(640, 640) == mask).all(), "the mask is saved")
    program.do("zoom-fit")


def over_and_under(program):
    """Blue below the range, green above it, and in it the gray of the image; by the image's own values."""
    grey = image_of("channel index=1", "grey.tif").astype(int)
    set_steps(program, "channel index=1 | threshold method=manual lower=90 upper=150")
    has_step(program, "Threshold")
    see_as(program, "Over/Under")
    seen, (value,) = part(program, (grey,))
    red, green, blue = seen[..., 0], seen[..., 1], seen[..., 2]
    assert all(((value < 90).mean() > 0.1, ((value >= 90) & (value <= 150)).mean() > 0.05, (value > 150).mean() > 0.02))
    assert ((blue > green + 100) == (value < 90)).all(), "blue below"
    assert ((green > blue + 100) == (value > 150)).all(), "green above"
    assert ((red == green) & (green == blue))[(value >= 90) & (value <= 150)].all(), "grey in it"
    see_as(program, "Red")
    program.do("zoom-fit")


def handle(program, name):
    """The middle of a limit's handle."""
    x, y, width, height = box(program.find("slider", name))
    return x + width / 2, y + height / 2


def limit(program, name):
    """The text in the entry of a limit."""
    return int(text_of(program.find("text", name)))


def says_share(program, low, high):
    """The form says how much of the channel has such values."""
    grey = image_of("channel index=1", "grey.tif").astype(int)
    program.find("label", f"{100 * ((grey >= low) & (grey <= high)).mean():.2f} %")


def red_of(shown):
    return ((shown[..., 0].astype(int) > 180) & (shown[..., 1] < 80)).sum()


def limits_are_dragged(program):
    """A method's limit is dragged: it becomes one by hand, the share and the picture with it; one undo for all of it."""
    set_steps(program, "channel index=1 | otsu")
    has_step(program, "Otsu Threshold")
    found = int(name_of(program.find("label", part="> "))[2:])
    says_share(program, found + 1, 255)
    before = settled(program)
    (x, y), (last, _) = handle(program, "Lower limit"), handle(program, "Upper limit")
    drag(x, y, x + 40, y)
    has_step(program, "Threshold")
    lower = limit(program, "Lower")
    assert abs(lower - (found + 40 / (last - x) * (255 - found))) <= 2, (found, lower)
    program.find("label", f"≥ {lower}")
    says_share(program, lower, 255)
    taken = [red_of(shown) for shown in (before, settled(program))]
    assert taken[1] < 0.95 * taken[0], taken
    program.do("undo")
    has_step(program, "Otsu Threshold")
    wait(lambda: (settled(program) == before).all(), "one undo")


def limits_by_keys(program):
    """Both limits are sliders with names; each key is a value of 8 bits; at its end of the range a limit is none."""
    set_steps(program, "channel index=1 | threshold method=manual lower=90 upper=200")
    has_step(program, "Threshold")
    press(program.find("slider", "Upper limit"))
    keys("Left", "Left", "Left")
    wait(lambda: limit(program, "Upper") == 197, "three keys")
    keys("Prior")
    wait(lambda: limit(program, "Upper") == 213, "a page")
    says_share(program, 90, 213)
    keys("End")
    program.find("label", "≥ 90")
    press(program.find("slider", "Lower limit"))
    keys("Right")
    program.find("label", "≥ 91")


def light_background(program):
    """Objects darker than the background: the range is that below what was found."""
    set_steps(program, "channel index=1 | threshold")
    has_step(program, "Threshold")
    found = int(name_of(program.find("label", part="> "))[2:])
    press(program.find("check box", "Dark background"))
    program.find("label", f"≤ {found}")
    says_share(program, 0, found)
    (x, y), (first, _) = handle(program, "Upper limit"), handle(program, "Lower limit")
    drag(x, y, x + (x - first) / 4, y)
    upper = wait(lambda: limit(program, "Upper"), "a limit by hand")
    assert abs(upper - 1.25 * found) <= 2, (found, upper)


def methods_say_what_they_find(program):
    """The list shows after each method the threshold that it finds in the channel: the mean, and Otsu's as the step itself reports it."""
    grey = image_of("channel index=1", "grey.tif")
    set_steps(program, "channel index=1 | threshold")
    has_step(program, "Threshold")
    found = name_of(program.find("label", part="> "))[2:]
    choice = program.find("combo box", "Method")
    press(choice)
    program.find("label", f"Mean   {grey.mean():.6g}")
    program.find("label", f"Otsu   {found}")
    keys("Home", "Down", "Down", "Return")
    program.find("label", part="> 63")  # Li's
    assert find(choice, "label", "Li"), "the button has the name alone"


def each_slice(program):
    """Each slice has a threshold of its own, or all have one; what the form says is of the slice that is seen."""
    path = os.path.join(WORK, "slices.tif")
    fourth = np.arange(4096).reshape(64, 64) % 4 == 0
    tifffile.imwrite(path, np.stack([np.where(fourth, 40, 10), np.where(fourth, 140, 60)]).astype(np.uint8), imagej=True,
                     metadata={"axes": "ZYX"})
    program.do("open-recent", f"b'{path}'", where="")
    program.find("push button", "Close slices.tif")
    set_steps(program, "threshold method=mean")
    program.find("label", "> 17.5")
    program.find("label", "25.00 %")
    x, y, width, height = box(program.find("slider", "Slice"))
    mouse(x + width - 12, y + height / 2, 1)
    program.find("label", "> 80")
    program.find("label", "25.00 %")
    press(program.find("check box", "One threshold for the stack"))
    program.find("label", "> 48.75")
    program.find("label", "100.00 %")
    set_steps(program, "")
    no_step(program)
    program.do("close-page")
    program.gone("push button", "Close slices.tif")


TESTS = [red_over_image, over_and_under, limits_are_dragged, limits_by_keys, light_background, methods_say_what_they_find, each_slice]
