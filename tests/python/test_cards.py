#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pixels that stay on a GPU: on the CPU that poses as one, whose bytes are counted, and with CuPy, PyTorch and JAX where there are such and a GPU."""
import os

import tap
from tap import Skip, raises

# Before the package: it looks for plugins once.
POSING = os.path.join(os.environ["FOVEA_BUILD"], "tests", "posing")
if os.path.isdir(POSING):
    os.environ["FOVEA_PLUGIN_PATH"] = POSING

import numpy as np
from scipy import ndimage

import fovea

NOISE = np.random.default_rng(1).random((512, 700)).astype(np.float32)
# None of them finds a number, which would be brought to the host.
STEPS = "gaussian sigma=2 | dilation radius=2 | erosion radius=2 | gaussian sigma=3 | opening radius=1"


def has(key):
    return any(device["key"] == key and not device["fault"] for device in fovea.devices())


def module(name):
    """CuPy, PyTorch or JAX with a GPU that Fovea has, too."""
    if not has("cuda:0"):
        raise Skip("this machine has no GPU")
    try:
        return __import__(name)
    except ImportError:
        raise Skip(f"{name} is not installed") from None


class Lent:
    """What another library has there: a result, as its tensor alone."""

    def __init__(self, image):
        self.image, self.shape, self.dtype = image, image.shape, image.dtype

    def __dlpack__(self):
        return self.image.__dlpack__()

    def __dlpack_device__(self):
        return self.image.__dlpack_device__()


def expected(array):
    """STEPS by SciPy."""
    disk, cross = np.hypot(*np.mgrid[-2:3, -2:3]) <= 2, ndimage.generate_binary_structure(2, 1)
    smooth = ndimage.gaussian_filter(array.astype(float), 2, mode="nearest")
    smooth = ndimage.grey_erosion(ndimage.grey_dilation(smooth, footprint=disk, mode="nearest"), footprint=disk, mode="nearest")
    return ndimage.grey_opening(ndimage.gaussian_filter(smooth, 3, mode="nearest"), footprint=cross, mode="nearest")


def test_posing():
    """Pixels lent on a GPU go through steps and out again, and no byte over the bus."""
    if not has("pose:0"):
        raise Skip("nothing poses as a GPU here")
    array = np.arange(600, dtype=np.uint8).reshape(20, 30)
    first = fovea.pose(array, device="pose:0")
    assert first.device == "pose:0"
    before = fovea.moved("pose:0")
    second = fovea.run("pose | pose | pose", Lent(first)).image  # auto: where it is
    third = fovea.pose(Lent(second))
    assert third.device == "pose:0" and fovea.moved("pose:0") == before
    assert np.array_equal(third, 255 - array)
    up, down = fovea.moved("pose:0")
    assert (up - before[0], down - before[1]) == (0, array.size)
    raises(fovea.ArgumentError, "FOVEA_IMAGE", lambda: fovea.Image(Lent(fovea.pose(array, device="pose:0")), axes="YX", role="labels"))
    raises(BufferError, "no device 7", lambda: second.__dlpack__(dl_device=(2, 7)))


def test_views():
    """A view whose strides Fovea does not copy there is packed by its own library, once, and refused when that cannot."""
    if not has("pose:0"):
        raise Skip("nothing poses as a GPU here")
    array = (np.arange(600) % 251).astype(np.uint8).reshape(20, 30)
    packed = []

    class Turned(Lent):
        """The transposed view."""

        def __init__(self, image):
            super().__init__(image)
            self.shape = image.shape[::-1]

        def __dlpack__(self):
            return fovea._fovea.image_to_capsule(self.image._handle, (4, 3), self.__dlpack_device__(), 0)

    class Cupy(Turned):
        """With CuPy's methods."""

        def copy(self):
            raise NotImplementedError("It keeps strides that are Fortran's.")

        def transpose(self, order):
            packed.append(order)
            return Copied(np.asarray(self.image).T.transpose(order))

    class Copied:
        def __init__(self, pixels):
            self.pixels = pixels

        def copy(self):
            return Lent(fovea.run("pose | pose", np.ascontiguousarray(self.pixels), device="pose:0").image)

    class Torch(Turned):
        """With PyTorch's."""

        def permute(self, order):
            packed.append(order)
            return self

        def contiguous(self):
            return Copied(np.asarray(self.image).T.transpose(packed[-1])).copy()

    there = fovea.run("pose | pose", array, device="pose:0").image
    for kind in (Cupy, Torch):
        assert np.array_equal(fovea.Image(kind(there)), array.T)
        assert np.array_equal(fovea.Image(kind(there), axes="XY"), array)  # which is dense
    assert packed == [(0, 1), (0, 1)]
    raises(fovea.ArgumentError, "dense", lambda: fovea.Image(Turned(there)), "pixels")


