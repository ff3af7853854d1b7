# SPDX-License-Identifier: MIT
"""A window that is told to end while it saves leaves nothing half-written."""
import os
import shutil
import signal

import numpy as np
import tifffile

from person import NUCLEI, TIMEOUT, WORK, Program, name_file, settled, wait

FAILING = os.path.join(os.environ["FOVEA_PLUGIN_PATH"].split(":")[0], "command", "failing.so")


def ends_while_it_saves(program):
    """On a file system that needs a temporary name."""
    folder = os.path.join(WORK, "saving")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    preload = shutil.copy(FAILING, WORK)  # a path without blanks
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        assert program.end() == 0
        tifffile.imwrite(os.path.join(folder, "in.tif"), np.random.default_rng(1).integers(0, 60000, (8000, 8000), dtype=np.uint16))
        program = Program(os.path.join(folder, "in.tif"), LD_PRELOAD=preload, FOVEA_NO_TMPFILE="1")
        program.find("image", "Image")
        settled(program)
        program.do("save")
        name_file(program, "Save Image", os.path.join(folder, f"{program.process.pid}.png"))
        wait(lambda: any(name.endswith(".part") for name in os.listdir(folder)), "the unfinished file")
        program.process.send_signal(number)
        assert program.process.wait(TIMEOUT) == -number
        assert os.listdir(folder) == ["in.tif"], os.listdir(folder)
        shutil.rmtree(os.environ["XDG_STATE_HOME"])  # what was open would be offered
        program = Program(NUCLEI)
        program.find("image", "Image")
    return program


TESTS = [ends_while_it_saves]
