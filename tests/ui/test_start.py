# SPDX-License-Identifier: MIT
"""The window starts whatever stands where its files should be, and says once what it does not use."""
import os

from person import NUCLEI, Program, find, has_text, no_step, wait

CONFIG, DATA = os.path.join(os.environ["XDG_CONFIG_HOME"], "fovea"), os.environ["XDG_DATA_HOME"]


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
        assert program.process.wait(30) == 0
    finally:
        for pipe in pipes:
            os.remove(pipe)
            if os.path.exists(pipe + ".kept"):
                os.rename(pipe + ".kept", pipe)
    program = Program(NUCLEI)
    no_step(program)
    wait(lambda: not find(program.window, "label", part="settings.ini"), "nothing to complain about")
    return program


TESTS = [settings_are_a_pipe]
