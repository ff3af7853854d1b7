# SPDX-License-Identifier: MIT
"""Images: pixels where they lie, and their calibration."""
from __future__ import annotations

import os
import warnings
from typing import Any, Iterator, Sequence

import numpy as np

from . import _display, _fovea, _labeled
from ._array_methods import ArrayMethods
from ._arrays import CPU, CUDA, LEGACY_STREAM, ORDER, ROLES, take
from ._cached import cached
from ._errors import ArgumentError

COMPRESSIONS = {None: 0, "deflate": 1, "zstd": 2, "jpeg": 3, "png": 4}


def three(values: Any, name: str, kind: type) -> tuple[Any, Any, Any]:
    """A value for each of z, y and x: from one for all, or from those of the last axes."""
    if isinstance(values, (str, int, float)):
        return (kind(values),) * 3
    values = tuple(kind(value) for value in values)
    if not 1 <= len(values) <= 3:
        raise ArgumentError(f"{name}: It has {len(values)} values; use 3, for z, y and x.", name)
    return (values[0],) * (3 - len(values)) + values


class _OnHost:
    """The pixels of an image in host memory, wherever they are, for numpy.from_dlpack()."""

    def __init__(self, image: Image) -> None:
        self.image = image

    def __dlpack__(self, **_: Any) -> Any:
        return self.image._capsule((CPU, 0), 0)

    def __dlpack_device__(self) -> tuple[int, int]:
        return CPU, 0


def as_given(image: Image) -> dict[str, Any]:
    """The arguments that make such an image of its pixels."""
    return {"axes": image.axes, "role": image.role, "spacing": image.spacing, "unit": image.unit, "name": image.name,
            "interval": image.interval[0], "interval_unit": image.interval[1], "channel_names": image.channel_names}


def remade(pixels: np.ndarray, given: dict[str, Any]) -> Image:
    """An image that was pickled."""
    return Image(pixels, **given)


