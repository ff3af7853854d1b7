# SPDX-License-Identifier: MIT
"""The window on Wayland, at 100, 200 and 300 %: a compositor without a screen, which takes pictures of it."""
import contextlib
import csv
import glob
import os
import shutil
import subprocess

import numpy as np

from person import NUCLEI, Program, WORK, has_text, ready, run_command, set_steps, wait, zoom_100

GREEN = "channel index=1"
OBJECTS = f"{GREEN} as=green | gaussian sigma=%g | otsu | label as=cells | regionprops properties=label,area"


def without_screen():
    """As the compositor's version calls it."""
    version = subprocess.run(["weston", "--version"], check=True, capture_output=True, text=True).stdout
    return (["--backend=headless-backend.so", "--use-pixman"] if int(version.split()[1].split(".")[0]) < 12
            else ["--backend=headless", "--renderer=pixman"])


@contextlib.contextmanager
def compositor(scale):
    """Its socket, and a function for a picture of the screen as (y, x, 3) bytes."""
    socket, folder = f"fovea-{scale}", os.path.join(WORK, f"wayland-{scale}")
    outside = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    os.mkdir(folder)

    def picture():
        subprocess.run(["weston-screenshooter"], env={**outside, "WAYLAND_DISPLAY": socket}, cwd=folder, check=True, timeout=60)
        shot, = glob.glob(os.path.join(folder, "*.png"))
        image = read_png(shot)
        os.remove(shot)
        return image

    with open(os.path.join(folder, "log"), "wb") as log:
        weston = subprocess.Popen(["weston", *without_screen(), "--debug", f"--socket={socket}", "--width=1280", "--height=800",
                                   f"--scale={scale}", "--idle-time=0"], env=outside, stdout=log, stderr=log)
    try:
        wait(lambda: os.path.exists(os.path.join(os.environ["XDG_RUNTIME_DIR"], socket)), "a compositor")
        yield socket, picture
    finally:
        weston.terminate()
        weston.wait()
        shutil.rmtree(folder)


def read_png(path):
    ppm = subprocess.run(["pngtopnm", path], check=True, capture_output=True).stdout
    _, size, _, pixels = ppm.split(b"\n", 3)
    width, height = (int(n) for n in size.split())
    return np.frombuffer(pixels, np.uint8).reshape(height, width, -1) * np.ones(3, np.uint8)


def is_seen(screen, want, scale):
    """A part of the image is in the middle of the window, each pixel as a square of screen pixels."""
    y, x = screen.shape[0] // 2 // scale * scale, screen.shape[1] // 2 // scale * scale
    size = 40 * scale
    for dy in range(scale):
        for dx in range(scale):
            part = screen[y - size + dy:y + size + dy, x - size + dx:x + size + dx]
            small = part[::scale, ::scale]
            if (small.repeat(scale, 0).repeat(scale, 1) == part).all():
                return any((want[top:top + 80, left:left + 80] == small).all() for top in range(want.shape[0] - 80)
                           for left in np.flatnonzero((want[top, :want.shape[1] - 80] == small[0, 0]).all(-1)))
    return False


def count_of(sigma):
    path = os.path.join(WORK, "wayland.csv")
    run_command("run", OBJECTS % sigma, NUCLEI, "--table", path)
    with open(path, encoding="utf-8") as file:
        return len(list(csv.reader(file))) - 1


def works_at(scale):
    path = os.path.join(WORK, "green.png")
    run_command("run", GREEN, NUCLEI, "-o", path)
    with compositor(scale) as (socket, picture):
        program = Program(NUCLEI, GDK_BACKEND="wayland", WAYLAND_DISPLAY=socket, DISPLAY="")
        set_steps(program, OBJECTS % 2)
        has_text(program, f"Results: {count_of(2)} rows")
        program.do("fullscreen")
        set_steps(program, GREEN)
        ready(program)
        zoom_100(program)
        want = read_png(path)
        wait(lambda: is_seen(picture(), want, scale), f"the image at {scale}00 %")
        set_steps(program, "")
        program.end()
    os.remove(path)


def wayland(program):
    """An image, its objects and their table, and each pixel of the image as a square on the screen."""
    program.end()
    for scale in (1, 2, 3):
        works_at(scale)
    return Program(NUCLEI)


TESTS = [wayland]
