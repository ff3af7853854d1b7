#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the types of the package for type checkers: what is written by hand as it is, and a function for each operation.

    stubs.py FOLDER FILE    FOLDER has the built package
"""
import math
import pathlib
import sys

sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import fovea  # noqa: E402
from fovea._operations import HINTS, Operation, spelled  # noqa: E402

HEAD = '''# Made from the declarations of the operations by python/stubs.py.
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

from ._errors import (ArgumentError as ArgumentError, Cancelled as Cancelled, DeviceError as DeviceError, Error as Error, FileError as FileError,
                      OutOfMemoryError as OutOfMemoryError, UnsupportedError as UnsupportedError)
from ._images import File as File, Image as Image, open as open
from ._jobs import Batch as Batch, batch as batch, macro as macro
from ._runs import Result as Result, run as run
from ._tables import Table as Table

__version__: str
Progress = Callable[[int, int, float], Any]

def operations() -> List[str]: ...
def allow_native() -> None: ...
def devices() -> List[Dict[str, Any]]: ...
def moved(device: str) -> Tuple[int, int]: ...
'''


def hint(operation, parameter):
    """The type of a parameter of the function."""
    name = parameter.name
    if name in operation.parameters:
        return HINTS[operation.parameters[name]["type"]].replace("float | Sequence", "Union[float, Sequence").replace(
            "str | Sequence", "Union[str, Sequence") + ("]" if "|" in HINTS[operation.parameters[name]["type"]] else "")
    return {"axes": "Optional[str]", "device": "str", "progress": "Optional[Progress]"}.get(name, "Any")


def literal(value):
    """A default as source; there is none of infinity."""
    return "..." if isinstance(value, float) and math.isinf(value) else repr(value)


def declared(about):
    """The lines of one function."""
    operation = Operation(about)
    words, starred = [], False
    for parameter in operation.signature().parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            words.append("*")
            starred = True
        value = "" if parameter.default is parameter.empty else f" = {literal(parameter.default)}"
        words.append(f"{parameter.name}: {hint(operation, parameter)}{value}")
    made = ["Table" if name == "table" else "Image" for name in operation.returns()]
    returns = made[0] if len(made) == 1 else f"Tuple[{', '.join(made)}]"
    return f"\ndef {spelled(about['key'])}({', '.join(words)}) -> {returns}:\n    {operation.doc()!r}\n    ...\n"


def main():
    text = HEAD + "".join(declared(fovea._declared[key]) for key in fovea.operations())
    pathlib.Path(sys.argv[2]).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