VIEWS = {
    "transposed": lambda a: a.T,
    "every second column": lambda a: a[:, ::2],
    "every second row": lambda a: a[::2],
    "a corner": lambda a: a[3:200, 5:300],
    "a column": lambda a: a[:, 7:8],
    "a row": lambda a: a[7:8, ::3],
}


def test_torch_views():
    """PyTorch's views are NumPy's."""
    torch = module("torch")
    array = torch.from_numpy(NOISE).cuda()
    before = fovea.moved("cuda:0")
    made = {name: fovea.Image(view(array)) for name, view in VIEWS.items()}
    made["broadcast"] = fovea.Image(array[:1].expand(9, -1))
    made["stack"] = fovea.Image(array.reshape(8, 64, 700).permute(2, 0, 1))
    assert fovea.moved("cuda:0") == before
    for name, view in VIEWS.items():
        assert np.array_equal(made[name], view(NOISE)), name
    assert np.array_equal(made["broadcast"], np.broadcast_to(NOISE[:1], (9, 700)))
    assert np.array_equal(made["stack"], NOISE.reshape(8, 64, 700).transpose(2, 0, 1))


def test_cupy_views():
    """CuPy's views are NumPy's."""
    cupy = module("cupy")
    array = cupy.asarray(NOISE)
    before = fovea.moved("cuda:0")
    views = {**VIEWS, "reversed": lambda a: a[::-1, ::-1], "a mask": lambda a: (a > 0.5).T}
    made = {name: fovea.Image(view(array)) for name, view in views.items()}
    made["broadcast"] = fovea.Image(cupy.broadcast_to(array[:1], (9, 700)))
    made["Fortran"] = fovea.Image(cupy.asfortranarray(array))
    made["stack"] = fovea.Image(array.reshape(8, 64, 700), axes="XZY")
    assert fovea.moved("cuda:0") == before
    for name, view in views.items():
        expect = view(NOISE)
        assert np.array_equal(made[name], expect * 255 if expect.dtype == bool else expect), name
    assert np.array_equal(made["broadcast"], np.broadcast_to(NOISE[:1], (9, 700)))
    assert np.array_equal(made["Fortran"], NOISE)
    assert np.array_equal(made["stack"], NOISE.reshape(8, 64, 700).transpose(1, 2, 0))


