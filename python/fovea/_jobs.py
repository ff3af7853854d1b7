# SPDX-License-Identifier: MIT
"""Macros, and steps on many files."""
import os
import warnings
from collections import namedtuple

from . import _fovea
from ._runs import said
from ._tasks import stoppable

#: What became of a batch: how many images there are, how many of them are done, now or before, how many failed, how many were done before; and for each that
#: failed its file, which of its images, from 0, and why.
Batch = namedtuple("Batch", "images done failed before failures")


def names(paths):
    """Of files, as the system has them: one or several."""
    return [os.fsencode(path) for path in ([paths] if isinstance(paths, (str, bytes, os.PathLike)) else paths)]


def macro(path=None, *, text=None, inputs=(), arguments=None, folders=(), device=None, memory=0, seconds=0.0, print=print, overwrite=False):  # noqa: A002
    """Runs a macro in Lua, as the window records it and the command runs it.

    path: its file, below whose folder it may read and write; text: what it is, where it has none.
    inputs: files that are opened before it begins; arguments: for its dialogs, by their names; folders: below which it may read and write, too.
    memory: bytes that its values may take, 0: 1 GiB; seconds: that it may take, 0: no limit; print: takes the lines that it prints.
    overwrite: whether it may replace files that are there and that neither this nor an earlier run of it has made.
    """
    given = [f"{name}={value}".encode() for name, value in (arguments or {}).items()]
    file = os.fsencode(path or "")
    return stoppable(lambda task: _fovea.macro_run(task, file, text, names(inputs), given, names(folders), device, memory, seconds, print, overwrite))


def batch(steps, inputs, folder, *, outputs=None, table=None, images=None, name_pattern=None, group=None, volume=None, device="auto", jobs=0, resume=False):
    """Runs steps on many files, several at a time, and says what became of them.

    inputs: files, folders and patterns such as "plate?/*.tif"; folder: where the outputs go.
    outputs: the file that is made of each result, by its name: {"mask": "{name}_mask.tif"}; "" is the last image.
    volume: as in fovea.run(), for each image by itself. Warnings say what was made of slices, and what of a file was left out.
    table: file for the last tables of all images in one; images: file with a row for each image, also without objects or failed; name_pattern: what names of
    inputs say, as "{plate}_{well}_s{field}.tif", which are columns then; group: "plate,well" makes the rows of images about such groups.
    jobs: images at a time, 0: as many as there are cores; resume: go on where the folder is.
    """
    told = {"failed": [], "noted": []}
    recipe = _fovea.recipe_parse("".join(said(steps, volume)))
    made = dict(outputs or {})
    counts = stoppable(lambda task: _fovea.batch_run(
        task, recipe, names(inputs), os.fsencode(folder), [name.encode() for name in made], names(made.values()),
        os.fsencode(table or ""), os.fsencode(images or ""), name_pattern, group, device, jobs, resume, lambda kind, *image: told[kind].append(image)))
    for file, _, note in told["noted"]:
        warnings.warn(f"{file}: {note}", stacklevel=2)
    return Batch(*counts, told["failed"])
