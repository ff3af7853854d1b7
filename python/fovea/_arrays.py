# SPDX-License-Identifier: MIT
"""Arrays of all kinds as pixels: which axis is which, what is taken where it lies, and what has to be converted."""
import functools
import importlib

import numpy as np

from . import _fovea
from ._errors import ArgumentError, UnsupportedError

ORDER = "TCZYX"  # of the axes of an image in the library
ROLES = ("image", "mask", "labels", "rgb")
CPU, PINNED, CUDA = 1, 3, 2  # DLPack's types of devices
CODES = {"i": 0, "u": 1, "f": 2}  # and its types of numbers, by NumPy's letters
COLORS = {"uint8", "uint16", "float16", "float32", "float64"}  # what colors are made of, by their names
LEGACY_STREAM = 1  # what DLPack means by no stream, in CUDA


@functools.lru_cache(64)
def name_of(dtype):
    """The name of a NumPy type, kept because NumPy takes microseconds to make it."""
    return dtype.name


def has_colors(shape, dtype):
    """Whether an array ends in colors, red, green, blue and perhaps opacity, as those of scikit-image, Pillow and tifffile do: nothing is three pixels wide."""
    return len(shape) > 2 and shape[-1] in (3, 4) and min(shape[-3:-1]) > shape[-1] and dtype in COLORS


def axes_of(shape, dtype, axes):
    """A checked letter for each axis of an array of this shape and type name: `axes`, or the default."""
    if axes is None:
        if len(shape) == 3 and (has_colors(shape, dtype) or (shape[2] == 3 and dtype == "uint8")):
            return "YXC"
        if len(shape) in (4, 5) and has_colors(shape, dtype):
            choices = {4: "ZYXC, TYXC or CZYX", 5: "TZYXC or TCZYX"}[len(shape)]
            raise ArgumentError(f"axes: An array of shape {tuple(shape)} may have colors in its last axis or be {shape[-1]} pixels wide: set axes={choices}.", "axes")
        if not 2 <= len(shape) <= 5:
            raise ArgumentError(f"image: It has {len(shape)} axes; an image has 2 to 5.", "image")
        return {2: "YX", 3: "ZYX", 4: "CZYX", 5: "TCZYX"}[len(shape)]
    if len(axes) != len(shape) or len(set(axes)) != len(axes) or not set("YX") <= set(axes) <= set(ORDER):
        raise ArgumentError(
            f"axes: '{axes}' does not match shape {tuple(shape)}: use a letter of T, C, Z, Y and X for each axis, with Y and X among them.", "axes")
    return axes


def role_of(axes, dtype, channels, role):
    """The number of a role, which is worked out when it is None."""
    if role is None:
        role = "mask" if dtype == "bool" else "rgb" if axes[-1] == "C" and channels == 3 and dtype == "uint8" else "image"
    if role not in ROLES:
        raise ArgumentError(f"role: '{role}' is not one of {', '.join(ROLES)}.", "role")
    return ROLES.index(role)


def storable(array, role):
    """The array itself, or a copy of it of a type that images have, with the same values."""
    kind, size = array.dtype.kind, array.dtype.itemsize
    if kind == "b":
        return array.view(np.uint8) * np.uint8(255)
    if kind == "c":
        raise UnsupportedError("image: Images have no complex pixels: take the real or the imaginary part, or the magnitude.", "image")
    if kind not in CODES or size > 8 or (kind != "f" and role == "mask" and size > 1):
        raise UnsupportedError(f"image: Pixels of type {array.dtype} are not supported; convert them.", "image")
    if size == 8 and kind in "iu":
        return narrowed(array)
    if kind == "u" and size == 4 and role == "labels":
        return narrowed(array)
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def narrowed(array):
    """As 32-bit integers, where all values are such."""
    limits = np.iinfo(np.int32)
    if array.size and (array.min() < limits.min or array.max() > limits.max):
        raise ArgumentError(f"image: Values of {array.dtype} beyond 32 bits: convert them, to float64 for example.", "image")
    return array.astype(np.int32)


def with_all_axes(values, axes, missing):
    """One value for each axis of the library's images."""
    return tuple(values[axes.index(a)] if a in axes else missing for a in ORDER)


def from_numpy(array, axes, role, info):
    """The library's image and its axes; the array is lent where it lies as images do."""
    axes = axes_of(array.shape, name_of(array.dtype), axes)
    role = role_of(axes, name_of(array.dtype), array.shape[-1], role)
    pixels = storable(array, ROLES[role])
    if any(step % pixels.itemsize for step in pixels.strides):
        pixels = np.ascontiguousarray(pixels)
    strides = [step // pixels.itemsize for step in pixels.strides]
    image = _fovea.image_from_memory(
        pixels, pixels.__array_interface__["data"][0], (CODES[pixels.dtype.kind], 8 * pixels.itemsize),
        with_all_axes(pixels.shape, axes, 1), with_all_axes(strides, axes, 0), role, *info)
    return image, axes


def converted(array, name):
    """An array on a GPU as another type, by its own library; PyTorch has a word of its own for that."""
    if hasattr(array, "astype"):
        return array.astype(name)
    return array.to(getattr(importlib.import_module(type(array).__module__.partition(".")[0]), name))


def storable_on_gpu(array, dtype):
    """The same as storable(), there."""
    if dtype == "bool":
        return converted(array, "uint8") * 255
    if dtype not in ("int64", "uint64"):
        return array
    narrow = converted(array, "int32")
    if not bool((narrow == array).all()):
        raise ArgumentError(f"image: Values of {dtype} beyond 32 bits: convert them, to float64 for example.", "image")
    return narrow


def can_pack(array):
    """Whether the array's own library can do what packed() needs."""
    return hasattr(array, "permute") or (hasattr(array, "transpose") and hasattr(array, "copy"))


def packed(array, axes):
    """A dense copy on the GPU with axes in the library's order, made by the array's own library, for views whose strides Fovea does not copy there."""
    order = tuple(axes.index(a) for a in ORDER if a in axes)
    if hasattr(array, "permute"):  # PyTorch
        return array.permute(order).contiguous()
    return array.transpose(order).copy()


def lend(array, device, axes, role, info):
    """The library's image of an array on a GPU."""
    capsule = array.__dlpack__(stream=_fovea.device_stream(*device)) if device[0] == CUDA else array.__dlpack__()
    return _fovea.image_from_capsule(capsule, with_all_axes(range(len(axes)), axes, -1), role, *info)


def from_gpu(array, device, axes, role, info):
    """The same of an array on a GPU, which stays there; what is being done with it on its stream is waited for there."""
    dtype = str(array.dtype).rpartition(".")[2]  # "torch.uint8" is "uint8", too
    shape = tuple(array.shape)
    axes = axes_of(shape, dtype, axes)
    role = role_of(axes, dtype, shape[-1], role)
    array = storable_on_gpu(array, dtype)
    try:
        return lend(array, device, axes, role, info), axes
    except ArgumentError as error:
        if error.field != "pixels" or not can_pack(array):
            raise
    return lend(packed(array, axes), device, "".join(a for a in ORDER if a in axes), role, info), axes


def take(array, axes, role, info):
    """The library's image of an array of any kind, and its axes."""
    if not hasattr(array, "__array_interface__") and hasattr(array, "__dlpack__"):
        device = tuple(int(n) for n in array.__dlpack_device__())
        if device[0] not in (CPU, PINNED):
            return from_gpu(array, device, axes, role, info)
        array = np.from_dlpack(array)
    return from_numpy(np.asarray(array), axes, role, info)
