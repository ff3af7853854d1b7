# SPDX-License-Identifier: MIT
"""Files of all formats of Fovea as layers."""
import os

import fovea

from .layers import layer_of


def layers_of(path):
    """Those of all images of a file."""
    name = os.path.splitext(os.path.basename(path))[0]
    images = fovea.File(path)
    return [layer_of(image, name if len(images) == 1 else f"{name} {n}") for n, image in enumerate(images, 1)]


def read(paths):
    """What napari calls with the path, or the paths, that were opened."""
    return [layer for path in ([paths] if isinstance(paths, str) else paths) for layer in layers_of(path)]


def reader_of(path):
    """The function that reads, or None if Fovea cannot open the file."""
    first = path if isinstance(path, str) else path[0]
    try:
        fovea.File(first)
    except fovea.Error:
        return None
    return read
