# SPDX-License-Identifier: MIT
"""A tutorial of docs/tutorials, done with mouse and keys. Its page has the numbers that the app shows, each between markers:
`<!--objects-->221<!--/-->`, and the pictures NAME-1.webp, NAME-2.webp ... of its folder `pictures`. With FOVEA_TUTORIALS=FOLDER the numbers of the page
and the pictures of FOLDER are written (scripts/tutorial_pictures.sh). Without it, each number is compared with the page."""
import glob
import math
import os
import re
import shutil
import subprocess
import time

import numpy as np

from person import (SOURCE, WORK, Program, box, column_titles, drag, find, find_all, has_text, headers, keys, looked_at, misplaced, mouse, move, name_of, press, ready, rows,
                    screen, settled, steps_of, table_rows, text_of, type_text, wait)

BUILT = os.path.join(os.path.dirname(os.path.dirname(os.environ["FOVEA_COMMAND"])), "data/samples")
FOLDER = os.environ.get("FOVEA_TUTORIALS")
PAGES = FOLDER or os.path.join(SOURCE, "docs/tutorials")
LARGEST = 64000  # bytes of a picture
CURSOR = 60  # pixels
MARGIN = 10  # below the entries of a menu
ORANGE = (255, 120, 0)


def samples():
    """A fresh folder of all samples, so that nothing is written beside those of the tree."""
    folder = os.path.join(WORK, "samples")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(BUILT, folder, ignore=lambda _, names: [name for name in names if "." in name and not name.endswith((".tif", ".fits", ".dcm"))])
    return folder


def ring(pixels, left, top, width, height):
    """An orange frame, three pixels wide, around a part of the screen."""
    left, top, right, bottom = (int(v) for v in (left - 5, top - 5, left + width + 5, top + height + 5))
    left, top, right, bottom = max(left, 0), max(top, 0), min(right, pixels.shape[1]), min(bottom, pixels.shape[0])
    for part in (np.s_[top:top + 3, left:right], np.s_[bottom - 3:bottom, left:right], np.s_[top:bottom, left:left + 3], np.s_[top:bottom, right - 3:right]):
        pixels[part] = ORANGE


def write_picture(path, pixels):
    """The best WebP that is small enough: letters stay sharp in it, and the noise of images costs little."""
    ppm = b"P6\n%d %d\n255\n" % (pixels.shape[1], pixels.shape[0]) + np.ascontiguousarray(pixels).tobytes()
    for quality in ("80", "70", "60", "50", "40", "30", "20"):
        picture = subprocess.run(["cwebp", "-quiet", "-m", "6", "-sharp_yuv", "-q", quality, "-o", "-", "--", "-"], input=ppm, check=True, capture_output=True).stdout
        if len(picture) <= LARGEST:
            break
    assert len(picture) <= LARGEST, f"{path} is of {len(picture)} bytes"
    with open(path, "wb") as file:
        file.write(picture)
    print(f"# {os.path.basename(path)} {len(picture)} bytes, quality {quality}", flush=True)


def at_rest():
    """The screen has stopped changing, menus and transitions included, but for a text cursor that blinks."""
    before = [None]

    def same():
        was, before[0] = before[0], screen()
        time.sleep(0.2)
        return was is not None and (was != before[0]).any(2).sum() < CURSOR
    wait(same, "a screen at rest")


def popover(program):
    """The box of the newest popover, a window of its own, or None."""
    windows = subprocess.run(["xdotool", "search", "--all", "--onlyvisible", "--pid", str(program.process.pid)], capture_output=True, text=True,
                             check=False).stdout.split()
    about = subprocess.run(["xdotool", "getwindowgeometry", "--shell", max(windows, key=int)], capture_output=True, text=True, check=True).stdout
    return tuple(int(re.search(rf"^{v}=(-?\d+)$", about, re.M)[1]) for v in ("X", "Y", "WIDTH", "HEIGHT")) if len(windows) > 1 else None


