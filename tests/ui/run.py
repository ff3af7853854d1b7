# SPDX-License-Identifier: MIT
"""run.py [--smoke | --rest | NAME...]: runs the tests of the window, those of smoke.py, those that are not in it, or those named. They are in
TESTS of each test_*.py. Each file of them has a program of its own; others like this one share the files. Output is TAP, without numbers, since
several write it."""
import glob
import importlib
import os
import shutil
import subprocess
import sys
import time
import traceback
import warnings

warnings.simplefilter("ignore", DeprecationWarning)
from person import ERRORS, NUCLEI, Program, answers_one_too_many, no_step, set_steps  # noqa: E402
from smoke import SMOKE  # noqa: E402

STATE, SETTINGS = os.environ["XDG_STATE_HOME"], os.path.join(os.environ["XDG_CONFIG_HOME"], "fovea")
LONG = {"light_stands_out", "dark_stands_out"}  # each takes as long as ten others
failed = 0
said = []  # of programs that were given up
# GTK's own messages. The entry of 4.18's file dialog when unknown files of its folder appear and disappear, or before it has read any; Fovea has no
# tree models. The paned of 4.18 forgets its handle, one pixel, when it measures the height of its second child at minimum width. 4.8 loses count of
# the pressed widget when a tooltip opens as a drag begins; the tooltip and the window are GTK's and have no gesture of Fovea.
GTK = ("gtk_tree_store_remove: assertion 'VALID_ITER (iter, tree_store)' failed",
       "gtk_tree_model_get_iter_first: assertion 'GTK_IS_TREE_MODEL (tree_model)' failed",
       "Trying to measure SidePanel ",
       "Broken accounting of active state for widget ")


def say(good, text, details=()):
    global failed
    failed += not good
    print("".join(f"# {line}\n" for line in details) + f"{'' if good else 'not '}ok - {text}", flush=True)


def warnings_of_programs():
    """Their output since the last call."""
    with open(ERRORS, encoding="utf-8", errors="replace") as errors:
        lines = errors.read().splitlines()
    os.remove(ERRORS)
    return [line for line in lines if "WARNING" in line or "CRITICAL" in line]


def run_test(test, program):
    """The program for the next test: a new one after a failure."""
    start = time.monotonic()
    wrong = []
    try:
        program = test(program) or program
        set_steps(program, "")
        no_step(program)
        answers_one_too_many(program)
    except Exception:  # noqa: BLE001 - every failure is one of the test
        if os.environ.get("FOVEA_SHOTS"):
            shot = os.path.join(os.environ["FOVEA_SHOTS"], test.__name__ + ".png")
            subprocess.run(["sh", "-c", 'xwd -root -silent | xwdtopnm | pnmtopng >"$0"', shot], stderr=subprocess.DEVNULL)
        said.extend(warnings_of_programs())
        wrong = traceback.format_exc().splitlines() + said[-5:]
        for one in Program.started:  # the test may have started others
            one.kill()
        shutil.rmtree(STATE, ignore_errors=True)
        shutil.rmtree(SETTINGS, ignore_errors=True)
        program = Program(NUCLEI)
    say(not wrong, f"{test.__name__} # {time.monotonic() - start:.1f} s", wrong)
    return program


def is_mine(what):
    """Whether it is still free."""
    try:
        os.mkdir(os.path.join(os.environ["FOVEA_SHARED"], what))
        return True
    except FileExistsError:
        return False


def run_part(name, tests):
    shutil.rmtree(SETTINGS, ignore_errors=True)
    program = Program(NUCLEI)
    program.find("image", "Image")
    for test in tests:
        program = run_test(test, program)
    try:
        ended = program.end()
    except Exception:  # noqa: BLE001 - it did not end, or answer
        ended = traceback.format_exc().splitlines()[-1]
        program.kill()
    left = [file for _, _, files in os.walk(os.path.join(STATE, "fovea")) for file in files]
    say(not ended and not left, f"{name}: ends with status {ended} and leaves {left or 'nothing'}")
    spoke = [line for line in said + warnings_of_programs() if not any(known in line for known in GTK)]
    said.clear()
    say(not spoke, f"{name}: no warnings", spoke[:20])


def all_tests():
    """Of each file, by its name."""
    here = os.path.dirname(os.path.abspath(__file__))
    return {name: importlib.import_module(name).TESTS
            for name in sorted(os.path.basename(path)[:-3] for path in glob.glob(os.path.join(here, "test_*.py")))}


def chosen(parts, words):
    """The tests of each file that the words on the command line mean."""
    names = {test.__name__ for tests in parts.values() for test in tests}
    wanted = {(): names, ("--smoke",): SMOKE, ("--rest",): names - SMOKE}.get(tuple(words), set(words))
    unknown = (wanted | SMOKE) - names
    if unknown:
        say(False, f"Unknown test: {', '.join(sorted(unknown))}")
        return {}
    parts = {name: [test for test in tests if test.__name__ in wanted] for name, tests in parts.items()}
    return {name: tests for name, tests in parts.items() if tests}


def length(part):
    """How long its tests take, more or less."""
    return sum(10 if test.__name__ in LONG else 1 for test in part[1])


def main():
    parts = chosen(all_tests(), sys.argv[1:])
    if parts and is_mine("plan"):
        print(f"1..{sum(len(tests) + 2 for tests in parts.values())}", flush=True)
    for name, tests in sorted(parts.items(), key=length, reverse=True):  # so that none waits for a long one in the end
        if is_mine(name):
            run_part(name, tests)
    return int(failed > 0)


# At once: what the bus of accessibility still does as Python ends says nothing of the window.
os._exit(main())
