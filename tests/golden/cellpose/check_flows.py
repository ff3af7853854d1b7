#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shows that flows.py makes what Cellpose makes: check_flows.py CELLPOSE_3 CELLPOSE_4

The arguments are folders with the unpacked wheels of cellpose 3.1.1.2 and 4.2.1.1, whose functions run here in the order of compute_masks(). It needs what
these import: PyTorch 2, Numba, fastremap, fill-voids, tifffile, tqdm, natsort and OpenCV. Of the paths and the flows of labels those of 3.1.1 on the CPU
run, and of the rest those of 4.2.1.
"""
import importlib
import pathlib
import sys
import types

import numpy as np
import scipy.ndimage

GOLDEN = pathlib.Path(__file__).parent.parent
sys.path.insert(0, str(GOLDEN))
sys.modules["torchvision"] = torchvision = types.ModuleType("torchvision")  # which only augmentations need
sys.modules["torchvision.transforms"] = torchvision.transforms = types.ModuleType("torchvision.transforms")
torchvision.transforms.functional = torchvision.transforms._functional_tensor = torchvision


def load(folder):
    """cellpose.dynamics and cellpose.utils, without what cellpose/__init__.py starts."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "cellpose"]:
        del sys.modules[name]
    sys.modules["cellpose"] = package = types.ModuleType("cellpose")
    package.__path__ = [str(pathlib.Path(folder) / "cellpose")]
    return importlib.import_module("cellpose.dynamics"), importlib.import_module("cellpose.utils")


def labels_of(old, new, utils, image, probability=0.0, steps=200, flow_error=0.4, min_size=15):
    """As flows.flows()."""
    import fastremap
    import torch
    flow, cells = image[:2], image[2] > probability
    if not cells.any():
        return np.zeros(cells.shape, int)
    at = np.nonzero(cells)
    ends = old.follow_flows(flow * cells / 5., inds=at, niter=steps, device=torch.device("cpu"))
    labels = new.get_masks_torch(torch.from_numpy(ends).to(dtype=torch.int), at, cells.shape)
    if labels.max() and flow_error > 0:
        square = ((old.masks_to_flows_cpu(labels.astype(int))[0] - flow / 5.) ** 2).sum(axis=0)
        errors = scipy.ndimage.mean(square, labels, np.arange(1, labels.max() + 1))
        labels = fastremap.mask(labels, 1 + np.nonzero(errors > flow_error)[0])
        fastremap.renumber(labels, in_place=True)
    return utils.fill_holes_and_remove_small_masks(labels, min_size=min_size)


def main():
    old, _ = load(sys.argv[1])
    new, utils = load(sys.argv[2])
    import make  # noqa: F401 - flows.py takes Case from it
    import flows
    checked = different = 0
    for case in flows.cases():
        arguments = {key: float(value) for key, _, value in (word.partition("=") for word in case.step.split()[1:])}
        arguments |= {key: int(arguments[key]) for key in ("steps", "min_size") if key in arguments}
        for plane, expected in zip(np.moveaxis(case.inputs["image"], 1, 0), case.expect["labels"]):
            if np.isfinite(plane).all():  # what Cellpose makes of others is not defined
                made = labels_of(old, new, utils, plane.astype(np.float32), **arguments)
                pixels = int((made != expected).sum())
                checked, different = checked + 1, different + (pixels > 0)
                print(f"{case.name}: {expected.max()} objects, {pixels} pixels differ")
    sys.exit(f"{different} of {checked} planes differ." if different or not checked else None)


main()
