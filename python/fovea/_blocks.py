# SPDX-License-Identifier: MIT
"""Steps on large arrays, such as those of dask, block by block."""
from __future__ import annotations

import functools
from typing import Any, Sequence

import numpy as np

from . import _fovea
from ._arrays import axes_of, with_all_axes
from ._errors import ArgumentError
from ._images import Image
from ._labeled import unpacked
from ._runs import run, said


def options_of(array: Any, axes: str | None, spacing: Any, unit: Any) -> tuple[Any, dict[str, Any]]:
    """An array as it is divided, and what Image() is told of each block. Of the pixels nothing is read."""
    array, known = unpacked(array, axes)
    axes = axes_of(array.shape, array.dtype.name, known.get("axes", axes))
    return array, {"axes": axes, "spacing": known.get("spacing") if spacing is None else spacing, "unit": known.get("unit") if unit is None else unit}


def halo(steps: str | Sequence[str], array: Any, *, volume: bool = False, axes: str | None = None, spacing: Any = None, unit: Any = None) -> dict[str, int]:
    """How many pixels around a block the steps need along Z, Y and X, so that they make the same pixels of the block as of the whole array.
    As many as the array has: it must not be divided along that axis.

    array: the whole array, of any library, of which only type and shape are used. axes, spacing, unit: as in `Image`.
    volume: whether steps without that parameter take slices as one volume.

    Raises `UnsupportedError`, which names the step, for those that need the whole image, such as a threshold or labels.
    """
    array, options = options_of(array, axes, spacing, unit)
    few = Image(np.zeros([n if a == "C" else 1 for n, a in zip(array.shape, options["axes"])], array.dtype), **options)._info
    recipe = _fovea.recipe_parse("".join(said(steps, volume)))
    shape = with_all_axes(array.shape, options["axes"], 1)
    return dict(zip("ZYX", _fovea.recipe_halo(recipe, few["type"], shape, few["role"], few["spacing"], few["unit"])))


def one_block(block: np.ndarray, *, steps: Any, volume: bool, device: str, options: dict[str, Any]) -> np.ndarray:
    """What the steps make of a block with its halo."""
    return run(steps, Image(block, **options), volume=volume, device=device).image.numpy()


def map_blocks(steps: str | Sequence[str], array: Any, *, volume: bool = False, axes: str | None = None, spacing: Any = None, unit: Any = None,
               device: str = "cpu") -> Any:
    """Steps on an array of dask, block by block: a new array of dask, which is computed when its values are needed.

    A block gets as many pixels of its neighbors as halo() says, so that the result is that of the whole array. Blocks that are smaller than that are
    joined first, as are those along an axis that must not be divided. A block has all channels.

    steps: as fovea.run() takes them. Those that need the whole image, and those that change its size, are an error.
    array: one of dask, or of xarray on one. See halo() for volume, axes, spacing and unit.
    device: "cpu", or a GPU, on which the blocks take turns.
    """
    import dask.array

    needed = halo(steps, array, volume=volume, axes=axes, spacing=spacing, unit=unit)
    array, options = options_of(array, axes, spacing, unit)
    if not isinstance(array, dask.array.Array):
        raise ArgumentError(f"array: map_blocks() takes arrays of dask, not {type(array).__name__}; use fovea.run().", "array")
    letters = options["axes"]
    undivided = {i for i, a in enumerate(letters) if a == "C" or 0 < array.shape[i] <= needed.get(a, 0)}
    array = array.rechunk({i: -1 for i in undivided})
    call = functools.partial(one_block, steps=steps, volume=volume, device=device, options=options)
    few = call(np.zeros([n if a == "C" else 1 for n, a in zip(array.shape, letters)], array.dtype))
    if few.ndim != array.ndim:
        raise ArgumentError(f"steps: The result has {few.ndim} axes, the array {array.ndim}.", "steps")
    return dask.array.map_overlap(call, array, depth={i: 0 if i in undivided else needed.get(a, 0) for i, a in enumerate(letters)}, boundary="none",
                                  dtype=few.dtype, meta=np.empty((0,) * few.ndim, few.dtype))
