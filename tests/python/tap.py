# SPDX-License-Identifier: MIT
"""Runs the functions test_... of a program in their order, each with its sentence, and says in TAP what became of them."""
import importlib
import os
import sys
import traceback

# The package of the build tree.
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.environ["FOVEA_BUILD"], "python"))


class Skip(Exception):
    """It cannot be tried here; the text says why."""


def module(name):
    """What not every machine has."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise Skip(f"{name} is not installed") from None


def run(names):
    """names: globals() of the program."""
    tests = [value for name, value in names.items() if name.startswith("test_")]
    print(f"1..{len(tests)}")
    for n, test in enumerate(tests, 1):
        what = f"{n} - {test.__doc__.splitlines()[0].rstrip('.')}"
        try:
            test()
            print("ok", what, flush=True)
        except Skip as why:
            print(f"ok {what} # SKIP {why}", flush=True)
        except Exception:
            print(f"not ok {what}", flush=True)
            for line in traceback.format_exc().splitlines():
                print("#", line, flush=True)


def raises(kind, says, call, field=None):
    """The call raises such an exception, whose text has these words; and its field is this."""
    try:
        call()
    except kind as error:
        assert says in str(error), f"'{error}' does not say '{says}'"
        assert field is None or error.field == field, f"field is '{error.field}', not '{field}'"
        return
    raise AssertionError(f"nothing was raised that says '{says}'")
