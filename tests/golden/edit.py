# SPDX-License-Identifier: MIT
"""edit by its definition: skimage.draw's lines and polygons, SciPy's label and binary_fill_holes, and NumPy."""
import numpy as np
from make import Case
from scipy import ndimage
from skimage.draw import line, polygon

FULL = {2: np.ones((3, 3)), 3: np.ones((3, 3, 3))}


def inside(shape, rows, columns):
    """Which of these pixels the plane has, as an index."""
    rows, columns = np.asarray(rows, int), np.asarray(columns, int)
    there = (rows >= 0) & (rows < shape[0]) & (columns >= 0) & (columns < shape[1])
    return rows[there], columns[there]


def drawn(shape, points, closed, apart=False):
    """The pixels of a line through points x, y, ...; apart: none touches the next at a corner alone."""
    plane = np.zeros(shape, bool)
    ends = points[1:] + points[:1] if closed and len(points) > 2 or len(points) == 1 else points[1:]
    for a, b in zip(points, ends):
        rows, columns = line(a[1], a[0], b[1], b[0])
        if apart:
            steep = abs(b[1] - a[1]) > abs(b[0] - a[0])
            diagonal = (np.diff(rows) != 0) & (np.diff(columns) != 0)
            between = (rows[1:], columns[:-1]) if steep else (rows[:-1], columns[1:])
            rows, columns = (np.append(r, s[diagonal]) for r, s in zip((rows, columns), between))
        plane[inside(shape, rows, columns)] = True
    return plane


def area(shape, points):
    plane = drawn(shape, points, closed=True)
    plane[polygon([p[1] for p in points], [p[0] for p in points], shape)] = True
    return plane


class Edited:
    """One plane (y, x) or one volume (z, y, x)."""

    def __init__(self, labels):
        self.labels, self.highest, self.edits, self.missed = labels.copy(), int(labels.max()), 0, 0

    def index(self, p):
        return ((p[2] if len(p) > 2 else 0,) if self.labels.ndim == 3 else ()) + (p[1], p[0])

    def at(self, p):
        at = self.index(p)
        return int(self.labels[at]) if all(0 <= i < n for i, n in zip(at, self.labels.shape)) else 0

    def plane(self, p):
        return self.labels[self.index(p)[0]] if self.labels.ndim == 3 else self.labels

    def delete(self, points):
        found = True
        for p in points:
            label = self.at(p)
            found &= label > 0
            if label:
                self.labels[self.labels == label] = 0
        return found

    def merge(self, points):
        found = [self.at(p) for p in points]
        real = [f for f in found if f]
        if real:
            self.labels[np.isin(self.labels, real)] = real[0]
        return all(found)

    def draw(self, points):
        plane = self.plane(points[0])
        what = area(plane.shape, points)
        if not what.any():
            return False
        label = self.at(points[0])
        if not label:
            self.highest += 1
            label = self.highest
        plane[what] = label
        return True

    def erase(self, points):
        plane = self.plane(points[0])
        what = area(plane.shape, points)
        found = (plane[what] != 0).any()
        plane[what] = 0
        return found

    def fill(self, points):
        found = True
        for p in points:
            label = self.at(p)
            found &= label > 0
            if label:
                self.labels[ndimage.binary_fill_holes(self.labels == label) & (self.labels == 0)] = label
        return found

    def split(self, points):
        plane = self.plane(points[0])
        cut = np.broadcast_to(drawn(plane.shape, points, closed=False, apart=True), self.labels.shape)
        structure, divided, numbered = FULL[self.labels.ndim], False, self.highest
        met = np.unique(plane[drawn(plane.shape, points, closed=False, apart=True)])
        before = self.labels.copy()
        for label in met[met > 0]:
            parts, n = ndimage.label((before == label) & ~cut, structure)
            near = ndimage.binary_dilation(cut & (before == label), structure)
            begun = [i for i in range(1, n + 1) if (near & (parts == i)).any()]  # in their order
            if len(begun) < 2:
                continue
            divided = True
            self.labels[cut & (before == label)] = 0
            keeps = begun[int(np.argmax([(parts == i).sum() for i in begun]))]
            for i in begun:
                if i != keeps:
                    numbered += 1
                    self.labels[parts == i] = numbered
        self.highest = numbered
        return divided

    def run(self, commands):
        for verb, *points in commands:
            if getattr(self, verb)(points):
                self.edits += 1
            else:
                self.missed += 1


