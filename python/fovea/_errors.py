# SPDX-License-Identifier: MIT
"""What goes wrong, as Python has it."""
from __future__ import annotations


class Error(Exception):
    """Something failed; the text says what, and what would work. `field` names the parameter, input or argument at fault, or is ""."""

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


class ArgumentError(Error, ValueError):
    """An argument or an image is wrong."""


class UnsupportedError(Error, TypeError):
    """It cannot be done on this device, with these types or with this file."""


class OutOfMemoryError(Error, MemoryError):
    """The text says how much was needed, and what there is."""


class DeviceError(Error, RuntimeError):
    """A device failed."""


class FileError(Error, OSError):
    """A file is not there, damaged, or could not be written."""

    def __str__(self) -> str:
        return str(self.args[0])


class Cancelled(Error):
    """A stop was requested."""


#: Words for users of the app or the command, and those for users of Python.
SAID = {"in the app or with --allow-native": "by fovea.allow_native()", "See 'fovea ops'.": "See fovea.operations()."}
_KINDS = {1: ArgumentError, 2: ArgumentError, 3: OutOfMemoryError, 4: DeviceError, 5: Cancelled, 6: UnsupportedError, 7: FileError}


def make_error(code: int, field: str, message: str) -> Error:
    """For the C side: the exception of one of the library's codes."""
    for command, python in SAID.items():
        message = message.replace(command, python)
    return _KINDS.get(code, Error)(message, field)
