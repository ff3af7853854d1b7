# SPDX-License-Identifier: MIT
"""Properties that are computed once. functools.cached_property has a lock before Python 3.12: a child of fork() waits for ever when another thread held it."""
from __future__ import annotations

from typing import Any, Callable, Generic, TypeVar

Value = TypeVar("Value")


class cached(Generic[Value]):
    """A method as a property whose value each object keeps. Threads that are first together compute it each."""

    def __init__(self, compute: Callable[[Any], Value]):
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __get__(self, owner: Any, kind: Any = None) -> Value:
        if owner is None:
            return self  # type: ignore[return-value]  # of the class, for help()
        value = owner.__dict__[self._compute.__name__] = self._compute(owner)
        return value
