# SPDX-License-Identifier: MIT
"""Files that are opened together appear in the order in which they were given. All failures are named, and unsupported parts of a file are
reported."""
import functools
import http.server
import os
import shutil
import threading

import numpy as np
import tifffile

from person import NUCLEI, SOURCE, WORK, Program, find, has_text, name_file, name_of, page_tabs, ready, set_steps, settled, wait
from test_dialogs import fresh


def files(sizes):
    """Images of so many rows and columns: the first ones take longest to read."""
    paths = [os.path.join(WORK, f"given{n}.tif") for n in range(len(sizes))]
    for path, size in zip(paths, sizes):
        tifffile.imwrite(path, np.random.default_rng(1).integers(0, 60000, (size, size), dtype=np.uint16), compression="zlib")
    return paths


def order_is_kept(program):
    assert program.end() == 0
    paths = files([3000, 1500, 40, 700, 20])
    program = Program(*paths)
    wait(lambda: len(page_tabs(program)) == len(paths), "all tabs")
    titles = [name_of(find(tab, "label")) for tab in page_tabs(program)]
    assert titles == [os.path.basename(path) for path in paths], titles
    assert program.end() == 0
    return Program(NUCLEI)


def all_faults_are_named(program):
    assert program.end() == 0
    bad = [os.path.join(WORK, name) for name in ("a.pdf", "b.oir", "c.tif")]
    for path, head in zip(bad, (b"%PDF-1.4", b"OLYMPUSRAWFORMAT", b"no image at all")):
        with open(path, "wb") as file:
            file.write(head + bytes(8))
    program = Program(NUCLEI, *bad)
    program.find("image", "Image")
    for part in ("a.pdf' is a PDF document", "b.oir' cannot be opened", "c.tif' is not an image"):
        has_text(program, part)
    assert program.end() == 0
    return Program(NUCLEI)


def rest_of_a_file_is_told(program):
    assert program.end() == 0
    path = os.path.join(WORK, "several.tif")
    with tifffile.TiffWriter(path) as file:
        for size in (60, 50, 40):
            file.write(np.zeros((size, 64), np.uint8), metadata=None)
        file.write(np.zeros((20, 50), np.uint8), metadata=None, subfiletype=1)
    program = Program(path)
    has_text(program, "has 3 images")
    has_text(program, "page 4 (50×20 pixels)")
    assert program.end() == 0
    return Program(NUCLEI)


def disc_opens(program):
    """A folder whose slices are in subfolders without endings is an image, and so it is by its index."""
    assert program.end() == 0
    disc, data = os.path.join(WORK, "disc"), os.path.join(SOURCE, "tests", "core", "files", "dicom")
    for i, name in enumerate(sorted(os.listdir(os.path.join(data, "series")))):
        target = os.path.join(disc, "PATIENT", f"S{i % 2}", f"IM{i}")
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy(os.path.join(data, "series", name), target)
    program = Program(disc)
    has_text(program, "7×6")
    assert [name_of(find(tab, "label")) for tab in page_tabs(program)] == ["disc"]
    assert program.end() == 0
    shutil.copy(os.path.join(data, "u8.dcm"), os.path.join(disc, "PATIENT", "u8"))
    shutil.copy(os.path.join(data, "index.dcm"), os.path.join(disc, "DICOMDIR"))
    program = Program(os.path.join(disc, "DICOMDIR"))
    has_text(program, "has 2 images")
    assert program.end() == 0
    return Program(NUCLEI)


def url_is_fetched(program):
    """The image of a URL is shown and named like one of a file; a URL that nothing serves is an error."""
    assert program.end() == 0
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=os.path.dirname(NUCLEI))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/{os.path.basename(NUCLEI)}"
        program = Program(url)
        wait(lambda: find(program.app, "label", os.path.basename(NUCLEI)), "the tab")
        has_text(program, f"Fetched from “{url}”")
        assert program.end() == 0
        program = Program(NUCLEI, url + "x")
        has_text(program, f"'{url}x' cannot be fetched")
        server.shutdown()
    assert program.end() == 0
    return Program(NUCLEI)


def phm(name, pixels):
    """A portable half map, which only a plugin of the tests reads."""
    path = os.path.join(WORK, name)
    with open(path, "wb") as file:
        file.write(b"Ph\n%d %d\n-1.0\n" % pixels.shape[::-1] + pixels[::-1].astype("<f2").tobytes())
    return path


def plugin_reads_a_format(program):
    """A file that a plugin reads is opened by the dialog, shown, changed by steps and saved. The error of a damaged one names the plugin."""
    pixels = np.random.default_rng(4).normal(0, 0.1, (48, 64)).astype("f2")
    pixels[:, 32:] += 1
    path, saved = phm("halves.phm", pixels), fresh("halves.tif")
    program.do("open", where="")
    name_file(program, "Open Images", path)
    wait(lambda: find(program.app, "label", "halves.phm"), "the tab")
    has_text(program, "64×48 16-bit float")
    seen = settled(program)
    middle, width = seen.shape[0] // 2, seen.shape[1]
    assert seen[middle, width // 4].max() < 100 and seen[middle, 3 * width // 4].min() > 155, seen[middle, ::width // 8]
    set_steps(program, "arithmetic function=multiply value=2")
    ready(program)
    program.do("save")
    name_file(program, "Save Image", saved)
    wait(lambda: os.path.getsize(saved), "the file")
    np.testing.assert_array_equal(tifffile.imread(saved), 2 * pixels.astype("f4"))
    program.do("close-page")
    program.gone("push button", "Close halves.phm")
    with open(path, "r+b") as file:
        file.truncate(100)
    program.do("open", where="")
    name_file(program, "Open Images", path)
    has_text(program, "the plugin portable-half-map: Its header is damaged")
    assert not find(program.window, "push button", "Close halves.phm"), "it has a tab"


TESTS = [order_is_kept, all_faults_are_named, rest_of_a_file_is_told, disc_opens, url_is_fetched, plugin_reads_a_format]
