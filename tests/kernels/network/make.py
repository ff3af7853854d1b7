#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes data/: networks as ONNX files, an input of each, and what ONNX Runtime makes of it. It needs NumPy, onnx 1.19 and onnxruntime 1.23."""
import pathlib
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

HERE = pathlib.Path(__file__).parent
DATA = HERE / "data"
SIZES = {"layers": (48, 80), "refused": (16, 16), "nuclei": (64, 48)}
RANDOM = np.random.default_rng(31)


def constant(name, values):
    return numpy_helper.from_array(np.asarray(values), name)


def conv(name, source, ins, outs, side, bias=True):
    """The node, and its constants."""
    weights = RANDOM.normal(0, (ins * side * side) ** -0.5, (outs, ins, side, side)).astype("f4")
    constants = [constant(name + ".w", weights)] + ([constant(name + ".b", RANDOM.normal(0, 0.2, outs).astype("f4"))] if bias else [])
    node = helper.make_node("Conv", [source] + [c.name for c in constants], [name], kernel_shape=[side, side], pads=[side // 2] * 4)
    return node, constants


def model(nodes, constants, channels, shrink):
    image = helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 1, "rows", "columns"])
    result = helper.make_tensor_value_info("result", TensorProto.FLOAT, [1, channels, None, None])
    made = helper.make_model(helper.make_graph(nodes, "test", [image], [result], constants), opset_imports=[helper.make_opsetid("", 17)])
    made.ir_version = 8
    onnx.checker.check_model(made)
    return made


def layers():
    """Each kind of node; numbers of channels on both sides of 12; parts of a part, a slice in a concatenation, and the same tensor twice."""
    nodes, constants = [], []

    def add_conv(*arguments, **options):
        node, new = conv(*arguments, **options)
        nodes.append(node)
        constants.extend(new)

    def add(op, sources, name, **attributes):
        nodes.append(helper.make_node(op, sources, [name], **attributes))

    add_conv("c1", "image", 1, 13, 3)
    add("Relu", ["c1"], "r1")
    add("MaxPool", ["r1"], "p1", kernel_shape=[2, 2], strides=[2, 2])
    add_conv("c2", "p1", 13, 25, 3, bias=False)
    add("Relu", ["c2"], "r2")
    add("MaxPool", ["r2"], "p2", kernel_shape=[2, 2], strides=[2, 2])
    add_conv("c3", "p2", 25, 1, 1)
    constants.append(constant("twice", np.array([1, 1, 2, 2], "f4")))
    add("Resize", ["c3", "", "twice"], "u3", mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")
    add("Concat", ["u3", "r2"], "k1", axis=1)
    add_conv("c4", "k1", 26, 12, 3)
    for name, value in (("one", 1), ("zero", 0), ("four", 4), ("end", 2**63 - 1)):
        constants.append(constant(name, np.array([value], "i8")))
    constants.append(constant("factor", np.array(-2.5, "f4")))
    add("Slice", ["c4", "zero", "four", "one"], "s1")
    add("Slice", ["c4", "four", "end", "one", "one"], "s2")
    add("Sigmoid", ["s1"], "g1")
    add("Mul", ["s2", "factor"], "m1")
    add("Concat", ["g1", "m1"], "k2", axis=1)
    add("Concat", ["k2", "s1", "k1"], "result", axis=1)
    return model(nodes, constants, 12 + 4 + 26, 1)


def refused():
    """An average, which no layer computes."""
    node, constants = conv("c1", "image", 1, 4, 3)
    pool = helper.make_node("AveragePool", ["c1"], ["result"], kernel_shape=[2, 2], strides=[2, 2])
    return model([node, pool], constants, 4, 1)


def main():
    DATA.mkdir(exist_ok=True)
    for name, make in (("layers", layers), ("refused", refused)):
        onnx.save(make(), DATA / (name + ".onnx"))
    paths = {"layers": DATA / "layers.onnx", "nuclei": HERE.parents[2] / "data/models/nuclei.onnx"}
    for name, path in paths.items():
        session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
        image = RANDOM.normal(0.3, 0.4, SIZES[name]).astype("f4")
        result = session.run(None, {session.get_inputs()[0].name: image[None, None]})[0][0]
        np.save(DATA / (name + "_image.npy"), image)
        np.save(DATA / (name + "_result.npy"), result)
        print(name, image.shape, result.shape, file=sys.stderr)


main()