class Image(ArrayMethods):
    """Pixels of one type, on the host or on a GPU, with their calibration. Never changes.

    It has the operators, indexing, methods and functions of NumPy's arrays: `image * 2`, `image[0]`, `image.max()`. They give NumPy arrays.

    pixels: an array of NumPy, CuPy, PyTorch, JAX or any other library with DLPack. It must not be changed as long as the image or one of its results
        exists. It is not copied when it is dense, and stays on the GPU when it is on one. An array of xarray brings axes, spacing, unit and name, an
        image all that this function takes. Masked pixels of floats become NaN.
    axes: a letter of T, C, Z, Y and X for each axis. The default is YX, ZYX, CZYX or TCZYX. Arrays of 8 or 16 bits and floats of shape
        (rows, columns, 3) or (..., 4) are YXC; for longer ones that end so axes are required.
    role: "image", "mask" (8 bits, 0 or 255; arrays of bool are masks), "labels" (32-bit integers from 0 on) or "rgb".
    spacing: size of a pixel, for all axes or for the last ones; unit: of it, such as "µm".
    interval: time from one frame to the next, 0: unknown; interval_unit: of it, such as "s".
    channel_names: one for each channel.
    """

    def __init__(self, pixels: Any, *, axes: str | None = None, role: str | None = None, spacing: float | Sequence[float] | None = None,
                 unit: str | Sequence[str] | None = None, name: str | None = None, interval: float | None = None, interval_unit: str | None = None,
                 channel_names: Sequence[str] | None = None) -> None:
        given = {"axes": axes, "role": role, "spacing": spacing, "unit": unit, "name": name, "interval": interval, "interval_unit": interval_unit,
                 "channel_names": channel_names}
        pixels, known = (pixels, as_given(pixels)) if isinstance(pixels, Image) else _labeled.unpacked(pixels, axes)
        known = {"spacing": 1.0, "unit": "", "name": "", "interval": 0.0, "interval_unit": "", "channel_names": (), **known,
                 **{member: value for member, value in given.items() if value is not None}}
        info = (three(known["spacing"], "spacing", float), three(known["unit"], "unit", str), known["name"], known["interval"], known["interval_unit"],
                [channel.encode() for channel in known["channel_names"]])
        self._own(*take(pixels, known.get("axes"), known.get("role"), info))

    def _own(self, handle: Any, axes: Any) -> None:
        self._handle = handle
        self._given = axes

    @classmethod
    def _of(cls, handle: Any, ones: Any = frozenset()) -> Image:
        image = cls.__new__(cls)
        image._own(handle, ones)
        return image

    # ---- What it is ----

    @cached
    def _info(self) -> dict[str, Any]:
        return _fovea.image_info(self._handle)

    @cached
    def _ones(self) -> frozenset[str]:
        """Axes of length 1 that the array had."""
        return frozenset(a for a, n in zip(ORDER, self._info["shape"]) if n == 1 and a in self._given)

    @property
    def axes(self) -> str:
        """A letter for each axis: Y, X, those that are longer than 1, and those of length 1 that the array had of which this was made. RGB ends in C."""
        lengths = dict(zip(ORDER, self._info["shape"]))
        there = [a for a in ORDER if a in "YX" or lengths[a] > 1 or a in self._ones]
        if self.role == "rgb":
            there = [a for a in there if a != "C"] + ["C"]
        return "".join(there)

    @property
    def shape(self) -> tuple[int, ...]:
        """Length of each axis."""
        lengths = dict(zip(ORDER, self._info["shape"]))
        return tuple(lengths[a] for a in self.axes)

    @property
    def ndim(self) -> int:
        """How many axes there are."""
        return len(self.axes)

    @property
    def dtype(self) -> np.dtype[Any]:
        """NumPy's type of a pixel: bool for masks."""
        if self.role == "mask":
            return np.dtype(bool)
        code, bits = self._info["type"]
        return np.dtype(f"{'iuf'[code]}{bits // 8}")

    @property
    def role(self) -> str:
        """What the values mean: "image", "mask", "labels" or "rgb"."""
        return ROLES[self._info["role"]]

    @property
    def spacing(self) -> tuple[float, float, float]:
        """Size of a pixel along z, y and x."""
        return self._info["spacing"]

    @property
    def unit(self) -> tuple[str, str, str]:
        """Of the spacing along z, y and x; "" is pixels."""
        z, y, x = (unit or "" for unit in self._info["unit"])
        return z, y, x

    @property
    def interval(self) -> tuple[float, str]:
        """Time from one frame to the next, 0 if unknown, and its unit."""
        return self._info["interval"], self._info["interval_unit"] or ""

    @property
    def channel_names(self) -> list[str]:
        """One for each channel, or none."""
        return self._info["channel_names"]

    @property
    def name(self) -> str:
        """For people."""
        return self._info["name"] or ""

    @property
    def device(self) -> str:
        """Where its pixels are: "cuda:0", or "cpu", which files are, too."""
        device = _fovea.image_device(self._handle)
        return device["key"] if device else "cpu"

    def __repr__(self) -> str:
        return f"<fovea.Image {self._info['text']}, {self.axes} {self.shape} {self.dtype}, on {self.device}>"

    def _repr_png_(self) -> bytes | None:
        return _display.png(self)

    def _repr_html_(self) -> str:
        return _display.image_html(self)

    # ---- Copies ----

    def __copy__(self) -> Image:
        return self

    def __reduce__(self) -> Any:
        """For pickle and deepcopy(): the pixels, on the host, and all that Image() takes."""
        return remade, (self.numpy(), as_given(self))

    # ---- Its pixels ----

    def _capsule(self, device: Any, stream: int) -> Any:
        return _fovea.image_to_capsule(self._handle, tuple(ORDER.index(a) for a in self.axes), tuple(device), stream)

    def __dlpack_device__(self) -> tuple[int, int]:
        device = _fovea.image_device(self._handle)
        return device["dlpack"] if device else (CPU, 0)

    def __dlpack__(self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: Any = None) -> Any:
        """The pixels where they lie, for `from_dlpack()` of any library: read only. Those of a mask are 8-bit, 0 and 255."""
        if copy:
            raise BufferError("Fovea does not copy arrays here; ask the library that receives the array for a copy.")
        device = tuple(dl_device) if dl_device else self.__dlpack_device__()
        if device[0] != CUDA or stream == -1:
            return self._capsule(device, 0)
        return self._capsule(device, stream or LEGACY_STREAM)

    @cached
    def _truth(self) -> np.ndarray:
        """The pixels of a mask as bool, read only."""
        truth = np.from_dlpack(_OnHost(self)) != 0
        truth.flags.writeable = False
        return truth

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        array = self._truth if self.role == "mask" else np.from_dlpack(_OnHost(self))
        if dtype is None or array.dtype == dtype:
            return array.copy() if copy else array
        if copy is False:
            raise ValueError(f"Pixels of type {self.dtype} become {np.dtype(dtype)} only as a copy.")
        return array.astype(dtype)

    def numpy(self) -> np.ndarray:
        """Its pixels in host memory, read only, and not copied if they are there. Those of a mask are bool."""
        return self.__array__()

    def to_xarray(self) -> Any:
        """A DataArray of xarray, which has to be installed, on the same pixels: with axes t, c, z, y and x, and coordinates in the image's unit."""
        return _labeled.to_xarray(self)

    def save(self, path: Any, *, compression: str | None = None, tile: int = 0, pyramid: bool = False,
             rate: float = 0, **others: Any) -> None:
        """Saves in the format that has the ending of the name: "a.tif" (everything), "a.png" and others of formats(). The file appears whole or not at all.
        "a.zarr" is a folder.
        Objects of a label image or a mask can be saved as selections: "a.geojson", as QuPath reads it, and "a.zip" or "a.roi" of ImageJ.

        compression: of TIFF, None, "deflate" or "zstd", and of AVI, None, "jpeg" or "png"; tile: rows and columns of the tiles of TIFF, a multiple of 16,
        0: strips; pyramid: with levels of half the size each; rate: of movies, frames per second, 0: by the frame interval.

        others: further options of the format, of OME-Zarr zarr="0.4", sharding=8, level=5.
        """
        if compression not in COMPRESSIONS:
            raise ArgumentError(f"compression: {compression!r} is not None, 'deflate', 'zstd', 'jpeg' or 'png'.", "compression")
        text = " ".join(f"{key}={value}" for key, value in others.items())
        _fovea.image_save(self._handle, path, COMPRESSIONS[compression], tile, pyramid, rate, text)


