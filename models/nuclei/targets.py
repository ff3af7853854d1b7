# SPDX-License-Identifier: MIT
"""What the network should give for labels, and how far it is from that."""
import math

import torch
from torch.nn import functional

from crops import MOST_LABELS
from layout import RAYS
from network import DISTANCE_UNIT

LONGEST = 128  # pixels of a ray

RAYS_SOURCE = r"""
extern "C" __global__ void rays (const long long *labels, const long long *crop, const long long *row, const long long *column, float *distance,
                                 long long n, int side, int longest)
{
  long long at = (long long) blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= n * 32)
    return;
  long long cell = at >> 5;
  const long long *plane = labels + crop[cell] * side * side;
  float y = 2 * row[cell] + 1, x = 2 * column[cell] + 1, angle = 6.283185307179586f * (at & 31) / 32, sine = sinf (angle), cosine = cosf (angle);
  long long own = plane[(int) y * side + (int) x];
  int step = 1;
  for (; step <= longest; step++) {
    int yy = min (max ((int) rintf (y + step * sine), 0), side - 1), xx = min (max ((int) rintf (x + step * cosine), 0), side - 1);
    if (plane[yy * side + xx] != own)
      break;
  }
  distance[at] = (float) (step - 1);
}
"""


def walk_rays(padded, crop, row, column):
    """Whole pixels from each cell to the end of its label along each ray; for any device, slowly."""
    side = padded.shape[1]
    angles = [2 * math.pi * ray / RAYS for ray in range(RAYS)]
    sines, cosines = (torch.tensor([f(angle) for angle in angles], device=padded.device) for f in (math.sin, math.cos))
    flat, base = padded.reshape(-1), (crop * side * side)[:, None]
    y, x = (2 * row + 1).float()[:, None], (2 * column + 1).float()[:, None]
    own = padded[crop, 2 * row + 1, 2 * column + 1][:, None]
    inside = torch.ones(len(crop), RAYS, dtype=torch.bool, device=padded.device)
    distance = torch.zeros(len(crop), RAYS, device=padded.device)
    for step in range(1, LONGEST + 1):
        yy = (y + step * sines).round().clamp(0, side - 1).long()
        xx = (x + step * cosines).round().clamp(0, side - 1).long()
        inside &= flat[base + yy * side + xx] == own
        distance += inside
    return distance


class Rays:
    """walk_rays() by a kernel of its own where there is a GPU with CuPy."""

    def __init__(self, device):
        self.kernel = None
        if device.type == "cuda":
            import cupy
            self.cupy, self.kernel = cupy, cupy.RawKernel(RAYS_SOURCE, "rays")

    def __call__(self, padded, crop, row, column):
        if self.kernel is None:
            return walk_rays(padded, crop, row, column)
        distance = torch.empty(len(crop), RAYS, device=padded.device)
        arrays = [array.contiguous() for array in (padded, crop, row, column)] + [distance]
        # CuPy and PyTorch both use the default stream.
        sizes = self.cupy.int64(len(crop)), self.cupy.int32(padded.shape[1]), self.cupy.int32(LONGEST)
        self.kernel(((distance.numel() + 255) // 256,), (256,), (*[array.data_ptr() for array in arrays], *sizes))
        return distance


def make_targets(labels, copy, rays):
    """Object (the shortest ray, relative to the longest such of the nucleus), distances in pixels, foreground, and the direction to the center of
    the nucleus, at cells of 2 x 2 pixels.

    Cell (i, j) stands for pixel (2i, 2j). A distance ends half a pixel beyond the last pixel inside.
    """
    count, side = len(labels), labels.shape[-1] // 2
    padded = functional.pad(labels, (1, 1, 1, 1))
    cells = labels[:, ::2, ::2]
    crop, row, column = torch.nonzero(cells, as_tuple=True)
    distance = rays(padded, crop, row, column) + 0.5
    shortest = distance.min(1).values
    nucleus = crop * MOST_LABELS + cells[crop, row, column]
    widest = torch.zeros(count * MOST_LABELS, device=labels.device).scatter_reduce_(0, nucleus, shortest, "amax")
    objects = torch.zeros(count, side, side, device=labels.device)
    objects[crop, row, column] = shortest / widest[nucleus].clamp(min=1)
    distances = torch.zeros(count, side, side, RAYS, device=labels.device)
    distances[crop, row, column] = distance
    center = nucleus * 4 + copy[:, ::2, ::2][crop, row, column]
    pixels = torch.zeros(4 * count * MOST_LABELS, device=labels.device).index_add_(0, center, torch.ones_like(shortest)).clamp(min=1)
    away = [torch.zeros_like(pixels).index_add_(0, center, axis.float())[center] / pixels[center] - axis for axis in (row, column)]
    length = torch.sqrt(away[0] ** 2 + away[1] ** 2).clamp(min=1)
    directions = torch.zeros(count, side, side, 2, device=labels.device)
    directions[crop, row, column] = torch.stack(away, 1) / length[:, None]
    return objects[:, None], distances.permute(0, 3, 1, 2), (cells > 0).float()[:, None], directions.permute(0, 3, 1, 2)


def loss(raw, targets):
    """The number to minimize, for the raw output of the network."""
    objects, distances, foreground, directions = targets
    raw = raw.float()
    result = functional.binary_cross_entropy_with_logits(raw[:, :1], objects)
    rays = raw[:, 1:RAYS + 1]
    wrong = (objects * (rays - distances / DISTANCE_UNIT).abs()).sum() / (RAYS * objects.sum() + 1)
    outside = 0.002 * ((1 - foreground) * rays.abs()).mean()
    result = result + 0.6 * (wrong + outside)
    result = result + 0.5 * functional.binary_cross_entropy_with_logits(raw[:, RAYS + 1:RAYS + 2], foreground)
    return result + 0.4 * (foreground * (raw[:, RAYS + 2:] - directions) ** 2).sum() / (2 * foreground.sum() + 1)
