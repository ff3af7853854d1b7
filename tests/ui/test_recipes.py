# SPDX-License-Identifier: MIT
"""Starting points: recipes on an image, the user's own, samples on the start page, and the tour."""
import os
import time

import numpy as np
import tifffile

from person import (NUCLEI, SOURCE, WORK, Program, box, click, click_away, find_all, has_step, has_text, headers, keys, mouse, name_file, name_of, no_step, press, ready, run_command, set_steps, texts,
                    wait)

FOLDER = os.path.join(os.environ["XDG_CONFIG_HOME"], "fovea", "recipes")
SHIPPED = os.path.join(SOURCE, "data/recipes")


def titles():
    """Of the recipes that come with Fovea, as their files say."""
    files = sorted(name for name in os.listdir(SHIPPED) if name.endswith(".steps"))
    return [open(os.path.join(SHIPPED, name), encoding="utf-8").readline().removeprefix("# recipe: ").strip() for name in files]


def in_front(program, name):
    """A button that can be seen, after turning the wheel where the list is longer than the window."""
    button = wait(lambda: next(n for n in find_all(program.window, "push button") if (name_of(n) == name or name_of(n).endswith(f" {name}")) and box(n)[2] > 0),
                  name)
    x, y, width, height = box(program.window)
    bottom = y + height - 70  # above the bar with Add a Step, and the status bar

    def is_inside():
        left, top, across, down = box(button)
        if top + down > bottom:
            mouse(left + across / 2, (y + bottom) / 2, 5)
        return top + down <= bottom
    wait(is_inside, f"{name} in the window")
    return button


def all_are_offered(program):
    """Where there are no steps, in the order of their files; nowhere else."""
    offered = [name_of(n) for n in find_all(program.window, "push button") if name_of(n) in titles() and box(n)[2] > 0]
    assert offered == titles() and len(offered) >= 5, offered
    set_steps(program, "gaussian")
    has_step(program, "Gaussian Blur")
    program.gone("push button", titles()[0])
    set_steps(program, "")
    in_front(program, titles()[0])


def takes_one_channel(program):
    """Of a color image the clearest one; it says so, and all of it is undone at once."""
    press(in_front(program, "Count Objects"))
    has_step(program, "Measure Objects")
    has_text(program, "selects channel 2, where C is now")
    assert "Channel 2" in texts(program), texts(program)
    has_text(program, "Results: ")
    assert "intensity_mean-2" in headers(program, "Results"), "of each channel"
    program.do("undo")
    no_step(program)


def nuclei_are_outlined(program):
    """What a network finds is seen on its image, not as an image of labels: the step that takes the channel is chosen."""
    press(in_front(program, "Count Nuclei"))
    has_step(program, "Measure Objects")
    has_text(program, "Results: ")
    ready(program)
    assert "Takes one channel of a multi-channel or RGB image." in texts(program), texts(program)
    program.do("undo")
    no_step(program)


def area_in_percent(program):
    """The step says how much is covered, as the mask of the command says."""
    press(in_front(program, "Area Covered"))
    has_step(program, "Area Fraction")
    mask = os.path.join(WORK, "covered.tif")
    run_command("run", "channel index=1 | gaussian sigma=1 | otsu", NUCLEI, "-o", mask)
    has_text(program, f"percent {100 * (tifffile.imread(mask) != 0).mean():.6g}")
    assert any(header.startswith("percent") for header in headers(program, "Results")), headers(program, "Results")


def of_ones_own(program):
    """Steps that are saved as a recipe are offered from then on, under the name of their file; a file that is none is named when it is chosen."""
    set_steps(program, "channel index=2 | gaussian sigma=3")
    has_step(program, "Gaussian Blur")
    program.do("save-recipe")
    name_file(program, "Save Steps", os.path.join(FOLDER, "my_blur.steps"))
    has_text(program, "Steps saved.")
    with open(os.path.join(FOLDER, "broken.steps"), "w", encoding="utf-8") as file:
        file.write("# recipe: Broken One\ngaussian\nblurr sigma=3\n")
    set_steps(program, "")
    press(in_front(program, "Broken One"))
    has_text(program, "blurr")
    no_step(program)
    press(in_front(program, "my blur"))
    wait(lambda: {"Channel 3", "Sigma 3 px"} <= set(texts(program)), "the steps that were saved")
    for name in os.listdir(FOLDER):
        os.remove(os.path.join(FOLDER, name))


def hint(program, n):
    return program.find("label", f"Hint {n} of 6")


def tried_on_a_sample(program):
    """A card of the start page opens its sample with its recipe. The tour comes by itself with the first one, and never again."""
    program.end()
    program = Program()
    press(in_front(program, "Count Objects"))
    has_step(program, "Measure Objects")
    for n in range(1, 6):
        hint(program, n)
        time.sleep(0.2)  # until its card is at its final position
        click(in_front(program, "Next"))
    hint(program, 6)
    click(in_front(program, "Done"))
    wait(lambda: not is_touring(program), "the end of the tour")
    assert program.end() == 0
    program = Program()
    press(in_front(program, "Intensity in Nuclei"))
    has_step(program, "Measure Objects")
    ready(program)
    assert not is_touring(program)
    program.do("tour")
    hint(program, 1)
    keys("Escape")
    wait(lambda: not is_touring(program), "the end of the tour")
    return program


def is_touring(program):
    return any(name_of(n).startswith("Hint ") and box(n)[2] > 0 for n in find_all(program.window, "label"))


def volume_or_slices(program):
    """For slices of unknown distance a question is asked; with a known one they are a volume, in which sphericity replaces circularity."""
    stack = np.zeros((6, 60, 60), np.uint8)
    stack[1:5, 10:20, 10:20] = stack[1:4, 35:50, 30:50] = 200
    pile, volume = os.path.join(WORK, "pile.tif"), os.path.join(WORK, "volume.tif")
    tifffile.imwrite(pile, stack, imagej=True, metadata={"axes": "ZYX"})
    tifffile.imwrite(volume, stack, imagej=True, resolution=(1, 1), metadata={"axes": "ZYX", "spacing": 2, "unit": "um"})
    program.end()
    program = Program(pile)
    for answer, column in ("Cancel", None), ("Each Slice", "circularity"), ("One Volume", "sphericity"):
        press(in_front(program, "Count Objects"))
        program.find("label", "Are the 6 slices one volume?")
        click_away(program, program.find("push button", answer))
        if not column:
            no_step(program)
            continue
        has_step(program, "Measure Objects")
        wait(lambda: column in [name.split(" (")[0] for name in headers(program, "Results")], column)
        assert ("z" in headers(program, "Results")) == (answer == "Each Slice"), headers(program, "Results")
        set_steps(program, "")
        no_step(program)
    program.end()
    program = Program(volume)
    press(in_front(program, "Count Objects"))
    has_step(program, "Measure Objects")
    has_text(program, "Slices are processed as one volume.")
    wait(lambda: "sphericity" in headers(program, "Results"), "sphericity")
    wait(lambda: any("measured instead: sphericity" in text for text in texts(program)), "the note of the step")
    program.end()
    return Program(NUCLEI)


TESTS = [all_are_offered, takes_one_channel, nuclei_are_outlined, area_in_percent, of_ones_own, tried_on_a_sample, volume_or_slices]
