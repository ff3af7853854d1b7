#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes moved.json here: selections of every kind as the package roifile writes them, and where roifile finds their points.

Run by hand where roifile is; its version is the first member. Each other line has bytes in hexadecimal, points, and whether these count from centers
of pixels, as ImageJ has it for lines and points. The points of a box and an oval are the corners of the bounds, those of a composite all of its path.
"""
import json
import pathlib

import numpy
import roifile
from roifile import ROI_SUBTYPE, ROI_TYPE, ImagejRoi

CORNERS = [[6, 4], [26, 9], [17, 21], [8, 13]]
FRACTIONS = [[6.5, 4.25], [26.0, 9.125], [17.0, 21.5]]


def of(points, kind, **more):
    roi = ImagejRoi.frompoints(numpy.asarray(points, "f4" if numpy.asarray(points).dtype.kind == "f" else "i4"), name="Zelle µ")
    roi.roitype = kind
    return changed(roi, **more)


def changed(roi, **more):
    for key, value in more.items():
        setattr(roi, key, value)
    roi.version, roi.stroke_color, roi.stroke_width = 228, b"\xff\x10\x20\x30", 3
    return roi


def box(kind, **more):
    return changed(ImagejRoi(roitype=kind, left=6, top=4, right=16, bottom=24, name="Zelle µ"), **more)


def ends(kind, subtype, **more):
    return changed(ImagejRoi(roitype=kind, subtype=subtype, name="Zelle µ"), x1=7.25, y1=5.5, x2=25.0, y2=20.0, **more)


BOX, LINE = [[6, 4], [16, 24]], [[7.25, 5.5], [25, 20]]
PATH = numpy.array([0, 6, 4, 1, 26, 9, 2, 20, 22, 17, 21, 3, 9, 20, 8, 18, 8, 13, 4, 0, 12, 9, 1, 15, 9, 1, 13, 12, 4], "f4")
PATH_POINTS = [[6, 4], [26, 9], [20, 22], [17, 21], [9, 20], [8, 18], [8, 13], [12, 9], [15, 9], [13, 12]]
CASES = {
    "rectangle": (box(ROI_TYPE.RECT), BOX, False),
    "rounded": (box(ROI_TYPE.RECT, rounded_rect_arc_size=4), BOX, False),
    "oval": (box(ROI_TYPE.OVAL), BOX, False),
    "polygon": (of(CORNERS, ROI_TYPE.POLYGON), None, False),
    "fractions": (of(FRACTIONS, ROI_TYPE.POLYGON), None, False),
    "freehand": (of(FRACTIONS, ROI_TYPE.FREEHAND), None, False),
    "ellipse": (of(FRACTIONS, ROI_TYPE.FREEHAND, subtype=ROI_SUBTYPE.ELLIPSE, x1=7.25, y1=5.5, x2=25.0, y2=20.0, ellipse_aspect_ratio=0.5), None, False),
    "traced": (of(CORNERS, ROI_TYPE.TRACED), None, False),
    "free line": (of(CORNERS, ROI_TYPE.FREELINE), None, True),
    "segmented line": (of(FRACTIONS, ROI_TYPE.POLYLINE), None, True),
    "angle": (of(CORNERS[:3], ROI_TYPE.ANGLE), None, True),
    "points": (of(CORNERS, ROI_TYPE.POINT), None, True),
    "line": (ends(ROI_TYPE.LINE, ROI_SUBTYPE.UNDEFINED), LINE, True),
    "arrow": (ends(ROI_TYPE.LINE, ROI_SUBTYPE.ARROW), LINE, True),
    "composite": (changed(ImagejRoi(roitype=ROI_TYPE.RECT, left=6, top=4, right=26, bottom=22, shape_roi_size=PATH.size, multi_coordinates=PATH, name="Zelle µ")),
                  PATH_POINTS, False),
}


def main():
    found = {"roifile": roifile.__version__}
    for name, (roi, points, center) in CASES.items():
        data = roi.tobytes()
        again = ImagejRoi.frombytes(data)
        if points is None:
            points = again.coordinates().tolist()
        elif roi.roitype == ROI_TYPE.LINE:
            assert [[again.x1, again.y1], [again.x2, again.y2]] == points
        elif roi.shape_roi_size:
            assert numpy.array_equal(again.multi_coordinates, PATH)
        else:
            assert [[again.left, again.top], [again.right, again.bottom]] == points
        found[name] = {"bytes": data.hex(), "points": points, "center": center}
    file = pathlib.Path(__file__).parent / "moved.json"
    file.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


main()