def test_torch():
    """PyTorch's pixels stay on the GPU both ways, in the order of its streams."""
    torch = module("torch")
    array = torch.from_numpy(NOISE).cuda()
    fovea.run(STEPS, array)  # everything is loaded
    before = fovea.moved("cuda:0")
    made = fovea.run(STEPS, array).image
    back = torch.from_dlpack(made)
    assert fovea.moved("cuda:0") == before and made.device == "cuda:0"
    assert back.is_cuda and back.shape == array.shape and back.dtype == torch.float32
    assert np.allclose(back.cpu().numpy(), expected(NOISE), atol=1e-6)
    assert torch.from_dlpack(fovea.Image(array)).data_ptr() == array.data_ptr()
    part = fovea.gaussian(array[3:200, 5:300], sigma=2)  # rows with gaps, and a start that is not aligned
    assert fovea.moved("cuda:0") == before
    assert np.allclose(part, ndimage.gaussian_filter(NOISE[3:200, 5:300], 2, mode="nearest"), atol=1e-6)
    raises(fovea.Error, "type", lambda: fovea.gaussian(array.to(torch.complex64)))
    inside = array > 0.5
    labels = fovea.label(inside)
    expect, n = ndimage.label(NOISE > 0.5, np.ones((3, 3)))
    assert np.array_equal(labels, expect)
    again = fovea.regionprops(torch.from_dlpack(labels).to(torch.int64), properties="area")
    assert np.array_equal(again["area"], np.bincount(expect.ravel())[1:])
    raises(fovea.ArgumentError, "32 bits", lambda: fovea.Image(torch.full((2, 2), 2**40, device="cuda")), "image")
    color = (torch.rand(40, 50, 3, device="cuda") * 255).to(torch.uint8)
    assert np.array_equal(fovea.channel(color, index=1), color[..., 1].cpu().numpy())


def test_torch_streams():
    """Pending work on a stream is waited for there, and taking a result waits for no other work."""
    torch = module("torch")
    side = torch.cuda.Stream()
    for _ in range(5):
        with torch.cuda.stream(side):
            array = torch.zeros(4096, 4096, device="cuda")
            for _ in range(60):  # some milliseconds of work
                array = array * 1.0 + 1.0
            smooth = fovea.gaussian(array, sigma=1)
            del array  # its memory is free for others
            torch.full((4096, 4096), -7.0, device="cuda")
            back = torch.from_dlpack(smooth)
            total = (back - 60).abs().max()
            del back, smooth
        other = fovea.gaussian(torch.zeros(4096, 4096, device="cuda"))  # takes the memory that was given back
        assert float(total) < 1e-3, float(total)
        assert not np.asarray(other).any()


def test_cupy():
    """CuPy's pixels stay on the GPU both ways, and CuPy's SciPy gives the same."""
    cupy = module("cupy")
    array = cupy.asarray(NOISE)
    fovea.run(STEPS, array)
    before = fovea.moved("cuda:0")
    with cupy.cuda.Stream(non_blocking=True):
        twice = array * 2
        smooth = cupy.from_dlpack(fovea.gaussian(twice, sigma=5))
        assert float(cupy.abs(smooth).max()) > 0
    made = cupy.from_dlpack(fovea.run(STEPS, array).image)
    assert fovea.moved("cuda:0") == before
    assert np.allclose(cupy.asnumpy(made), expected(NOISE), atol=1e-6)
    mask = cupy.from_dlpack(fovea.otsu(made))
    up, down = fovea.moved("cuda:0")
    assert up == before[0] and down - before[1] == 8  # the threshold
    assert np.allclose(cupy.asnumpy(smooth), ndimage.gaussian_filter(NOISE * 2, 5, mode="nearest"), atol=1e-5)
    assert np.array_equal(fovea.Image(mask > 0), cupy.asnumpy(mask) > 0) and fovea.Image(mask > 0).role == "mask"
    table = fovea.run("label | regionprops intensity=raw properties=label,area,intensity_mean", mask, raw=array).table
    labels, n = ndimage.label(cupy.asnumpy(mask), np.ones((3, 3)))
    assert table.rows == n and np.array_equal(table["area"], np.bincount(labels.ravel())[1:])
    up, _ = fovea.moved("cuda:0")
    assert up == before[0]


def test_jax():
    """JAX's arrays on a GPU, too."""
    jax = module("jax")
    if not any(device.platform == "gpu" for device in jax.devices()):
        raise Skip("JAX has no GPU")
    array = jax.numpy.asarray(NOISE)
    before = fovea.moved("cuda:0")
    smooth = jax.dlpack.from_dlpack(fovea.gaussian(array, sigma=2))
    assert fovea.moved("cuda:0") == before
    assert np.allclose(np.asarray(smooth), ndimage.gaussian_filter(NOISE, 2, mode="nearest"), atol=1e-6)


if __name__ == "__main__":
    tap.run(globals())
