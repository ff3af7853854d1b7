# SPDX-License-Identifier: MIT
"""Steps that change the number of slices, channels and frames: sliders, the current position, and tables follow."""
import os

import numpy as np
import tifffile
from person import (WORK, Program, box, find, find_all, has_step, has_text, headers, keys, mouse, name_of, page_tabs, press, run_command,
                    set_steps, settled, table_rows, texts, wait, window_titled)


def stack():
    """3 frames, 4 slices and 2 channels; one square in each frame, at another position each time, and half as bright in channel 2."""
    path = os.path.join(WORK, "stack.tif")
    planes = np.zeros((3, 4, 2, 120, 160), np.uint8)
    for t in range(3):
        planes[t, :, :, 20 + 30 * t:40 + 30 * t, 10 + 50 * t:40 + 50 * t] = 200
    planes[:, :, 1] //= 2
    tifffile.imwrite(path, planes, imagej=True, metadata={"axes": "TZCYX"})
    return path


def sliders(program):
    """The names of those that are seen."""
    return {name_of(n) for n in find_all(program.window, "slider") if name_of(n) in ("Channel", "Slice", "Frame") and box(n)[2] > 0}


def has_sliders(program, *names):
    wait(lambda: sliders(program) == set(names), f"the sliders {names}")


def last_frame(program):
    has_sliders(program, "Channel", "Slice", "Frame")
    x, y, width, height = box(next(n for n in find_all(program.window, "slider") if name_of(n) == "Frame"))
    mouse(x + width - 3, y + height / 2, 1)


def sliders_follow(program):
    """Of the last frame the projection has the only one; taken back, and with other frames, the slider is there again."""
    program.end()
    program = Program(stack())
    last_frame(program)
    has_text(program, "3/3")
    set_steps(program, "project axis=t")
    has_step(program, "Z Project")
    has_sliders(program, "Channel", "Slice")
    has_text(program, "1/4")
    set_steps(program, "project axis=t | project | project axis=c")
    has_sliders(program)
    assert (settled(program) > 150).all(2).any()
    set_steps(program, "")
    last_frame(program)
    has_text(program, "3/3")
    set_steps(program, "substack frames=1-2")
    has_text(program, "2/2")
    return program


def slices_become_frames(program):
    """A stack that says nothing is of slices; told otherwise it has frames, in the window, the table and the file, as tifffile reads it."""
    program.end()
    path, saved = os.path.join(WORK, "plain.tif"), os.path.join(WORK, "frames.tif")
    planes = np.zeros((5, 40, 60), np.uint8)
    for t in range(5):
        planes[t, 10:20, 5 + 10 * t:12 + 10 * t] = 200
    tifffile.imwrite(path, planes, metadata=None)
    program = Program(path)
    has_sliders(program, "Slice")
    set_steps(program, "threshold lower=100 | label | regionprops properties=label,area")
    wait(lambda: headers(program, "Results") == ["z", "label", "area"], "a column of slices")
    program.do("properties")
    press(wait(lambda: find(window_titled(program, "Image Properties"), "push button", "Slices Are Frames"), "the button"))
    has_sliders(program, "Frame")
    wait(lambda: headers(program, "Results") == ["frame", "label", "area"], "a column of frames")
    run_command("run", "hyperstack", path, "-o", saved)
    with tifffile.TiffFile(saved) as file:
        assert file.imagej_metadata["frames"] == 5 and file.series[0].axes == "TYX", file.imagej_metadata
        assert np.array_equal(file.asarray(), planes)
    return program


def ome_has_frames(program):
    """An OME file of frames and slices has sliders of both, each of which shows its planes."""
    program.end()
    path = os.path.join(WORK, "film.ome.tif")
    planes = np.zeros((3, 4, 60, 90), np.uint8)  # a square further right in each frame, further down in each slice
    for t, z in np.ndindex(3, 4):
        planes[t, z, 10 * z + 5:10 * z + 15, 25 * t + 5:25 * t + 15] = 255
    tifffile.imwrite(path, planes, ome=True, metadata={"axes": "TZYX"})
    program = Program(path)
    has_sliders(program, "Slice", "Frame")
    wait(lambda: find(program.window, "label", "1/4") and find(program.window, "label", "1/3"), "four slices and three frames")

    def middle():
        """Of the square, from 0 to 1 in both directions."""
        white = (settled(program)[:-60, :-140] == 255).all(2)
        across, down = (np.nonzero(white.any(i))[0].mean() for i in (0, 1))
        return across / white.shape[1], down / white.shape[0]
    first = middle()
    set_slider(program, "Frame", 2)
    wait(lambda: find(program.window, "label", "3/3"), "the last frame")
    frame = middle()
    set_slider(program, "Slice", 2)
    wait(lambda: find(program.window, "label", "3/4"), "the third slice")
    both = middle()
    assert frame[0] > first[0] + 0.2 and abs(frame[1] - first[1]) < 0.02, (first, frame)
    assert both[1] > frame[1] + 0.1 and abs(both[0] - frame[0]) < 0.02, (frame, both)
    return program


def set_slider(program, name, value):
    next(n for n in find_all(program.window, "slider") if name_of(n) == name and box(n)[2] > 0).get_value_iface().set_current_value(value)


