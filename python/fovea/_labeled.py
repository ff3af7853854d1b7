# SPDX-License-Identifier: MIT
"""Arrays that know more than their pixels: masked arrays of NumPy, and arrays of xarray with names and coordinates of their axes."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._errors import ArgumentError

#: Names of axes, in lower case, and the letters that Fovea has for them.
LETTERS = {"t": "T", "time": "T", "frame": "T", "c": "C", "channel": "C", "band": "C", "z": "Z", "slice": "Z", "plane": "Z",
           "y": "Y", "row": "Y", "x": "X", "column": "X", "col": "X"}
#: Relative difference of steps that still is rounding.
EVEN = 1e-3


def unmasked(array: np.ma.MaskedArray) -> np.ndarray:
    """A masked array as pixels: NaN where it is masked."""
    if not np.ma.is_masked(array):
        return array.data
    if array.dtype.kind != "f":
        raise ArgumentError(f"image: Masked pixels of type {array.dtype} have no value: give them one with filled(), or convert to float, where they become NaN.",
                            "image")
    return array.filled(np.nan)


def letter(name: Any) -> str:
    """That of an axis."""
    if str(name).lower() not in LETTERS:
        raise ArgumentError(f"axes: The axis '{name}' has no letter: rename it to t, c, z, y or x, or set axes.", "axes")
    return LETTERS[str(name).lower()]


def step_of(array: Any, name: Any) -> tuple[float, str]:
    """The distance of pixels along an axis, and its unit; 1 and "" if it has no coordinates, or only one."""
    if name not in array.coords or array.sizes[name] < 2 or array.coords[name].dtype.kind not in "iuf":
        return 1.0, ""
    values = np.asarray(array.coords[name], float)
    steps = np.diff(values)
    if not np.isfinite(steps).all() or steps[0] == 0 or np.abs(steps - steps[0]).max() > EVEN * abs(steps[0]):
        raise ArgumentError(f"spacing: Coordinates of '{name}' are not evenly spaced; use drop_vars('{name}') or interp().", "spacing")
    return float(abs(values[-1] - values[0]) / (len(values) - 1)), str(array.coords[name].attrs.get("units", ""))


def is_xarray(array: Any) -> bool:
    """Whether it is a DataArray."""
    return all(hasattr(array, name) for name in ("dims", "coords", "sizes", "values"))


def unpacked(array: Any, axes: str | None) -> tuple[Any, dict[str, Any]]:
    """The array without what an Image has members for, and these; axes: what the caller says."""
    if isinstance(array, np.ma.MaskedArray):
        return unmasked(array), {}
    if not is_xarray(array):
        return array, {}
    known = {"axes": axes or "".join(map(letter, array.dims)), "name": str(array.name or "")}
    steps = {a: step_of(array, name) for a, name in zip(known["axes"], array.dims) if a in "ZYX"}
    known["spacing"] = tuple(steps.get(a, (1.0, ""))[0] for a in "ZYX")
    known["unit"] = tuple(steps.get(a, (1.0, ""))[1] for a in "ZYX")
    return array.data, known


def to_xarray(image: Any) -> Any:
    """The DataArray of an image: dims are t, c, z, y and x; those that are calibrated have coordinates from 0, with their unit."""
    import xarray

    coords = {}
    for a, spacing, unit in zip("ZYX", image.spacing, image.unit):
        if a in image.axes and (unit or spacing != 1):
            coords[a.lower()] = (a.lower(), np.arange(image.shape[image.axes.index(a)]) * spacing, {"units": unit})
    return xarray.DataArray(image.numpy(), coords, [a.lower() for a in image.axes], image.name or None)
