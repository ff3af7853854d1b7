# SPDX-License-Identifier: MIT
"""Writes TIFF files that libraries do not write: any tags, any chunks, any damage."""

import struct

TYPES = {1: "B", 2: "s", 3: "H", 4: "I", 5: "II", 7: "B", 11: "f", 12: "d", 13: "I", 16: "Q", 18: "Q"}


def directory(tags, order, big, at, following):
    """Bytes of a directory at `at`; its long values come behind it."""
    entry, room = (20, 8) if big else (12, 4)
    body = b""
    behind = at + (8 if big else 2) + entry * len(tags) + room
    values = b""
    for tag, (kind, data) in sorted(tags.items()):
        data = data if isinstance(data, (list, tuple, bytes)) else [data]
        if kind == 2:
            packed, count = data, len(data)
        else:
            packed = struct.pack(order + TYPES[kind][0] * len(data), *data)
            count = len(data) // len(TYPES[kind])
        body += struct.pack(order + ("HHQ" if big else "HHI"), tag, kind, count)
        if len(packed) <= room:
            body += packed + bytes(room - len(packed))
        else:
            body += struct.pack(order + ("Q" if big else "I"), behind + len(values))
            values += packed + bytes(len(packed) % 2)
    count = struct.pack(order + ("Q" if big else "H"), len(tags))
    end = behind + len(values)
    return count + body + struct.pack(order + ("Q" if big else "I"), end if following else 0) + values


def write_tiff(path, pages, order="<", big=False):
    """pages: (tags, chunks) each; the tag 273 or 324 gets the chunks' positions, by its given type."""
    out = (b"II" if order == "<" else b"MM") + struct.pack(order + "H", 43 if big else 42)
    out += struct.pack(order + "HHQ", 8, 0, 16) if big else struct.pack(order + "I", 8)
    for i, (tags, chunks) in enumerate(pages):
        tags = dict(tags)
        offsets = 324 if 324 in tags else 273
        if tags.setdefault(offsets + 6 if offsets == 273 else 325, (4, [len(chunk) for chunk in chunks])) is None:
            del tags[279]
        kind = tags[offsets][0]
        tags[offsets] = (kind, [0] * len(chunks))
        size = len(directory(tags, order, big, len(out), True))
        at = len(out) + size
        tags[offsets] = (kind, [at + sum(map(len, chunks[:j])) for j in range(len(chunks))])
        data = b"".join(chunks)
        made = bytearray(directory(tags, order, big, len(out), i + 1 < len(pages)))
        if i + 1 < len(pages):  # the next directory is behind the pixels
            link = (8 if big else 2) + (20 if big else 12) * len(tags)
            struct.pack_into(order + ("Q" if big else "I"), made, link, at + len(data))
        out += bytes(made) + data
    path.write_bytes(out)


def tags(rows, columns, bits=8, samples=1, **more):
    fields = {"compression": (259, 3), "photometric": (262, 3), "fill_order": (266, 3), "orientation": (274, 3),
             "rows_per_strip": (278, 4), "planar": (284, 3), "format": (339, 3), "extra": (338, 3), "offset_type": None,
             "counts": (279, 4), "subfile": (254, 4), "predictor": (317, 3)}
    out = {256: (4, columns), 257: (4, rows), 258: (3, [bits] * samples), 262: (3, 1 if samples < 3 else 2), 277: (3, samples),
           273: (more.pop("offset_type", 4), 0)}
    if samples == 1:
        del out[277]
    for key, value in more.items():
        if isinstance(key, str) and key.startswith("tag"):
            out[int(key[3:])] = value
        else:
            tag, kind = fields[key]
            out[tag] = (kind, value)
    return out


def packed(array, bits):
    """Rows of samples of any width, the highest bit first, each row padded to a byte."""
    rows = []
    for row in array.reshape(array.shape[0], -1):
        text = "".join(format(int(v) & ((1 << bits) - 1), f"0{bits}b") for v in row)
        text += "0" * (-len(text) % 8)
        rows.append(int(text, 2).to_bytes(len(text) // 8, "big"))
    return b"".join(rows)
