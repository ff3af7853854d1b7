# SPDX-License-Identifier: MIT
"""Types for type checkers."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Protocol, Sequence, Tuple, Union

from numpy.typing import NDArray

if TYPE_CHECKING:
    from ._images import Image


class SupportsDLPack(Protocol):
    """Arrays of CuPy, PyTorch, JAX and others."""

    def __dlpack__(self, *, stream: Any = ...) -> Any: ...

    def __dlpack_device__(self) -> Tuple[int, int]: ...


class SupportsArray(Protocol):
    """What NumPy makes an array of."""

    def __array__(self) -> Any: ...


#: What is taken as an image.
ImageLike = Union["Image", NDArray[Any], SupportsDLPack, SupportsArray, Sequence[Sequence[float]]]
#: A footprint or a kernel.
MatrixLike = Union[NDArray[Any], Sequence[float], Sequence[Sequence[float]], Sequence[Sequence[Sequence[float]]]]
#: Called with the step, from 0, the number of steps, and the finished fraction.
Progress = Callable[[int, int, float], Any]
