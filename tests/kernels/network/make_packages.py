#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes data/packages/: packages of the BioImage Model Zoo in the formats 0.5 and 0.4, an image, and the labels that an independent program makes with
them: NumPy, ONNX Runtime, SciPy and scikit-image. bioimageio.core tests each package. It needs bioimageio.core 0.11 with pydantic 2.11, onnx, onnxruntime and
scikit-image.

edges.zip    0.5; two channels, foreground and boundary, of layers that Fovea computes; sizes of any multiple of 4
average.zip  0.5; one channel, of an average pooling, which ONNX Runtime computes; preprocessing with a mean and two more steps, a sigmoid behind
behind.zip   0.4; channels behind rows and columns, half the size, one size of 96 x 96 alone; percentiles
colors.zip   0.5; three channels together, their mean and deviation as one, a factor for each channel
pairs.zip    0.4; two channels behind rows and columns, each with its own percentiles
"""
import hashlib
import io
import json
import pathlib
import tempfile
import zipfile

import numpy as np
import onnx
import onnxruntime
from bioimageio.core import test_model
from onnx import TensorProto, helper, numpy_helper
from PIL import Image
from scipy import ndimage
from skimage.segmentation import watershed

DATA = pathlib.Path(__file__).parent / "data/packages"
SEEDS = pathlib.Path(__file__).parents[2] / "fuzz/packages"
RANDOM = np.random.default_rng(7)
LEAST = 12  # pixels of an object
ROWS, COLUMNS = 150, 210


def discs():
    """Bright discs, some of which touch, on a darker ground with noise."""
    y, x = np.mgrid[:ROWS, :COLUMNS]
    image = np.full((ROWS, COLUMNS), 300.0)
    for row in range(4):
        for column in range(5):
            cy, cx = 18 + 37 * row, 20 + 41 * column + 4 * (row % 2)
            for shift in ((0,) if (row + column) % 3 else (-9, 9)):
                image = np.maximum(image, 300 + 900 * np.clip(9 - np.hypot(y - cy, x - cx - shift), 0, 1))
    return (ndimage.gaussian_filter(image, 0.7) + RANDOM.normal(0, 12, image.shape)).clip(0, 65535).astype("u2")


def graph(nodes, constants, sizes, channels):
    dims_in, dims_out = sizes
    image = helper.make_tensor_value_info("image", TensorProto.FLOAT, dims_in)
    result = helper.make_tensor_value_info("result", TensorProto.FLOAT, dims_out)
    constants = [numpy_helper.from_array(np.asarray(v), k) for k, v in constants.items()]
    made = helper.make_model(helper.make_graph(nodes, "test", [image], [result], constants), opset_imports=[helper.make_opsetid("", 17)])
    made.ir_version = 8
    onnx.checker.check_model(made)
    return made.SerializeToString()


def smooth(side):
    return np.full((1, 1, side, side), 1 / side**2, "f4")


def edges():
    """Foreground: the smoothed image. Boundary: where it is darker than its neighbors."""
    slopes = np.zeros((4, 1, 3, 3), "f4")
    for i, (y, x) in enumerate(((0, 1), (2, 1), (1, 0), (1, 2))):
        slopes[i, 0, 1, 1], slopes[i, 0, y, x] = -1, 1
    mix = np.zeros((2, 5, 1, 1), "f4")
    mix[0, 0], mix[1, 1:] = 12, 24
    node = helper.make_node
    nodes = [node("Conv", ["image", "smooth"], ["soft"], kernel_shape=[3, 3], pads=[1] * 4),
             node("Conv", ["soft", "slopes"], ["steep"], kernel_shape=[3, 3], pads=[1] * 4),
             node("Relu", ["steep"], ["rising"]),
             node("Concat", ["soft", "rising"], ["all"], axis=1),
             node("Conv", ["all", "mix", "shift"], ["mixed"], kernel_shape=[1, 1]),
             node("Sigmoid", ["mixed"], ["result"])]
    return graph(nodes, {"smooth": smooth(3), "slopes": slopes, "mix": mix, "shift": np.array([-5, -3], "f4")},
                 ([1, 1, "y", "x"], [1, 2, "y", "x"]), 2)


def average():
    nodes = [helper.make_node("AveragePool", ["image"], ["result"], kernel_shape=[3, 3], pads=[1] * 4, count_include_pad=1)]
    return graph(nodes, {}, ([1, 1, "y", "x"], [1, 1, "y", "x"]), 1)


def behind():
    node = helper.make_node
    nodes = [node("Transpose", ["image"], ["planes"], perm=[0, 3, 1, 2]),
             node("AveragePool", ["planes"], ["half"], kernel_shape=[2, 2], strides=[2, 2]),
             node("Transpose", ["half"], ["result"], perm=[0, 2, 3, 1])]
    return graph(nodes, {}, ([1, 96, 96, 1], [1, 48, 48, 1]), 1)


def mixture(channels, behind):
    """A weighted sum of the channels, smoothed."""
    node = helper.make_node
    weights = {"weights": np.linspace(0.8, 0.2, channels).reshape(1, channels, 1, 1).astype("f4")}
    middle = [node("Conv", ["planes", "weights"], ["sum"], kernel_shape=[1, 1]),
              node("AveragePool", ["sum"], ["soft"], kernel_shape=[3, 3], pads=[1] * 4, count_include_pad=1)]
    if behind:
        nodes = [node("Transpose", ["image"], ["planes"], perm=[0, 3, 1, 2]), *middle, node("Transpose", ["soft"], ["result"], perm=[0, 2, 3, 1])]
        return graph(nodes, weights, ([1, "y", "x", channels], [1, "y", "x", 1]), 1)
    nodes = [node("Identity", ["image"], ["planes"]), *middle, node("Identity", ["soft"], ["result"])]
    return graph(nodes, weights, ([1, channels, "y", "x"], [1, 1, "y", "x"]), 1)


def sigmoid(v):
    return 1 / (1 + np.exp(-v))


def by_mean(image):
    """zero_mean_unit_variance, then 2 v - 1, then -4 to 6."""
    return np.clip(2 * (image - image.mean()) / (image.std() + 1e-6) - 1, -4, 6)


def by_percentiles(low, high):
    def scale(image):
        a, b = np.percentile(image, [low, high])
        return (image - a) / (b - a + 1e-6)
    return scale


def source(name, data):
    return {"source": name, "sha256": hashlib.sha256(data).hexdigest()}


def npy(array):
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


ABOUT = {"type": "model", "description": "A network for tests.", "authors": [{"name": "The authors of Fovea"}], "license": "MIT",
         "cite": [{"text": "None.", "doi": "10.1234/none"}], "documentation": "README.md", "covers": ["cover.png"], "tags": ["test"]}


GAINS, OFFSETS = np.reshape([1.5, 1.0, 0.5], (3, 1, 1)), np.reshape([-0.25, 0.0, 0.5], (3, 1, 1))


def together(image):
    """zero_mean_unit_variance of all channels, then a factor and an offset of each."""
    return GAINS * (image - image.mean()) / (image.std() + 1e-6) + OFFSETS


def each_by_percentiles(image):
    return np.stack([by_percentiles(2, 98)(channel) for channel in image])


def axes_05(size, halo=0, channels=None):
    spaces = [{"type": "space", "id": axis, "size": size if isinstance(size, (int, dict)) else {"tensor_id": "image", "axis_id": axis},
               **({"halo": halo} if halo else {})} for axis in "yx"]
    return [{"type": "batch", "size": 1}, {"type": "channel", "channel_names": channels or ["intensity"]}, *spaces]


def format_05(name, files, size, before, after, channels, inputs=None):
    return {**ABOUT, "format_version": "0.5.4", "name": name, "version": "1.0.0",
            "inputs": [{"id": "image", "axes": axes_05(size, channels=inputs), "test_tensor": source("in.npy", files["in.npy"]), "data": {"type": "float32"},
                        "preprocessing": before}],
            "outputs": [{"id": "result", "axes": axes_05(None, 8, channels), "test_tensor": source("out.npy", files["out.npy"]),
                         "data": {"type": "float32"}, "postprocessing": after}],
            "weights": {"onnx": {**source("weights.onnx", files["weights.onnx"]), "opset_version": 17}}}


def format_04(name, files, before, size=None, scale=(1, 0.5, 0.5, 1)):
    size = size or list(np.load(io.BytesIO(files["in.npy"])).shape)
    return {**ABOUT, "format_version": "0.4.10", "name": name, "version": "1.0.0", "timestamp": "2026-01-01T00:00:00",
            "inputs": [{"name": "image", "axes": "byxc", "data_type": "float32", "shape": size, "preprocessing": before}],
            "outputs": [{"name": "result", "axes": "byxc", "data_type": "float32",
                         "shape": {"reference_tensor": "image", "scale": list(scale), "offset": [0, 0, 0, 0.5 if scale[3] != 1 else 0]}, "halo": [0, 4, 4, 0]}],
            "test_inputs": ["in.npy"], "test_outputs": ["out.npy"],
            "weights": {"onnx": {**source("weights.onnx", files["weights.onnx"]), "opset_version": 17}}}


def package(name, model, image, prepare, finish, behind_axes, describe):
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    def order(a):
        a = a[None] if a.ndim == 2 else a
        return np.moveaxis(a, 0, -1)[None] if behind_axes else a[None]

    side = 96
    test = image[..., :side, :side].astype("f4")
    result = finish(session.run(None, {"image": order(prepare(test.astype("f8")).astype("f4"))})[0]).astype("f4")
    cover = io.BytesIO()
    Image.fromarray((255 * by_percentiles(0, 100)(test if test.ndim == 2 else test[0])).astype("u1")).save(cover, "PNG")
    files = {"weights.onnx": model, "in.npy": npy(order(test)), "out.npy": npy(result), "README.md": b"# Test\n\n## Validation\n\nNone.\n",
             "cover.png": cover.getvalue()}
    files["rdf.yaml"] = json.dumps(describe(files), indent=1).encode()
    path = DATA / (name + ".zip")
    with zipfile.ZipFile(path, "w") as archive:
        for key in sorted(files):
            archive.writestr(zipfile.ZipInfo(key), files[key], zipfile.ZIP_DEFLATED, 9)
    summary = test_model(path)
    if summary.status == "failed":
        summary.display()
        raise SystemExit(name + " is not right.")
    return session


def seed(name, model, shape_in, shape_out, describe):
    """A small package for the fuzzer, as it wants them: files one after the other, without checksums, and not compressed."""
    files = {"weights.onnx": model, "in.npy": npy(np.zeros(shape_in, "f4")), "out.npy": npy(np.zeros(shape_out, "f4"))}
    text = json.dumps(describe(files)).encode()
    for data in files.values():
        text = text.replace(b', "sha256": "' + hashlib.sha256(data).hexdigest().encode() + b'"', b"")
    SEEDS.mkdir(exist_ok=True)
    (SEEDS / name).write_bytes(b"\n".join(b"--- " + key.encode() + b"\n" + data for key, data in {"rdf.yaml": text, **files}.items()))
    with zipfile.ZipFile(SEEDS / (name + ".zip"), "w", zipfile.ZIP_STORED) as archive:
        for key, data in {"rdf.yaml": text, **files}.items():
            archive.writestr(zipfile.ZipInfo(key), data)


def labels_of(foreground, boundary):
    """Connected cores, watershed, and numbers in the order of first pixels."""
    level = foreground - boundary
    seeds = ndimage.label(level > 0.5, np.ones((3, 3)))[0]
    found = watershed(-level.astype("f4"), seeds, mask=foreground > 0.5)
    sizes = np.bincount(found.ravel())
    found[sizes[found] < LEAST] = 0
    first = {}
    for v in found.ravel():
        if v:
            first.setdefault(v, len(first) + 1)
    return np.vectorize(lambda v: first.get(v, 0))(found).astype("u1")


def padded(image, rows, columns):
    return np.pad(image, ((0, rows - image.shape[0]), (0, columns - image.shape[1])), "reflect")


def main():
    DATA.mkdir(parents=True, exist_ok=True)
    image = discs()
    np.save(DATA / "image.npy", image)

    def save(name, labels):
        np.save(DATA / (name + "_labels.npy"), labels)
        print(name, labels.max(), "objects")

    def of_edges(files, least=32):
        range_ = {"id": "scale_range", "kwargs": {"axes": ["y", "x"], "min_percentile": 1, "max_percentile": 99.8}}
        return format_05("Edges", files, {"min": least, "step": 4}, [range_], [], ["foreground", "boundary"])

    def of_average(files, least=32):
        before = [{"id": "ensure_dtype", "kwargs": {"dtype": "float32"}}, {"id": "zero_mean_unit_variance", "kwargs": {"axes": ["y", "x"]}},
                  {"id": "scale_linear", "kwargs": {"gain": 2.0, "offset": -1.0}}, {"id": "clip", "kwargs": {"min": -4.0, "max": 6.0}}]
        return format_05("Average", files, {"min": least, "step": 8}, before, [{"id": "sigmoid"}], None)

    def of_behind(files):
        kwargs = {"mode": "per_sample", "axes": "yx", "min_percentile": 5.0, "max_percentile": 95.0}
        return format_04("Behind", files, [{"name": "scale_range", "kwargs": kwargs}])

    seed("edges", edges(), (1, 1, 8, 8), (1, 2, 8, 8), lambda files: of_edges(files, 8))
    seed("average", average(), (1, 1, 8, 8), (1, 1, 8, 8), lambda files: of_average(files, 8))
    seed("behind", behind(), (1, 8, 8, 1), (1, 4, 4, 1), of_behind)

    scale = by_percentiles(1, 99.8)
    session = package("edges", edges(), image, scale, lambda v: v, False, of_edges)
    whole = padded(scale(image.astype("f8")), -(-ROWS // 4) * 4, -(-COLUMNS // 4) * 4).astype("f4")
    maps = session.run(None, {"image": whole[None, None]})[0][0, :, :ROWS, :COLUMNS]
    save("edges", labels_of(*maps))

    session = package("average", average(), image, by_mean, sigmoid, False, of_average)
    whole = padded(by_mean(image.astype("f8")), -(-ROWS // 8) * 8, -(-COLUMNS // 8) * 8).astype("f4")
    save("average", labels_of(sigmoid(session.run(None, {"image": whole[None, None]})[0][0, 0, :ROWS, :COLUMNS]), 0))

    scale = by_percentiles(5, 95)
    package("behind", behind(), image, scale, lambda v: v, True, of_behind)
    half = padded(scale(image.astype("f8")), ROWS, COLUMNS).astype("f4").reshape(ROWS // 2, 2, COLUMNS // 2, 2).mean((1, 3))
    y, x = np.minimum(np.arange(ROWS) / 2, ROWS // 2 - 1), np.minimum(np.arange(COLUMNS) / 2, COLUMNS // 2 - 1)
    save("behind", labels_of(ndimage.map_coordinates(half, np.meshgrid(y, x, indexing="ij"), order=1), 0))

    def of_colors(files, least=32):
        before = [{"id": "zero_mean_unit_variance", "kwargs": {"axes": ["channel", "y", "x"]}},
                  {"id": "scale_linear", "kwargs": {"axis": "channel", "gain": GAINS.ravel().tolist(), "offset": OFFSETS.ravel().tolist()}}]
        return format_05("Colors", files, {"min": least, "step": 8}, before, [{"id": "sigmoid"}], ["foreground"], ["red", "green", "blue"])

    def of_pairs(files):
        kwargs = {"mode": "per_sample", "axes": "yx", "min_percentile": 2.0, "max_percentile": 98.0}
        return format_04("Pairs", files, [{"name": "scale_range", "kwargs": kwargs}], {"min": [1, 32, 32, 2], "step": [0, 8, 8, 0]}, (1, 1, 1, 0))

    # Two slices of three channels: the same image, moved and darker.
    colors = np.stack([[np.roll(image, (3 * c, 20 * z), (0, 1)) // (1 + c) for z in range(2)] for c in range(3)]).astype("u2")
    np.save(DATA / "colors.npy", colors)
    for name, channels, prepare, finish, behind_axes, describe in (("colors", 3, together, sigmoid, False, of_colors),
                                                                   ("pairs", 2, each_by_percentiles, lambda v: v, True, of_pairs)):
        session = package(name, mixture(channels, behind_axes), colors[:channels, 0], prepare, finish, behind_axes, describe)
        slices = []
        for z in range(2):
            whole = prepare(colors[:channels, z].astype("f8"))
            whole = np.stack([padded(plane, -(-ROWS // 8) * 8, -(-COLUMNS // 8) * 8) for plane in whole]).astype("f4")
            result = session.run(None, {"image": np.moveaxis(whole, 0, -1)[None] if behind_axes else whole[None]})[0]
            slices.append(labels_of(finish(result.reshape(whole.shape[1:]))[:ROWS, :COLUMNS], 0))
        save(name, np.stack(slices))
    seed("colors", mixture(3, False), (1, 3, 8, 8), (1, 1, 8, 8), lambda files: of_colors(files, 8))


main()
