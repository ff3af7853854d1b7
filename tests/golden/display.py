# SPDX-License-Identifier: MIT
"""display: a plain NumPy reading of kernels/display/display.h. data/luts.csv has the look-up tables as matplotlib and ImageJ have them."""
import dataclasses
import pathlib

import numpy as np
from make import Case

TABLES = pathlib.Path(__file__).parent / "data" / "luts.csv"
ENDS = {"gray": (0, 0xffffff), "inverted": (0xffffff, 0), "red": (0, 0xff0000), "green": (0, 0xff00), "blue": (0, 0xff),
        "magenta": (0, 0xff00ff), "cyan": (0, 0xffff), "yellow": (0, 0xffff00)}
STRETCHES = {"linear": lambda t, a: t, "log": lambda t, a: np.log(a * t + 1) / np.log(a + 1),
             "asinh": lambda t, a: np.arcsinh(t / a) / np.arcsinh(1 / a), "sqrt": lambda t, a: np.sqrt(t), "power": lambda t, a: t ** a}
USUAL_A = {"log": 1000, "asinh": 0.1, "power": 2}
USUAL = ("magenta", "green", "cyan", "yellow", "red", "blue", "gray")


def table(name, colors=""):
    if name[0] == "#":
        digits = colors.split(",")[int(name[1:]) - 1]
        return np.frombuffer(bytes.fromhex(digits), np.uint8).reshape(256, 3).astype(int)
    if name in ENDS:
        ends = np.array([[k >> 16, k >> 8 & 255, k & 255] for k in ENDS[name]], float)
        return np.stack([np.linspace(*c, 256) for c in ends.T], -1).astype(int)
    name = "glasbey" if name == "labels" else name  # beside others it is a table as they are
    names, *lines = TABLES.read_text(encoding="utf-8").splitlines()[1:]
    colors = [int(line.split(",")[names.split(",").index(name)], 16) for line in lines]
    return np.array([[c >> 16, c >> 8 & 255, c & 255] for c in colors])


def positions(start, zoom, size, n):
    """Image pixel under the middle of each screen pixel, what each covers, and whether anything of the image is there."""
    i = np.arange(size)
    middle = np.floor(start + (i + 0.5) / zoom)
    a, b = start + i / zoom, start + (i + 1) / zoom
    seen = (b > 0) & (a < n) if zoom < 1 else (middle >= 0) & (middle < n)
    return np.clip(middle, 0, n - 1).astype(int), np.maximum(a, 0), np.minimum(b, n), seen


def weights(a, b, n):
    k = np.arange(n)
    w = np.clip(np.minimum(k + 1, b[:, None]) - np.maximum(k, a[:, None]), 0, None)
    return w / np.where(w.sum(1, keepdims=True) > 0, w.sum(1, keepdims=True), 1)


