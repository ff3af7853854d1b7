# SPDX-License-Identifier: MIT
"""Synthetic nuclei: textured ellipses with bumps, scattered or in clusters. Blur, noise and background come from the augmentation."""
import numpy as np
from scipy import ndimage

SIZE = 384  # pixels along each side
LARGEST_OVERLAP = 0.22  # of the area of a new nucleus


def centers(random, diameter, count):
    """Endless (y, x): uniform, or in two of three fields around a few common points."""
    points = random.uniform(0, SIZE, (max(1, count // int(random.integers(3, 12))), 2))
    clustered = random.random() < 0.6
    while True:
        if clustered:
            yield points[random.integers(len(points))] + random.normal(0, diameter * 1.6, 2)
        else:
            yield random.uniform(0, SIZE, 2)


def nucleus(random, diameter, y, x):
    """A star-shaped region around (y, x): its mask and the relative distance from the center, on the grids y and x."""
    radius = diameter / 2 * np.exp(random.normal(0, 0.16))
    ratio, angle = np.sqrt(random.uniform(1, 1.75)), random.uniform(0, np.pi)
    u = (y * np.cos(angle) + x * np.sin(angle)) / (radius * ratio)
    v = (x * np.cos(angle) - y * np.sin(angle)) / (radius / ratio)
    distance, direction = np.hypot(u, v), np.arctan2(v, u)
    outline = 1.0
    for order, deviation in ((2, 0.05), (3, 0.04), (4, 0.03)):
        outline = outline + random.normal(0, deviation) * np.cos(order * direction + random.uniform(0, 2 * np.pi))
    return distance < outline, distance


def make_field(random):
    """(image, labels): float32 from 0 on, without noise, and uint16. Of overlapping nuclei the first has the pixels."""
    diameter = np.exp(random.uniform(np.log(11), np.log(60)))
    count = max(3, int(random.uniform(0.15, 1) * 0.62 * SIZE ** 2 / (np.pi * diameter ** 2 / 4)))
    image, labels = np.zeros((SIZE, SIZE), np.float32), np.zeros((SIZE, SIZE), np.uint16)
    texture = ndimage.gaussian_filter(random.normal(size=(SIZE, SIZE)), diameter / 8)
    texture /= texture.std()
    made, source = 0, centers(random, diameter, count)
    for _ in range(3 * count):
        if made == count:
            break
        cy, cx = next(source)
        if not (0 <= cy < SIZE and 0 <= cx < SIZE):
            continue
        reach = int(diameter * 1.3) + 3
        box = np.s_[max(0, int(cy) - reach):int(cy) + reach, max(0, int(cx) - reach):int(cx) + reach]
        y, x = np.ogrid[:SIZE, :SIZE]
        mask, distance = nucleus(random, diameter, y[box[0]] - cy, x[:, box[1]] - cx)
        taken = labels[box] > 0
        if (mask & taken).sum() > LARGEST_OVERLAP * mask.sum():
            continue
        made += 1
        body = np.exp(random.normal(0, 0.45)) * (1 - 0.35 * distance ** 2 * random.random()) * (1 + 0.18 * texture[box])
        # Overlapping nuclei add their light, or the lower one is hardly seen.
        hidden = 1.0 if random.random() < 0.5 else np.where(taken, 0.3, 1)
        image[box] += np.where(mask, body.clip(0.05), 0) * hidden
        labels[box][mask & ~taken] = made
    small = np.bincount(labels.ravel()) < 30
    small[0] = False
    labels[small[labels]] = 0
    return ndimage.gaussian_filter(image, random.uniform(0.6, 1 + diameter / 22)), labels
