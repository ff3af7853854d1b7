#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""check_dicom.py FOVEA: the files in dicom/ have the values that pydicom reads, slices of a folder are in the order of their positions, sizes and windows
are kept, nothing says who the patient is, and what cannot be read is a sentence. Skips (77) without NumPy and tifffile."""
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import tifffile
except ImportError as error:
    print(f"no {error.name}")
    sys.exit(77)

DATA = pathlib.Path(__file__).resolve().parent / "dicom"
# The file, and a part of what is said.
REFUSED = {"deflated.dcm": "is stored with deflated elements, which cannot be decoded: convert it", "report.dcm": "has no pixels",
           "jpeg_ls.dcm": "is stored with JPEG-LS, which cannot be decoded",
           "truncated.dcm": "is damaged or truncated"}
SHAPES = {"series": (1, 1, 5, 6, 7), "times": (2, 1, 3, 6, 7), "gap": (1, 1, 4, 6, 7), "multiframe.dcm": (1, 1, 4, 6, 7), "bits.dcm": (1, 1, 2, 5, 7)}
SPACING = {"series": [2.5, 0.5, 0.75], "gap": [2.5, 0.5, 0.75], "multiframe.dcm": [1.5, 0.5, 0.75], "hu.dcm": [1, 0.5, 0.75]}


class Check:
    def __init__(self, fovea, folder):
        self.fovea, self.folder, self.failed = fovea, folder, 0

    def run(self, *words):
        return subprocess.run([self.fovea, *map(str, words)], capture_output=True, text=True)

    def say(self, name, wrong):
        self.failed += bool(wrong)
        print(f"{name}: {wrong or 'ok'}")

    def values(self, name, want):
        """What is wrong with the pixels of a file or folder."""
        out = self.folder / f"{pathlib.Path(name).stem}.tif"
        done = self.run("convert", DATA / name, out)
        if done.returncode:
            return done.stderr
        got, want = np.squeeze(tifffile.imread(out)), np.squeeze(want)
        if got.ndim == 3 and got.shape[0] == 3 and want.shape[-1] == 3:
            got = np.moveaxis(got, 0, -1)
        if got.shape != want.shape:
            return f"shape {got.shape}, not {want.shape}"
        if b"Secret" in out.read_bytes():
            return "the name of the patient is saved"
        return "" if np.array_equal(got.astype(float), want.astype(float)) else f"values differ by {np.abs(got - want.astype(float)).max()}"

    def described(self, name):
        """What is wrong with what is said of it."""
        text, found = self.run("info", DATA / name).stdout, json.loads(self.run("info", "--json", DATA / name).stdout)
        found = found[0] if isinstance(found, list) else found
        if "Secret" in text + json.dumps(found):
            return "the name of the patient is shown"
        shape = [found[key] for key in ("frames", "channels", "slices", "rows", "columns")]
        if name in SHAPES and tuple(shape) != SHAPES[name]:
            return f"{shape}, not {SHAPES[name]}"
        sizes = found["pixel_size"]
        if name in SPACING and not (np.allclose([sizes[axis][0] for axis in "zyx"], SPACING[name], rtol=1e-9) and sizes["x"][1] == "mm"):
            return f"sizes {sizes}, not {SPACING[name]}"
        return ""


def main():
    with tempfile.TemporaryDirectory() as folder, np.load(DATA / "values.npz") as values:
        check = Check(sys.argv[1], pathlib.Path(folder))
        for name, want in values.items():
            check.say(name, check.values(name, want) or check.described(name))
        for name, part in REFUSED.items():
            done = check.run("info", DATA / name)
            check.say(f"{name} is refused", "" if done.returncode == 1 and part in done.stderr else f"{done.returncode} {done.stderr}")
        said = check.run("info", DATA / "gap").stdout
        check.say("a missing slice is said", "" if "1 slice that no file has" in said else said)
        sys.exit(check.failed > 0)


main()