class File:
    """The images of a file, as a sequence. What the file says of them is read once, their pixels when they are needed. raw: as in open()."""

    def __init__(self, path: Any, raw: str | None = None) -> None:
        self.path, self.raw = os.fspath(path), raw
        self._handle = _fovea.file_open(path, raw)

    def __len__(self) -> int:
        return _fovea.file_count(self._handle)

    def __getitem__(self, n: int) -> Image:
        if not -len(self) <= n < len(self):
            raise IndexError(f"'{self.path}' has {len(self)} images, counted from 0.")
        return Image._of(_fovea.file_image(self._handle, n % len(self)))

    def __iter__(self) -> Iterator[Image]:
        return (self[n] for n in range(len(self)))

    def __reduce__(self) -> Any:
        return File, (self.path, self.raw)

    def __repr__(self) -> str:
        return f"<fovea.File {self.path!r}, {len(self)} images>"


def open(path: Any, series: int = 0, raw: str | None = None) -> Image:  # noqa: A001 - fovea.open() is what it is called
    """Image `series`, from 0, of a file in one of the formats(). `File` has all of them.

    raw: what the pixels of a file without a header are, "width=512 height=512 slices=10 type=u16 endian=big offset=128".
    """
    return Image._of(_fovea.file_image(_fovea.file_open(path, raw), series))


def open_selections(path: Any, like: Any) -> Image:
    """A label image of the selections in a file: GeoJSON, as QuPath writes it, or .roi and .zip of ImageJ. The first one has label 1.

    like: an image; the labels have its size and calibration. Selections of one slice or frame are there alone. Where they overlap the later one counts.
    What cannot be read is a warning. `labels.save("cells.geojson")` is the way back.
    """
    handle, left_out = _fovea.open_selections(path, (like if isinstance(like, Image) else Image(like))._handle)
    if left_out:
        warnings.warn(left_out, stacklevel=2)
    return Image._of(handle)
