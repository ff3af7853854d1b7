# SPDX-License-Identifier: MIT
"""Images: pixels where they lie, and their calibration."""
import functools
import os

import numpy as np

from . import _fovea
from ._arrays import CPU, CUDA, LEGACY_STREAM, ORDER, ROLES, take
from ._errors import ArgumentError

COMPRESSIONS = {None: 0, "deflate": 1, "zstd": 2}


def three(values, name, kind):
    """A value for each of z, y and x: from one for all, or from those of the last axes."""
    if isinstance(values, (str, int, float)):
        return (kind(values),) * 3
    values = tuple(kind(value) for value in values)
    if not 1 <= len(values) <= 3:
        raise ArgumentError(f"{name}: It has {len(values)} values; use 3, for z, y and x.", name)
    return (values[0],) * (3 - len(values)) + values


class _OnHost:
    """The pixels of an image in host memory, wherever they are, for numpy.from_dlpack()."""

    def __init__(self, image):
        self.image = image

    def __dlpack__(self, **_):
        return self.image._capsule((CPU, 0), 0)

    def __dlpack_device__(self):
        return CPU, 0


class Image:
    """Pixels of one type, on the host or on a GPU, with their calibration. Never changes.

    pixels: an array of NumPy, CuPy, PyTorch, JAX or any other library with DLPack. It must not be changed as long as the image or one of its results
        exists. It is not copied when it is dense, and stays on the GPU when it is on one.
    axes: a letter of T, C, Z, Y and X for each axis. The default is YX, ZYX, CZYX or TCZYX. Arrays of 8 or 16 bits and floats of shape
        (rows, columns, 3) or (..., 4) are YXC; for longer ones that end so axes are required.
    role: "image", "mask" (8 bits, 0 or 255; arrays of bool are masks), "labels" (32-bit integers from 0 on) or "rgb".
    spacing: size of a pixel, for all axes or for the last ones; unit: of it, such as "µm".
    """

    def __init__(self, pixels, *, axes=None, role=None, spacing=1.0, unit="", name=""):
        info = three(spacing, "spacing", float), three(unit, "unit", str), name
        handle, axes = take(pixels, axes, role, info)
        self._own(handle, axes)

    def _own(self, handle, axes):
        self._handle = handle
        self._given = axes

    @classmethod
    def _of(cls, handle, ones=frozenset()):
        image = cls.__new__(cls)
        image._own(handle, ones)
        return image

    # ---- What it is ----

    @functools.cached_property
    def _info(self):
        return _fovea.image_info(self._handle)

    @functools.cached_property
    def _ones(self):
        """Axes of length 1 that the array had."""
        return frozenset(a for a, n in zip(ORDER, self._info["shape"]) if n == 1 and a in self._given)

    @property
    def axes(self):
        """A letter for each axis: Y, X, those that are longer than 1, and those of length 1 that the array had of which this was made. RGB ends in C."""
        lengths = dict(zip(ORDER, self._info["shape"]))
        there = [a for a in ORDER if a in "YX" or lengths[a] > 1 or a in self._ones]
        if self.role == "rgb":
            there = [a for a in there if a != "C"] + ["C"]
        return "".join(there)

    @property
    def shape(self):
        """Length of each axis."""
        lengths = dict(zip(ORDER, self._info["shape"]))
        return tuple(lengths[a] for a in self.axes)

    @property
    def ndim(self):
        """How many axes there are."""
        return len(self.axes)

    @property
    def dtype(self):
        """NumPy's type of a pixel."""
        code, bits = self._info["type"]
        return np.dtype(f"{'iuf'[code]}{bits // 8}")

    @property
    def role(self):
        """What the values mean: "image", "mask", "labels" or "rgb"."""
        return ROLES[self._info["role"]]

    @property
    def spacing(self):
        """Size of a pixel along z, y and x."""
        return self._info["spacing"]

    @property
    def unit(self):
        """Of the spacing along z, y and x; "" is pixels."""
        return tuple(unit or "" for unit in self._info["unit"])

    @property
    def name(self):
        """For people."""
        return self._info["name"] or ""

    @property
    def device(self):
        """Where its pixels are: "cuda:0", or "cpu", which files are, too."""
        device = _fovea.image_device(self._handle)
        return device["key"] if device else "cpu"

    def __repr__(self):
        return f"<fovea.Image {self._info['text']}, {self.axes} {self.shape} {self.dtype}, on {self.device}>"

    # ---- Its pixels ----

    def _capsule(self, device, stream):
        return _fovea.image_to_capsule(self._handle, tuple(ORDER.index(a) for a in self.axes), tuple(device), stream)

    def __dlpack_device__(self):
        device = _fovea.image_device(self._handle)
        return device["dlpack"] if device else (CPU, 0)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        """The pixels where they lie, for `from_dlpack()` of any library: read only."""
        if copy:
            raise BufferError("Fovea does not copy arrays here; ask the library that receives the array for a copy.")
        device = tuple(dl_device) if dl_device else self.__dlpack_device__()
        if device[0] != CUDA or stream == -1:
            return self._capsule(device, 0)
        return self._capsule(device, stream or LEGACY_STREAM)

    def __array__(self, dtype=None, copy=None):
        array = np.from_dlpack(_OnHost(self))
        if dtype is None or array.dtype == dtype:
            return array.copy() if copy else array
        if copy is False:
            raise ValueError(f"Pixels of type {self.dtype} are no {np.dtype(dtype)} without a copy.")
        return array.astype(dtype)

    def numpy(self):
        """Its pixels in host memory, read only, and not copied where they are there. A mask is 0 and 255."""
        return self.__array__()

    def save(self, path, *, compression=None, tile=0, pyramid=False):
        """Saves in the format that has the ending of the name: "a.tif" (everything), "a.png" and others of formats(). The file appears whole or not at all.

        compression: of TIFF, None, "deflate" or "zstd"; tile: rows and columns of its tiles, a multiple of 16, 0: strips; pyramid: with levels of half the
        size each.
        """
        if compression not in COMPRESSIONS:
            raise ArgumentError(f"compression: {compression!r} is none of None, 'deflate' and 'zstd'.", "compression")
        _fovea.image_save(self._handle, path, COMPRESSIONS[compression], tile, pyramid)


class File:
    """The images of a file, as a sequence. What the file says of them is read once, their pixels when they are needed."""

    def __init__(self, path):
        self.path = os.fspath(path)
        self._handle = _fovea.file_open(path)

    def __len__(self):
        return _fovea.file_count(self._handle)

    def __getitem__(self, n):
        if not -len(self) <= n < len(self):
            raise IndexError(f"'{self.path}' has {len(self)} images, counted from 0.")
        return Image._of(_fovea.file_image(self._handle, n % len(self)))

    def __repr__(self):
        return f"<fovea.File {self.path!r}, {len(self)} images>"


def open(path, series=0):  # noqa: A001 - fovea.open() is what it is called
    """Image `series`, from 0, of a file in one of the formats(). `File` has all of them."""
    return Image._of(_fovea.file_image(_fovea.file_open(path), series))