def rows_follow(program):
    """Three objects of three frames are three of the one that is made of them, whose rows name no frame."""
    program.end()
    program = Program(stack())
    objects = "otsu | label | regionprops properties=label,area"
    set_steps(program, f"project | channel index=0 | {objects}")
    has_text(program, "3 rows")
    set_steps(program, f"project | channel index=0 | crop x=50 y=40 | {objects}")
    has_text(program, "2 rows")
    set_steps(program, f"project axis=t | project | channel index=0 | {objects}")
    has_text(program, "3 rows")
    return program


def chosen(program, name):
    """The scroll position of the list of columns."""
    return name_of(find_all(program.find("combo box", name), "label")[-1])


def profile_is_plotted(program):
    """Plots of profiles begin with the mean along slices; two channels are compared as they are; new tables, new columns."""
    program.end()
    program = Program(stack())
    program.do("add-step", "'colocalize'")
    has_step(program, "Colocalization")
    has_text(program, "3 rows")
    assert texts(program).count("Channel") == 0, texts(program)
    set_steps(program, "channel index=0 | z_profile")
    has_text(program, "12 rows")
    settled(program)
    press(program.find("push button", "Distribution"))
    wait(lambda: chosen(program, "Column across") == "z" and chosen(program, "Column upwards") == "mean", "the mean along z")
    set_steps(program, "channel index=0 | radial_profile")
    wait(lambda: "radius" in headers(program, "Results")[2], "rings")
    wait(lambda: "radius" in chosen(program, "Column across") and chosen(program, "Column upwards") == "mean", "the mean along the radius")
    set_steps(program, "channel index=0 | profile points=1,2;30,20")
    wait(lambda: "distance" in headers(program, "Results")[2], "a line")
    wait(lambda: "distance" in chosen(program, "Column across") and chosen(program, "Column upwards") == "value", "the value along the line")
    press(program.find("push button", "Distribution"))
    return program


def steps_in_front(program):
    """Their names: the first labels of their rows."""
    front = [n for n in find_all(program.window, "list") if name_of(n) == "Steps" and box(n)[2] > 0]
    return [name_of(find(row, "label")) for row in find_all(front[-1], "list item")[1:]]


def channels_in_tabs(program):
    """Of the image that is looked at, with the steps up to it; what comes after it stays behind."""
    program.end()
    program = Program(stack())
    set_steps(program, "project | project axis=t | otsu")
    has_step(program, "Otsu Threshold")
    press(find_all(program.find("list", "Steps"), "list item")[2])
    has_sliders(program, "Channel")
    program.do("split-channels")
    wait(lambda: len(page_tabs(program)) == 3, "three tabs")
    wait(lambda: steps_in_front(program) == ["Z Project", "Z Project", "Channel"], "the step Channel behind the other two")
    assert 100 in settled(program)
    program.do("split-channels")
    program.find("label", part="one channel")
    for n in (2, 1):
        set_steps(program, "")
        program.do("close-page")
        wait(lambda n=n: len(page_tabs(program)) == n, f"{n} tabs")
    return program


def cubes():
    """Two, in a stack of 20 slices with a distance; and one whose slices are darker and darker."""
    path, fading = os.path.join(WORK, "cubes.tif"), os.path.join(WORK, "fading.tif")
    planes = np.zeros((20, 40, 40), np.uint8)
    planes[2:7, 2:12, 2:6] = planes[5:13, 20:30, 20:30] = 200
    tifffile.imwrite(path, planes, imagej=True, resolution=(2, 2), metadata={"axes": "ZYX", "spacing": 2, "unit": "mm"})
    ramp = np.linspace(0, 1, 40 * 40).reshape(40, 40)
    tifffile.imwrite(fading, np.uint16([8000 * ramp, 8000 * ramp, 1000 * ramp]), imagej=True, metadata={"axes": "TYX"})
    return path, fading


def slices_are_a_volume(program):
    """It opens in its middle; the first step that finds objects takes a volume, and says so; Slices has the other."""
    program.end()
    program = Program(cubes()[0])
    has_text(program, "11/20")
    program.do("add-step", "'otsu'")
    has_text(program, "Slices are processed as one volume")
    for step in ("label", "regionprops"):
        program.do("add-step", f"'{step}'")
    wait(lambda: len(table_rows(program, "Results")) == 2, "two objects")
    wait(lambda: "volume (mm³)" in headers(program, "Results"), "their volumes")
    set_steps(program, "otsu | label | regionprops properties=label,area")
    wait(lambda: headers(program, "Results") == ["z", "label", "area (mm²)"], "objects of slices")
    return program


def contrast_is_one(program):
    """As dark as it is in comparison with the first frame."""
    program.end()
    program = Program(cubes()[1])
    assert settled(program).max() > 200
    x, y, width, height = box(next(n for n in find_all(program.window, "slider") if name_of(n) == "Frame"))
    mouse(x + width - 3, y + height / 2, 1)
    has_text(program, "3/3")
    assert settled(program).max() < 60
    return program


TESTS = [slices_are_a_volume, contrast_is_one, channels_in_tabs, sliders_follow, slices_become_frames, ome_has_frames, rows_follow, profile_is_plotted]
