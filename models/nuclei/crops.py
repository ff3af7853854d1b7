# SPDX-License-Identifier: MIT
"""Random crops of the training fields, made and changed on the GPU: position, size, direction, light, ground, noise and hot pixels."""
import io
import math

import numpy as np
import torch
from PIL import Image
from torch.nn import functional

# How often a crop comes from each kind of field, whatever their number.
SHARES = {"dsb256x256": 0.30, "dsb520x696": 0.19, "dsb360x360": 0.09, "dsb512x640": 0.06, "dsb603x1272": 0.06, "dsb260x347": 0.02,
          "dsb256x320": 0.02, "mnfinder": 0.14, "synthetic": 0.12, "tissue": 0.12}
# Median diameters that crops have after scaling, in pixels, and the factor by which fields may be scaled: of most crops, and of those that are
# there so that a first run sees how large unusually small or large nuclei are.
USUAL, WIDE = (8.0, 64.0, 2.1), (6.5, 100.0, 3.0)
WIDE_SHARE = 0.12
MOST_LABELS = 4096  # of a field


class Crops:
    """The fields of a file of prepare.py, on a device."""

    def __init__(self, path, device, splits):
        file = np.load(path)
        ends = np.cumsum(file["jpeg_bytes"])
        all_jpeg = file["jpeg"]
        jpeg = [all_jpeg[end - size:end].tobytes() for end, size in zip(ends, file["jpeg_bytes"])]
        self.device = device
        self.shape = torch.from_numpy(file["shape"].astype(np.int64)).to(device)
        sizes = file["shape"].astype(np.int64).prod(1)
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        self.start = torch.from_numpy(starts).to(device)
        self.pixels = torch.from_numpy(np.concatenate([np.array(Image.open(io.BytesIO(data))).ravel() for data in jpeg])).to(device)
        labels = file["labels"].astype(np.int32)
        self.labels = torch.from_numpy(labels).to(device)
        self.diameter = torch.from_numpy(file["diameter"]).to(device).clamp(8, 110)
        inside = [np.flatnonzero(labels[start:start + size]) for start, size in zip(starts, sizes)]
        counts = np.array([len(pixels) for pixels in inside])
        self.inside = torch.from_numpy(np.concatenate(inside).astype(np.int64)).to(device)
        self.inside_start = torch.from_numpy(np.concatenate([[0], np.cumsum(counts)[:-1]])).to(device)
        self.inside_count = torch.from_numpy(counts).to(device)
        source, chosen = file["source"], np.isin(file["split"], splits)
        weights = np.zeros(len(source))
        for name, share in SHARES.items():
            members = chosen & (source == name)
            weights[members] = share / max(1, members.sum())
        self.fields = int(chosen.sum())
        self.weights = torch.from_numpy(weights / weights.sum()).to(device)
        self.synthetic = torch.from_numpy((source == "synthetic").astype(np.float32)).to(device)

    def uniform(self, count, low=0.0, high=1.0):
        return torch.rand(count, device=self.device) * (high - low) + low

    def normal(self, count, deviation):
        return (torch.randn(count, device=self.device) * deviation).view(-1, 1, 1, 1)

    def sometimes(self, count, chance):
        """1 for some of the crops and 0 for the others."""
        return (self.uniform(count) < chance).float().view(-1, 1, 1, 1)

    def amount(self, count, low, high):
        return self.uniform(count, low, high).view(-1, 1, 1, 1)

    def smooth(self, count, side, knots):
        """Smooth random surfaces of about -2 to 2."""
        surface = torch.randn(count, 1, knots, knots, device=self.device)
        return functional.interpolate(surface, size=(side, side), mode="bicubic", align_corners=True)

    def choose(self, count):
        """Fields, the centers of crops in them, and how many pixels of the field one pixel of the crop spans."""
        field = torch.multinomial(self.weights, count, replacement=True)
        rows, columns = self.shape[field, 0], self.shape[field, 1]
        number = (self.uniform(count) * self.inside_count[field]).long()
        pixel = self.inside[(self.inside_start[field] + number).clamp(max=len(self.inside) - 1)]
        near = (self.uniform(count) < 0.75) & (self.inside_count[field] > 0)
        y = torch.where(near, (pixel // columns).float(), self.uniform(count) * rows)
        x = torch.where(near, (pixel % columns).float(), self.uniform(count) * columns)
        diameter = self.diameter[field]
        wide = self.uniform(count) < WIDE_SHARE
        smallest, largest, factor = (torch.where(wide, *diameter.new_tensor([unusual, usual])) for usual, unusual in zip(USUAL, WIDE))
        low = torch.clamp(diameter / factor, smallest, largest)
        high = torch.clamp(diameter * factor, smallest, largest)
        wanted = torch.exp(torch.log(low) + self.uniform(count) * (torch.log(high) - torch.log(low)))
        span = torch.where(self.uniform(count) < 0.25, (diameter / 64).clamp(min=1), diameter / wanted)
        return field, y, x, span

    def coordinates(self, y, x, span, side):
        """Positions in the field of all pixels of the crops: turned, mirrored, a little stretched."""
        count = len(y)
        angle, flip = self.uniform(count, 0, 2 * math.pi), torch.sign(self.uniform(count, -1, 1))
        stretch = torch.exp(torch.randn(count, device=self.device) * 0.08)
        y = y + self.uniform(count, -0.35, 0.35) * side * span
        x = x + self.uniform(count, -0.35, 0.35) * side * span
        line = torch.arange(side, device=self.device) - side / 2 + 0.5
        down = line[None, :, None] * (span * stretch)[:, None, None]
        right = line[None, None, :] * (flip * span / stretch)[:, None, None]
        cosine, sine = torch.cos(angle)[:, None, None], torch.sin(angle)[:, None, None]
        return y[:, None, None] + cosine * down - sine * right, x[:, None, None] + sine * down + cosine * right

    def read(self, field, y, x, nearest=None):
        """Values at positions, mirrored beyond the borders: by linear interpolation, or the nearest ones of `nearest`."""
        rows, columns = (self.shape[field, axis][:, None, None] for axis in (0, 1))
        start = self.start[field][:, None, None]
        y, x = mirror(y, rows), mirror(x, columns)
        if nearest is not None:
            return nearest[start + y.round().long() * columns + x.round().long()]
        top, left = y.floor(), x.floor()
        down, right = y - top, x - left
        top, left = top.long(), left.long()
        bottom, end = torch.minimum(top + 1, rows - 1), torch.minimum(left + 1, columns - 1)
        upper, lower = start + top * columns, start + bottom * columns
        first = self.pixels[upper + left].float() * (1 - right) + self.pixels[upper + end].float() * right
        second = self.pixels[lower + left].float() * (1 - right) + self.pixels[lower + end].float() * right
        return (first * (1 - down) + second * down - 20) / 200

    def take(self, count, side):
        """Crops as they are: images (count, 1, side, side) with the usual scale of 0 to 1, labels (count, side, side), which mirrored copy of
        the field a pixel lies in (0 to 3), and whether the field is synthetic."""
        field, y, x, span = self.choose(count)
        y, x = self.coordinates(y, x, span, side)
        # Four samples a pixel where the crop has fewer pixels than the field, or noise would grow with the span.
        reach = (0.3 * (span - 1).clamp(min=0))[:, None, None]
        image = sum(self.read(field, y + dy * reach, x + dx * reach) for dy in (-1, 1) for dx in (-1, 1)) / 4
        last = (self.shape[field] - 1)[:, :, None, None]
        copy = 2 * (torch.div(y, last[:, 0], rounding_mode="floor").long() & 1) + (torch.div(x, last[:, 1], rounding_mode="floor").long() & 1)
        return image[:, None], self.read(field, y, x, self.labels).long(), copy, self.synthetic[field].view(-1, 1, 1, 1)

    def light(self, image, labels, synthetic):
        """Another brightness for each nucleus, gamma, focus, haze and illumination."""
        count, side = len(image), image.shape[-1]
        gain = torch.exp(torch.randn(count, 512, device=self.device) * 0.35)
        gain = gain.gather(1, (labels % 512).view(count, -1)).view_as(image)
        gain = blur(torch.where(labels[:, None] > 0, gain, torch.ones_like(gain)), self.uniform(count, 0.7, 2))
        image = image * (1 + self.sometimes(count, 0.35) * (gain - 1))
        curve = torch.exp(self.normal(count, 0.4))
        image = torch.where(self.sometimes(count, 0.6) > 0, image.clamp(min=0) ** curve, image.clamp(min=-0.3))
        width = torch.where(self.uniform(count) < 0.5, self.uniform(count) ** 2 * 2.6, torch.zeros(count, device=self.device))
        image = blur(image, torch.maximum(width, synthetic.view(-1) * self.uniform(count, 0.4, 1.6)))
        haze = self.smooth(count, side, 3) * self.amount(count, 0, 0.25) * self.sometimes(count, 0.35)
        haze = haze + self.smooth(count, side, 6) * self.amount(count, 0, 0.08) * self.sometimes(count, 0.3)
        image = image * (1 + self.sometimes(count, 0.3) * 0.35 * self.smooth(count, side, 3))
        return image + haze.abs() * self.sometimes(count, 0.6) + haze * 0.3 + synthetic * self.amount(count, 0, 0.15)

    def slope(self, image):
        """A ground that rises, in some crops by several times the contrast of the nuclei; and in which."""
        count, side = len(image), image.shape[-1]
        line = torch.linspace(-0.5, 0.5, side, device=self.device)
        angle = self.amount(count, 0, 2 * math.pi)
        plane = torch.cos(angle) * line[None, None, :, None] + torch.sin(angle) * line[None, None, None, :]
        height = self.sometimes(count, 0.12) * torch.exp(self.amount(count, math.log(0.2), math.log(3)))
        return image + height * (plane + 0.15 * self.smooth(count, side, 3) * self.sometimes(count, 0.5)), (height > 0).float()

    def noise(self, image, synthetic):
        """Shot noise, read noise, and noise that a filter has smoothed."""
        count = len(image)
        chosen = torch.maximum(self.sometimes(count, 0.35), synthetic * self.sometimes(count, 0.8))
        photons = torch.exp(self.amount(count, math.log(10), math.log(400)))
        image = image + chosen * torch.randn_like(image) * torch.sqrt(image.clamp(min=0.01) / photons)
        image = image + self.sometimes(count, 0.5) * torch.randn_like(image) * self.amount(count, 0, 1) ** 2 * 0.14
        smoothed = blur(image + torch.randn_like(image) * 0.08, self.uniform(count, 0.5, 1.2))
        return torch.where(self.sometimes(count, 0.15) > 0, smoothed, image)

    def scale(self, image, sloped):
        """Other limits of the contrast: those of the crop as if it were the whole image, or random ones."""
        count = len(image)
        sample = image.flatten(1)[:, torch.randint(image[0].numel(), (4096,), device=self.device)].sort(1).values
        low, high = (sample[:, at].view(-1, 1, 1, 1) for at in (20, 4091))
        whole = (image - low) / (high - low).clamp(min=0.02)
        contrast = torch.exp(self.normal(count, 0.25))
        faint = self.sometimes(count, 0.1)
        contrast = torch.where(faint > 0, self.amount(count, 0.12, 0.6), contrast)
        offset = self.normal(count, 0.06) + faint * self.amount(count, 0, 0.5)
        return torch.where(torch.maximum(sloped, self.sometimes(count, 0.3)) > 0, whole, image * contrast + offset)

    def hot_pixels(self, image):
        """Single pixels, and some pairs, up to sixty times as bright as the nuclei."""
        count, side = len(image), image.shape[-1]
        density = torch.exp(self.amount(count, math.log(1e-5), math.log(3e-4))) * self.sometimes(count, 0.12)
        hot = (torch.rand_like(image) < density).float()
        hot = torch.maximum(hot, torch.roll(hot, 1, 3) * (torch.rand_like(image) < 0.15))
        value = torch.exp(torch.rand_like(image) * math.log(80)) * 0.75
        return image + hot * value

    def make(self, count, side):
        """Crops with all changes: images, labels and mirrored copies."""
        image, labels, copy, synthetic = self.take(count, side)
        image, sloped = self.slope(self.light(image, labels, synthetic))
        image = self.scale(self.noise(image, synthetic), sloped)
        return self.hot_pixels(image), labels, copy


def mirror(value, size):
    """Positions along an axis of `size` pixels, mirrored at the centers of its first and last pixel."""
    last = (size - 1).float()
    value = torch.remainder(value, 2 * last)
    return torch.minimum(value, 2 * last - value)


def blur(image, sigma):
    """A Gaussian blur of (count, 1, H, W), with a sigma for each."""
    reach = 6
    line = torch.arange(-reach, reach + 1, device=image.device).float()
    taps = torch.exp(-0.5 * (line[None] / sigma.clamp(min=0.05)[:, None]) ** 2)
    taps = taps / taps.sum(1, keepdim=True)
    image = functional.pad(image.transpose(0, 1), (reach,) * 4, mode="reflect")
    image = functional.conv2d(image, taps[:, None, None, :], groups=len(sigma))
    return functional.conv2d(image, taps[:, None, :, None], groups=len(sigma)).transpose(0, 1)
