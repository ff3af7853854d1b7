# SPDX-License-Identifier: MIT
"""assign: pixels of each child counted by parent with numpy.bincount."""
import numpy as np
from make import Case
from texture import cells


def relate(children, parents, least):
    """Rows of the children, rows of the parents, and the children by parent."""
    rows, families, out = [], {int(p): [0, 0] for p in np.unique(parents[parents > 0])}, np.zeros(children.shape, np.int32)
    for child in np.unique(children[children > 0]):
        inside = children == child
        counts = np.bincount(parents[inside])
        counts[0] = 0
        parent, size = int(counts.argmax()), int(inside.sum())  # of equal ones the first
        overlap = int(counts[parent])
        parent = parent if overlap and overlap >= least * size else 0
        out[inside] = parent
        rows.append((child, parent, overlap, overlap / size))
        if parent:
            families[parent][0] += 1
            families[parent][1] += overlap
    return rows, [(p, n, m, m / (parents == p).sum()) for p, (n, m) in families.items()], out


def case(name, children, parents, rows="children", share=0, volume=False):
    """Images: (z, y, x)."""
    together = volume or len(children) == 1
    found = [relate(c, p, share) for c, p in ([(children, parents)] if together else zip(children, parents))]
    table = [row if together else (z + 1, *row) for z, f in enumerate(found) for row in f[rows == "parents"]]
    keys = ("label", "parent", "overlap", "share") if rows == "children" else ("label", "children", "overlap", "share")
    step = "assign" + (f" rows={rows}" if rows == "parents" else "") + (f" share={share}" if share else "")
    return Case(name, step + (" volume=yes" if volume else ""), {"image": children, "parents": parents},
                {"labels": found[0][2] if together else np.stack([f[2] for f in found])},
                table=dict(zip(keys if together else ("z",) + keys, np.transpose(table))), table_tolerance=1e-12,
                roles={"image": "labels", "parents": "labels"})


def cases():
    rng = np.random.default_rng(8)
    parents = np.stack([cells((33, 45), z + 40) for z in range(3)])
    children = np.where(rng.random(parents.shape) < 0.7, np.kron(rng.integers(0, 50, (3, 11, 15)), np.ones((1, 3, 3))), 0)
    children = children.astype(np.int32)
    for rows in ("children", "parents"):
        yield case(f"plane-{rows}", children[:1], parents[:1], rows)
        yield case(f"share-{rows}", children[:1], parents[:1], rows, 0.25)
        yield case(f"planes-{rows}", children, parents, rows)
        yield case(f"volume-{rows}", children, parents, rows, volume=True)
    halves = np.array([[[1, 1, 2, 2, 3, 3, 0, 4]]], np.int32)
    yield case("ties", halves, np.array([[[9, 5, 5, 9, 5, 0, 5, 0]]], np.int32))
    yield case("half", halves, np.array([[[9, 5, 5, 9, 5, 0, 5, 0]]], np.int32), share=0.5)
    yield case("all", halves, np.array([[[9, 9, 5, 9, 5, 0, 5, 0]]], np.int32), share=1)
    yield case("u8", children[:1].astype(np.uint8), parents[:1].astype(np.uint16))
