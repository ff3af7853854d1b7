#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_layout.py FOVEA: where the planes of a file are, as tifffile finds them, and that what a file says about itself and
about other files costs neither minutes nor a program that waits for ever. Skips (77) without tifffile."""
import itertools
import json
import os
import pathlib
import resource
import struct
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy
    import tifffile
except ImportError:
    sys.exit(77)

from by_hand import directory, tags, write_tiff

FOVEA = sys.argv.pop(1)
SECONDS = 30 if "ASAN_OPTIONS" in os.environ else 5  # what may be; a sanitizer follows each allocation
OME = '<?xml version="1.0"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06" %s>%s</OME>\0'


def run(*arguments, seconds=60):
    return subprocess.run([FOVEA, *map(str, arguments)], capture_output=True, text=True, timeout=seconds)


def cost():
    """Seconds that processors have worked for the programs that were run: what else is going on does not count."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def info(path):
    done = run("info", "--json", path)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Layout(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def planes(self, path, number=0):
        """What Fovea reads, through a file that it writes."""
        copy = self.folder / "copy.tif"
        done = run("convert", "--series", number, path, copy)
        self.assertEqual(done.returncode, 0, done.stderr)
        return tifffile.imread(copy)

    def placed(self, text, places, directories):
        """A file with directories in front of planes of 16 x 16 pixels, which are 10, 20, ... and at the given offsets."""
        path = self.folder / "placed.tif"
        out, links = bytearray(b"II*\0" + struct.pack("<I", 8)), []
        for i in range(directories):
            page = {**tags(16, 16), 273: (4, places[i]), 278: (4, 16), 279: (4, 256), **({270: (2, text)} if i == 0 else {})}
            links.append(len(out) + 2 + 12 * len(page))
            out += directory(page, "<", False, len(out), True)
        struct.pack_into("<I", out, links[-1], 0)
        self.assertLess(len(out), min(places))
        out += bytes(max(places) + 256 - len(out))
        for i, place in enumerate(places):
            out[place:place + 256] = bytes([10 * (i + 1)] * 256)
        path.write_bytes(out)
        return path

    # Directories and planes

    def test_each_directory_is_believed(self):
        text = b"ImageJ=1.53t\nimages=4\nslices=4\n\0"
        for places in ([1000, 1256, 1512, 1768], [1000, 1256, 2000, 2256], [1000, 1256, 1512, 3000], [3000, 2000, 1256, 1000]):
            path = self.placed(text, places, 4)
            planes = self.planes(path)
            self.assertTrue(numpy.array_equal(planes, tifffile.imread(path)), places)
            self.assertEqual(planes[:, 3, 3].tolist(), [10, 20, 30, 40])

    def test_planes_without_a_directory(self):
        text = b"ImageJ=1.53t\nimages=4\nslices=4\n\0"
        for directories in (1, 2, 3):
            path = self.placed(text, [1000, 1256, 1512, 1768], directories)
            self.assertEqual(self.planes(path)[:, 3, 3].tolist(), [10, 20, 30, 40])
        path = self.placed(text, [1000, 2000, 2256, 2512], 2)
        self.assertEqual(self.planes(path)[:, 3, 3].tolist(), [10, 20])

    def test_many_pages(self):
        n, text = 100_000, b"ImageJ=1.53t\nimages=100000\nslices=100000\n\0"
        first = {**tags(1, 2, 16), 270: (2, text), 273: (4, 400), 278: (4, 1), 279: (4, 4)}
        behind = 400 + 4 * n
        page = {key: value for key, value in first.items() if key != 270}
        size = len(directory(page, "<", False, 0, False))
        head = bytearray(b"II*\0" + struct.pack("<I", 8) + directory(first, "<", False, 8, True))
        struct.pack_into("<I", head, 8 + 2 + 12 * len(first), behind)
        out = head + bytes(400 - len(head)) + numpy.arange(2 * n).astype("<u2").tobytes()
        for i in range(1, n):
            out += directory({**page, 273: (4, 400 + 4 * i)}, "<", False, behind + (i - 1) * size, i < n - 1)
        path = self.folder / "pages.tif"
        path.write_bytes(out)
        start = cost()
        self.assertEqual(info(path)[0]["slices"], n)
        self.assertLess(cost() - start, SECONDS)
        self.assertTrue(numpy.array_equal(self.planes(path).ravel(), numpy.arange(2 * n) % 65536))

    # Many images

    def test_many_images_of_pages(self):
        path, out = self.folder / "series.tif", bytearray(b"II*\0" + struct.pack("<I", 8))
        for i in range(20_000):
            out += directory({**tags(1, i + 1), 273: (4, 0), 278: (4, 1), 279: (4, i + 1)}, "<", False, len(out), i < 19_999)
        path.write_bytes(out)
        start = cost()
        found = info(path)
        self.assertLess(cost() - start, SECONDS)
        self.assertEqual([image["columns"] for image in found], list(range(1, 20_001)))

    def test_many_images_of_ome(self):
        pixels = '<Pixels DimensionOrder="XYZCT" Type="uint8" SizeX="8" SizeY="8" SizeZ="1" SizeC="1" SizeT="1">%s</Pixels>'
        image = f'<Image Name="%d">{pixels % "<TiffData/>"}</Image><Image Name="empty"/>'
        text = OME % ("", "".join(image % i for i in range(10_000)))
        write_tiff(self.folder / "a.ome.tif", [({**tags(8, 8), 270: (2, text.encode())}, [bytes(64)])])
        start = cost()
        found = info(self.folder / "a.ome.tif")
        self.assertLess(cost() - start, SECONDS)
        self.assertEqual(len(found), 10_000)

    def test_channels_in_files_that_are_read_in_turn(self):
        frames, names = 1500, ("a.ome.tif", "b.ome.tif", "c.ome.tif")
        blocks = "".join(f'<TiffData IFD="{t}" FirstC="{c}" FirstT="{t}" PlaneCount="1"><UUID FileName="{name}"/></TiffData>'
                         for c, name in enumerate(names) for t in range(frames))
        text = OME % ("", '<Image><Pixels DimensionOrder="XYZCT" Type="uint16" SizeX="2" SizeY="2" SizeZ="1" SizeC="3" '
                      f'SizeT="{frames}">{blocks}</Pixels></Image>')
        for c, name in enumerate(names):
            write_tiff(self.folder / name, [({**tags(2, 2, 16), **({270: (2, text.encode())} if t == 0 and c == 0 else {})},
                                             [struct.pack("<H", 10 * t + c) * 4]) for t in range(frames)])
        start = cost()
        planes = self.planes(self.folder / names[0])
        self.assertLess(cost() - start, SECONDS)
        self.assertTrue(numpy.array_equal(planes[..., 0, 0], 10 * numpy.arange(frames)[:, None] + numpy.arange(3)))

    def test_planes_that_are_missing(self):
        """Of a set without all its planes the times that are whole are read, or the slices, or the channels."""
        sizes = frames, channels, depth = 2, 2, 3
        numbers = numpy.arange(12).reshape(sizes)
        for missing in ([1], [10], [0, 7], [2, 8], [3, 7], [0, 8], [4, 11], [0, 2, 7], [4, 5, 9], [0, 1, 2, 6]):
            there = ~numpy.isin(numbers, missing)
            blocks, pages = "", []
            for t, c, z in numpy.argwhere(there):
                blocks += f'<TiffData IFD="{len(pages)}" FirstT="{t}" FirstC="{c}" FirstZ="{z}" PlaneCount="1"/>'
                pages.append(bytes([numbers[t, c, z]]) * 64)
            text = OME % ("", '<Image><Pixels DimensionOrder="XYZCT" Type="uint8" SizeX="8" SizeY="8" '
                          f'SizeZ="{depth}" SizeC="{channels}" SizeT="{frames}">{blocks}</Pixels></Image>')
            write_tiff(self.folder / "a.ome.tif", [({**tags(8, 8), **({270: (2, text.encode())} if i == 0 else {})}, [page])
                                                   for i, page in enumerate(pages)])
            axis, whole = next((axis, whole) for axis in (0, 2, 1) for whole in [there.all(tuple({0, 1, 2} - {axis}))] if whole.any())
            found = self.planes(self.folder / "a.ome.tif")[..., 0, 0]
            order = numbers.compress(whole, axis).transpose(0, 2, 1)  # ImageJ's, in which it is written: t, z, c
            self.assertEqual(found.ravel().tolist(), order.ravel().tolist(), missing)

    def test_counts_that_are_none(self):
        """Two planes are not two channels, slices or times because ImageJ's description has none of these, or endlessly many."""
        found = []
        for count in (b"", b"channels=0", b"slices=-1", b"frames=1e99", b"channels=nan"):
            text = b"ImageJ=1.53t\nimages=2\n%s\n\0" % count
            write_tiff(self.folder / "a.tif", [({**tags(8, 8), 270: (2, text)}, [bytes([z]) * 64]) for z in range(2)])
            found.append({key: value for key, value in info(self.folder / "a.tif")[0].items() if key != "file"})
        self.assertEqual(found, found[:1] * 5)

    def test_two_files(self):
        """Each block's plane is in the file that it names, the first one's, too."""
        for first, second in (("a", "b"), ("b", "a")):
            blocks = "".join(f'<TiffData IFD="0" FirstZ="{z}" PlaneCount="1"><UUID FileName="{name}.ome.tif"/></TiffData>'
                             for z, name in enumerate((first, second)))
            text = OME % ("", '<Image><Pixels DimensionOrder="XYZCT" Type="uint8" SizeX="8" SizeY="8" SizeZ="2" SizeC="1" '
                          f'SizeT="1">{blocks}</Pixels></Image>')
            for value, name in ((10, "a"), (20, "b")):
                write_tiff(self.folder / f"{name}.ome.tif", [({**tags(8, 8), 270: (2, text.encode())}, [bytes([value]) * 64])])
            found = self.planes(self.folder / "a.ome.tif")[:, 0, 0].tolist()
            self.assertEqual(found, [10, 20] if first == "a" else [20, 10])

    def test_widths_that_are_none(self):
        for bits in (0, 129, 255):
            write_tiff(self.folder / "a.tif", [({**tags(8, 8), 258: (3, bits)}, [bytes(2048)])])
            self.assertIn("samples of an impossible width", run("info", self.folder / "a.tif").stderr, bits)

    def test_types_of_numbers(self):
        """How many rows there are can be of any type of whole numbers without a sign, and of no other."""
        path = self.folder / "a.tif"
        for kind in (1, 3, 4, 13, 16, 18):
            write_tiff(path, [({**tags(8, 8), 257: (kind, 8)}, [bytes(64)])], big=True)
            self.assertEqual(info(path)[0]["rows"], 8, kind)
        for kind, rows in ((2, b"8"), (5, [8, 1]), (7, 8), (11, 8.0), (12, 8.0)):
            write_tiff(path, [({**tags(8, 8), 257: (kind, rows)}, [bytes(64)])], big=True)
            self.assertIn("has no size", run("info", path).stderr, kind)

    def test_pixels_of_ten_micrometres(self):
        """Of smaller ones the size is in µm, of larger ones in the file's unit."""
        for per_cm, size in (((1250, 1), [8, "µm"]), ((1000, 1), [0.001, "cm"]), ((20000, 21), [0.00105, "cm"])):
            tifffile.imwrite(self.folder / "a.tif", numpy.zeros((3, 4), "u1"), metadata=None,
                             resolution=(per_cm, per_cm), resolutionunit="CENTIMETER")
            found, unit = info(self.folder / "a.tif")[0]["pixel_size"]["x"]
            self.assertAlmostEqual(found, size[0], 12)
            self.assertEqual(unit, size[1])

    def test_labels_and_ranges_of_imagej(self):
        """Names for all channels and limits that are some, or none."""
        def written(planes, **metadata):
            tifffile.imwrite(self.folder / "a.tif", numpy.zeros((planes, 4, 5), "u1"), imagej=True, metadata={"axes": "CYX", **metadata})
            return self.folder / "a.tif"
        for planes, labels in ((3, ["a", "b", "c"]), (3, ["a", "b"]), (1, ["a"])):
            named = "channel 0: a" in run("info", written(planes, Labels=labels)).stdout
            self.assertEqual(named, planes == len(labels) == 3, labels)
        for ranges in ((1., 2., 3., 4.), (1., 2., 5., 5.), (1., 2., 6., 5.)):
            done = run("convert", written(2, Ranges=ranges), self.folder / "copy.tif")
            self.assertEqual(done.returncode, 0, done.stderr)
            with tifffile.TiffFile(self.folder / "copy.tif") as file:
                self.assertEqual(file.imagej_metadata.get("Ranges"), ranges if ranges[3] == 4 else None, ranges)

    def test_separate_samples(self):
        path = self.folder / "a.tif"
        for samples in (2, 3, 5):
            planes = numpy.arange(samples * 63, dtype="u2").reshape(samples, 7, 9)
            tifffile.imwrite(path, planes, photometric="minisblack", planarconfig="separate", metadata=None)
            self.assertEqual(self.planes(path).tolist(), planes.tolist(), samples)

    def test_texts_that_hash_alike(self):
        """Under GLib's hash of strings, Az and BY are the same."""
        alike = ["".join(pair) for pair in itertools.product(("Az", "BY"), repeat=16)]
        blocks = "".join(f'<TiffData IFD="0"><UUID FileName="{name}"/></TiffData>' for name in alike)
        texts = ("ImageJ=1.53t\nunit=mm\n" + "".join(f"{key}=1\n" for key in alike) + "\0",
                 OME % ("", f'<Image><Pixels SizeX="8" SizeY="8">{blocks}</Pixels></Image>'))
        for text in texts:
            write_tiff(self.folder / "a.ome.tif", [({**tags(8, 8), 270: (2, text.encode())}, [bytes(64)])])
            start = cost()
            info(self.folder / "a.ome.tif")
            self.assertLess(cost() - start, SECONDS)

    # Other files

    def named(self, make, companion):
        """What Fovea finds in a file that names another one, which `make` puts there."""
        if companion:
            text = OME % ('UUID="urn:uuid:1"', '<BinaryOnly MetadataFile="other" UUID="urn:uuid:2"/>')
        else:
            blocks = "".join(f'<TiffData IFD="0" FirstZ="{z}" PlaneCount="1"><UUID FileName="{name}"/></TiffData>'
                             for z, name in enumerate(("a.ome.tif", "other")))
            text = OME % ("", '<Image><Pixels DimensionOrder="XYZCT" Type="uint8" SizeX="8" SizeY="8" SizeZ="2" SizeC="1" '
                          f'SizeT="1">{blocks}</Pixels></Image>')
        write_tiff(self.folder / "a.ome.tif", [({**tags(8, 8), 270: (2, text.encode())}, [bytes(64)])])
        make(self.folder / "other")
        done = run("info", self.folder / "a.ome.tif", seconds=20)
        os.remove(self.folder / "other")
        return done

    def test_files_that_are_named_are_files(self):
        def linked(target):
            return lambda path: os.symlink(target, path)

        def linked_fifo(path):
            os.mkfifo(self.folder / "fifo")
            os.symlink(self.folder / "fifo", path)

        def endless(path):
            with open(path, "wb") as file:
                file.truncate(1 << 40)

        makers = {"fifo": os.mkfifo, "zero": linked("/dev/zero"), "tty": linked("/dev/tty"), "circle": linked("other"),
                  "linked fifo": linked_fifo, "hole": endless}
        for name, make in makers.items():
            for companion in (True, False):
                with self.subTest(name, companion=companion):
                    done = self.named(make, companion)
                    self.assertEqual((done.returncode, "8×8 " in done.stdout), (0, True), done.stderr)
                    if (self.folder / "fifo").exists():
                        os.remove(self.folder / "fifo")

    def test_the_file_itself_is_a_file(self):
        os.mkfifo(self.folder / "fifo.tif")
        os.symlink("/dev/zero", self.folder / "zero.tif")
        for name in ("fifo.tif", "zero.tif"):
            done = run("info", self.folder / name, seconds=20)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("is not a regular file", done.stderr)

    def test_files_with_holes(self):
        """They can claim more than any memory holds."""
        size, path = 1 << 40, self.folder / "hole.tif"
        base = {256: (4, 1, 8), 257: (4, 1, 8), 258: (3, 1, 8), 262: (3, 1, 1), 273: (16, 1, 2000), 278: (4, 1, 8), 279: (16, 1, 64)}
        text = struct.unpack("<Q", b"ImageJ=1")[0]
        claims = {
            "description": {270: (2, size - 10_000, 3000)},
            "ImageJ's data": {270: (2, 8, text), 50838: (4, size // 8, 3000), 50839: (1, size - 10_000, 3000)},
            "ImageJ's counts": {270: (2, 8, text), 50838: (4, size // 8, 3000), 50839: (1, 100, 3000)},
            "colour map": {262: (3, 1, 3), 320: (3, size // 4, 3000)},
            "planes": {256: (4, 1, 1), 257: (4, 1, 1), 270: (2, 50, 1000)}}
        for name, claim in claims.items():
            tags = sorted({**base, **claim}.items())
            head = b"II+\0" + struct.pack("<HHQQ", 8, 0, 16, len(tags)) + b"".join(
                struct.pack("<HHQQ", tag, kind, count, value) for tag, (kind, count, value) in tags) + bytes(8)
            with self.subTest(name), open(path, "wb") as file:
                file.write(head + bytes(1000 - len(head)) + b"ImageJ=1.53t\nimages=2000000000\nslices=2000000000\n\0")
                file.truncate(size)
                file.flush()
                done = run("info", path, seconds=20)
                if name == "planes":
                    self.assertIn("has 2000000000 planes; at most", done.stderr)
                else:
                    self.assertEqual(done.returncode, 0, done.stderr)

    # Alpha

    def transparent(self, n, transparent, planar):
        """n pages of 1024 x 1024 RGBA, which share their pixels but for the alpha of one page."""
        side, path = 1024, self.folder / "alpha.tif"
        body = [bytes([value]) * (side * side) for value in (10, 20, 30, 255)]
        body[3:] = [body[3], b"\1" + body[3][1:]]
        solid, holed = (body[:4], body[:3] + body[4:])
        if planar:
            stored, strips = b"".join(body), [[0, 1, 2, 3], [0, 1, 2, 4]]
        else:
            mix = [numpy.stack([numpy.frombuffer(p, "u1") for p in planes], -1).tobytes() for planes in (solid, holed)]
            stored, strips = b"".join(mix), [[0], [4]]
        at, page = 8, {**tags(side, side, samples=4, extra=2), 278: (4, side), 284: (3, 2 if planar else 1)}
        out = bytearray(b"II*\0" + struct.pack("<I", at + len(stored)) + stored)
        for i in range(n):
            places = [at + side * side * strip for strip in strips[i == transparent]]
            chunks = {273: (4, places), 279: (4, [side * side * 4 // len(places)] * len(places))}
            out += directory({**page, **chunks}, "<", False, len(out), i + 1 < n)
        path.write_bytes(out)
        return path

    def test_escapes_of_imagej(self):
        """As in Java's properties; what would not show as text is shown as bytes."""
        for written, shown in (("\\u00b5m", "µm"), ("\\\\m", "\\m"), ("a\\:b\\=c", "a:b=c"), ("a\\tb", "a\\x09b"), ("a\\nb", "a\\x0ab"), ("a\\u0074b", "atb"),
                               ("a\\u12", "au12"), ("\\ud800x", "x"), ("m\\", "m\\")):
            path = self.folder / "escapes.tif"
            tifffile.imwrite(path, numpy.zeros((4, 5), "u1"), resolution=(2, 2), description=f"ImageJ=1.53t\nunit={written}\n", metadata=None)
            self.assertEqual(info(path)[0]["pixel_size"]["x"], [0.5, shown], written)

    def test_alpha_does_not_read_all_pages(self):
        for planar in (False, True):
            path = self.transparent(3000, -1, planar)
            start = cost()
            found = info(path)[0]
            self.assertLess(cost() - start, SECONDS)
            self.assertEqual((found["role"], found["channels"], found["slices"]), ("rgb", 3, 3000))

    def test_alpha_is_not_lost(self):
        for planar in (False, True):
            for transparent in (0, 1, 2):
                path = self.transparent(3, transparent, planar)
                found = tifffile.imread(path) if planar else tifffile.imread(path).transpose(0, 3, 1, 2)
                self.assertTrue(numpy.array_equal(self.planes(path), found))
            done = run("convert", self.transparent(40, 1, planar), self.folder / "copy.tif")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("has transparent pixels on page 2 but not on others", done.stderr)


if __name__ == "__main__":
    unittest.main()
