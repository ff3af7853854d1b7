#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The types of the package, as mypy checks programs with them."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import tap
from tap import module

#: Each line that is wrong says which error is expected.
WRONG = """import numpy as np
import fovea

image = np.zeros((9, 9), np.float32)
fovea.gaussian(image, sgima=2)  # call-arg
fovea.gaussian(image, border="wrapped")  # arg-type
fovea.gaussian("image.tif")  # arg-type
fovea.median(image, "circle")  # arg-type
fovea.regionprops(image, properties=["aera"])  # list-item
fovea.label(image).shape.lower()  # attr-defined
fovea.kernel(image).shape.lower()  # union-attr
fovea.gausian(image)  # attr-defined
fovea.run(5, image)  # arg-type
smooth: fovea.Image = fovea.gaussian(image, (1, 2), "physical", border="wrap")
fovea.median(smooth, np.ones((3, 3)))
fovea.dilation(smooth, footprint=[[0, 1, 0], [1, 1, 1], [0, 1, 0]])
table: fovea.Table = fovea.regionprops(fovea.label(fovea.otsu(smooth)), image, ["label", "area"])
mask = smooth > fovea.threshold_otsu(image)
print(mask, smooth.shape[0] + 1, smooth * 2, smooth.max(), len(smooth), smooth.numpy().sum(), table["area"].mean(), [row for row in smooth])
half, double = fovea.kernel(image, out_params="T a, T b", operation="a = x / 2; b = x * 2;")
print(fovea.kernel(image).numpy().sum(), half.shape, len(table), [name.upper() for name in table])
clean, back = fovea.rolling_ball(fovea.Image(image, spacing=(1, 2), unit="µm"))
print(fovea.keep(image, "oval(1,1,3,3)").axes.lower(), fovea.run("label", image).image.role.upper(), back.name, fovea.halo("gaussian", image)["Y"] + 1)
"""


def test_types():
    """A type checker finds wrong parameters, choices and attributes, and nothing else."""
    module("mypy")
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "user.py")
        source.write_text(WRONG, encoding="utf-8")
        said = subprocess.run([sys.executable, "-B", "-m", "mypy", "--strict", "--no-incremental", "--show-error-codes", source], stdout=subprocess.PIPE, text=True,
                              check=False, env={**os.environ, "MYPYPATH": os.path.join(os.environ["FOVEA_BUILD"], "python")}, cwd=folder).stdout
    found = {int(line): code for line, code in re.findall(r"^user\.py:(\d+): error: .*\[([a-z-]+)\]$", said.replace(folder + "/", ""), re.M)}
    expected = {n: line.split("# ")[1] for n, line in enumerate(WRONG.splitlines(), 1) if "# " in line}
    assert found == expected, said


if __name__ == "__main__":
    tap.run(globals())
