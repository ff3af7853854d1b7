#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""check_zarr.py FOVEA: what Fovea saves as OME-Zarr is read by NumPy alone and, where they are installed, by zarr-python, tensorstore and
ome-zarr-models. Skips (77) without NumPy and tifffile."""
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import tifffile
except ImportError as error:
    print(f"no {error.name}")
    sys.exit(77)

sys.path.pop(0)  # where the folder zarr is, which is no package
RNG = np.random.default_rng(5)
WAYS = [[], ["--zarr", "0.4"], ["--sharding", "2"], ["--compression", "none"], ["--compression", "none", "--zarr", "0.4"],
        ["--compression", "deflate", "--level", "9"], ["--compression", "deflate", "--zarr", "0.4"], ["--no-pyramid", "--level", "19"]]


def run(*words):
    return subprocess.run([sys.argv[1], *map(str, words)], capture_output=True, text=True)


def halved(array):
    """The means of 2 x 2 pixels, integers rounded, halves up; an odd row or column stands alone."""
    rows, columns = array.shape[-2:]
    sums, counts = 0, 0
    for y in 0, 1:
        for x in 0, 1:
            part = np.zeros((*array.shape[:-2], (rows + 1) // 2, (columns + 1) // 2))
            count = np.zeros(part.shape)
            piece = array[..., y::2, x::2]
            part[..., :piece.shape[-2], :piece.shape[-1]] = piece
            count[..., :piece.shape[-2], :piece.shape[-1]] = 1
            sums, counts = sums + part, counts + count
    mean = sums / counts
    return (mean if array.dtype.kind == "f" else np.floor(mean + 0.5)).astype(array.dtype)


def by_numpy(path):
    """The levels of uncompressed chunks in files of their own."""
    levels = []
    for folder in sorted(p for p in path.iterdir() if p.is_dir()):
        two = (folder / ".zarray").exists()
        about = json.loads((folder / (".zarray" if two else "zarr.json")).read_text())
        chunk = about["chunks"] if two else about["chunk_grid"]["configuration"]["chunk_shape"]
        array = np.zeros(about["shape"], about["dtype"] if two else np.dtype(about["data_type"]).newbyteorder("<"))
        for at in np.ndindex(*(-(-n // c) for n, c in zip(array.shape, chunk))):
            file = folder.joinpath(*([] if two else ["c"]), *map(str, at))
            if file.exists():
                part = array[tuple(slice(i * c, (i + 1) * c) for i, c in zip(at, chunk))]
                part[...] = np.frombuffer(file.read_bytes(), array.dtype).reshape(chunk)[tuple(slice(n) for n in part.shape)]
        levels.append(array)
    return levels


def by_zarr(path):
    import zarr
    if int(zarr.__version__.partition(".")[0]) < 3:
        raise ImportError("version 2 does not read version 3 of the format", name="zarr 3")
    group = zarr.open_group(str(path), mode="r")
    return [group[name][...] for name in sorted(group.array_keys())]


def by_tensorstore(path):
    import tensorstore
    levels = []
    for folder in sorted(p for p in path.iterdir() if p.is_dir()):
        driver = "zarr" if (folder / ".zarray").exists() else "zarr3"
        levels.append(tensorstore.open({"driver": driver, "kvstore": {"driver": "file", "path": str(folder)}}).result().read().result())
    return levels


def valid(path):
    """As ome-zarr-models takes it."""
    import ome_zarr_models
    import zarr
    ome_zarr_models.open_ome_zarr(zarr.open_group(str(path), mode="r"))


def wrong(levels, array, n):
    """What is wrong with the levels of an array."""
    if len(levels) != n:
        return f"{len(levels)} levels, not {n}"
    for i, level in enumerate(levels):
        if i:
            array = halved(array)
        if level.shape != array.shape or level.dtype.newbyteorder("=") != array.dtype or not np.array_equal(level, array):
            return f"level {i} differs: {level.shape} {level.dtype}"
    return ""


def about(path):
    """What is wrong with the metadata."""
    two = (path / ".zattrs").exists()
    document = json.loads((path / (".zattrs" if two else "zarr.json")).read_text())
    ome = document if two else document["attributes"]["ome"]
    image = ome["multiscales"][0]
    if (image["version"] if two else ome["version"]) != ("0.4" if two else "0.5"):
        return "version"
    if [axis["name"] for axis in image["axes"]] != list("tczyx") or image["axes"][4].get("unit") != "micrometer":
        return f"axes {image['axes']}"
    for i, dataset in enumerate(image["datasets"]):
        scale, *moved = dataset["coordinateTransformations"]
        if not np.allclose(scale["scale"], [1, 1, 2, 0.5 * 2**i, 0.5 * 2**i]):
            return f"scale {scale}"
        if (moved[0]["translation"][3:] if moved else [0, 0]) != [0.25 * (2**i - 1)] * 2:
            return f"translation {moved}"
    return ""


def main():
    failed = 0

    def say(name, fault):
        nonlocal failed
        failed += bool(fault)
        print(f"{name}: {fault or 'ok'}")

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for kind in "u2", "f4", "i2", "u1":
            array = (RNG.random((1, 2, 3, 45, 70)) * 200).astype(kind)
            array[0, 0, 0, :32, :32] = 0  # a chunk that is not written
            source = folder / f"{kind}.tif"
            tifffile.imwrite(source, array.transpose(0, 2, 1, 3, 4), imagej=kind in ("u1", "u2", "f4"), photometric="minisblack",
                             **({"resolution": (2, 2), "metadata": {"axes": "TZCYX", "unit": "um", "spacing": 2}} if kind != "i2" else
                                {"metadata": {"axes": "TZCYX", "PhysicalSizeX": 0.5, "PhysicalSizeY": 0.5, "PhysicalSizeZ": 2}, "ome": True}))
            for way in WAYS:
                path = folder / f"{kind} {' '.join(way)}.ome.zarr"
                done = run("convert", source, path, "--tile", "16", *way)
                if done.returncode:
                    say(path.name, done.stderr)
                    continue
                n = 1 if "--no-pyramid" in way else 4
                say(f"{path.name}: metadata", about(path))
                if "none" in way:
                    say(f"{path.name} by NumPy", wrong(by_numpy(path), array, n))
                for reader in by_zarr, by_tensorstore:
                    try:
                        say(f"{path.name} {reader.__name__}", wrong(reader(path), array, n))
                    except ImportError as error:
                        print(f"no {error.name}")
                try:
                    valid(path)
                except ImportError as error:
                    print(f"no {error.name}")
        sys.exit(failed > 0)


main()