def display(image, role="image", overlay=None, mode="composite", channel=0, z=0, contrast=None, luts="", x=0.0, y=0.0,
            zoom=1.0, width=0, height=0, overlay_alpha=0.5, overlay_mode="fill", stretch="", colors=""):
    """image (c, z, y, x), overlay (z, y, x); gives (height, width * 4)."""
    channels, _, rows, columns = image.shape
    size = [given or max(1, int(np.ceil(n * zoom - 0.5))) for given, n in ((height, rows), (width, columns))]
    row, top, bottom, row_seen = positions(y, zoom, size[0], rows)
    column, left, right, column_seen = positions(x, zoom, size[1], columns)
    seen = row_seen[:, None] & column_seen
    rgb = np.zeros((*size, 3), int)
    names = [n.strip() for n in luts.split(",")] if luts else []
    seen_names = [names[c % len(names)] for c in ([channel] if mode == "single" else range(channels))] if names else []
    if role == "labels" or (role != "rgb" and set(seen_names) == {"labels"}):
        labels = np.zeros(size, np.int64)
        for c in reversed([channel] if mode == "single" else range(channels)):  # the first is in front
            own = image[c, z][np.ix_(row, column)].astype(float)
            own = np.where((own >= 1) & (own < 2 ** 31), own, 0).astype(np.int64)  # as NumPy cuts decimals off
            labels = np.where(own > 0, own, labels)
        rgb = np.where(labels[..., None] > 0, table("glasbey")[(labels - 1) % 255 + 1], 0)
    else:
        for c in [channel] if mode == "single" else range(channels):
            plane = image[c, z].astype(float)
            finite = plane[np.isfinite(plane)]
            low, high, gamma, a = (0, 255, 1, 0) if image.dtype == np.uint8 else (
                (finite.min(), finite.max(), 1, 0) if finite.size else (np.nan, np.nan, 1, 0))
            high = high if high > low else low + 1
            if contrast is not None:
                low, high, gamma, a = (*contrast[c if len(contrast) > 1 else 0], *(1, 0)[len(contrast[0]) - 2:])[:4]
            kinds = stretch.split(",") if stretch else ["linear"]
            kind = kinds[c % len(kinds)]
            with np.errstate(invalid="ignore", divide="ignore"):
                if zoom < 1:
                    shown = weights(top, bottom, rows) @ np.where(np.isfinite(plane), plane, 0)
                    shown = shown @ weights(left, right, columns).T
                    bad = (weights(top, bottom, rows) > 0).astype(float) @ ~np.isfinite(plane)
                    shown[bad @ (weights(left, right, columns) > 0).T > 0] = np.nan
                else:
                    shown = plane[np.ix_(row, column)]
                t = (shown - low) * (np.inf if high == low else 4095 / (high - low))
                t = np.clip(np.nan_to_num(t, nan=0, posinf=4095, neginf=0), 0, 4095) / 4095
                level = np.floor(4095 * STRETCHES[kind](t, a or USUAL_A.get(kind)) + 0.5)
            if role == "rgb" and mode == "composite":
                name = ("red", "green", "blue")[c]
            elif names:
                name = names[c % len(names)]
            else:
                name = USUAL[c % 7] if mode == "composite" and channels > 1 else "gray"
            rgb += table(name, colors)[np.floor(255 * (level / 4095) ** gamma + 0.5).astype(int)]
    rgb = np.minimum(rgb, 255)
    if overlay is not None:
        padded = [positions(s - 1 / zoom, zoom, n + 2, m) for s, n, m in ((y, size[0], rows), (x, size[1], columns))]
        labels = np.maximum(overlay[z][np.ix_(padded[0][0], padded[1][0])].astype(np.int64), 0)
        labels[~(padded[0][3][:, None] & padded[1][3])] = -1
        middle = labels[1:-1, 1:-1]
        drawn = middle > 0
        if overlay_mode == "outline":
            beside = [labels[:-2, 1:-1], labels[2:, 1:-1], labels[1:-1, :-2], labels[1:-1, 2:]]
            drawn = (middle >= 0) & np.any([(b != -1) & (b != middle) for b in beside], axis=0)
        color = table("glasbey")[(middle - 1) % 255 + 1]
        if overlay_mode == "outline":  # two tones: halfway to white inside, black outside
            color = np.where((middle > 0)[..., None], 128 + color.astype(int) // 2, 0)
        rgb = np.where(drawn[..., None], np.floor(color * overlay_alpha + rgb * (1 - overlay_alpha) + 0.5), rgb)
    rgba = np.concatenate([rgb, np.full((*size, 1), 255)], -1) * seen[..., None]
    return rgba.astype(np.uint8).reshape(size[0], -1)


def cases():
    rng = np.random.default_rng(3)
    shape = (3, 2, 17, 23)
    y, x = np.mgrid[:17, :23]
    field = (np.sin(x / 5 + np.arange(3)[:, None, None, None]) * np.cos(y / 4) + 1) / 2 + rng.random(shape) * 0.1
    images = {"uint8": (field * 230).astype(np.uint8), "uint16": (field * 4000).astype(np.uint16),
              "int32": (field * 70000 - 20000).astype(np.int32), "float32": field.astype(np.float32), "float64": field}
    labels = np.zeros(shape[1:], np.int32)
    labels[0, 2:8, 3:9], labels[0, 5:12, 9:15], labels[1, 4:9, 4:9], labels[0, 14:, 18:] = 1, 300, 7, 2

    def case(name, image, roles=None, overlay=None, contrast=None, **arguments):
        step = " ".join(f"{k}={v}" for k, v in arguments.items())
        if contrast:
            step += f' contrast="{"; ".join(" ".join(repr(v) for v in row) for row in contrast)}"'
        inputs = {"image": image, **({} if overlay is None else {"overlay": overlay})}
        want = display(image, (roles or {}).get("image", "image"), overlay, contrast=contrast, **arguments)
        # A mean may fall on the other side of a rounding and take the next color of the table.
        return Case(name, f"display {step}".strip(), inputs, {"image": want[None]}, absolute=2, roles=roles or {})

    for name, image in images.items():
        yield case(f"{name}-whole", image)
        yield case(f"{name}-single-z1", image, mode="single", channel=1, z=1)
        yield case(f"{name}-in", image[:1], zoom=3, x=2.25, y=-1.5, width=31, height=29)
        yield case(f"{name}-out", image[:2], zoom=0.3, x=-3.5, y=1.2)
    grey, ramp = images["uint16"][:1], np.arange(256, dtype=np.uint8).reshape(1, 1, 1, 256)
    for lut in ("gray", "inverted", "red", "green", "blue", "magenta", "cyan", "yellow", "fire", "viridis", "cividis",
                "glasbey"):
        yield case(f"lut-{lut}", grey, luts=lut)
        yield dataclasses.replace(case(f"lut-{lut}-all", ramp, luts=lut), absolute=0)  # every entry, and that exactly
    yield case("luts-in-turn", images["uint16"], luts="red,blue")
    own = ",".join(rng.integers(0, 256, 768, dtype=np.uint8).tobytes().hex() for _ in range(2))
    yield dataclasses.replace(case("lut-given-all", ramp, luts="#1", colors=own[:1536]), absolute=0)
    yield case("luts-given", images["uint8"], luts="#2,fire,#1", colors=own)
    for contrast in ([(500.0, 3000.0)], [(3000.0, 500.0)], [(1500.0, 1500.0)], [(0.0, 4000.0, 0.45)], [(0.0, 4000.0, 2.2)]):
        yield case("contrast-" + "-".join(f"{v:g}" for v in contrast[0]), grey, contrast=contrast)
    yield case("contrast-each", images["float32"], contrast=[(0.1, 0.9, 1.0), (0.2, 1.0, 0.5), (0.0, 2.0, 1.5)])
    for stretch in ("log", "asinh", "sqrt", "power"):
        yield case(f"stretch-{stretch}", images["float32"][:1], stretch=stretch)
        yield case(f"stretch-{stretch}-gamma-a", images["uint16"][:1], stretch=stretch, contrast=[(50.0, 3000.0, 0.7, 0.4)])
        yield case(f"stretch-{stretch}-out", images["uint8"], stretch=stretch, zoom=0.4)
    yield case("stretch-each", images["float64"], stretch="asinh,linear,log", contrast=[(0.1, 0.9, 1, 0), (0.2, 1, 0.5, 0), (0, 2, 1, 50.0)])
    sky = 100 + rng.normal(0, 3, (1, 1, 40, 60))
    sky[..., 20, 30], sky[..., 9, 9], sky[..., 9, 10] = 40000, np.nan, -np.inf
    yield case("stretch-sky", sky.astype(np.float32), stretch="log", contrast=[(90.0, 40000.0)])
    rgb = {"image": "rgb"}
    yield case("rgb", images["uint8"], rgb)
    yield case("rgb-out", images["uint8"], rgb, zoom=0.5)
    yield case("rgb-single", images["uint8"], rgb, mode="single", channel=2)
    pair = np.stack([labels, np.roll(labels * 3, (2, 4), (1, 2))])  # objects of two channels, of which some are in front of others
    for zoom in (0.4, 1, 2.5):
        yield case(f"labels-{zoom}", labels[None], {"image": "labels"}, zoom=zoom)
        yield case(f"labels-composite-{zoom}", pair, {"image": "labels"}, zoom=zoom)
        for name, image in images.items():
            wide = image * 900 if name.startswith("float") else image
            yield case(f"lut-labels-{name}-{zoom}", wide[:1], luts="labels", zoom=zoom)
        yield case(f"lut-labels-single-{zoom}", images["uint16"], mode="single", channel=1, luts="gray,labels,fire", zoom=zoom)
        yield case(f"lut-labels-each-{zoom}", pair, luts="labels", zoom=zoom)
        yield case(f"lut-labels-among-{zoom}", images["uint16"], luts="labels,gray", zoom=zoom)
        yield case(f"labels-single-{zoom}", pair, {"image": "labels"}, mode="single", channel=1, z=1, zoom=zoom)
        for overlay_mode in ("fill", "outline"):
            yield case(f"overlay-{overlay_mode}-{zoom}", grey, overlay=labels, zoom=zoom, overlay_mode=overlay_mode)
    yield case("overlay-opaque", images["uint8"], overlay=labels, overlay_alpha=1, x=-2, y=-3, width=40, height=30)
    yield case("outside", grey, x=100, y=0, width=5, height=4)
    yield case("one-pixel", grey[:, :, :1, :1], zoom=0.01)
    holes = images["float32"].copy()
    holes[:, :, 3:5, 3:9], holes[0, 0, 9, 9] = np.nan, np.inf
    yield case("nan", holes[:1])
    yield case("nan-out", np.where(np.isinf(holes), np.float32(np.nan), holes)[:1], zoom=0.5)
    yield case("constant", np.full((1, 1, 3, 5), 2.5))
    yield case("no-finite-pixel", np.full((1, 1, 3, 5), np.nan))
