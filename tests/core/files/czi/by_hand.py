# SPDX-License-Identifier: MIT
"""Puts CZI files together segment by segment, so that every kind exists: sub-blocks of any pixel type, compression, axis and pyramid level."""
import struct

AXES = "XYZCTMSHVRIB"


def segment(name, data, allocated=0):
    return struct.pack("<16sqq", name, max(len(data), allocated), len(data)) + data


def entry(block, at):
    """An entry of the directory. block: pixel_type, compression, pyramid, axes {name: (start, size, stored)}."""
    axes = block["axes"]
    head = struct.pack("<2siqiiB5xi", b"DV", block["pixel_type"], at, block.get("part", 0), block.get("compression", 0),
                       block.get("pyramid", 0), len(axes))
    return head + b"".join(struct.pack("<4siifi", name.encode(), start, size, start, stored) for name, (start, size, stored) in axes.items())


def sub_block(block, at):
    own = entry(block, at)
    metadata = block.get("metadata", "").encode()
    head = struct.pack("<iiq", len(metadata), 0, block.get("size", len(block["data"]))) + own
    return segment(b"ZISRAWSUBBLOCK", head.ljust(256, b"\0") + metadata + block["data"])


def block(array, x=0, y=0, shown=None, data=None, pixel_type=None, pyramid=0, compression=0, metadata="", **axes):
    """A sub-block of an array (row, column) or (row, column, sample). shown: columns and rows of what it shows; data: its pixels, compressed."""
    rows, columns = array.shape[:2]
    width, height = shown or (columns, rows)
    kinds = {("uint8", 1): 0, ("uint16", 1): 1, ("float32", 1): 2, ("uint8", 3): 3, ("uint16", 3): 4, ("float32", 3): 8,
             ("uint8", 4): 9, ("complex64", 1): 10, ("int32", 1): 12, ("float64", 1): 13}
    if pixel_type is None:
        pixel_type = kinds[array.dtype.name, array.shape[2] if array.ndim == 3 else 1]
    everything = {"X": (x, width, columns), "Y": (y, height, rows), **{name: (start, 1, 1) for name, start in axes.items()}}
    return dict(pixel_type=pixel_type, compression=compression, pyramid=pyramid, axes=everything, metadata=metadata,
                data=array.tobytes() if data is None else data)


def attachment(name, kind, data):
    head = struct.pack("<2s10xqi16s8s80s", b"A1", 0, 0, bytes(16), kind, name)
    return segment(b"ZISRAWATTACH", struct.pack("<i12x", len(data)) + head + bytes(112) + data)


def czi(blocks, xml="", attachments=()):
    """All bytes of a file."""
    out = bytearray(544)
    entries = b""
    for one in blocks:
        entries += entry(one, len(out))
        out += sub_block(one, len(out))
    metadata = len(out) if xml else 0
    if xml:
        out += segment(b"ZISRAWMETADATA", struct.pack("<ii", len(xml.encode()), 0).ljust(256, b"\0") + xml.encode())
    listed = b""
    for name, kind, data in attachments:
        listed += struct.pack("<2s10xqi16s8s80s", b"A1", len(out), 0, bytes(16), kind, name)
        out += attachment(name, kind, data)
    directory_of_attachments = len(out) if attachments else 0
    if attachments:
        out += segment(b"ZISRAWATTDIR", struct.pack("<i", len(attachments)).ljust(256, b"\0") + listed)
    directory = len(out)
    out += segment(b"ZISRAWDIRECTORY", struct.pack("<i", len(blocks)).ljust(128, b"\0") + entries)
    header = struct.pack("<iiii16s16siqqiq", 1, 0, 0, 0, bytes(16), bytes(16), 0, directory, metadata, 0, directory_of_attachments)
    out[:544] = segment(b"ZISRAWFILE", header.ljust(512, b"\0"))
    return bytes(out)
