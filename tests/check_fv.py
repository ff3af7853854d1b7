# SPDX-License-Identifier: MIT
"""fv.py, by which the GPU machine compares operations with other programs, reads the declarations as the command does."""
import json
import os
import subprocess
import sys

import numpy as np
import scipy.ndimage as ndi

import fv

sys.path.insert(0, os.path.join(os.environ["FOVEA_SOURCE"], "tests", "python"))
import tap  # noqa: E402

BUILD = os.environ["FOVEA_BUILD"]
PLUGIN = os.path.join(BUILD, "plugin", "fovea-kernels.so")


def test_declarations():
    """Each operation has the inputs, outputs, scalars, parameters and choices that the command lists."""
    command = [os.path.join(BUILD, "command", "fovea"), "ops", "--json"]
    listed = {op["key"]: op for op in json.loads(subprocess.run(command, check=True, capture_output=True).stdout)}
    plugin = fv.Plugin(PLUGIN)
    assert len(plugin.ops) > 90, len(plugin.ops)
    for key, op in plugin.ops.items():
        says = listed[key]
        for what, keys in (("params", [p["key"] for p in says["parameters"]]), ("inputs", [i["key"] for i in says["inputs"]]),
                           ("outputs", says["outputs"]), ("scalars", says["results"])):
            found = [d.key.decode() for d in fv.declared(op, what)]
            assert found == keys, f"{key} has the {what} {found} instead of {keys}"
        for param, parameter in zip(fv.declared(op, "params"), says["parameters"]):
            assert fv.choices(op, param) == parameter.get("choices", []), f"{key} {parameter['key']}"


def test_run():
    """An operation whose parameters are given, or are left at their defaults, computes what SciPy does."""
    image = np.random.default_rng(1).random((30, 40))
    plugin = fv.Plugin(PLUGIN)
    for given, sigma in (({}, 2), ({"sigma": 1.25}, 1.25)):
        found = plugin.run("gaussian", image, **given).outputs[0][0]
        assert np.allclose(found, ndi.gaussian_filter(image, sigma, mode="nearest"), rtol=1e-12, atol=0), given


tap.run(globals())
