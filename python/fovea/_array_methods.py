# SPDX-License-Identifier: MIT
"""What NumPy's arrays can do, for objects that convert to one."""
from __future__ import annotations

from typing import Any, Iterator

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

_AUGMENTED = "add sub mul matmul truediv floordiv mod pow lshift rshift and xor or".split()


class ArrayMethods(NDArrayOperatorsMixin):
    """Operators, indexing, iteration, and NumPy's methods and functions. They work on the pixels in host memory and return NumPy arrays, which do not
    have the calibration. `+=` and the like make a new array, because images never change.
    """

    #: As for arrays: == compares pixels.
    __hash__ = None  # type: ignore[assignment]

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        raise NotImplementedError

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if any(isinstance(output, ArrayMethods) for output in kwargs.get("out", ())):
            raise TypeError("out: An image never changes; use a NumPy array.")
        arrays = [np.asarray(value) if isinstance(value, ArrayMethods) else value for value in inputs]
        return getattr(ufunc, method)(*arrays, **kwargs)

    # NumPy's arrays compute some powers by other functions than np.power().

    def __pow__(self, other: Any) -> Any:
        return np.asarray(self) ** other

    def __rpow__(self, other: Any) -> Any:
        return other ** np.asarray(self)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not hasattr(np.ndarray, name):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        return getattr(np.asarray(self), name)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *(name for name in dir(np.ndarray) if not name.startswith("_"))})

    def __getitem__(self, index: Any) -> Any:
        """Pixels as of a NumPy array, with its rules."""
        return np.asarray(self)[tuple(np.asarray(i) if isinstance(i, ArrayMethods) else i for i in index) if isinstance(index, tuple)
                                else np.asarray(index) if isinstance(index, ArrayMethods) else index]

    def __len__(self) -> int:
        return len(np.asarray(self))

    def __iter__(self) -> Iterator[Any]:
        return iter(np.asarray(self))

    def __contains__(self, value: Any) -> bool:
        return value in np.asarray(self)

    def __bool__(self) -> bool:
        return bool(np.asarray(self))

    def __float__(self) -> float:
        return float(np.asarray(self).item())

    def __int__(self) -> int:
        return int(np.asarray(self).item())


for _name in _AUGMENTED:  # Python then uses the operator that makes a new array
    setattr(ArrayMethods, f"__i{_name}__", lambda self, other: NotImplemented)
