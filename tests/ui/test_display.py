# SPDX-License-Identifier: MIT
"""Contrast of color images and stacks, and channels that are switched on and off."""

import numpy as np
import tifffile

from person import (NUCLEI, SOURCE, box, find, find_all, has_text, keys, mouse, no_window, open_choices, press, rows, set_steps, settled, text_of, wait, window_titled)
from test_dialogs import CELLS, fresh, open_files as open_images, visible

ZSCALE = (940.7211, 1119.6271)


def slide(program, name, fraction):
    x, y, width, height = box(visible(program, "slider", name))
    mouse(x + 12 + (width - 24) * fraction, y + height / 2, 1)  # of GTK 4.18 the ends are no part of it


def open_files(program, *paths):
    """With Display in front of the tabs beside the image."""
    open_images(program, *paths)
    program.do("display")


def number(program, name):
    program.do("display")
    return visible(program, "spin button", name).get_value_iface().get_current_value()


def type_number(program, name, value):
    program.do("display")
    visible(program, "spin button", name).get_value_iface().set_current_value(value)


def spectrum(program):
    """More channels than can be drawn together are shown one by one, each with its own limits."""
    path, channels = fresh("spectrum.tif"), 300
    pixels = np.tile(np.arange(channels, dtype=np.uint16)[:, None, None], (1, 40, 40))
    pixels[:, :, 20:] *= 2
    tifffile.imwrite(path, pixels, imagej=True, metadata={"axes": "CYX"})
    open_files(program, path)
    settled(program)
    assert not find(program.app, "label", part="contrast must be")
    slider = visible(program, "slider", "Channel").get_value_iface()
    slider.set_current_value(slider.get_maximum_value())
    wait(lambda: (number(program, "Shown darkest"), number(program, "Shown brightest")) == (299, 598), "the limits of the last channel")
    shown = settled(program)
    middle = shown.shape[0] // 2
    assert {tuple(colour) for colour in shown[middle][inside(shown)[middle]]} == {(0, 0, 0), (255, 255, 255)}
    close(program, "spectrum.tif")


def close(program, name):
    program.do("close-page")
    program.gone("push button", f"Close {name}")


def without_scale_bar(picture):
    return picture[4:-60, 4:-140].astype(int)


def inside(picture):
    """Where the image is; around it, in the corner at least, stands one color."""
    return (picture != picture[4, 4]).any(2)


def colours_have_contrast(program):
    """C chooses the channel of a color image, whose limits stretch it alone; Reset brings it back as it is in the file."""
    open_files(program, NUCLEI)
    before = settled(program)
    slide(program, "Channel", 0.5)
    has_text(program, "2/3")
    assert (number(program, "Shown darkest"), number(program, "Shown brightest")) == (0, 255)
    type_number(program, "Shown brightest", 100)
    seen, was = (without_scale_bar(p) for p in (settled(program), before))
    assert (seen[..., 0] == was[..., 0]).all() and (seen[..., 2] == was[..., 2]).all(), "other channels have changed"
    want = np.clip(was[..., 1] * 2.55, 0, 255)
    assert np.abs(seen[..., 1] - want)[inside(was)].max() <= 2, np.abs(seen[..., 1] - want)[inside(was)].max()
    press(visible(program, "push button", "Reset"))
    assert (without_scale_bar(settled(program)) == was).all(), "not as it was"
    program.do("close-page")


def channels_switch(program):
    """A channel that is switched off is not drawn, of colors and of a composite; the last one stays on."""
    open_files(program, CELLS)
    both = without_scale_bar(settled(program))
    switches = [wait(lambda i=i: visible(program, "check box", part=f"{i} "), f"switch {i}") for i in (1, 2)]
    seen = []
    for i in (0, 1):
        press(switches[i])
        seen.append(without_scale_bar(settled(program)))
        assert (seen[i] != both).any(), f"channel {i + 1} is still drawn"
        if i:
            continue
        press(switches[i])
        assert (without_scale_bar(settled(program)) == both).all(), "it does not come back"
    assert (np.minimum(seen[0] + seen[1], 255) == both)[inside(both)].all(), "both channels alone do not add up to the composite"
    press(switches[0])
    assert (without_scale_bar(settled(program)) == seen[1]).all(), "the last channel went, too"
    close(program, "cells_2channel.tif")


