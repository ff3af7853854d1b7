# SPDX-License-Identifier: MIT
"""Steps on images, and what comes of them."""
from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Sequence

from . import _fovea
from ._arrays import ORDER
from ._errors import ArgumentError, Error
from ._images import Image
from ._tables import Table
from ._tasks import has_signals

if TYPE_CHECKING:
    from ._types import ImageLike, Progress

# A step whose image is given and which is therefore never executed.
PLACEHOLDER = "gaussian"


VOLUMES = {True: "volume=yes", False: "volume=no", "objects": "volume=objects"}


def said(steps: Any, volume: Any) -> tuple[str, str]:
    """What steps say of volumes before the first one, as text with the bar behind it or "", and the steps; volume: what is to be said instead, or None."""
    text = steps if isinstance(steps, str) else " | ".join(steps)
    head, _, rest = text.partition("|")
    stands = head.strip().startswith("volume=")
    if volume is not None and volume not in VOLUMES:
        raise ArgumentError(f"volume: {volume!r} must be None, True, False or 'objects'.", "volume")
    says = VOLUMES[volume] if volume is not None else head.strip() if stands else ""
    return says and says + " | ", rest if stands else text


def as_image(value: Any, axes: str | None = None) -> Image:
    """An image as it is, anything else as an array."""
    return value if isinstance(value, Image) else Image(value, axes=axes)


class Result:
    """What became of a run: `image`, the last one; `table`, the last one; and by `result["NAME"]` what `as=NAME` names."""

    def __init__(self, handle: Any, recipe: Any, given: int, ones: Any) -> None:
        self._handle, self._given, self._ones = handle, given, ones
        report = _fovea.run_report(recipe, handle)
        self.device: str = report["device"]
        self.reason: str = report["reason"]
        self.ms: float = report["ms"]
        #: For each step its text, milliseconds on the device, and bytes that it moved there and back.
        self.steps: list[dict[str, Any]] = report["steps"][given:]

    @property
    def image(self) -> Image:
        """The last image that was made."""
        return Image._of(_fovea.run_image(self._handle, None), self._ones)

    @property
    def table(self) -> Table:
        """The last table that was made."""
        return Table._of(_fovea.run_table(self._handle, None))

    def __getitem__(self, name: str) -> Any:
        try:
            return Image._of(_fovea.run_image(self._handle, name), self._ones)
        except Error:
            pass
        try:
            return Table._of(_fovea.run_table(self._handle, name))
        except Error as error:
            raise KeyError(f"No step makes '{name}': name a result with as=NAME.") from error

    def numbers(self, step: int) -> Table:
        """The numbers that a step, from 0, has found, such as a threshold: a row for each plane or volume that it took by itself."""
        return Table._of(_fovea.run_numbers(self._handle, self._given + step))

    def derived(self, step: int) -> Table:
        """What the derived values of a step, from 0, came to, such as lower={otsu.threshold}*2. Each such parameter is a column; each plane is a row, or
        there is one row for all planes."""
        return Table._of(_fovea.run_derived(self._handle, self._given + step))

    def __reduce__(self) -> Any:
        raise TypeError("A Result cannot be pickled: pickle its images and tables.")

    def _repr_html_(self) -> str:
        shown = []
        for get in (lambda: self.image, lambda: self.table):
            try:
                shown.append(get()._repr_html_())
            except Error:
                pass
        return "".join(shown)

    def __repr__(self) -> str:
        return f"<fovea.Result of {len(self.steps)} steps on {self.device}, {self.ms:.3g} ms>"


def choose_device(images: list[Image], device: str) -> str:
    """Where to run: what is asked for, but "auto" is the GPU that an image is on."""
    gpus = [image.device for image in images if image.device != "cpu"] if device == "auto" else []
    return gpus[0] if gpus else device


def execute(recipe: Any, images: list[Image], device: str, progress: Any, keep: bool = False) -> Any:
    """Executes a recipe whose first steps are placeholders for all images but the first, and returns the run. keep: all images."""
    handles = [image._handle for image in images[1:] + images[:1]]
    device = choose_device(images, device)
    return _fovea.run(recipe, handles, device, progress, has_signals(), keep)


def ones_of(images: list[Image]) -> frozenset[str]:
    """The axes of length 1 that results keep: those of the first image."""
    return images[0]._ones if images else frozenset()


def for_image(recipe: Any, images: list[Image], otherwise: str | None = None, level: int = 3) -> Any:
    """The recipe as it is run on the first image: where it says nothing, slices with a known distance are one volume, and a warning says so. Another
    says what is done with slices whose distance is unknown. otherwise: the warning where the recipe has no step for objects; level: of the stack."""
    if not images or images[0]._info["shape"][ORDER.index("Z")] < 2:
        return recipe
    recipe, said, volume = _fovea.recipe_for_image(recipe, images[0]._handle)
    if said or otherwise:
        other = "processes each slice separately" if volume else "processes them as one volume"
        warnings.warn(f"{said or otherwise}; volume={not volume} {other}.", stacklevel=level)
    return recipe


def run(steps: str | Sequence[str], image: ImageLike | None = None, *, volume: bool | str | None = None, device: str = "auto", axes: str | None = None,
        progress: Progress | None = None, **images: ImageLike) -> Result:
    """Runs steps on an image: fovea.run("gaussian sigma=5 | otsu | label | regionprops", image).

    steps: as the command takes them, in one string with "|" between, or as a list.
    image: an `Image`, or an array of NumPy, CuPy, PyTorch, JAX or any other library with DLPack, which is used without copying.
    volume: whether slices are one volume, for all steps without that parameter. True, False, or "objects": for those that find, separate or measure
        objects. None: the setting before the steps ("volume=yes | otsu | label"). Without one it is "objects" if the image's slices have a known
        distance, as in `Image(stack, spacing=(1, .5, .5), unit="µm")`, and each slice by itself if they have none. A warning says which.
    device: "auto" (the image's GPU, or the device that is expected to be fastest), "cpu", "cuda", "cuda:1".
    axes: of an array, see `Image`.
    progress: called with the step, from 0, the number of steps, and the finished fraction of all, 0 to 1. An exception in it ends the run.
    images: further inputs, which steps take by these names: run("regionprops intensity=raw", labels, raw=pixels).

    Other threads keep running, and Ctrl-C stops it. Errors are `fovea.Error`, with the parameter or input at fault as `field`.
    """
    says, text = said(steps, volume)
    if image is None and images:
        raise ArgumentError("image: It is None, because the first image has no name.", "image")
    placeholders = "".join(f"{PLACEHOLDER} as={name} | " for name in images) + (f"{PLACEHOLDER} | " if image is not None else "")
    taken = [as_image(image, axes)] if image is not None else []
    taken += [as_image(other) for other in images.values()]
    recipe = for_image(_fovea.recipe_parse(says + placeholders + text), taken)
    return Result(execute(recipe, taken, device, progress), recipe, len(taken), ones_of(taken))