def text(commands):
    return "; ".join(" ".join([verb] + [",".join(map(str, p)) for p in points]) for verb, *points in commands)


def case(name, image, commands, volume=False):
    work = Edited(image)
    work.run(commands)
    return Case(name, f"edit commands='{text(commands)}'" + (" volume=yes" if volume else ""), {"image": image},
                {"image": work.labels}, scalars={"edits": work.edits, "missed": work.missed}, roles={"image": "labels"})


def blobs(rng, shape, level=0.02, sigma=2.0):
    """Objects of all forms, with holes."""
    noise = ndimage.gaussian_filter(rng.standard_normal(shape), sigma)
    return ndimage.label(noise > level, FULL[len(shape)])[0].astype(np.int32)


def commands(rng, shape, n):
    """At random, some of them beyond the image."""
    def point():
        p = [int(rng.integers(-3, shape[-1] + 3)), int(rng.integers(-3, shape[-2] + 3))]
        return p + [int(rng.integers(0, shape[0]))] if len(shape) == 3 else p

    made = []
    for verb in rng.choice(["delete", "merge", "split", "split", "draw", "erase", "fill"], n):
        points = [point() for _ in range(rng.integers(*{"delete": (1, 3), "fill": (1, 3), "merge": (2, 4), "split": (2, 4),
                                                          "draw": (1, 7), "erase": (1, 5)}[verb]))]
        if verb in ("split", "draw", "erase"):  # of one plane
            if verb == "erase":
                points = [[p[0] // 6 + 9, p[1] // 6 + 7] + p[2:] for p in points]
            points = [p[:2] + points[0][2:] for p in points]
        made.append((str(verb), *points))
    return made


def disc(shape, y, x, radius):
    rows, columns = np.indices(shape)
    return (rows - y) ** 2 + (columns - x) ** 2 <= radius ** 2


def cases():
    rng = np.random.default_rng(29)
    image = blobs(rng, (47, 61))
    yield case("none", image, [])
    for verb in ("delete", "merge", "split", "draw", "erase", "fill"):
        yield case(verb, image, [c for c in commands(rng, image.shape, 40) if c[0] == verb])
    for i in range(6):
        yield case(f"all-{i}", image, commands(rng, image.shape, 10 + 6 * i))
    deep = blobs(rng, (7, 26, 31), sigma=1.5)
    for i in range(3):
        yield case(f"volume-{i}", deep, commands(rng, deep.shape, 12 + 8 * i), volume=True)
    pair = np.zeros((40, 50), np.int32)  # two that the line goes through wholly, and one that it only enters
    pair[disc(pair.shape, 20, 10, 8)], pair[disc(pair.shape, 20, 27, 8)], pair[disc(pair.shape, 20, 44, 8)] = 3, 7, 5
    yield case("crossed", pair, [("split", [0, 17], [46, 22])])
    yield case("steep", pair, [("split", [12, 2], [9, 39]), ("split", [30, 0], [24, 20], [27, 39])])
    yield case("diagonal", pair, [("split", [0, 10], [20, 30]), ("split", [37, 11], [18, 30])])
    column = np.arange(1, 42, dtype=np.int32)[:, None] // 4
    yield case("column", column, [("merge", [0, 4], [0, 39]), ("split", [0, 10], [0, 10]), ("delete", [0, 20])])
    frames = np.stack([blobs(rng, (30, 33)) for _ in range(4)]).reshape(2, 1, 2, 30, 33)  # t, c, z, y, x
    planes = {(t, z): Edited(frames[t, 0, z]) for t in (0, 1) for z in (0, 1)}
    steps = []
    for (t, z), plane in planes.items():
        chosen = commands(rng, (30, 33), 8)
        plane.run(chosen)
        steps += [(verb, points[0][:2] + [z, t], *points[1:]) for verb, *points in chosen]
    steps = [steps[i] for i in sorted(range(len(steps)), key=lambda i: i % 8)]  # one of each plane in turn
    whole = np.stack([planes[t, z].labels for t in (0, 1) for z in (0, 1)]).reshape(frames.shape)
    yield Case("frames", f"edit commands='{text(steps)}'", {"image": frames}, {"image": whole}, roles={"image": "labels"},
               frames=2, scalars={k: [sum(getattr(planes[t, z], k) for z in (0, 1)) for t in (0, 1)] for k in ("edits", "missed")})
