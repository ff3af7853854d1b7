#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes roifile-*.roi, roifile.zip and roifile.txt here: selections as the package roifile writes them, and what they are.

Run by hand where roifile is (its version is in the first line of roifile.txt); the files are kept in the tree. Each other line is a file, the index
of the selection in it, its text, channel, slice and frame (from 0; -1: all), and its name.
"""
import pathlib

import numpy
import roifile
from roifile import ROI_TYPE, ImagejRoi

HERE = pathlib.Path(__file__).parent


def of(points, kind, name="", position=(0, 0, 0)):
    """A selection from its points, with channel, slice and frame from 1 (0: everywhere)."""
    points = numpy.asarray(points, "f4" if numpy.asarray(points).dtype.kind == "f" else "i4")
    roi = ImagejRoi.frompoints(points, name=name, c=position[0] - 1, z=position[1] - 1, t=position[2] - 1)
    roi.roitype = kind
    return roi


def box(kind, left, top, width, height, name=""):
    roi = ImagejRoi(roitype=kind, left=left, top=top, right=left + width, bottom=top + height, name=name)
    roi.version = 228
    return roi


def line(x1, y1, x2, y2, name=""):
    roi = ImagejRoi(roitype=ROI_TYPE.LINE, x1=x1, y1=y1, x2=x2, y2=y2, name=name)
    roi.version = 228
    return roi


def numbers(points, shift=0.0):
    return ",".join(f"{float(v) + shift:.9g}" for v in numpy.asarray(points).ravel())


corners = [[3, 2], [20, 5], [11, 17], [4, 9]]
fractions = [[3.5, 2.25], [20.0, 5.125], [11.0, 17.5]]
far = [[40000.0, 3.0], [40010.5, 3.0], [40010.5, 70000.0]]
many = [[i % 20, i // 20] for i in range(300)]
CASES = {
    "rectangle": (box(ROI_TYPE.RECT, 3, 4, 10, 20, "Zelle µ № 1"), "rectangle(3,4,10,20)"),
    "oval": (box(ROI_TYPE.OVAL, 3, 4, 10, 20), "oval(3,4,10,20)"),
    "polygon": (of(corners, ROI_TYPE.POLYGON, "polygon", (2, 3, 4)), f"polygon({numbers(corners)})"),
    "fractions": (of(fractions, ROI_TYPE.POLYGON, "β-tubulin"), f"polygon({numbers(fractions)})"),
    "freehand": (of(fractions, ROI_TYPE.FREEHAND), f"freehand({numbers(fractions)})"),
    "traced": (of(corners, ROI_TYPE.TRACED, "", (0, 5, 0)), f"traced({numbers(corners)})"),
    "far": (of(far, ROI_TYPE.POLYGON), f"polygon({numbers(far)})"),
    "line": (line(1.25, 2, 30, 40), "line(1.75,2.5,30.5,40.5)"),
    "points": (of(corners, ROI_TYPE.POINT), f"point({numbers(corners, 0.5)})"),
    "many": (of(many, ROI_TYPE.POINT), f"point({numbers(many, 0.5)})"),
    "polyline": (of(fractions, ROI_TYPE.POLYLINE, "path", (1, 0, 2)), f"polyline({numbers(fractions, 0.5)})"),
    "freeline": (of(corners, ROI_TYPE.FREELINE), f"freeline({numbers(corners, 0.5)})"),
    "angle": (of(corners[:3], ROI_TYPE.ANGLE), f"angle({numbers(corners[:3], 0.5)})"),
}


def record(file, index, text, roi):
    positions = " ".join(str(max(p, 0) - 1) for p in (roi.c_position, roi.z_position, roi.t_position))
    return f"{file} {index} {text} {positions} {roi.name}".rstrip()


lines = [f"roifile {roifile.__version__}"]
together = HERE / "roifile.zip"
together.unlink(missing_ok=True)
for name, (roi, text) in CASES.items():
    path = HERE / f"roifile-{name}.roi"
    roi.tofile(path)
    lines.append(record(path.name, 0, text, roi))
roifile.roiwrite(together, [roi for roi, _ in CASES.values()], name=[f"{name}.roi" for name in CASES])
lines += [record(together.name, i, text, roi) for i, (roi, text) in enumerate(CASES.values())]
(HERE / "roifile.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
