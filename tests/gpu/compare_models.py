# SPDX-License-Identifier: MIT
"""Networks that ONNX Runtime computes, on a GPU against the CPU: the same labels but for few pixels, in a fifth of the time. FOVEA_ONNXRUNTIME names the
library of its package for GPUs. Needs onnx and NumPy. Output is TAP, with the times as comments."""
import os
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "build", "python"))
WIDTHS = (32, 64, 128, 256)
FAR = 1e-3  # part of the pixels that may differ
SIDE, AGAIN = 1024, 2

try:
    import numpy as np
    from onnx import TensorProto, helper, numpy_helper
except ImportError as error:
    print(f"1..1\nok 1 - networks on a GPU # SKIP no {error.name}")
    sys.exit()


class Graph:
    """Nodes of a network of leaky ReLUs, which Fovea does not compute itself."""

    def __init__(self):
        self.nodes, self.weights, self.random = [], [], np.random.default_rng(5)

    def add(self, kind, inputs, **attributes):
        name = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        return name

    def constant(self, array):
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def conv(self, tensor, channels, to, side=3, scale=1.0):
        weights = self.random.normal(0, scale * np.sqrt(2 / (channels * side**2)), (to, channels, side, side)).astype("f4")
        return self.add("Conv", [tensor, self.constant(weights)], kernel_shape=[side, side], pads=[side // 2] * 4)

    def block(self, tensor, channels, to):
        for inputs in (channels, to):
            tensor = self.add("LeakyRelu", [self.conv(tensor, inputs, to)], alpha=0.1)
        return tensor


def network(path):
    """A U-Net whose output is the smoothed image, changed a little by all of its layers."""
    g, skipped, tensor, channels = Graph(), [], "image", 1
    for width in WIDTHS:
        tensor = g.block(tensor, channels, width)
        channels = width
        if width != WIDTHS[-1]:
            skipped.append((tensor, width))
            tensor = g.add("MaxPool", [tensor], kernel_shape=[2, 2], strides=[2, 2])
    for skip, width in reversed(skipped):
        scales = g.constant(np.array([1, 1, 2, 2], "f4"))
        tensor = g.add("Concat", [g.add("Resize", [tensor, "", scales], mode="nearest", nearest_mode="floor", coordinate_transformation_mode="asymmetric"), skip], axis=1)
        tensor = g.block(tensor, channels + width, width)
        channels = width
    soft = g.add("AveragePool", ["image"], kernel_shape=[5, 5], pads=[2] * 4, count_include_pad=1)
    level = g.add("Sum", [g.add("Mul", [soft, g.constant(np.array(12, "f4"))]), g.conv(tensor, channels, 1, 1, 0.05), g.constant(np.array(-5, "f4"))])
    g.nodes.append(helper.make_node("Sigmoid", [level], ["result"]))
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 1, "y", "x"]) for name in ("image", "result")]
    made = helper.make_model(helper.make_graph(g.nodes, "unet", ends[:1], ends[1:], g.weights), opset_imports=[helper.make_opsetid("", 17)])
    made.ir_version = 8
    with open(path, "wb") as file:
        file.write(made.SerializeToString())


def discs():
    random = np.random.default_rng(3)
    y, x = np.mgrid[:SIDE, :SIDE]
    across = 32
    far = np.hypot(y % across - across / 2, x % across - across / 2)
    bright = random.uniform(0.6, 1, (SIDE // across, SIDE // across)).repeat(across, 0).repeat(across, 1)
    return (300 + 900 * bright * np.clip(11 - far, 0, 1) + random.normal(0, 12, (SIDE, SIDE))).astype("u2")


def where(fovea, model, image):
    """What the command says of where the network is computed."""
    done = subprocess.run([fovea, "run", "--device", "cuda:0", f"segment model='{model}'", image, "-o", image + ".tif"], capture_output=True, text=True,
                          env={**os.environ, "G_MESSAGES_DEBUG": "all"})
    lines = [line for line in (done.stdout + done.stderr).splitlines() if "ONNX Runtime" in line]
    return lines[0] if lines else f"nothing: {done.returncode} {done.stderr[-600:]}"


def timed(segment, device):
    """The labels and the shortest time of a call, in seconds, the first one aside."""
    labels, best = segment(device), np.inf
    for _ in range(AGAIN):
        start = time.perf_counter()
        labels = segment(device)
        best = min(best, time.perf_counter() - start)
    return labels, best


def main():
    import fovea
    folder = tempfile.mkdtemp()
    model, image = os.path.join(folder, "unet.onnx"), os.path.join(folder, "discs.npy")
    network(model)
    pixels = discs()
    np.save(image, pixels)
    said = where(os.path.join(ROOT, "build", "command", "fovea"), model, image)
    print("#", said)
    if "computes it on the GPU" not in said:
        print("1..1\nok 1 - networks on a GPU # SKIP ONNX Runtime does not use the GPU")
        return
    print("1..2")
    (on_cpu, slow), (on_gpu, fast) = (timed(lambda device: fovea.segment(pixels, model, device=device).numpy(), device) for device in ("cpu", "cuda:0"))
    print(f"# segment of {SIDE} x {SIDE}, {len(np.unique(on_cpu)) - 1} objects: {1e3 * slow:.1f} ms on the CPU, {1e3 * fast:.1f} ms on the GPU")
    far = np.mean((on_cpu > 0) != (on_gpu > 0))
    print(f"{'ok' if far <= FAR and on_cpu.max() > 500 else 'not ok'} 1 - foreground of both devices: {far:.2g} of the pixels differ, {on_cpu.max()} and {on_gpu.max()} objects")
    print(f"{'ok' if fast < slow / 5 else 'not ok'} 2 - the GPU takes {fast / slow:.3f} of the time of the CPU")


main()
