# SPDX-License-Identifier: MIT
"""The command and the app started by a newcomer, and without a display."""
import os
import shutil

from command import FOVEA, NUCLEI, fails, fovea, main, same

WINDOW = os.path.join(os.environ["FOVEA_BUILD"], "ui", "fovea-gtk")
NO_DISPLAY = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "GDK_BACKEND")}


def test_nothing_given():
    done = fovea(env=NO_DISPLAY)
    same(done.returncode, 2, "status")
    assert done.stderr.startswith(b"Usage: fovea COMMAND"), done.stderr


def test_neither_command_nor_file():
    fails(fovea("nowhere.tif", env=NO_DISPLAY), "unknown command 'nowhere.tif', and no file", "'fovea --help'", status=2)


def no_window(done, *words):
    text = done.stderr.decode()
    same(done.returncode, 1, "status")
    assert text.startswith("fovea-gtk cannot open a display"), text
    for word in (*words, "'ssh -X'", "'fovea run'"):
        assert word in text, f"{word!r} is not in {text!r}"
    same(text.count("\n"), 1, "lines")


def test_no_display():
    if not os.path.exists(WINDOW):
        return "it was built without the window"
    for arguments in ((NUCLEI,), ("--no-plugins",), ("--no-plugins", NUCLEI)):
        no_window(fovea(*arguments, env=NO_DISPLAY), "DISPLAY is not set, and WAYLAND_DISPLAY is not set")


def test_wrong_display():
    if not os.path.exists(WINDOW):
        return "it was built without the window"
    no_window(fovea(NUCLEI, env={**NO_DISPLAY, "DISPLAY": ":\x1b98"}), r"DISPLAY is ':\x1b98', and WAYLAND_DISPLAY is not set")


def test_no_window():
    """The command alone, with a library that it still finds."""
    os.mkdir("bin")
    shutil.copy(FOVEA, "bin/fovea")
    library = os.path.join(os.environ["FOVEA_BUILD"], "library")
    done = fovea(NUCLEI, executable=os.path.abspath("bin/fovea"), env={**NO_DISPLAY, "LD_LIBRARY_PATH": library})
    fails(done, "fovea-gtk, is not installed", "'fovea info FILE'", status=2)


def test_window_or_not():
    """The app is started for a file, and without one where there is a display; a script replaces it."""
    os.mkdir("bin")
    shutil.copy(FOVEA, "bin/fovea")
    with open("bin/fovea-gtk", "w", encoding="ascii") as script:
        script.write("#!/bin/sh\necho window $#\n")
    os.chmod("bin/fovea-gtk", 0o755)
    nothing = {**NO_DISPLAY, "LD_LIBRARY_PATH": os.path.join(os.environ["FOVEA_BUILD"], "library")}
    for arguments, display, said in (((NUCLEI,), {}, b"window 1\n"), ((), {"DISPLAY": ":5"}, b"window 0\n"),
                                     ((), {"WAYLAND_DISPLAY": "w"}, b"window 0\n"), (("--no-plugins",), {}, b"window 1\n"),
                                     ((), {}, b""), (("nowhere.tif",), {"DISPLAY": ":5"}, b"")):
        done = fovea(*arguments, executable=os.path.abspath("bin/fovea"), env={**nothing, **display})
        same((done.stdout, done.returncode), (said, 0 if said else 2), f"fovea {arguments} with {display}")


main([test_nothing_given, test_neither_command_nor_file, test_no_display, test_wrong_display, test_no_window, test_window_or_not])
