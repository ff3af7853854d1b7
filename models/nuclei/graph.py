# SPDX-License-Identifier: MIT
"""The network as an ONNX graph, written node by node from its folded weights.

Only these operators are used: Conv (3x3 and 1x1), Relu, MaxPool 2, nearest
Resize 2, Concat, Slice and Sigmoid, of opset 17. The names of the tensors are
fixed, so that a program with kernels of its own can rely on them.
"""
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from layout import LEVELS, RAYS, convolution_names

OPSET = 17


def build(weights):
    """Makes the ONNX model.

    weights: a dict of float32 arrays, NAME.weight (out, in, k, k) and NAME.bias
    (out) for each of convolution_names(). Batch normalization is folded in
    already, and the distances come out in pixels of the input.
    """
    nodes, constants = [], []

    def constant(name, value):
        constants.append(numpy_helper.from_array(value, name))
        return name

    def node(kind, inputs, output, **attributes):
        nodes.append(helper.make_node(kind, inputs, [output], name=output, **attributes))
        return output

    def convolve(name, x, relu=True):
        weight = weights[name + ".weight"].astype(np.float32)
        bias = weights[name + ".bias"].astype(np.float32)
        size = weight.shape[2]
        x = node("Conv", [x, constant(name + ".weight", weight), constant(name + ".bias", bias)],
                 name, kernel_shape=[size, size], pads=[size // 2] * 4)
        return node("Relu", [x], name + ".relu") if relu else x

    def block(name, x):
        return convolve(name + ".b", convolve(name + ".a", x))

    def pool(x):
        return node("MaxPool", [x], x + ".pool", kernel_shape=[2, 2], strides=[2, 2])

    def part(name, x, first, end):
        starts = constant(name + ".first", np.array([first], np.int64))
        ends = constant(name + ".end", np.array([end], np.int64))
        return node("Slice", [x, starts, ends, "channel_axis"], name)

    constant("twice", np.array([1, 1, 2, 2], np.float32))
    constant("channel_axis", np.array([1], np.int64))
    x = pool(block("stem", "input"))
    kept = []
    for level in range(len(LEVELS)):
        x = block("down%d" % level, x)
        kept.append(x)
        x = pool(x)
    x = block("middle", x)
    for level in range(len(LEVELS)):
        x = node("Resize", [x, "", "twice"], "up%d.resize" % level, mode="nearest",
                 coordinate_transformation_mode="asymmetric", nearest_mode="floor")
        x = node("Concat", [x, kept.pop()], "up%d.concat" % level, axis=1)
        x = block("up%d" % level, x)
    x = convolve("head.b", convolve("head.a", x), relu=False)
    probability = node("Sigmoid", [part("probability.raw", x, 0, 1)], "probability")
    distances = part("distances", x, 1, 1 + RAYS)
    foreground = node("Sigmoid", [part("foreground.raw", x, 1 + RAYS, 2 + RAYS)], "foreground")
    node("Concat", [probability, distances, foreground], "output", axis=1)

    graph = helper.make_graph(
        nodes, "nuclei",
        [helper.make_tensor_value_info("input", TensorProto.FLOAT, [1, 1, "height", "width"])],
        [helper.make_tensor_value_info("output", TensorProto.FLOAT,
                                       [1, RAYS + 2, "half_height", "half_width"])],
        constants)
    model = helper.make_model(graph, producer_name="fovea",
                              opset_imports=[helper.make_opsetid("", OPSET)])
    model.ir_version = 8
    onnx.checker.check_model(model)
    return model
