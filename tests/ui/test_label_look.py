# SPDX-License-Identifier: MIT
"""Files of labels are seen in the labels' colors, and pictures are not; either can be changed."""
import numpy as np
import tifffile

from person import Atspi, NUCLEI, SOURCE, Program, box, has_state, has_text, looked_at, mouse, role_of, set_steps, settled, wait, zoom_100
from test_dialogs import fresh, visible
from test_display import choose, inside, without_scale_bar


def glasbey():
    """In the table as ImageJ has it."""
    with open(SOURCE + "/tests/golden/data/luts.csv", encoding="utf-8") as table:
        colours = [line.split(",")[3] for line in table.read().splitlines()[2:]]
    return np.array([[int(c[i:i + 2], 16) for i in (0, 2, 4)] for c in colours])


def cells_of(rows, columns, size):
    """Numbered squares with background between them, and the same squares as a picture of a camera."""
    y, x = np.mgrid[:rows, :columns]
    labels = np.where((y % size >= size // 4) & (x % size >= size // 4), 1 + y // size * (columns // size) + x // size, 0)
    noise = np.random.default_rng(5).normal(300, 20, labels.shape)
    return labels, np.where(labels > 0, 900, 100) + noise


def only(program, name, pixels):
    """Another program with this image alone."""
    assert program.end() == 0
    path = fresh(name)
    tifffile.imwrite(path, pixels)
    program = Program(path)
    program.find("image", "Image")
    return program


def is_coloured(program, labels):
    """Each pixel that can be seen at 100 % has its color."""
    shown = settled(program)
    zoom, left, top = looked_at(program)
    y, x = (np.floor(start + np.arange(n)).astype(int) for start, n in zip((top, left), shown.shape))
    y, x = (k[(k >= 0) & (k < n)] for k, n in zip((y, x), labels.shape))
    part, numbers = shown[int(y[0] - top):, int(x[0] - left):][:len(y), :len(x)], labels[np.ix_(y, x)]
    want = np.where(numbers[..., None] > 0, glasbey()[(numbers - 1) % 255 + 1], 0)
    return len(y) > 150 and zoom == 1 and (part == want)[:-60, :-140].all()


def is_grey(program):
    shown = settled(program)
    seen = without_scale_bar(shown)[inside(without_scale_bar(shown))]
    return len(seen) and (seen == seen[:, :1]).all()


def can_be_set(node):
    """The widget and all of its parents."""
    while node and has_state(node, Atspi.StateType.SENSITIVE):
        node = node.get_parent()
        if not node or role_of(node) == "frame":
            return True
    return False


def labels_are_coloured(program):
    """A file of labels opens in their colors, with the labels under the pointer. Show as Labels removes and restores them, and a step that makes a
    mask of them is not shown as labels. A picture of the same objects is gray."""
    labels, picture = cells_of(400, 600, 20)
    program = only(program, "labels.tif", labels.astype(np.uint16))
    zoom_100(program)
    wait(lambda: is_coloured(program, labels), "the colours")
    left, top, _, _ = box(program.find("image", "Image"))
    _, x, y = looked_at(program)
    mouse(left + 50.5 - x, top + 210.5 - y)
    has_text(program, f"x 50  y 210   value {labels[210, 50]} ")
    program.do("display")
    assert not can_be_set(visible(program, "spin button", "Shown darkest")), "limits that do nothing"
    program.do("show-labels")
    wait(lambda: is_grey(program), "greys")
    assert can_be_set(visible(program, "spin button", "Shown darkest"))
    program.do("show-labels")
    wait(lambda: is_coloured(program, labels), "the colours again")
    set_steps(program, "threshold lower=100")
    wait(lambda: not is_coloured(program, labels), "the mask")
    set_steps(program, "")
    wait(lambda: is_coloured(program, labels), "the labels without the step")
    program = only(program, "camera.tif", picture.astype(np.uint16))
    wait(lambda: is_grey(program), "a grey picture")
    assert program.end() == 0
    return Program(NUCLEI)


def small_labels_have_no_mixed_colours(program):
    """Seen from afar labels have colors of the table alone, and no others between them."""
    labels, _ = cells_of(4000, 5000, 50)
    program = only(program, "far.tif", labels.astype(np.uint16))
    wait(lambda: looked_at(program)[0] < 0.5, "a small picture")
    seen = {tuple(c) for c in without_scale_bar(settled(program)).reshape(-1, 3)} - {tuple(settled(program)[4, 4])}
    assert len(seen) > 200 and not seen - {tuple(c) for c in glasbey()}, sorted(seen - {tuple(c) for c in glasbey()})[:5]
    assert program.end() == 0
    return Program(NUCLEI)


def any_image_as_labels(program):
    """The table is in the list, for 8 bits, too; there the values are labels as they are."""
    labels, _ = cells_of(200, 300, 20)
    program = only(program, "bytes.tif", labels.astype(np.uint8))
    zoom_100(program)
    wait(lambda: is_grey(program), "greys")
    choose(program, "Look-up table", 13)
    wait(lambda: is_coloured(program, labels), "the colours")
    choose(program, "Look-up table", 1)
    wait(lambda: is_grey(program), "greys again")
    assert program.end() == 0
    return Program(NUCLEI)


TESTS = [labels_are_coloured, small_labels_have_no_mixed_colours, any_image_as_labels]
