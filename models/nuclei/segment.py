# SPDX-License-Identifier: MIT
"""Labels from the maps of the network: the method of Fovea's operation `segment`, in NumPy, for choices and figures."""
import numpy as np
import onnxruntime
from scipy import ndimage
from skimage.draw import polygon
from skimage.segmentation import watershed

from fields import normalize
from layout import GRID, RAYS, STEP

ANGLES = 2 * np.pi * np.arange(RAYS) / RAYS
SINES, COSINES = np.sin(ANGLES), np.cos(ANGLES)
# Nuclei outside this range of diameters, in pixels, are found again at this diameter.
SMALL, LARGE, TYPICAL = 14, 60, 28
LARGEST_SCALE, SMALLEST_SCALE = 4.0, 0.125
# The surroundings of a nucleus: its distances times this, and so many pixels more.
AROUND, AROUND_MORE = 1.5, 2


def open_model(path, threads=2):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def resize(image, scale):
    """Linear interpolation between the centers of pixels, after a blur where pixels become fewer."""
    if scale == 1:
        return image
    if scale < 1:
        image = ndimage.gaussian_filter(image, 0.5 * (1 / scale - 1))
    size = [max(1, round(side * scale)) for side in image.shape]
    y, x = ((np.arange(new) + 0.5) * old / new - 0.5 for new, old in zip(size, image.shape))
    return ndimage.map_coordinates(image, np.meshgrid(y, x, indexing="ij"), order=1, mode="nearest").astype(np.float32)


def run(model, image, scale=1.0):
    """The maps (RAYS + 2, rows, columns) of a normalized image that is scaled for the network; distances are in pixels of the scaled image."""
    image = resize(image, scale)
    rows, columns = image.shape
    mode = "reflect" if min(rows, columns) > STEP else "edge"
    padded = np.pad(image, ((0, -rows % STEP), (0, -columns % STEP)), mode=mode)
    maps = model.run(None, {"input": padded[None, None]})[0][0]
    return maps[:, :-(-rows // GRID), :-(-columns // GRID)]


def enlarge(plane, shape, scale):
    """A map at the pixels of the image, by linear interpolation."""
    y, x = (((np.arange(size) + 0.5) * scale - 0.5) / GRID for size in shape)
    return ndimage.map_coordinates(plane, np.meshgrid(y, x, indexing="ij"), order=1, mode="nearest")


def outline(point, distances, shape):
    """The pixels inside a polygon: rows and columns."""
    return polygon(point[0] + distances * SINES, point[1] + distances * COSINES, shape)


def choose(maps, shape, scale=1.0, probability=0.5, overlap=0.3):
    """Polygons of nuclei, the most probable first: points (n, 2) and distances (n, RAYS), in pixels of the image.

    Candidates are the peaks of the probability in 5 x 5 cells. One is dropped when its polygon shares more than `overlap` of the smaller
    of both areas with that of a more probable one.
    """
    peak = (maps[0] > probability) & (maps[0] == ndimage.maximum_filter(maps[0], 5))
    row, column = np.nonzero(peak)
    order = np.argsort(-maps[0][row, column], kind="stable")
    row, column = row[order], column[order]
    points = (GRID * np.stack([row, column], 1) + 0.5) / scale - 0.5
    distances = np.maximum(maps[1:-1, row, column].T, 0.5) / scale
    kept, boxes = [], []
    for number in range(len(points)):
        y, x = outline(points[number], distances[number], shape)
        if len(y) == 0:
            continue
        box = y.min(), y.max(), x.min(), x.max()
        mask = np.zeros((box[1] - box[0] + 1, box[3] - box[2] + 1), bool)
        mask[y - box[0], x - box[2]] = True
        for other, other_mask, area in boxes:
            top, bottom = max(box[0], other[0]), min(box[1], other[1]) + 1
            left, right = max(box[2], other[2]), min(box[3], other[3]) + 1
            if top >= bottom or left >= right:
                continue
            shared = mask[top - box[0]:bottom - box[0], left - box[2]:right - box[2]]
            shared = shared & other_mask[top - other[0]:bottom - other[0], left - other[2]:right - other[2]]
            if shared.sum() > overlap * min(area, len(y)):
                break
        else:
            kept.append(number)
            boxes.append((box, mask, len(y)))
    return points[kept], distances[kept]


def stand_out(image, inside, points, distances, least=0.1):
    """Which polygons have at least this part of the median contrast, or no background around them.

    Their contrast is the difference of their mean and that of the background around them. image: normalized; inside: where the foreground is.
    """
    def contrast(point, reach):
        whole = outline(point, reach, image.shape)
        around = np.zeros(image.shape, bool)
        around[outline(point, AROUND * reach + AROUND_MORE, image.shape)] = True
        around[whole] = False
        around &= ~inside
        return image[whole].mean() - image[around].mean() if around.any() and len(whole[0]) else np.nan

    contrasts = np.array([contrast(point, reach) for point, reach in zip(points, distances)])
    if np.isnan(contrasts).all() or np.nanmedian(contrasts) <= 0:
        return np.ones(len(points), bool)
    return ~(contrasts < least * np.nanmedian(contrasts))


def draw(maps, shape, points, distances, scale=1.0, foreground=0.5, reach=3.0, smallest=12):
    """Labels: the probability is flooded from the polygons at half their size, inside the foreground and the polygons grown by `reach` pixels."""
    seeds, near = np.zeros(shape, np.int32), np.zeros(shape, bool)
    for number in range(len(points) - 1, -1, -1):
        near[outline(points[number], distances[number] + reach, shape)] = True
        seeds[outline(points[number], distances[number] / 2, shape)] = number + 1
        y, x = np.clip(np.round(points[number]).astype(int), 0, np.array(shape) - 1)
        seeds[y, x] = number + 1
    inside = enlarge(maps[-1], shape, scale) > foreground
    labels = watershed(-enlarge(maps[0], shape, scale), seeds, mask=inside & near | (seeds > 0))
    small = np.bincount(labels.ravel()) < smallest
    small[0] = False
    labels[small[labels]] = 0
    return labels


def median_diameter(distances):
    """The median of the diameters of circles with the areas of the polygons, or None without one."""
    if len(distances) == 0:
        return None
    areas = 0.5 * np.sin(2 * np.pi / RAYS) * (distances * np.roll(distances, -1, 1)).sum(1)
    return float(np.median(np.sqrt(4 * areas / np.pi)))


def choose_scale(diameter):
    """How the image is scaled for nuclei of this diameter."""
    if diameter is None or SMALL <= diameter <= LARGE:
        return 1.0
    return float(np.clip(TYPICAL / diameter, SMALLEST_SCALE, LARGEST_SCALE))


def segment(model, image, diameter="auto", invert=False, **settings):
    """Labels of the nuclei of a plane. diameter: pixels, or "auto" to find it with a first run, or None for no scaling."""
    image = normalize(-image.astype(np.float32) if invert else image)
    maps, scale = None, 1.0
    if diameter == "auto":
        maps = run(model, image)
        diameter = median_diameter(choose(maps, image.shape)[1])
    if diameter is not None:
        scale = choose_scale(diameter)
    if maps is None or scale != 1:
        maps = run(model, image, scale)
    points, distances = choose(maps, image.shape, scale, settings.pop("probability", 0.5), settings.pop("overlap", 0.3))
    inside = enlarge(maps[-1], image.shape, scale) > settings.get("foreground", 0.5)
    kept = stand_out(image, inside, points, distances, settings.pop("contrast", 0.1))
    points, distances = points[kept], distances[kept]
    return draw(maps, image.shape, points, distances, scale, **settings)
