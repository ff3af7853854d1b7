# SPDX-License-Identifier: MIT
"""Writes lossless JPEG of every predictor, with point transforms and restarts, which imagecodecs reads but does not write."""
import struct

CODE_BITS = 5  # of all 17 codes


def stuffed(bits):
    bits += "1" * (-len(bits) % 8)
    return bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8)).replace(b"\xff", b"\xff\0")


def difference(value):
    """The code of a difference, and its bits."""
    value &= 0xffff
    if value == 32768:
        return format(16, f"0{CODE_BITS}b")
    value -= 65536 if value > 32768 else 0
    size = abs(value).bit_length()
    return format(size, f"0{CODE_BITS}b") + (format(value if value > 0 else value + (1 << size) - 1, f"0{size}b") if size else "")


def guess(v, y, x, k, first, predictor, begin):
    if first:
        return v[y][x - 1][k] if x else begin
    above = v[y - 1][x][k]
    if not x:
        return above
    left, corner = v[y][x - 1][k], v[y - 1][x - 1][k]
    return (left, above, corner, left + above - corner, left + ((above - corner) >> 1), above + ((left - corner) >> 1), (left + above) >> 1)[predictor - 1]


def encode(image, bits, predictor=1, transform=0, restart=0):
    """image: (row, column, component); restart: every so many rows."""
    rows, columns, components = image.shape
    v = (image.astype(int) >> transform).tolist()
    out = b"\xff\xd8\xff\xc3" + struct.pack(">HBHHB", 8 + 3 * components, bits, rows, columns, components)
    out += b"".join(bytes((k + 1, 0x11, 0)) for k in range(components))
    out += b"\xff\xc4" + struct.pack(">HB", 36, 0) + bytes(17 if i + 1 == CODE_BITS else 0 for i in range(16)) + bytes(range(17))
    if restart:
        out += b"\xff\xdd" + struct.pack(">HH", 4, restart * columns)
    out += b"\xff\xda" + struct.pack(">HB", 6 + 2 * components, components) + b"".join(bytes((k + 1, 0)) for k in range(components))
    out += bytes((predictor, 0, transform))
    text = ""
    for y in range(rows):
        first = y % restart == 0 if restart else y == 0
        if first and y:
            out += stuffed(text) + bytes((0xff, 0xd0 + (y // restart - 1) % 8))
            text = ""
        for x in range(columns):
            for k in range(components):
                text += difference(v[y][x][k] - guess(v, y, x, k, first, predictor, 1 << (bits - transform - 1)))
    return out + stuffed(text) + b"\xff\xd9"