class Tutorial:
    """The start page of a new program, and the numbers and pictures of a page."""

    def __init__(self, program, name):
        program.end()
        for left in (os.path.join(os.environ["XDG_DATA_HOME"], "recently-used.xbel"), os.path.join(os.environ["XDG_CONFIG_HOME"], "fovea", "settings.ini")):
            if os.path.exists(left):
                os.remove(left)
        self.folder = samples()
        self.program = program = Program(FOVEA_SAMPLES=self.folder, FOVEA_PLUGIN_PATH="")
        self.name, self.seen, self.shots, self.actions = name, set(), 0, 0
        self.path = os.path.join(PAGES, name + ".md")
        with open(self.path, encoding="utf-8") as file:
            self.page = file.read()
        program.find("push button", "Try a Sample")

    # ---- Mouse ----

    def there(self, role, name=None, part=None, root=None):
        """A widget that can be seen."""
        def look():
            return next((n for n in find_all(root or self.program.app, role)
                         if (part is None or part in name_of(n)) and (name is None or name_of(n) == name or name_of(n).endswith(" " + name)) and box(n)[2] > 0), None)
        return wait(look, f"{role} {name or part}")

    def press(self, role, name=None, part=None, root=None):
        self.actions += 1
        node = self.there(role, name, part, root)
        press(node)
        return node

    def entry(self, name):
        """Where an entry of an open menu is on the screen. Before 4.10 GTK says where it is in its menu alone, whose window has margins."""
        def look():
            node = next((n for n in find_all(self.program.app, "menu item") if name_of(n) in (name, name + "…", name + "...") and box(n)[2] > 0), None)
            return node and popover(self.program) and node
        node = wait(look, name)
        at_rest()
        x, y, width, height = box(node)
        if misplaced(self.program):
            return x, y, width, height
        column = [box(n) for n in find_all(self.program.app, "menu item") if box(n)[::2] == (x, width)]
        end = max(entry[1] + entry[3] for entry in column)
        left, top, window_width, window_height = popover(self.program)
        return left + (window_width - width) // 2, top + window_height - MARGIN - end + y, width, height

    def menu(self, *way, mark=False):
        """Clicks through a menu of the bar and its menus; with `mark` the last entry is left under the mouse, and where it is is returned."""
        self.press("menu item", way[0])
        for name in way[1:]:
            x, y, width, height = spot = self.entry(name)
            mouse(x + width / 2, y + height / 2)
            if not mark or name != way[-1]:
                mouse(x + width / 2, y + height / 2, 1)
        at_rest()
        return spot

    def open_sample(self, label):
        self.menu("File", "Open Sample", label)
        self.program.find("image", "Image")

    def take(self, spot):
        """A click in the middle of it."""
        self.actions += 1
        x, y, width, height = spot
        mouse(x + width / 2, y + height / 2, 1)

    def menu_of(self, node, name, mark=False):
        """Chooses from the menu of the second button, or leaves the entry under the mouse."""
        self.actions += 1
        x, y, width, height = box(node)
        mouse(x + width / 2, y + height / 2, 3)
        spot = self.entry(name)
        mouse(spot[0] + spot[2] / 2, spot[1] + spot[3] / 2, *([] if mark else [1]))
        at_rest()
        return spot

    def slide(self, name, start, end):
        """Drags the slider of a step from one share of its length to another."""
        self.actions += 1
        x, y, width, height = box(self.there("slider", name))
        drag(x + width * start, y + height / 2, x + width * end, y + height / 2)

    def type_in(self, name, text, root=None, role="text"):
        """Replaces the text of a field."""
        self.actions += 1
        at_rest()
        x, y, width, height = box(self.there(role, name, root=root))
        mouse(x + width / 3, y + height / 2, 1, 1, 1)
        type_text(text + "\n")

    def choose_in(self, name, *way):
        """Opens a list of choices, and takes the one that the keys lead to."""
        self.actions += 1
        press(wait(lambda: next((n for n in find_all(self.program.app, "combo box") if name_of(n).startswith(name) and box(n)[2] > 0), None), name))
        at_rest()
        keys(*way, "Return")
        at_rest()

    def draw(self, *points):
        """Drags through these positions of the image, x and y."""
        self.actions += 1
        found = [[str(round(v)) for v in self.at_pixel(*point)] for point in points]
        words = [word for at in found[1:] for word in ("mousemove", *at, "sleep", "0.1")]
        move(*found[0])
        subprocess.run(["xdotool", "mousedown", "1", *words, "mouseup", "1"], check=True)

    def click_pixel(self, x, y, shift=False):
        self.actions += 1
        held = [["keydown", "shift"], ["keyup", "shift"]] if shift else [[], []]
        move(*(round(v) for v in self.at_pixel(x, y)))
        subprocess.run(["xdotool", *held[0], "click", "1", *held[1]], check=True)

    def value(self, name):
        """What a field holds."""
        return text_of(self.there("text", name))

    def move(self, title, x, y):
        """A window that covers another one, which a window manager would not let it do."""
        found = subprocess.run(["xdotool", "search", "--all", "--onlyvisible", "--pid", str(self.program.process.pid), "--name", f"^{title}$"], check=True,
                               capture_output=True, text=True).stdout.split()
        subprocess.run(["xdotool", "windowmove", found[0], str(x), str(y)], check=True)

    def row_of_step(self, title):
        return wait(lambda: next((row for row in find_all(steps_of(self.program), "list item") if any(name_of(n) == title for n in find_all(row, "label"))), None), title)

    def select_step(self, title):
        press(self.row_of_step(title))

    def title(self, header, table="Results"):
        """The widget over a column, by its name without the unit."""
        return wait(lambda: column_titles(self.program, table)[[h.split(" (")[0] for h in headers(self.program, table)].index(header)], header)

    def row(self, i, table="Results"):
        """The first cell of a row."""
        return table_rows(self.program, table)[i][0]

    def cell(self, row, header, table="Results"):
        column = [h.split(" (")[0] for h in headers(self.program, table)].index(header)
        return rows(self.program, table)[row][column]

    def at_pixel(self, x, y):
        """Where on the screen a position of the image is."""
        left, top, _, _ = box(self.program.find("image", "Image"))
        zoom, from_x, from_y = looked_at(self.program)
        return left + (x - from_x) * zoom, top + (y - from_y) * zoom

    def results(self, part="Results: "):
        """How many rows, once they are there."""
        label = has_text(self.program, part)
        ready(self.program)
        note = find(self.program.app, "push button", "Close the message")
        if note and box(note)[2] > 0:
            press(note)
        settled(self.program)
        return re.search(r"([\d,]+) row", name_of(self.program.find("label", part=part)) or name_of(label))[1]

    def says(self, window, part):
        """The text of a label."""
        return name_of(wait(lambda: find(window, "label", part=part), part))

    def median(self):
        """Of the areas, in the bar of the results."""
        return re.search(r"median ([\d.,]+)", name_of(self.program.find("label", part="median ")))[1]

    # ---- The page ----

    def number(self, key, shown):
        """What the app shows is what the page has."""
        pattern = re.compile(rf"(<!--{key}(?:=[^>]*)?-->)(.*?)(<!--/-->)")
        found = pattern.search(self.page)
        assert found, f"{self.path} has no number {key}"
        self.seen.add(key)
        print(f"# {self.name}: {key} {shown}", flush=True)
        if FOLDER:
            self.page = pattern.sub(lambda m: m[1] + shown + m[3], self.page)
        else:
            assert all(m[2] == shown for m in pattern.finditer(self.page)), (key, found[2], shown)

    def picture(self, *marks, crop=None, still=True):
        """The screen, or a part of it (left, top, right, bottom), with a ring around each of these widgets or boxes."""
        self.shots += 1
        if still and find(self.program.app, "image", "Image"):
            settled(self.program)
        at_rest()
        if FOLDER:
            pixels = screen().copy()
            for mark in marks:
                ring(pixels, *(mark if isinstance(mark, tuple) else box(mark)))
            left, top, right, bottom = crop or (0, 0, pixels.shape[1], pixels.shape[0])
            write_picture(os.path.join(FOLDER, "pictures", f"{self.name}-{self.shots}.webp"), pixels[top:bottom, left:right])

    def done(self):
        """Nothing of the page was left out. The time is that of reading at 180 words a minute, with 10 s for each picture and 5 s for each action."""
        words = re.sub(r"<!--.*?-->|^```.*?^```|\]\(.*?\)", "", self.page, flags=re.M | re.S).split()
        self.number("minutes", str(math.ceil(len(words) / 180 + self.shots * 10 / 60 + self.actions * 5 / 60)))
        if FOLDER:
            with open(self.path, "w", encoding="utf-8", newline="\n") as file:
                file.write(self.page)
        keys = set(re.findall(r"<!--(\w+)(?:=[^>]*)?-->", self.page))
        assert keys == self.seen, f"only one of both has {keys ^ self.seen}"
        assert 6 <= self.shots <= 10, f"{self.shots} pictures"
        shown = re.findall(r"\]\(pictures/(\S+?)\)", self.page)
        wanted = [f"{self.name}-{i + 1}.webp" for i in range(self.shots)]
        there = {os.path.basename(p) for p in glob.glob(os.path.join(PAGES, "pictures", self.name + "-*"))}
        assert shown == wanted and there == set(wanted), (shown, wanted, there)
        self.program.end()
        return Program(os.path.join(SOURCE, "data/samples/nuclei_rgb.tif"))
