# SPDX-License-Identifier: MIT
"""The network while it trains, in PyTorch. graph.py has the form that is shipped."""
import torch
from torch import nn
from torch.nn import functional

import layout
from layout import RAYS

DISTANCE_UNIT = 10.0  # pixels; so that raw distances are of the order of 1


class Block(nn.Module):
    """Two convolutions of 3 x 3, each with batch normalization and ReLU."""

    def __init__(self, inputs, outputs):
        super().__init__()
        self.a = nn.Conv2d(inputs, outputs, 3, padding=1, bias=False)
        self.a_norm = nn.BatchNorm2d(outputs)
        self.b = nn.Conv2d(outputs, outputs, 3, padding=1, bias=False)
        self.b_norm = nn.BatchNorm2d(outputs)

    def forward(self, x):
        x = functional.relu(self.a_norm(self.a(x)), inplace=True)
        return functional.relu(self.b_norm(self.b(x)), inplace=True)


class Network(nn.Module):
    """A U-Net whose levels begin at half the resolution.

    forward() takes 1 channel of H x W, multiples of 16, and gives RAYS + 4 raw channels of H/2 x W/2: the logit of the object probability,
    distances in DISTANCE_UNIT, the logit of the foreground, and the direction to the center. The last two only help the others to learn where
    nuclei touch: they are not shipped.
    """

    def __init__(self):
        super().__init__()
        self.stem = Block(1, layout.STEM)
        channels = layout.STEM
        for level, width in enumerate(layout.LEVELS):
            self.add_module("down%d" % level, Block(channels, width))
            channels = width
        self.middle = Block(channels, layout.BOTTOM)
        channels = layout.BOTTOM
        for level, width in enumerate(reversed(layout.LEVELS)):
            self.add_module("up%d" % level, Block(channels + width, width))
            channels = width
        self.head = nn.Module()
        self.head.a = nn.Conv2d(channels, layout.HEAD, 3, padding=1)
        self.head.b = nn.Conv2d(layout.HEAD, RAYS + 4, 1)
        with torch.no_grad():  # begins with few objects, of a radius of one unit
            self.head.b.weight.mul_(0.3)
            self.head.b.bias.zero_()
            self.head.b.bias[1:RAYS + 1] = 1
            self.head.b.bias[0] = -2
            self.head.b.bias[RAYS + 1] = -1.5

    def forward(self, x):
        x = functional.max_pool2d(self.stem(x), 2)
        kept = []
        for level in range(len(layout.LEVELS)):
            x = getattr(self, "down%d" % level)(x)
            kept.append(x)
            x = functional.max_pool2d(x, 2)
        x = self.middle(x)
        for level in range(len(layout.LEVELS)):
            x = functional.interpolate(x, scale_factor=2.0, mode="nearest")
            x = getattr(self, "up%d" % level)(torch.cat([x, kept.pop()], 1))
        return self.head.b(functional.relu(self.head.a(x), inplace=True))

    def folded(self):
        """The weights for graph.build(), as NumPy arrays: batch normalization and DISTANCE_UNIT are folded in."""
        weights = {}
        for name in layout.convolution_names():
            block, letter = name.split(".")
            block = getattr(self, block)
            convolution, norm = getattr(block, letter), getattr(block, letter + "_norm", None)
            weight, bias = convolution.weight.detach().double(), convolution.bias
            if norm is not None:
                factor = norm.weight.detach().double() / torch.sqrt(norm.running_var.double() + norm.eps)
                bias = norm.bias.double() - norm.running_mean.double() * factor
                weight = weight * factor[:, None, None, None]
            weights[name + ".weight"], weights[name + ".bias"] = weight, bias.detach().double().clone()
        for key in ("head.b.weight", "head.b.bias"):
            weights[key] = weights[key][:RAYS + 2].clone()
            weights[key][1:RAYS + 1] *= DISTANCE_UNIT
        return {key: value.float().cpu().numpy() for key, value in weights.items()}
