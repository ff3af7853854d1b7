# SPDX-License-Identifier: MIT
"""The plugin in a window of napari, against SciPy and tifffile. napari needs OpenGL, which Qt's platform `offscreen` does not have:

    xvfb-run -a python3 -m pytest neighbours/napari/tests     with napari[pyqt6,testing] and fovea
"""
import pathlib
import subprocess
import sys

import fovea
import numpy as np
import pytest
import tifffile
from npe2 import PluginManager, PluginManifest
from scipy import ndimage

from napari_fovea import widgets

PLUGIN = pathlib.Path(__file__).parents[1]
NOISE = np.random.default_rng(1).random((61, 83)).astype(np.float32)


@pytest.fixture
def manager(monkeypatch):
    """Where npe2 finds the plugin as if it were installed, and nothing else."""
    plugins = PluginManager()
    plugins.register(PluginManifest.from_file(PLUGIN / "napari_fovea/napari.yaml"))
    monkeypatch.setattr(PluginManager, "instance", classmethod(lambda cls: plugins))
    return plugins


@pytest.fixture
def form(make_napari_viewer, qtbot, manager):
    """form(key, *layers): the form of an operation in a viewer with these, and a function that waits for its run."""
    def make(key, *data, **arguments):
        viewer = make_napari_viewer()
        for one in data:
            (viewer.add_labels if one.dtype == np.int32 else viewer.add_image)(one, **arguments)
        made = manager.commands.get(f"napari-fovea.{key}")(viewer)
        viewer.window.add_dock_widget(made)

        def wait():
            qtbot.waitUntil(lambda: made._worker is None, timeout=20000)
        return made, viewer, wait
    return make


def test_manifest(manager):
    """It is what manifest.py writes, and all that it names exists."""
    written = subprocess.run([sys.executable, "-B", PLUGIN / "manifest.py"], check=True, stdout=subprocess.PIPE, text=True).stdout
    assert written == (PLUGIN / "napari_fovea/napari.yaml").read_text(encoding="utf-8")
    shown = list(manager.iter_widgets())
    assert len(shown) > 70 and all(callable(manager.commands.get(widget.command)) for widget in shown)
    for key in fovea.operations():
        assert {p["key"] for p in fovea.describe(key)["parameters"]} <= set(getattr(fovea, key).__signature__.parameters)
    with pytest.raises(AttributeError, match="gausian"):
        widgets.gausian


def test_reader(tmp_path, make_napari_viewer, manager):
    """A file becomes layers with scale, units, names of channels and objects."""
    stack = np.random.default_rng(2).integers(0, 60000, (3, 2, 20, 30), np.uint16)
    path = tmp_path / "cells.tif"
    tifffile.imwrite(path, stack, imagej=True, resolution=(4, 4), metadata={"axes": "ZCYX", "spacing": 2.0, "unit": "um"})
    viewer = make_napari_viewer()
    opened = viewer.open(path, plugin="napari-fovea")
    assert len(opened) == 2
    for channel, layer in enumerate(opened):
        assert np.array_equal(layer.data, stack[:, channel]) and np.allclose(layer.scale, (2, 0.25, 0.25)) and [str(u) for u in layer.units] == ["micrometer"] * 3
    fovea.Image((NOISE > 0.5), spacing=0.5, unit="mm").save(tmp_path / "mask.tif")
    fovea.label(NOISE > 0.9).save(tmp_path / "labels.tif")
    labels, = viewer.open(tmp_path / "labels.tif", plugin="napari-fovea")
    assert type(labels).__name__ == "Labels" and np.array_equal(labels.data, ndimage.label(NOISE > 0.9, np.ones((3, 3)))[0])
    tifffile.imwrite(tmp_path / "rgb.tif", np.zeros((9, 8, 3), np.uint8), photometric="rgb")
    rgb, = viewer.open(tmp_path / "rgb.tif", plugin="napari-fovea")
    assert rgb.rgb and rgb.data.shape == (9, 8, 3)
    (tmp_path / "text.tif").write_text("no image")
    reader = manager.commands.get("napari-fovea.read")
    assert reader(str(tmp_path / "text.tif")) is None and len(reader(str(path))([str(path), str(path)])) == 2


