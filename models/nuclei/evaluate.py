#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Scores the network on the fields that never trained it, beside recipes without a network:

    evaluate.py MODEL.onnx DATA/fields.npz FOVEA [--operation] [--validation] [--without-tissue OTHER.onnx] [--robustness]

FOVEA is the command, which scores. Its operation `segment` runs the network with --operation, and otherwise ONNX Runtime does and segment.py makes the
labels. --validation scores the fields for choices instead. Prints tables of the model card.
"""
import argparse
import collections
import pathlib

import numpy as np
from scipy import ndimage

import fields
from scores import Fovea, total
from segment import TYPICAL, open_model, segment

RECIPES = {"Li, split": "threshold method=li | fill_holes | split sigma=2 h=1",
           "blur, Li, split, 30 px": "gaussian sigma=1 | threshold method=li | fill_holes | split sigma=2 h=1 | remove_small min_size=30",
           "Count Objects": "gaussian sigma=1.5 | otsu | fill_holes | split h=0.75",
           "blur, Otsu, split, 30 px": "gaussian sigma=1 | otsu | fill_holes | split | remove_small min_size=30",
           "blur, Li, split h=0.75, 30 px": "gaussian sigma=1.5 | threshold method=li | fill_holes | split h=0.75 | remove_small min_size=30"}
# Rows of the table: a name, and which fields they are of.
ROWS = [("all test fields", lambda field: field.split == "test"),
        ("DSB 256x256", lambda field: field.split == "test" and field.source == "dsb256x256"),
        ("DSB 520x696", lambda field: field.split == "test" and field.source == "dsb520x696"),
        ("DSB 360x360", lambda field: field.split == "test" and field.source == "dsb360x360"),
        ("DSB others", lambda field: field.split == "test" and field.source.startswith("dsb")
         and field.source not in ("dsb256x256", "dsb520x696", "dsb360x360")),
        ("mnfinder", lambda field: field.split == "test" and field.source == "mnfinder"),
        ("mnfinder, 200 px and more", lambda field: field.split == "test" and field.source == "mnfinder"),
        ("crowded tissue, never trained on", lambda field: field.split == "tissue_test"),
        ("StarDist's sample", lambda field: field.source == "sample")]
LARGE_ONLY = "mnfinder, 200 px and more"
RESAMPLINGS = 10000


def without_small(labels, smallest):
    small = np.bincount(labels.ravel()) < smallest
    small[0] = False
    return np.where(small[labels], 0, labels)


def interval(network, recipe, groups):
    """95 % of the difference of AP50, by drawing groups of fields again and again."""
    names = sorted(set(groups))
    sums = [[total(score for score, group in zip(scores, groups) if group == name) for name in names] for scores in (network, recipe)]
    counts = np.array([[(score.matched[0], score.true + score.found - score.matched[0]) for score in scores] for scores in sums])
    random = np.random.default_rng(1)
    drawn = counts[:, random.integers(0, len(names), (RESAMPLINGS, len(names)))].sum(2)
    differences = drawn[0, :, 0] / drawn[0, :, 1] - drawn[1, :, 0] / drawn[1, :, 1]
    return np.percentile(differences, [2.5, 97.5])


def describe(score):
    return "%.3f / %.3f" % (score.ap50, score.mean)


def table(fovea, chosen, labels, recipes):
    """labels and recipes: what was found in each field, by the network and by each recipe."""
    print("| fields | n | nuclei | network AP50 / mAP | best recipe AP50 / mAP | merged, split | merged, split by the recipe | 95 % of the difference |")
    print("|---|---:|---:|---|---|---|---|---|")
    known = {}

    def score(name, number, smallest):
        key = name, number, smallest
        if key not in known:
            found = without_small((recipes[name] if name else labels)[number], smallest)
            known[key] = fovea.score(found, chosen[number].labels)
        return known[key]

    for row, belongs in ROWS:
        numbers, smallest = [n for n, field in enumerate(chosen) if belongs(field)], 200 if row == LARGE_ONLY else 0
        if not numbers:
            continue
        network = [score("", n, smallest) for n in numbers]
        rivals = {name: [score(name, n, smallest) for n in numbers] for name in recipes}
        best = max(rivals, key=lambda name: total(rivals[name]).ap50)
        groups = [chosen[n].group for n in numbers]
        found, rival = total(network), total(rivals[best])
        ends = "%+.2f to %+.2f" % tuple(interval(network, rivals[best], groups)) if len(set(groups)) > 3 else ""
        print(f"| {row} | {len(numbers)} | {found.true} | {describe(found)} | {describe(rival)} ({best}) | {found.merged}, {found.split} | "
              f"{rival.merged}, {rival.split} | {ends} |", flush=True)


def finder(fovea, model, operation):
    """A function from an image to labels: find(image, diameter="auto" or None for no scaling, invert=False)."""
    model = str(pathlib.Path(model).resolve())
    session = None if operation else open_model(model)

    def find(image, diameter="auto", invert=False):
        if not operation:
            return segment(session, image, diameter, invert)
        dark = " dark=yes" if invert else ""
        return fovea.run(f"segment model={model} diameter={diameter or TYPICAL}{dark}", image)

    return find


def changes(image, random):
    """Harder versions of an image: (name, image)."""
    low, high = np.percentile(image, [fields.LOW, fields.HIGH])
    contrast, image = high - low, image.astype(np.float32)
    yield "unchanged", image
    for part in (0.04, 0.08, 0.17):
        yield f"noise of {part} of the contrast", image + random.normal(0, part * contrast, image.shape)
    yield "10 hot pixels in 512 x 512, 50 times as bright", np.where(random.random(image.shape) < 10 / 2 ** 18, high * 50, image)
    yield "100 hot pixels, 5 times as bright", np.where(random.random(image.shape) < 100 / 2 ** 18, high * 5, image)
    for height in (2, 4):
        yield f"ground that rises by {height} times the contrast", image + np.linspace(0, height * contrast, image.shape[1])


def robustness(fovea, find, chosen):
    scores = collections.defaultdict(list)
    random = np.random.default_rng(3)
    for field in chosen:
        for name, image in changes(field.image, random):
            scores[name].append(fovea.score(find(image), field.labels))
        inverted = field.image.max() - field.image.astype(np.float32)
        scores["dark on bright, inverted"].append(fovea.score(find(inverted, invert=True), field.labels))
        scores["dark on bright, not inverted"].append(fovea.score(find(inverted), field.labels))
    print("\n| change | AP50 / mAP | found |\n|---|---|---|")
    for name, found in scores.items():
        found = total(found)
        print(f"| {name} | {describe(found)} | {found.found} of {found.true} |", flush=True)


def sizes(fovea, find, field):
    print("\n| diameter, px | as it is | diameter=auto |\n|---|---|---|")
    for factor in (0.25, 0.35, 0.5, 0.75, 1, 1.5, 2, 3, 4):
        image = ndimage.gaussian_filter(field.image.astype(np.float32), max(0, 0.4 * (1 / factor - 1)))
        image, truth = ndimage.zoom(image, factor, order=1), ndimage.zoom(field.labels, factor, order=0)
        scores = [fovea.score(find(image, diameter), truth) for diameter in (None, "auto")]
        print("| %.0f | %s | %s |" % (field.diameter * factor, *map(describe, scores)), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("data")
    parser.add_argument("fovea")
    parser.add_argument("--operation", action="store_true")
    parser.add_argument("--validation", action="store_true")
    parser.add_argument("--without-tissue")
    parser.add_argument("--robustness", action="store_true")
    choice = parser.parse_args()
    fovea = Fovea(choice.fovea)
    find = finder(fovea, choice.model, choice.operation)
    if choice.validation:
        chosen = fields.load(choice.data, ("validation",))
        for diameter in (None, "auto"):
            found = total(fovea.score(find(field.image, diameter), field.labels) for field in chosen)
            print(f"validation, diameter={diameter}: {describe(found)}, {found.found} of {found.true}, merged {found.merged}, split {found.split}")
        return
    chosen = fields.load(choice.data, ("test", "tissue_test", "sample"))
    recipes = {name: [fovea.run(steps, field.image) for field in chosen] for name, steps in RECIPES.items()}
    table(fovea, chosen, [find(field.image) for field in chosen], recipes)
    if choice.without_tissue:
        other = finder(fovea, choice.without_tissue, choice.operation)
        tissue = [field for field in fields.load(choice.data) if field.source in ("tissue", "sample")]
        for source in ("tissue", "sample"):
            found = total(fovea.score(other(field.image), field.labels) for field in tissue if field.source == source)
            print(f"\nwithout tissue, {source}: {describe(found)}, {found.found} of {found.true}, merged {found.merged}, split {found.split}")
    if choice.robustness:
        sample = [field for field in chosen if field.source == "sample"]
        robustness(fovea, find, sample)
        robustness(fovea, find, [field for field in chosen if field.split == "test"][::4])
        sizes(fovea, find, sample[0])


if __name__ == "__main__":
    main()
