#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes what is shipped of trained weights, or of the network that Fovea has, data/models/nuclei.onnx:

    package.py WEIGHTS.npz|NETWORK.onnx OUT [--check]

OUT/nuclei.onnx is the network; its SHA-256 is printed. OUT/nuclei.zip is a package of the BioImage Model
Zoo with the same file, the card, and a test image with its result. --check asks bioimageio.core whether the package is right.
"""
import argparse
import hashlib
import io
import json
import pathlib
import zipfile

import numpy as np
import onnx
from PIL import Image

import graph
import synthetic
from fields import HIGH, LOW, normalize
from layout import GRID, RAYS, STEP
from segment import open_model, segment

HERE = pathlib.Path(__file__).resolve().parent
VERSION = "1.0.0"
TEST_SEED, TEST_SIDE, PHOTONS, GROUND = 5, 256, 60, 8
HALO = 96  # pixels of the input: a tile with this around it has the same result as the whole image
CITE = [{"text": "Schmidt et al., Cell Detection with Star-Convex Polygons, MICCAI 2018", "doi": "10.1007/978-3-030-00934-2_30"},
        {"text": "Caicedo et al., Nucleus segmentation across imaging experiments: the 2018 Data Science Bowl, Nature Methods 2019",
         "doi": "10.1038/s41592-019-0612-7"}]


def test_image():
    """A synthetic field with shot noise, of the raw values that preprocessing takes."""
    image = synthetic.make_field(np.random.default_rng(TEST_SEED))[0][:TEST_SIDE, :TEST_SIDE]
    return np.random.default_rng(TEST_SEED + 1).poisson(image * PHOTONS + GROUND).astype(np.float32)


def contents(model, image):
    """The files of the package but the description: name -> bytes."""
    session = open_model(model, 1)
    output = session.run(None, {"input": normalize(image)[None, None]})[0]
    shown = np.clip(normalize(image), 0, 1)
    labels = segment(session, image)
    edges = (labels != np.roll(labels, 1, 0)) | (labels != np.roll(labels, 1, 1))
    cover = np.where(edges[..., None], [255, 200, 0], (255 * shown)[..., None]).astype(np.uint8)
    files = {"nuclei.onnx": model.read_bytes(), "README.md": (HERE / "CARD.md").read_bytes()}
    for name, array in (("test_input.npy", image[None, None]), ("test_output.npy", output)):
        buffer = io.BytesIO()
        np.save(buffer, array)
        files[name] = buffer.getvalue()
    buffer = io.BytesIO()
    Image.fromarray(cover).save(buffer, "PNG")
    return {**files, "cover.png": buffer.getvalue()}


def space(axis, **more):
    return {"type": "space", "id": axis, **more}


def described(files):
    """The description, rdf.yaml; JSON is YAML, too."""
    source = {name: {"source": name, "sha256": hashlib.sha256(data).hexdigest()} for name, data in files.items()}
    channels = ["object"] + [f"distance_{ray:02}" for ray in range(RAYS)] + ["foreground"]
    batch = {"type": "batch", "size": 1}
    smallest = (2 * HALO // STEP + 1) * STEP  # sides must be more than twice the halo
    size = {"min": smallest, "step": STEP}
    scaling = {"id": "scale_range", "kwargs": {"axes": ["y", "x"], "min_percentile": LOW, "max_percentile": HIGH}}
    return {
        "format_version": "0.5.4",
        "type": "model",
        "name": "Nuclei small fluorescence",
        "version": VERSION,
        "description": f"Object probability, {RAYS} star distances and foreground of fluorescent nuclei in 2-D, at half resolution.",
        "authors": [{"name": "The authors of Fovea"}],
        "cite": CITE,
        "license": "MIT",
        "documentation": "README.md",
        "covers": ["cover.png"],
        "tags": ["nuclei", "fluorescence", "2d", "instance-segmentation", "unet", "stardist"],
        "inputs": [{"id": "input", "test_tensor": source["test_input.npy"], "data": {"type": "float32"}, "preprocessing": [scaling],
                    "axes": [batch, {"type": "channel", "channel_names": ["nuclei"]}, space("y", size=size), space("x", size=size)]}],
        "outputs": [{"id": "output", "test_tensor": source["test_output.npy"], "data": {"type": "float32"},
                     "axes": [batch, {"type": "channel", "channel_names": channels},
                              *[space(axis, scale=float(GRID), halo=HALO // GRID, size={"tensor_id": "input", "axis_id": axis}) for axis in "yx"]]}],
        "weights": {"onnx": {**source["nuclei.onnx"], "opset_version": graph.OPSET}},
        "config": {"fovea": {"postprocessing": "stars", "probability": 0.5, "overlap": 0.3, "foreground": 0.5, "grid": GRID, "rays": RAYS}},
    }


def check(package):
    from bioimageio.core import test_model  # late: training and figures do not need it
    summary = test_model(package)
    summary.display()
    if summary.status != "passed":
        raise SystemExit("The package is not right.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    choice = parser.parse_args()
    choice.out.mkdir(parents=True, exist_ok=True)
    model = choice.out / "nuclei.onnx"
    if choice.weights.suffix == ".onnx":
        model.write_bytes(choice.weights.read_bytes())
    else:
        onnx.save(graph.build(dict(np.load(choice.weights))), model)
    print(model, hashlib.sha256(model.read_bytes()).hexdigest())
    files = contents(model, test_image())
    files["rdf.yaml"] = (json.dumps(described(files), indent=1) + "\n").encode()
    package = choice.out / "nuclei.zip"
    with zipfile.ZipFile(package, "w") as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name), files[name], zipfile.ZIP_DEFLATED, 9)
    print(package, package.stat().st_size, "bytes")
    if choice.check:
        check(package)


if __name__ == "__main__":
    main()