def slider_keeps_the_composite(program):
    """Moving C leaves all channels in view: it says whose contrast is set."""
    open_files(program, CELLS)
    both = settled(program)
    slide(program, "Channel", 1)
    has_text(program, "2/2 cytoplasm")
    assert np.array_equal(settled(program), both), "the composite has gone"
    close(program, "cells_2channel.tif")


def bins_of(values):
    counts, edges = np.histogram(values, 256)
    return counts, edges, (edges[1] - edges[0])


def auto_stretches(program):
    """Auto saturates 0.35 % of the slice, or of the whole stack; each further click continues as in ImageJ."""
    random = np.random.default_rng(29)
    stack = np.stack([random.gamma(4, scale, (128, 160)) * 100 for scale in (1, 2, 6)]).astype(np.uint16)
    path = fresh("gamma.tif")
    tifffile.imwrite(path, stack, imagej=True, metadata={"axes": "ZYX"})
    open_files(program, path)
    settled(program)

    def auto():
        press(visible(program, "push button", "Auto"))

    def limits():
        return number(program, "Shown darkest"), number(program, "Shown brightest")

    def near(values, low, high):
        width = bins_of(values)[2] * 1.5
        wait(lambda: abs(limits()[0] - low) <= width and abs(limits()[1] - high) <= width, f"{low} … {high}, not {limits()}")

    auto()
    near(stack[0], *np.percentile(stack[0], (0.175, 99.825)))
    counts, edges, _ = bins_of(stack[0])
    low, high = limits()
    for divisor in (2500, 1250, 625):
        auto()
        full = np.nonzero((counts > stack[0].size / divisor) & (counts <= stack[0].size / 10))[0]
        low, high = max(low, edges[full[0]]), min(high, edges[full[-1] + 1])
        near(stack[0], low, high)
    extent = visible(program, "combo box", "Histogram of")
    press(extent)
    keys("Down", "Return")
    wait(lambda: visible(program, "combo box", "Histogram of") and has_text(program, "Of the whole stack"), "the choice")
    settled(program)
    auto()
    near(stack, *np.percentile(stack, (0.175, 99.825)))
    close(program, "gamma.tif")


def write_fits(path, pixels, more=()):
    """32-bit floats, as the standard has them, with more cards."""
    cards = ["SIMPLE  =                    T", "BITPIX  =                  -32", "NAXIS   =                    2",
             f"NAXIS1  = {pixels.shape[1]:20}", f"NAXIS2  = {pixels.shape[0]:20}", "OBJECT  = 'a field '", *more, "END"]
    data = pixels.astype(">f4").tobytes()
    with open(path, "wb") as file:
        file.write("".join(card.ljust(80) for card in cards).ljust(2880).encode() + data + bytes(-len(data) % 2880))


def sky_positions(program):
    """To the sixth digit in the table, and the header that says where they are with a line for each card, beside the names."""
    y, x = np.mgrid[:64, :80]
    path, wcs = fresh("star.fits"), {"CTYPE1": "'RA---TAN'", "CTYPE2": "'DEC--TAN'", "CRPIX1": 41, "CRPIX2": 31, "CRVAL1": 150.1234567,
                                     "CRVAL2": -2.7654321, "CDELT1": -1e-4, "CDELT2": 1e-4}
    write_fits(path, 1000 * np.exp(-((x - 40) ** 2 + (y - 30) ** 2) / 8), [f"{key:8}= {value:>20}" for key, value in wcs.items()])
    open_files(program, path)
    set_steps(program, "sources threshold=10")
    wait(lambda: rows(program, "Results")[0][-2:] == ["150.123457", "-2.765432"], "right ascension and declination")
    program.do("properties")
    assert box(program.find("text", "Description"))[2] > 600
    keys("Escape")
    program.do("save")  # as FITS, with where it is
    dialog = window_titled(program, "Save Image")
    wait(lambda: "star-fovea.fits" in [text_of(field) for field in find_all(dialog, "text")], "the name")
    keys("Escape")
    no_window(program, "Save Image")
    set_steps(program, "")
    close(program, "star.fits")


