# SPDX-License-Identifier: MIT
"""score: IoU of all pairs of objects by numpy.bincount, matched by scipy.optimize.linear_sum_assignment, as StarDist's matching() does."""
import numpy as np
from make import Case
from scipy.optimize import linear_sum_assignment

THRESHOLDS = [k / 20 for k in range(10, 20)]


def overlaps(truth, found):
    """Pixels that objects share, (true, found), and their areas."""
    truth, found = (np.unique(np.append(0, image), return_inverse=True)[1][1:] for image in (truth, found))
    columns = found.max() + 1
    shared = np.bincount(truth * columns + found, minlength=(truth.max() + 1) * columns).reshape(-1, columns)
    return shared[1:, 1:], shared.sum(1)[1:], shared.sum(0)[1:]


def match(iou, threshold):
    """How many pairs have an IoU of at least the threshold, as many as can be, and their mean IoU."""
    if min(iou.shape) == 0:
        return 0, np.nan
    allowed = iou >= threshold - 1e-9
    rows, columns = linear_sum_assignment(-(allowed + iou / (2 * min(iou.shape))))
    values = iou[rows, columns][allowed[rows, columns]]
    return len(values), values.mean() if len(values) else np.nan


def ratio(a, b):
    return a / b if b else np.nan


def score(truth, found, summary):
    """Rows of a table by column."""
    shared, true_areas, found_areas = overlaps(truth.ravel(), found.ravel())
    t, f = shared.shape
    iou = shared / (true_areas[:, None] + found_areas[None] - shared)
    merged = int(((shared > true_areas[:, None] / 2).sum(0) > 1).sum())
    split = int(((shared > found_areas[None] / 2).sum(1) > 1).sum())
    matches = [match(iou, threshold) for threshold in THRESHOLDS]
    precisions = [ratio(m, t + f - m) for m, _ in matches]
    for threshold, (m, mean), ap in zip(THRESHOLDS, matches, precisions):
        counted = {"matched": m, "missed": t - m, "extra": f - m, "precision": ratio(m, f), "recall": ratio(m, t), "f1": ratio(2 * m, t + f),
                   "mean_iou": mean}
        joins = {"merged": merged, "split": split}
        if summary:
            yield {"true": t, "found": f, **counted, "ap50": ap, "ap75": precisions[5], "ap": np.mean(precisions), **joins}
            return
        yield {"iou": threshold, **counted, "ap": ap, **joins}


def case(name, truth, found, summary=False, volume=False):
    """Images: (z, y, x)."""
    together = volume or len(truth) == 1
    rows = [row if together else {"z": z + 1, **row} for z, planes in enumerate([(truth, found)] if together else zip(truth, found))
            for row in score(*planes, summary)]
    step = "score" + (" rows=summary" if summary else "") + (" volume=yes" if volume else "")
    return Case(name, step, {"image": found, "truth": truth}, table={key: [row[key] for row in rows] for key in rows[0]},
                table_tolerance=1e-12, roles={"image": "labels", "truth": "labels"})


def disks(planes):
    """Objects of 6 rows and 8 columns, of radius 3 to 6 in squares of 12 pixels, the same in each plane."""
    y, x = np.mgrid[:72, :96]
    labels = 1 + y // 12 * 8 + x // 12
    truth = np.where(np.hypot(y % 12 - 5.5, x % 12 - 5.5) < 3 + labels % 4, labels, 0)
    return np.repeat(truth[None], planes, 0).astype(np.int32)


def changed(truth, rng):
    """What a segmentation might find: objects that are moved, joined with the next, cut in two, lost and invented; with other labels."""
    found = np.where(truth % 3 == 0, np.roll(truth, 2, -1), np.roll(truth, 1, -2)) * (rng.random(truth.shape) < 0.97)
    labels = rng.permutation(truth.max() + 1) + 1
    labels[0], labels[5::11], labels[7::9] = 0, labels[6:-1:11], 0
    found = np.where(found > 0, labels[found], 0)
    found = np.where((found % 5 == 3) & (np.arange(truth.shape[-1]) % 12 < 6), found + 1000, found)
    return np.where((truth == 0) & (rng.random(truth.shape) < 0.01), 5000, found).astype(np.int32)


def cases():
    rng = np.random.default_rng(31)
    truth = disks(3)
    found = changed(truth, rng)
    found[2] = changed(truth[2], rng)
    for summary in (False, True):
        kind = "summary" if summary else "thresholds"
        yield case(f"plane-{kind}", truth[:1], found[:1], summary)
        yield case(f"same-{kind}", truth[:1], truth[:1], summary)
        yield case(f"planes-{kind}", truth, found, summary)
        yield case(f"volume-{kind}", truth, found, summary, volume=True)
    nothing = np.zeros_like(truth[:1])
    yield case("none-found", truth[:1], nothing)
    yield case("none-true", nothing, found[:1])
    yield case("none", nothing, nothing, True)
    # IoU of exactly 1/2, 3/4 and 9/10; two halves of one, and one that holds two halves.
    yield case("exact", np.array([[[1, 1, 0, 2, 2, 2, 2, 0, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 0, 4, 4, 0, 5, 6]]], np.int32),
               np.array([[[9, 0, 0, 8, 8, 8, 0, 0, 7, 7, 7, 7, 7, 7, 7, 7, 7, 0, 0, 6, 5, 0, 4, 4]]], np.int32))
    yield case("u8", truth[:1].astype(np.uint8), (found[:1] % 65521).astype(np.uint16))
