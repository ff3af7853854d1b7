# SPDX-License-Identifier: MIT
"""A number that a step finds is the value of a parameter of a later one, and a step runs on a device of its own. Compared with astropy, SciPy and
scikit-image."""
import json
import os
import sys

import numpy as np
import tifffile
from astropy.stats import sigma_clip
from scipy import ndimage
from skimage.filters import threshold_otsu

from batches import batch, good, manifest
from command import fails, fovea, main, same

POSING = {**os.environ, "FOVEA_PLUGIN_PATH": os.path.dirname(os.path.abspath(sys.argv.pop(1)))}
FIVE_SIGMA = "sigma_clip | threshold lower={sigma_clip.median}+5*{sigma_clip.sigma} as=mask | label"


def sky(sigma, seed):
    """Noise about 100 with nine stars of 5 to 30 sigma."""
    image = np.random.default_rng(seed).normal(100, sigma, (96, 128)).astype(np.float32)
    for i in range(9):
        y, x = 12 + 32 * (i // 3), 16 + 40 * (i % 3)
        image[y - 2:y + 3, x - 2:x + 3] += (5 + 3 * i) * sigma
    return image


def level(plane, n=5):
    kept = sigma_clip(plane.astype(float), sigma=3, maxiters=None, masked=False)
    return np.median(kept) + n * np.std(kept)


def run(steps, name, *arguments, environment=None):
    """The steps of its report."""
    done = fovea("run", "-q", steps, name, "--report", "r.json", *arguments, env=environment)
    same(done.returncode, 0, done.stderr)
    with open("r.json") as file:
        return json.load(file)["steps"]


def close(got, expected):
    np.testing.assert_allclose(got, expected, rtol=1e-5)


def test_five_sigma():
    image = sky(7, 1)
    tifffile.imwrite("a.tif", image)
    steps = run(FIVE_SIGMA, "a.tif", "-o", "mask=m.tif")
    mask = image >= level(image)
    np.testing.assert_array_equal(tifffile.imread("m.tif") > 0, mask)
    same(steps[2]["results"]["objects"], [ndimage.label(mask, np.ones((3, 3)))[1]])
    close(steps[1]["derived"]["lower"]["values"], [level(image)])
    same(steps[1]["derived"]["lower"]["text"], "{sigma_clip.median}+5*{sigma_clip.sigma}")
    same(steps[1]["step"], "threshold method=manual lower={sigma_clip.median}+5*{sigma_clip.sigma} as=mask")
    same("derived" in steps[0], False)


def test_each_plane_has_its_own():
    stack = np.stack([sky(sigma, seed) for seed, sigma in enumerate((4, 9, 25))])
    tifffile.imwrite("s.tif", stack, imagej=True, metadata={"axes": "ZYX"})
    steps = run(FIVE_SIGMA, "s.tif", "-o", "mask=m.tif")
    masks = np.stack([plane >= level(plane) for plane in stack])
    np.testing.assert_array_equal(tifffile.imread("m.tif") > 0, masks)
    close(steps[1]["derived"]["lower"]["values"], [level(plane) for plane in stack])
    close(steps[1]["results"]["threshold"], [level(plane) for plane in stack])
    same(steps[2]["results"]["objects"], [ndimage.label(mask, np.ones((3, 3)))[1] for mask in masks])


def test_each_frame_and_channel():
    """A blur, too: every plane is blurred with its own sigma, as SciPy blurs it."""
    movie = np.stack([[sky(2 + t + 3 * c, 10 * t + c) for c in range(2)] for t in range(3)])
    tifffile.imwrite("t.tif", movie, imagej=True, metadata={"axes": "TCYX"})
    run("sigma_clip | gaussian sigma={sigma_clip.sigma}/2 truncate=4", "t.tif", "-o", "g.tif")
    blurred = tifffile.imread("g.tif").reshape(movie.shape)
    for plane, got in zip(movie.reshape(-1, 96, 128), blurred.reshape(-1, 96, 128)):
        sigma = np.std(sigma_clip(plane.astype(float), sigma=3, maxiters=None, masked=False)) / 2
        np.testing.assert_allclose(got, ndimage.gaussian_filter(plane, sigma, mode="nearest", truncate=4), rtol=2e-5)


def test_planes_and_volumes():
    """Several numbers cannot be one; one number is for all planes."""
    stack = np.stack([sky(sigma, 3) for sigma in (4, 9, 25)])
    tifffile.imwrite("s.tif", stack, imagej=True, metadata={"axes": "ZYX", "spacing": 1, "unit": "um"})
    fails(fovea("run", "-q", "sigma_clip | gaussian volume=yes sigma={sigma_clip.sigma}/9", "s.tif"), "gaussian: sigma={sigma_clip.sigma}/9: it is",
          "two planes", "all slices of a stack", "volume=")
    steps = run("otsu volume=yes | threshold from=source lower={otsu.threshold}/2 | sigma_clip", "s.tif", "-o", "m.tif")
    half = threshold_otsu(stack) / 2
    close(steps[1]["derived"]["lower"]["values"], [half])
    np.testing.assert_array_equal(tifffile.imread("m.tif") > 0, stack >= np.float32(half))
    fails(fovea("run", "-q", "sigma_clip | project | threshold lower={sigma_clip.sigma}", "s.tif"), "threshold: lower={sigma_clip.sigma}: sigma_clip",
          "3 slices", "do not match")


def test_arithmetic():
    tifffile.imwrite("a.tif", sky(7, 1))
    for text, value in [("2+3*4-6/4", 12.5), ("-(2-5)*-2", -6), ("1e1 / 4 / 2", 1.25), ("((3))", 3), ("--7", 7), (".5*{otsu.threshold}*0+8", 8)]:
        steps = run(f'otsu | threshold from=source lower="={text}"', "a.tif")
        close(steps[1]["results"]["threshold"], [value])
    steps = run("otsu | gaussian from=source sigma={otsu.threshold}*0+2.5 truncate={otsu.threshold}*0+3 | label", "a.tif")
    same([column["values"] for column in steps[1]["derived"].values()], [[2.5], [3]])
    rounded = run("otsu | threshold from=source | label min_size={otsu.threshold}*0+20.6", "a.tif")
    same(rounded[2]["derived"]["min_size"]["values"], [21])


def test_names():
    image = sky(7, 1)
    tifffile.imwrite("a.tif", image)
    first, second = threshold_otsu(image), threshold_otsu(ndimage.gaussian_filter(image, 4))
    begin = "otsu as=bright | gaussian sigma=4 from=source | otsu | "
    for name, value in [("bright", first), ("otsu#1", first), ("otsu#2", second), ("otsu", second)]:
        steps = run(f"{begin}threshold from=source lower={{{name}.threshold}}", "a.tif")
        np.testing.assert_allclose(steps[3]["results"]["threshold"], [value], rtol=0.02)
    same(steps[3]["step"].split()[-1], "from=source")


def test_errors():
    """Each names step and parameter, what is wrong and what would work."""
    tifffile.imwrite("a.tif", sky(7, 1))
    tifffile.imwrite("nan.tif", np.full((8, 8), np.nan, np.float32))
    for steps, *words in [
            ("sigma_clip | threshold lower={sgima_clip.sigma}", "threshold: lower={sgima_clip.sigma}: ", "no earlier step", "Did you mean 'sigma_clip'?"),
            ("sigma_clip | threshold lower={sigma_clip.sgima}", "does not find 'sgima'", "Did you mean 'sigma'?", "mean, median, sigma"),
            ("threshold lower={otsu.threshold} | otsu", "'otsu' is a later step", "before this one"),
            ("otsu | threshold lower={otsu#2.threshold}", "no earlier step is called 'otsu#2'", "otsu"),
            ("threshold lower={threshold.threshold}", "finds itself"),
            ("threshold lower={otsu.threshold}", "no earlier step finds a number"),
            ("gaussian | threshold lower={gaussian.sigma}", "gaussian finds no numbers"),
            ("otsu | threshold lower={otsu.threshold", "'{STEP.NUMBER}'", "at character 1"),
            ("otsu | threshold lower={otsu}", "'{STEP.NUMBER}'"),
            ("otsu | threshold lower={otsu.threshold}*", "expected a number, '{', '-' or '(' at character 18, not the end"),
            ("otsu | threshold lower={otsu.threshold}%2", "expected +, -, *, / or the end at character 17, not '%'"),
            ("otsu | threshold lower=({otsu.threshold}", "expected ')'"),
            ("otsu | threshold lower={otsu.threshold}+" + "(" * 90, "fewer parentheses"),
            ("otsu | gaussian border={otsu.threshold}", "gaussian: border cannot be"),
            ("otsu | gaussian volume={otsu.threshold}", "volume must be yes or no")]:
        fails(fovea("run", "-q", steps, "a.tif"), *words, status=2)
    for steps, *words in [
            ("otsu | gaussian from=source sigma=-{otsu.threshold}", "gaussian: sigma=-{otsu.threshold}: it is -", "Sigma must be from 0 to 1000 px"),
            ("otsu | threshold lower=1/({otsu.threshold}*0)", "it is inf, which is not a finite number"),
            ("otsu skip=yes | threshold lower={otsu.threshold}", "threshold takes the threshold of otsu, which is skipped", "enable")]:
        fails(fovea("run", "-q", steps, "a.tif"), *words, status=1)
    fails(fovea("run", "-q", "sigma_clip | threshold lower={sigma_clip.sigma}", "nan.tif"), "sigma_clip has found no sigma: it is NaN", status=1)


def test_saved_steps_keep_the_text():
    """And a batch records the text of the steps with the numbers."""
    images = {f"{i}.tif": sky(4 + i, i) for i in range(3)}
    os.mkdir("in")
    for name, image in images.items():
        tifffile.imwrite("in/" + name, image)
    text = "threshold method=manual lower={sigma_clip.median}+5*{sigma_clip.sigma} device=cpu"
    with open("m.lua", "w") as file:
        file.write("""open("in/0.tif")
run("sigma_clip")
run("Threshold...", "lower={sigma_clip.median}+5*{sigma_clip.sigma}")
run("Change Step...", "step=2 device=cpu")
run("Save Steps...", "path=a.steps")""")
    good(fovea("macro", "-q", "m.lua"))
    with open("a.steps") as file:
        same(file.read().splitlines()[1:], ["sigma_clip", text])
    good(batch("sigma_clip | " + text, "in", "-q"))
    for line in manifest():
        close(line["values"]["lower"], level(images[line["file"]]))
    with open("out/manifest.jsonl") as file:
        assert text in file.read()


def test_device_of_a_step():
    """On a GPU that is the CPU: what it makes is the same, and the report says where."""
    rng = np.random.default_rng(5)
    tifffile.imwrite("a.tif", rng.integers(0, 256, (40, 50), np.uint8))
    steps = "pose device={} | gaussian sigma=2 | convert type=u8 | pose_rows device={} | otsu"
    same([step["device"] for step in run(steps.format("cpu", "cpu"), "a.tif", "-o", "c.tif", environment=POSING)], ["cpu"] * 5)
    same([step["device"] for step in run(steps.format("pose:0", "pose"), "a.tif", "-o", "g.tif", environment=POSING)],
         ["pose:0", "cpu", "cpu", "pose:0", "cpu"])
    np.testing.assert_array_equal(tifffile.imread("g.tif"), tifffile.imread("c.tif"))
    both = run("pose | pose_rows device=cpu | pose", "a.tif", "--device", "pose:0", "-o", "b.tif", environment=POSING)
    same([step["device"] for step in both], ["pose:0", "cpu", "pose:0"])
    np.testing.assert_array_equal(tifffile.imread("b.tif"), 255 - tifffile.imread("a.tif"))
    same([step["device"] for step in run("gaussian device=auto | otsu", "a.tif")], ["cpu", "cpu"])
    asked = run("pose_rows device=pose:0 | threshold lower={pose_rows.asked}*100 | pose device=pose:0", "a.tif", environment=POSING)
    same([step["device"] for step in asked], ["pose:0", "cpu", "pose:0"])
    same(asked[1]["results"]["threshold"], [100 * value for value in asked[0]["results"]["asked"]])


def test_no_such_device():
    tifffile.imwrite("a.tif", sky(7, 1))
    fails(fovea("run", "-q", "gaussian device=cuda:77", "a.tif"), "gaussian: device=cuda:77: Device 'cuda:77' does not exist: this machine has cpu", status=1)
    fails(batch("gaussian device=gpu", "a.tif"), "gaussian: ", "Device 'gpu' does not exist", status=1)
    fails(fovea("run", "-q", "gaussian device=pose:0", "a.tif", env=POSING),
          "gaussian cannot run on pose:0", status=1)


main([test_five_sigma, test_each_plane_has_its_own, test_each_frame_and_channel, test_planes_and_volumes, test_arithmetic, test_names, test_errors,
      test_saved_steps_keep_the_text, test_device_of_a_step, test_no_such_device])