def choose(program, name, index):
    """The entry of a list, counted from 0: from the first one down, as GTK 4.18 begins there and 4.8 at the present one."""
    program.do("display")
    open_choices(visible(program, "combo box", name))
    keys("Home", *["Down"] * index, "Return")


def stretches(program):
    """A FITS image of bands from 0 to 10000 is shown as each stretch has it, with another a, too; Reset is linear again. Its header is
    in its properties."""
    values = np.array([0, 10, 100, 500, 1000, 2500, 5000, 10000])
    path = fresh("bands.fits")
    write_fits(path, np.tile(np.repeat(values, 40), (240, 1)))
    open_files(program, path)

    def becomes_so(stretched):
        want = np.round(255 * stretched(values / 10000))

        def found():
            picture = settled(program)
            row, where = picture[picture.shape[0] // 2].astype(int), np.nonzero(inside(picture)[picture.shape[0] // 2])[0]
            at = where[0] + (np.arange(8) + 0.5) / 8 * (where[-1] + 1 - where[0])
            return np.abs(row[at.astype(int), 0] - want).max() <= 1
        wait(found, f"the bands {want}")

    press(visible(program, "push button", "Reset"))  # the sky is shown with zscale's limits at first
    becomes_so(lambda t: t)
    choose(program, "Stretch", 1)
    becomes_so(lambda t: np.log(1000 * t + 1) / np.log(1001))
    type_number(program, "Parameter a of the stretch", 100)
    becomes_so(lambda t: np.log(100 * t + 1) / np.log(101))
    choose(program, "Stretch", 2)
    becomes_so(lambda t: np.arcsinh(t / 0.1) / np.arcsinh(10))
    choose(program, "Stretch", 3)
    becomes_so(np.sqrt)
    type_number(program, "Gamma", 2)
    becomes_so(lambda t: t)
    press(visible(program, "push button", "Reset"))
    choose(program, "Stretch", 4)
    becomes_so(lambda t: t ** 2)
    press(visible(program, "push button", "Reset"))
    becomes_so(lambda t: t)
    close(program, "bands.fits")


def rules_set_limits(program):
    """By the values of the slice: between percentiles, or zscale, which numbers of astropy 5.2 are compared with; then others."""
    random = np.random.default_rng(5)
    sky = random.normal(1000, 20, (200, 300)).astype("f4")
    sky[::20, ::30], sky[0, 0] = 60000, np.nan
    path = fresh("sky.fits")
    write_fits(path, sky)
    open_files(program, path)
    settled(program)

    def near(low, high, share):
        found = number(program, "Shown darkest"), number(program, "Shown brightest")
        return abs(found[0] - low) <= share * abs(low) and abs(found[1] - high) <= share * abs(high)

    wait(lambda: near(*ZSCALE, 0.01), "limits of zscale at first")
    has_text(program, "By zscale")
    press(visible(program, "push button", "Reset"))
    wait(lambda: near(np.nanmin(sky), np.nanmax(sky), 0.001), "all values")
    program.gone("label", part="By zscale")
    choose(program, "Limits", 1)
    wait(lambda: near(*ZSCALE, 0.01), "the limits of zscale")
    choose(program, "Limits", 6)
    wait(lambda: near(*np.nanpercentile(sky, (2.5, 97.5)), 0.001), "95 %")
    assert has_text(program, "95 %")
    type_number(program, "Shown brightest", 2000)
    wait(lambda: has_text(program, "As above"), "no rule any more")
    close(program, "sky.fits")


def eight_bits_are_shown_as_they_are(program):
    """As in ImageJ: a dim image of 8 bits is dim, and the entries say so; one of 16 bits reaches from black to white."""
    for name, dtype, scale in (("dim8.tif", np.uint8, 1), ("dim16.tif", np.uint16, 255 / 50)):
        path = fresh(name)
        tifffile.imwrite(path, np.tile(np.repeat([0, 20, 50], 64), (64, 1)).astype(dtype))
        open_files(program, path)
        picture = without_scale_bar(settled(program))
        row = picture[picture.shape[0] // 2, inside(picture)[picture.shape[0] // 2], 0]
        assert abs(row.max() - round(50 * scale)) <= 1, f"{name}: the brightest is {row.max()}"
        wait(lambda: (number(program, "Shown darkest"), number(program, "Shown brightest")) == (0, 255 if dtype == np.uint8 else 50),
             f"the limits of {name}")
        close(program, name)


def entries_say_what_is_shown(program):
    """The limits of the middle slice, in every slice, or of the slice that is seen, also when the histogram is that of the stack."""
    path = fresh("steps.tif")
    top = (1000, 2000, 3000)
    tifffile.imwrite(path, np.stack([np.linspace(0, t, 64 * 64).reshape(64, 64) for t in top]).astype(np.uint16), imagej=True,
                     metadata={"axes": "ZYX"})
    open_files(program, path)
    wait(lambda: number(program, "Shown brightest") == 2000, "the limits of the middle slice")
    press(visible(program, "combo box", "Histogram of"))
    keys("Down", "Return")
    wait(lambda: has_text(program, "Of the whole stack"), "the choice")
    for at in (0.5, 1, 0):
        slide(program, "Slice", at)
        settled(program)
        assert number(program, "Shown brightest") == 2000
    press(visible(program, "combo box", "Limits"))
    keys("End", "Return")
    settled(program)
    for at, most in ((0.5, 2000), (1, 3000), (0, 1000)):
        slide(program, "Slice", at)
        wait(lambda: number(program, "Shown brightest") == most, f"{most}, not {number(program, 'Shown brightest')}")
    close(program, "steps.tif")


def colour_of(label):
    """In the table as ImageJ has it."""
    with open(SOURCE + "/tests/golden/data/luts.csv", encoding="utf-8") as table:
        glasbey = table.read().splitlines()[2 + label].split(",")[3]
    return [int(glasbey[i:i + 2], 16) for i in (0, 2, 4)]


def labels_of_channels(program):
    """Labels are labels, of several channels too: those of the first are in front, and each channel can be seen alone."""
    cells = np.zeros((2, 60, 80), np.uint8)
    cells[0, 10:50, 10:40] = cells[1, 20:40, 30:60] = cells[1, 45:55, 65:75] = 200
    path = fresh("pair.tif")
    tifffile.imwrite(path, cells, imagej=True, metadata={"axes": "CYX", "mode": "composite"})
    open_files(program, path)
    set_steps(program, "threshold lower=100 | label")
    program.do("display")

    def seen(*points):
        shown = settled(program)
        where = np.nonzero(inside(shown)[shown.shape[0] // 2])[0]
        scale = (where[-1] + 1 - where[0]) / 80
        return [shown[int(shown.shape[0] / 2 + (row - 29.5) * scale), int(where[0] + (column + 0.5) * scale)].tolist()
                for row, column in points]

    first, both, second, other = (30, 20), (30, 35), (30, 55), (50, 70)
    one, two = colour_of(1), colour_of(2)
    assert seen(first, both, second, other) == [one, one, one, two], seen(first, both, second, other)
    press(visible(program, "check box", part="mposite"))
    assert seen(first, both, second, other) == [one, one, [0, 0, 0], [0, 0, 0]], seen(first, both, second, other)
    slide(program, "Channel", 1)
    assert seen(first, both, second, other) == [[0, 0, 0], one, one, two], seen(first, both, second, other)
    set_steps(program, "threshold lower=100 | label | gaussian from=source sigma=1")
    [grey] = seen(both)
    assert grey[0] > 150 and grey == grey[:1] * 3, f"the image is not there, but {grey}"
    set_steps(program, "")
    close(program, "pair.tif")


TESTS = [colours_have_contrast, channels_switch, slider_keeps_the_composite, auto_stretches, stretches, rules_set_limits, eight_bits_are_shown_as_they_are,
         entries_say_what_is_shown, labels_of_channels, sky_positions, spectrum]