def test_live(form):
    """The result follows the values, in one layer with the scale of its image."""
    made, viewer, wait = form("gaussian", NOISE, scale=(0.5, 0.25), units=("um", "um"), name="noise")
    made["sigma"].value = "3"
    wait()
    layer = viewer.layers["noise gaussian"]
    assert np.allclose(layer.data, ndimage.gaussian_filter(NOISE, 3, mode="nearest"), atol=1e-6) and np.allclose(layer.scale, (0.5, 0.25))
    for sigma in "1", "2", "5":  # the last one counts
        made["sigma"].value = sigma
    made["border"].value = "wrap"
    wait()
    assert layer in viewer.layers and len(viewer.layers) == 2
    assert np.allclose(layer.data, ndimage.gaussian_filter(NOISE, 5, mode="wrap"), atol=1e-6)
    assert not made["value"].enabled
    made["border"].value = "constant"
    assert made["value"].enabled
    wait()
    made._live.value = False
    made["sigma"].value = "-1"
    assert made._worker is None
    made.start()
    wait()
    assert "sigma" in made._said.value and len(viewer.layers) == 2


def test_objects(form):
    """A mask becomes objects, whose measurements are features of their layer."""
    mask = ndimage.gaussian_filter(NOISE, 2) > 0.5
    labels = ndimage.label(mask, np.ones((3, 3)))[0].astype(np.int32)
    made, viewer, wait = form("label", mask.astype(np.uint8) * 255, name="mask")
    made.start()
    wait()
    assert type(viewer.layers["mask label"]).__name__ == "Labels" and np.array_equal(viewer.layers["mask label"].data, labels)
    made, viewer, wait = form("regionprops", labels, name="cells")
    made.start()
    wait()
    assert list(viewer.layers["cells"].features["area"]) == list(np.bincount(labels.ravel())[1:]) and "objects" in made._said.value
    made, viewer, wait = form("histogram", NOISE)
    made.start()
    wait()
    assert "pixels: " + ", ".join(str(n) for n in np.histogram(NOISE, 256)[0][:5]) in made._said.value


def test_inputs(form):
    """Operations of two images take two layers, those of a volume all slices, and unsupported ones are reported."""
    made, viewer, wait = form("calculate", NOISE, NOISE * 2)
    made["function"].value = "subtract"
    first, second = made._inputs.values()
    first.value, second.value = viewer.layers[1], viewer.layers[0]
    wait()
    assert np.array_equal(viewer.layers[-1].data, NOISE)
    stack = np.random.default_rng(3).random((5, 20, 30)).astype(np.float32)
    made, viewer, wait = form("gaussian", stack, scale=(2, 1, 1))
    made["sigma"].value = "1"
    wait()
    assert np.allclose(viewer.layers[-1].data, ndimage.gaussian_filter(stack, (0, 1, 1), mode="nearest"), atol=1e-6)
    made["volume"].value = True
    wait()
    assert np.allclose(viewer.layers[-1].data, ndimage.gaussian_filter(stack, 1, mode="nearest"), atol=1e-6) and len(viewer.layers) == 2
    made, viewer, wait = form("median")
    made.start()
    assert "Open an image" in made._said.value
    made, viewer, wait = form("median", np.zeros((2, 2, 2, 5, 5)))
    made.start()
    assert "5 dimensions" in made._said.value


def test_forms(form):
    """Every operation has a form, whose values are the defaults of the operation."""
    viewer = form("otsu", NOISE)[1]
    for key in fovea.operations():
        about = fovea.describe(key)
        if about["menu"] and about["inputs"] and not any(i["table"] for i in about["inputs"]):
            made = widgets.OperationForm(key, viewer)
            assert list(made._controls) == [p["key"] for p in about["parameters"]]
            for p in about["parameters"]:
                value = made._controls[p["key"]].value
                text = ("yes" if value else "no") if isinstance(value, bool) else str(value)
                assert text == p["initial"] or float(text) == float(p["initial"]), (key, p["key"])
