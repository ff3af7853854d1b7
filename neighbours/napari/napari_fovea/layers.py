# SPDX-License-Identifier: MIT
"""Images of Fovea as layers of napari, and layers as images."""
import numpy as np
import pint

import fovea

#: Axes of a layer by its number of dimensions; napari has a layer for each channel.
AXES = {2: "YX", 3: "ZYX", 4: "TZYX"}


def unit_of(text):
    """A unit that napari knows; pixels for others."""
    try:
        return str(pint.get_application_registry().Unit(text)) if text else "pixel"
    except (pint.UndefinedUnitError, ValueError, AttributeError):
        return "pixel"


def calibration(image):
    """scale and units of the axes that a layer has."""
    spacing = dict(zip("ZYX", zip(image.spacing, image.unit)))
    spacing["T"] = image.interval[0] or 1.0, image.interval[1]
    known = [spacing[a] for a in image.axes if a != "C"]
    units = [unit_of(unit) for _, unit in known]
    # Lengths without a unit beside some with one would have different dimensions along the axes in space.
    if any(u == "pixel" for u in units) and len(set(units)) > 1:
        units = ["pixel"] * len(units)
    return {"scale": [step for step, _ in known], "units": units}


def kind_of(image):
    """The type of its layer."""
    return "labels" if image.role in ("labels", "mask") else "image"


def pixels_of(image):
    """What the layer has; labels can be painted."""
    return np.array(image, np.int32) if kind_of(image) == "labels" else image.numpy()


def layer_of(image, name):
    """(data, arguments, type) of a layer, or of several, one for each channel."""
    arguments = {"name": name, **calibration(image)}
    if image.role == "rgb":
        arguments["rgb"] = True
    elif "C" in image.axes:
        arguments["channel_axis"] = image.axes.index("C")
        arguments["name"] = [f"{name} {channel}" for channel in image.channel_names] or name
    return pixels_of(image), arguments, kind_of(image)


def image_of(layer):
    """The image of a layer, with its scale and units; fovea.Error when it has none."""
    data = layer.data
    rgb = bool(getattr(layer, "rgb", False))
    if getattr(layer, "multiscale", False):
        data = data[0]
    axes = AXES.get(data.ndim - rgb)
    if axes is None:
        raise fovea.ArgumentError(f"image: Layer '{layer.name}' has {data.ndim} dimensions; Fovea takes layers of 2 to 4.", "image")
    last = "ZYX"[-min(3, len(axes)):]
    units = [str(unit) for unit in getattr(layer, "units", ("pixel",) * len(axes))][-len(last):]
    return fovea.Image(np.asarray(data), axes=axes + "C" * rgb, spacing=[float(s) for s in layer.scale[-len(last):]],
                       unit=["" if u == "pixel" else u for u in units], name=layer.name,
                       role="labels" if type(layer).__name__ == "Labels" else None)
