# SPDX-License-Identifier: MIT
"""What notebooks show of images, tables and results."""
from __future__ import annotations

import base64
import html
import os
import tempfile
from typing import Any

import numpy as np

#: Longer side of a picture, in pixels; enlargement of small images at most; pixels above which no picture is made; rows of a table that are shown.
SIZE, ENLARGED, MOST_PIXELS, ROWS = 512, 8, 1 << 28, 10
#: Percentiles of the values that are shown black and white.
DARK, BRIGHT = 0.1, 99.9


def limits(plane: Any) -> np.ndarray:
    """For each channel the values that are shown black and white."""
    channels = np.asarray(plane, float).reshape((-1 if "C" in plane.axes else 1,) + plane.shape[-2:])
    shown = []
    for channel in channels:
        values = channel[np.isfinite(channel)]
        low, high = np.percentile(values, (DARK, BRIGHT)) if values.size else (0, 1)
        shown.append((low, high if high > low else low + 1))
    return np.array(shown)


def png(image: Any) -> bytes | None:
    """The middle slice of the first frame, made by the operation `display` and encoded as PNG; None if the image is very large."""
    from ._images import Image
    from ._runs import run

    times, channels, slices, rows, columns = image._info["shape"]
    if channels * rows * columns > MOST_PIXELS:
        return None
    plane = run(f"substack frames=1 slices={slices // 2 + 1}", image).image if times * slices > 1 else image
    zoom = SIZE / max(rows, columns)
    zoom = min(int(zoom), ENLARGED) if zoom >= 1 else zoom
    contrast = ";".join(f"{low!r},{high!r}" for low, high in limits(plane).tolist()) if plane.role == "image" else ""
    shown = run(f'display zoom={zoom} contrast="{contrast}"', plane).image.numpy()
    colors = shown.reshape(shown.shape[-2], -1, 4)[..., :3]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "shown.png")
        Image(colors, axes="YXC").save(path)
        with open(path, "rb") as file:
            return file.read()


def image_html(image: Any) -> str:
    """The picture, and below it what the image is."""
    picture = png(image)
    shown = f'<img src="data:image/png;base64,{base64.b64encode(picture).decode()}" style="image-rendering: pixelated">' if picture else ""
    text = f"{image._info['text']}; {image.axes} {image.shape} {image.dtype}, on {image.device}"
    return f"<figure style=\"margin: 0\">{shown}<figcaption>{html.escape(text)}</figcaption></figure>"


def cell(value: Any) -> str:
    """A value of a table, short; nothing if it is missing."""
    if value is None or value != value:
        return ""
    return html.escape(f"{value:.6g}" if isinstance(value, float) else str(value))


def table_html(table: Any) -> str:
    """The first rows, with units, and what a column is as a tooltip."""
    heads = "".join(f'<th title="{html.escape(table.help[name], quote=True)}">{html.escape(name)}'
                    f"{html.escape(f' ({table.units[name]})') if table.units[name] else ''}</th>" for name in table)
    rows = "".join(f"<tr>{''.join(f'<td>{cell(value)}</td>' for value in row)}</tr>" for row in zip(*(table[name][:ROWS].tolist() for name in table)))
    more = f"{table.rows} rows" + (f", of which {ROWS} are shown" if table.rows > ROWS else "")
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table><p>{more}</p>"
