# SPDX-License-Identifier: MIT
"""The app starts with any files and folders that it finds, and reports once which ones it does not use."""
import os

import numpy as np
import tifffile

from person import NUCLEI, TIMEOUT, WORK, Program, find, has_text, no_step, set_steps, wait

CONFIG, DATA = os.path.join(os.environ["XDG_CONFIG_HOME"], "fovea"), os.environ["XDG_DATA_HOME"]
STATE = os.environ["XDG_STATE_HOME"]


def restarted(program, *arguments):
    assert program.end() == 0
    return Program(*arguments)


def settings_are_a_pipe(program):
    """So is the desktop's list of files: opening both would wait for ever."""
    pipes = [os.path.join(CONFIG, "settings.ini"), os.path.join(DATA, "recently-used.xbel")]
    assert program.end() == 0
    for pipe in pipes:
        os.makedirs(os.path.dirname(pipe), exist_ok=True)
        if os.path.exists(pipe):
            os.rename(pipe, pipe + ".kept")
        os.mkfifo(pipe)
    try:
        program = Program(NUCLEI)
        program.find("image", "Image")
        for pipe in pipes:
            has_text(program, pipe)
        program.do("theme", "'dark'", where="")
        program = restarted(program, NUCLEI)
        for pipe in pipes:
            has_text(program, pipe)
        program.do("quit", where="")
        assert program.process.wait(TIMEOUT) == 0
    finally:
        for pipe in pipes:
            os.remove(pipe)
            if os.path.exists(pipe + ".kept"):
                os.rename(pipe + ".kept", pipe)
    program = Program(NUCLEI)
    no_step(program)
    wait(lambda: not find(program.window, "label", part="settings.ini"), "nothing to complain about")
    return program


def bad_plugin_is_named(program):
    """So is one that crashed the program; without plugins no question is asked."""
    folder = os.path.join(DATA, "fovea", "plugins")
    bad, marker = os.path.join(folder, "bad.so"), os.path.join(STATE, "fovea", "loading", "1-0.marker")
    os.makedirs(folder, exist_ok=True)
    os.makedirs(os.path.dirname(marker), exist_ok=True)
    with open(bad, "w", encoding="utf-8") as file:
        file.write("not a plugin")
    try:
        program = restarted(program, NUCLEI)
        has_text(program, "bad.so' is not a shared library")
        program = restarted(program, "--no-plugins", NUCLEI)
        program.find("image", "Image")
        assert not find(program.window, "label", part="bad.so"), "plugins are looked for"
        about = os.stat(bad)
        with open(marker, "w", encoding="utf-8") as file:
            file.write(f"{about.st_size} bytes of {about.st_mtime_ns // 10**9}.{about.st_mtime_ns % 10**9:09}\n{bad}")
        program = restarted(program, NUCLEI)
        has_text(program, f"bad.so' was skipped because Fovea crashed while loading it. It is tried again when it changes, or when you delete "
                          f"the file '{marker}'")
    finally:
        os.remove(bad)
    program = restarted(program, NUCLEI)
    assert not os.path.exists(marker), "a marker of a plugin that is gone stays"
    no_step(program)
    return program


def state_is_a_pipe(program):
    """Where sessions should be: nothing can be kept there, and the window says so."""
    folder = os.path.join(STATE, "fovea", "sessions")
    assert program.end() == 0
    os.rename(folder, folder + ".kept")
    os.mkfifo(folder)
    try:
        program = Program(NUCLEI)
        program.find("image", "Image")
        has_text(program, "Steps cannot be saved for crash recovery")
        program.do("quit", where="")
        assert program.process.wait(TIMEOUT) == 0
    finally:
        os.remove(folder)
        os.rename(folder + ".kept", folder)
    program = Program(NUCLEI)
    no_step(program)
    return program


def ends_while_it_opens(program):
    """A step that cannot be stopped delays the end of the program until the file is read, although the result is not needed."""
    path = os.path.join(WORK, "late.tif")
    noise = np.random.default_rng(1).integers(0, 255, (6000, 6000), dtype=np.uint8)
    tifffile.imwrite(path, noise, compression="zlib", compressionargs={"level": 1})
    set_steps(program, "deaf seconds=3")
    program.find("push button", "Stop")
    program.do("set-steps", "''")  # before the file may be in front: what is not saved would be asked about
    program.do("open-recent", f"b'{path}'", where="")
    program.do("quit", where="")
    assert program.process.wait(TIMEOUT) == 0
    os.remove(path)
    return Program(NUCLEI)


TESTS = [settings_are_a_pipe, bad_plugin_is_named, state_is_a_pipe, ends_while_it_opens]
