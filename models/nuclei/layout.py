# SPDX-License-Identifier: MIT
"""The layout of the network, which training, graph and evaluation share."""
RAYS = 32  # directions of distances; ray k has the angle 2 pi k / RAYS from +x towards +y
GRID = 2  # pixels of the input, along each side, for a cell of the output
STEP = 16  # height and width of the input are multiples of this
# Channels of the stem, of each level, of the bottom and of the head.
STEM, LEVELS, BOTTOM, HEAD = 12, (24, 48, 80), 112, 48


def convolution_names():
    """The 18 convolutions in the order in which they run."""
    names = []
    for block in ("stem", "down0", "down1", "down2", "middle", "up0", "up1", "up2", "head"):
        names += [block + ".a", block + ".b"]
    return names
