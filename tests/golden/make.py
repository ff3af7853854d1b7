#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes tests/golden/data/: inputs, and what SciPy, scikit-image and NumPy make of them.

    python3 tests/golden/make.py [OPERATION ...]

Each tests/golden/<operation>.py has a function cases() that yields Case objects. Every case becomes a group of
data/<operation>/cases.ini and some arrays of arrays.npz beside it, which tests/golden/test_golden.c runs on every device. The
versions of the oracles that made them are the first line; requirements.txt has them. Equal cases make equal files.
"""
import dataclasses
import hashlib
import importlib
import importlib.metadata
import io
import pathlib
import shutil
import sys
import zipfile

import numpy as np

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
sys.modules["make"] = sys.modules[__name__]


@dataclasses.dataclass
class Case:
    name: str  # unique within the operation
    step: str  # "gaussian sigma=5 border=wrap", or several. The last image is then compared as "image".
    inputs: dict  # Input key -> array: (y, x), (z, y, x) or, with channels, (c, z, y, x).
    expect: dict = dataclasses.field(default_factory=dict)  # output key -> array of the output's type
    tolerance: float = 0  # |a - b| / |b|; 0: every pixel equal (NaN equals NaN)
    absolute: float = 0  # instead: largest |a - b| that is allowed
    scalars: dict = dataclasses.field(default_factory=dict)  # scalar key -> number or one for each plane
    scalar_tolerance: float = 0
    table: dict = dataclasses.field(default_factory=dict)  # column key -> one number a row, all rows in order
    table_tolerance: float = 1e-6  # |a - b| <= tolerance * max(1, |b|)
    spacing: tuple = (1, 1, 1)  # z, y, x
    unit: str = ""
    roles: dict = dataclasses.field(default_factory=dict)  # input key -> image, mask, labels or rgb
    frames: int = 1  # arrays then have a first axis of that length: (t, c, z, y, x)


class Arrays(dict):
    """The contents of .npy files by their names, for one container of NumPy (.npz)."""

    def add(self, array):
        """Its name. Equal arrays are kept once: it is made from the contents."""
        array = np.ascontiguousarray(array)
        digest = hashlib.sha256(repr((array.dtype.str, array.shape)).encode() + array.tobytes()).hexdigest()[:12]
        contents = io.BytesIO()
        np.save(contents, array, allow_pickle=False)
        self[f"{digest}.npy"] = contents.getvalue()
        return f"{digest}.npy"

    def write(self, path):
        """Sorted, compressed and without dates."""
        with zipfile.ZipFile(path, "w") as container:
            for name in sorted(self):
                container.writestr(zipfile.ZipInfo(name), self[name], zipfile.ZIP_DEFLATED, 9)


def numbers(values):
    return " ".join(repr(float(v)) for v in np.atleast_1d(values))


def versions():
    return ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("NumPy", "SciPy", "scikit-image"))


def write(operation):
    folder = HERE / "data" / operation
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    lines, names, arrays = [f"# {versions()}", ""], set(), Arrays()
    for case in importlib.import_module(operation).cases():
        assert case.name not in names, f"two cases are called {case.name}"
        names.add(case.name)
        lines += [f"[{case.name}]", f"step={case.step}"]
        lines += [f"input.{key}={arrays.add(array)}" for key, array in case.inputs.items()]
        lines += [f"role.{key}={role}" for key, role in case.roles.items()]
        lines += [f"expect.{key}={arrays.add(array)}" for key, array in case.expect.items()]
        lines += [f"scalar.{key}={numbers(value)}" for key, value in case.scalars.items()]
        if case.table:
            columns = np.array([np.asarray(v, dtype=np.float64) for v in case.table.values()])
            lines += [f"columns={' '.join(case.table)}", f"table={arrays.add(columns)}"]
        lines += [f"tolerance={case.tolerance!r}", f"absolute={case.absolute!r}", f"frames={case.frames}",
                  f"scalar_tolerance={case.scalar_tolerance!r}", f"table_tolerance={case.table_tolerance!r}",
                  f"spacing={numbers(case.spacing)}", f"unit={case.unit}", ""]
    arrays.write(folder / "arrays.npz")
    (folder / "cases.ini").write_text("\n".join(lines), encoding="utf-8")
    print(f"{operation}: {len(names)} cases, {sum(f.stat().st_size for f in folder.iterdir()) / 1024:.0f} KiB")


def main():
    operations = sys.argv[1:] or sorted(p.stem for p in HERE.glob("*.py") if p.stem != "make")
    (HERE / "data").mkdir(exist_ok=True)
    for operation in operations:
        write(operation)


if __name__ == "__main__":
    main()
