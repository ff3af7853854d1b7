# SPDX-License-Identifier: MIT
"""Macros, and steps on many files."""
from __future__ import annotations

import os
import warnings
from typing import Any, Callable, Mapping, NamedTuple, Sequence

from . import _fovea
from ._runs import said
from ._tasks import stoppable


class Batch(NamedTuple):
    """The result of a batch: how many images it has, how many of them are done, now or before, how many failed, and how many were done before. For each
    failure it has the file, the index of the image in it, and the reason."""

    images: int
    done: int
    failed: int
    before: int
    failures: list[tuple[str, int, str]]


def names(paths: Any) -> list[bytes]:
    """Of files, as the system has them: one or several."""
    return [os.fsencode(path) for path in ([paths] if isinstance(paths, (str, bytes, os.PathLike)) else paths)]


def macro(path: Any = None, *, text: str | None = None, inputs: Any = (), arguments: Mapping[str, Any] | None = None, folders: Any = (),
          device: str | None = None, memory: int = 0, seconds: float = 0.0, print: Callable[[str], Any] = print,  # noqa: A002
          overwrite: bool = False) -> None:
    """Runs a macro in Lua, as the window records it and the command runs it.

    path: its file; it may read and write below the folder of the file.
    text: its source, if it has no file.
    inputs: files that are opened before it begins.
    arguments: for its dialogs, by their names.
    folders: further folders below which it may read and write.
    memory: maximum number of bytes of its values; 0: 1 GiB.
    seconds: time limit; 0: none.
    print: called with each line that it prints.
    overwrite: whether it may replace existing files that neither this nor an earlier run of it has made.
    """
    given = [f"{name}={value}".encode() for name, value in (arguments or {}).items()]
    file = os.fsencode(path or "")
    stoppable(lambda task: _fovea.macro_run(task, file, text, names(inputs), given, names(folders), device, memory, seconds, print, overwrite))


def batch(steps: str | Sequence[str], inputs: Any, folder: Any, *, outputs: Mapping[str, Any] | None = None, table: Any = None, images: Any = None,
          name_pattern: str | None = None, group: str | None = None, volume: bool | str | None = None, device: str = "auto", jobs: int = 0,
          resume: bool = False, raw: str | None = None) -> Batch:
    """Runs steps on many files, several at a time, and returns a summary.

    inputs: files, folders and patterns such as "plate?/*.tif".
    folder: where the outputs go.
    outputs: the file that is made of each result, by its name: {"mask": "{name}_mask.tif"}; "" is the last image.
    volume: as in fovea.run(), for each image by itself. Warnings report how slices were used, and unsupported parts of a file.
    table: file for the last tables of all images in one.
    images: file with a row for each image, also for those without objects and failures.
    name_pattern: the parts of the inputs' names, as "{plate}_{well}_s{field}.tif", which become columns.
    group: "plate,well" makes rows about groups of images with the same parts.
    jobs: images at a time; 0: one per core.
    resume: continue the batch of the folder.
    raw: what the pixels of the inputs are if they have no header, as in fovea.open().
    """
    reports: dict[str, list[Any]] = {"failed": [], "noted": []}
    recipe = _fovea.recipe_parse("".join(said(steps, volume)))
    made = dict(outputs or {})
    counts = stoppable(lambda task: _fovea.batch_run(
        task, recipe, names(inputs), os.fsencode(folder), [name.encode() for name in made], names(made.values()),
        os.fsencode(table or ""), os.fsencode(images or ""), name_pattern, group, device, jobs, resume, raw, lambda kind, *image: reports[kind].append(image)))
    for file, _, note in reports["noted"]:
        warnings.warn(f"{file}: {note}", stacklevel=2)
    return Batch(*counts, reports["failed"])
