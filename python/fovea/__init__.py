# SPDX-License-Identifier: MIT
"""Microscopy image analysis on the CPU and on GPUs.

    fovea.run("gaussian sigma=5 | otsu | label | regionprops", image).table
    fovea.gaussian(image, sigma=5)

Images are all objects with DLPack, used without copying; results can be given to NumPy, CuPy, PyTorch and others in the same way. Every operation is
a function of this module, too: dir(fovea) lists them, help(fovea.gaussian) describes one.
"""
from . import _cuda, _fovea, _operations  # noqa: F401 - the first has to be first
from ._blocks import halo, map_blocks
from ._errors import ArgumentError, Cancelled, DeviceError, Error, FileError, OutOfMemoryError, UnsupportedError
from ._images import File, Image, open, open_selections
from ._jobs import Batch, batch, macro
from ._runs import Result, run
from ._tables import Table

__version__ = _fovea.version
__all__ = ["ArgumentError", "Batch", "Cancelled", "DeviceError", "Error", "File", "FileError", "Image", "OutOfMemoryError", "Result", "Table",
           "UnsupportedError", "allow_native", "batch", "describe", "devices", "formats", "halo", "macro", "map_blocks", "moved", "open", "open_selections",
           "operations", "run"]

_declared = {about["key"]: about for about in _fovea.list_operations()}
_thresholds = _operations.threshold_methods(_declared["threshold"]) if "threshold" in _declared else {}


def operations():
    """The keys of all operations; each is a function of this module."""
    return sorted(_declared)


def describe(operation):
    """The declaration of an operation, of which forms can be made: a dictionary with key, menu, label, help, inputs, outputs, scalars and parameters.

    A parameter has key, label, help, type, unit, choices (keys and what they mean), initial (the default as text), enabled (when it matters) and
    limits: its smallest and largest value, and those between which a slider should go.
    """
    if operation not in _declared:
        raise ArgumentError(_suggested(operation), "operation")
    return _declared[operation]


def allow_native():
    """Allows native code in steps, macros and batches, such as that of `kernel`, which runs with your permissions. Without it such steps are refused."""
    _fovea.allow_native()


def devices():
    """All devices, each with key, name, detail and, when it cannot be used, fault. The first call looks for GPUs, which takes a moment."""
    return _fovea.list_devices()


def formats():
    """The formats of image files, each with key, label, plugin (None: none is needed), mime_types and endings of names; the first n_saved of these can be
    saved, too. A batch takes from folders only files of formats with in_folders True: tables have the endings of the others."""
    return _fovea.list_formats()


def moved(device):
    """How many bytes went from host memory to a device, such as "cuda:0", and back, since the module was imported."""
    for described in devices():
        if described["key"] == device:
            return _fovea.device_moved(*described["dlpack"])
    raise ArgumentError(f"device: '{device}' does not exist. Choose from {', '.join(d['key'] for d in devices())}.", "device")


def __getattr__(name):
    about = _declared.get(name) or _declared.get(name.rstrip("_"))
    if about is not None:
        globals()[name] = _operations.function(about)
    elif name in _thresholds:
        globals()[name] = _operations.threshold_function(_declared["threshold"], name)
    else:
        raise AttributeError(f"module 'fovea' has no attribute '{name}'. {_suggested(name)}".rstrip())
    return globals()[name]


def _suggested(name):
    """What the library says of an operation of that name, which suggests others."""
    try:
        _fovea.recipe_parse(name)
    except Error as error:
        return str(error)
    return ""


def __dir__():
    return sorted({*globals(), *map(_operations.spelled, _declared), *_thresholds})
