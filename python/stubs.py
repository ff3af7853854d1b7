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
from fovea._operations import (AXES, BOOLEAN, CHOICE, COMMON, FIRST, INTEGER, MATRIX, NUMBER, SET, TEXT, VOLUME, Operation, spelled)  # noqa: E402

HEAD = '''# Made from the declarations of the operations by python/stubs.py.
from typing import Any, Dict, List, Literal, Optional, Sequence, Tuple, Union

from numpy.typing import NDArray

from ._blocks import halo as halo, map_blocks as map_blocks
from ._errors import (ArgumentError as ArgumentError, Cancelled as Cancelled, DeviceError as DeviceError, Error as Error, FileError as FileError,
                      OutOfMemoryError as OutOfMemoryError, UnsupportedError as UnsupportedError)
from ._images import File as File, Image as Image, open as open, open_selections as open_selections
from ._jobs import Batch as Batch, batch as batch, macro as macro
from ._runs import Result as Result, run as run
from ._tables import Table as Table
from ._types import ImageLike, MatrixLike, Progress

__version__: str

def operations() -> List[str]: ...
def describe(operation: str) -> Dict[str, Any]: ...
def allow_native() -> None: ...
def devices() -> List[Dict[str, Any]]: ...
def formats() -> List[Dict[str, Any]]: ...
def moved(device: str) -> Tuple[int, int]: ...
'''
#: Of the types of parameters.
HINTS = {BOOLEAN: "bool", INTEGER: "int", NUMBER: "float", AXES: "Union[float, Sequence[float]]", MATRIX: "Union[str, MatrixLike]", TEXT: "str"}
#: Of the arguments that every function takes.
COMMON_HINTS = {"axes": "Optional[str]", "device": "str", "progress": "Optional[Progress]"}


def choices(parameter):
    """The type of one of the choices."""
    return f"Literal[{', '.join(repr(key) for key, _ in parameter['choices'])}]"


def hint(operation, argument):
    """The type of an argument of the function."""
    name = argument.name
    parameter = operation.parameters.get(name)
    if name in COMMON:
        return COMMON_HINTS[name]
    if parameter is None:  # an image
        return "ImageLike" if name == FIRST and argument.default is argument.empty else "Optional[ImageLike]" if name == FIRST else (
            "Union[ImageLike, str]" if argument.default is argument.empty else "Union[ImageLike, str, None]")
    if name == VOLUME:
        return "Optional[bool]"
    if parameter["type"] == CHOICE:
        return f"Union[{choices(parameter)}, MatrixLike]" if name in operation.matrices else choices(parameter)
    if parameter["type"] == SET:
        return f"Union[str, Sequence[{choices(parameter)}]]"
    return HINTS[parameter["type"]]


def literal(value, kind):
    """A default as source; there is none of infinity, and of numbers that are worked out."""
    worked_out = isinstance(value, str) and "str" not in kind and "Literal" not in kind
    return "..." if worked_out or (isinstance(value, float) and math.isinf(value)) else repr(value)


def declared(name, operation, function, returns):
    """The lines of one function."""
    words, starred = [], False
    for parameter in function.__signature__.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            words.append("*")
            starred = True
        kind = hint(operation, parameter)
        value = "" if parameter.default is parameter.empty else f" = {literal(parameter.default, kind)}"
        words.append(f"{parameter.name}: {kind}{value}")
    return f"\ndef {name}({', '.join(words)}) -> {returns}:\n    {function.__doc__!r}\n    ...\n"


def operation_lines(key):
    """Those of the function of an operation."""
    operation = Operation(fovea._declared[key])
    made = ["Table" if name == "table" else "Image" for name in operation.returns()]
    # Where arguments declare how many images there are, attributes are checked as those of one, and a tuple can be taken apart.
    returns = "Union[Image, Any]" if operation.declares() else made[0] if len(made) == 1 else f"Tuple[{', '.join(made)}]"
    return declared(spelled(key), operation, getattr(fovea, key), returns)


def threshold_lines(name):
    """Those of a function that finds a threshold."""
    return declared(name, Operation(fovea._declared["threshold"]), getattr(fovea, name), "Union[float, NDArray[Any]]")


def main():
    text = HEAD + "".join(map(operation_lines, fovea.operations())) + "".join(map(threshold_lines, fovea._thresholds))
    pathlib.Path(sys.argv[2]).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
