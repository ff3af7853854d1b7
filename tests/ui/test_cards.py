# SPDX-License-Identifier: MIT
"""GPUs are started after the first frame, in the background: the app never waits for one that is not ready."""
import os

from person import NUCLEI, WORK, Program, find, held, set_steps, settled, text_of, wait, window_titled

POSING = os.path.join(os.path.dirname(os.environ["FOVEA_PROGRAM"]), "..", "tests", "posing")


def report_text(program):
    return text_of(find(window_titled(program, "Device Report"), "text", "Device report"))


def gpus_wake_in_background(program):
    log = os.path.join(WORK, "posing.log")
    program.end()
    with held():
        program = Program(NUCLEI, FOVEA_PLUGIN_PATH=POSING, FOVEA_POSING_LOG=log)
        set_steps(program, "gaussian sigma=3 | otsu")
        settled(program)
        program.do("devices", where="")
        assert "Searching for GPUs" in report_text(program)
        assert not os.path.exists(log)
    wait(lambda: "pose:0: The CPU, posing as a GPU" in report_text(program), "the GPU in the report")
    with open(log, encoding="utf-8") as lines:
        assert len(lines.readlines()) == 1
    program.end()
    return Program(NUCLEI)


TESTS = [gpus_wake_in_background]
