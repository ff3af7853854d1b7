# SPDX-License-Identifier: MIT
"""What goes wrong, as Python has it."""


class Error(Exception):
    """Something failed; the text says what, and what would work. `field` names the parameter, input or argument at fault, or is ""."""

    def __init__(self, message, field=""):
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

    def __str__(self):
        return self.args[0]


class Cancelled(Error):
    """A stop was requested."""


#: What the library says of code that has not been allowed is for who uses the window or the command.
COMMANDS_WAY = "in the app or with --allow-native"
_KINDS = {1: ArgumentError, 2: ArgumentError, 3: OutOfMemoryError, 4: DeviceError, 5: Cancelled, 6: UnsupportedError, 7: FileError}


def make_error(code, field, message):
    """For the C side: the exception of one of the library's codes."""
    return _KINDS.get(code, Error)(message.replace(COMMANDS_WAY, "by fovea.allow_native()"), field)
