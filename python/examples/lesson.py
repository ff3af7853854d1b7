#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A lesson on counting nuclei, step by step, with its figures.

    python3 lesson.py IMAGE [FOLDER]     such as data/samples/nuclei_rgb.tif; figures go into the folder

Each cell of a notebook begins at `# %%`, as editors and Jupyter know them. Figures need matplotlib; without it the numbers are printed alone.
"""
# %% What we need
import pathlib
import sys

import numpy as np

import fovea

try:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
except ImportError:
    pyplot = None


def figure(name, **pictures):
    """Saves pictures beside each other."""
    if pyplot is None:
        return
    drawn, axes = pyplot.subplots(1, len(pictures), figsize=(5 * len(pictures), 5), squeeze=False)
    for plot, (title, picture) in zip(axes[0], pictures.items()):
        plot.imshow(np.asarray(picture), cmap="gray")
        plot.set_title(title)
        plot.axis("off")
    drawn.savefig(FOLDER / name, dpi=100, bbox_inches="tight")
    pyplot.close(drawn)


FOLDER = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ".")
FOLDER.mkdir(parents=True, exist_ok=True)

# %% The image: three channels, of which the green one has the nuclei
image = fovea.open(sys.argv[1])
green = fovea.channel(image, index=1)
print(image)
figure("1_image.png", image=image, green=green)

# %% Blurred, so that noise makes no objects
smooth = fovea.gaussian(green, sigma=5)
figure("2_smooth.png", green=green, smooth=smooth)

# %% Otsu's threshold, and where it lies in the histogram
found = fovea.run("otsu as=mask", smooth)
threshold = found.numbers(0)["threshold"][0]
print(f"threshold {threshold:.2f}")
if pyplot is not None:
    drawn, plot = pyplot.subplots()
    plot.hist(np.asarray(smooth).ravel(), bins=256)
    plot.axvline(threshold, color="red")
    drawn.savefig(FOLDER / "3_histogram.png", dpi=100)
    pyplot.close(drawn)

# %% Objects, and what is measured of each
labels = fovea.label(fovea.erosion(found["mask"], radius=2))
table = fovea.regionprops(labels, intensity=green, properties=["label", "area", "intensity_mean", "solidity"])
print(f"{table.rows} objects, median area {np.median(table['area']):.1f}")
table.save(FOLDER / "nuclei.csv")
figure("4_labels.png", mask=found["mask"], labels=fovea.label2rgb(labels))

# %% The same in one text, which the command and the window read, too
steps = "channel index=1 as=green | gaussian sigma=5 | otsu | erosion radius=2 | label | regionprops intensity=green properties=label,area,intensity_mean,solidity"
again = fovea.run(steps, image)
assert np.array_equal(again.table["area"], table["area"])
for step in again.steps:
    print(f"{step['ms']:8.2f} ms  {step['text']}")
print(f"on {again.device}: {again.reason}")
