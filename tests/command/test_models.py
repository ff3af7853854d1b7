# SPDX-License-Identifier: MIT
"""fovea models: cards against what Python reads of packages, and models that are added, chosen by name, tested and removed."""
import hashlib
import json
import os
import re
import shutil
import sys
import zipfile

import numpy as np
import tifffile

from command import SOURCE, fails, fovea, main, same

PACKAGES = os.path.join(SOURCE, "tests", "kernels", "network", "data", "packages")
PLUGIN = os.path.abspath(sys.argv.pop(1))
SHIPPED = os.path.join(SOURCE, "data", "models", "nuclei.onnx")


def own_folder():
    """Models of the test alone."""
    os.environ["XDG_DATA_HOME"] = os.path.join(os.getcwd(), "data")
    return os.path.join(os.getcwd(), "data", "fovea", "models")


def done(*arguments):
    call = fovea(*arguments)
    assert call.returncode == 0, call.stderr.decode()
    return (call.stdout + call.stderr).decode()


def sum_of(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def card(name):
    lines = [(line["key"], line["text"]) for line in json.loads(done("models", "card", name, "--json"))]
    return {key: [text for other, text in lines if other == key] for key, _ in lines}


def names():
    return {row["name"]: row for row in json.loads(done("models", "--json"))}


def description(package):
    with zipfile.ZipFile(package) as archive:
        return json.loads(archive.read("rdf.yaml"))


def packed(package, path, **changed):
    """A copy with other texts in its description."""
    with zipfile.ZipFile(package) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            new.writestr(name, json.dumps({**description(package), **changed}) if name == "rdf.yaml" else old.read(name))
    return path


def image():
    tifffile.imwrite("image.tif", np.load(os.path.join(PACKAGES, "image.npy")))


def labels(step):
    done("run", "-q", step, "image.tif", "-o", "labels.tif")
    return tifffile.imread("labels.tif")


def test_shipped():
    own_folder()
    same(list(names()), ["nuclei"], "models")
    shipped = card("nuclei")
    same(shipped["sha256"], [sum_of(SHIPPED)], "SHA-256")
    with open(os.path.join(SOURCE, "models", "nuclei", "CARD.md"), encoding="utf-8") as file:
        title = re.match(r"# (.*) ([\d.]+)\n", file.read())
    same(shipped["name"] + shipped["version"], list(title.groups()), "name and version")
    for text in ("Size of objects", "License", "Citation", "Limits", "6 to 100 pixels"):
        assert text in done("models", "card", "nuclei"), text
    fails(fovea("models", "remove", "nuclei"), "'nuclei' is part of Fovea", status=1)
    assert "no test" in done("models", "test", "nuclei")


def test_of_a_plugin():
    """The list says whose a model is."""
    own_folder()
    options = {"env": {**os.environ, "FOVEA_PLUGIN_PATH": os.path.dirname(PLUGIN)}}
    listed = fovea("models", **options).stdout.decode().splitlines()
    same([line.split()[:2] for line in listed], [["nuclei", "shipped"], ["dim", "own-models"]], "owners")
    same(len({line.index(word) for line, word in zip(listed, ("Bright", "Pixels"))}), 1, "columns of the purposes")
    rows = json.loads(fovea("models", "--json", **options).stdout)
    same([(row["name"], row["plugin"], row["path"]) for row in rows], [("nuclei", None, None), ("dim", "own-models", None)], "JSON")
    fails(fovea("models", "remove", "dim", **options), "'dim' is part of the plugin own-models", status=1)


def test_added():
    """The name means what the file means, until it is removed."""
    folder, path = own_folder(), os.path.join(PACKAGES, "edges.zip")
    image()
    fails(fovea("run", "segment model=edges", "image.tif", "-o", "labels.tif"), "model 'edges'", "neither a file nor added", "fovea models add", status=1)
    same(done("models", "add", path), "Added edges.\n", "report")
    same(names()["edges"]["path"], os.path.join(folder, "edges.zip"), "path")
    same(sum_of(os.path.join(folder, "edges.zip")), sum_of(path), "copy")
    assert np.array_equal(labels("segment model=edges"), labels(f"segment model='{path}'"))
    assert f"the SHA-256 of {folder}/edges.zip is {sum_of(path)}." in done("run", "segment model=edges", "image.tif", "-o", "labels.tif")
    about, shown = description(path), card("edges")
    same([shown[key] for key in ("name", "purpose", "license", "authors", "sha256")],
         [[about["name"]], [about["description"]], [about["license"]], [", ".join(author["name"] for author in about["authors"])], [sum_of(path)]], "card")
    same(shown["citation"], [f"{cite['text']}, doi:{cite['doi']}" for cite in about["cite"]], "citations")
    with zipfile.ZipFile(path) as archive, archive.open("out.npy") as file:
        said = re.fullmatch(r"It passes its test: (\d+) numbers are equal to the package's test output within (\S+)\.\n", done("models", "test", "edges"))
        assert int(said[1]) == np.load(file).size and float(said[2]) < 1e-4, said
    offered = fovea("complete", "fovea run 'segment model=").stdout.decode() + fovea("complete", "fovea models card ").stdout.decode()
    same(offered.count("\tedges\t"), 2, "names that are offered")
    fails(fovea("models", "add", path), "a model 'edges' already", "rename", status=1)
    done("models", "remove", "edges")
    same(os.listdir(folder), [], "files that are left")
    fails(fovea("models", "card", "edges"), "model 'edges' is not on this computer", status=1)
    fails(fovea("models", "test", path), "edges.zip' is a file. Add it", status=1)


def test_batch():
    own_folder()
    image()
    done("models", "add", os.path.join(PACKAGES, "edges.zip"))
    done("batch", "segment model=edges", "image.tif", "--out", "out")
    with open("out/manifest.jsonl", encoding="utf-8") as file:
        records = [record for record in map(json.loads, file) if "file" in record]
    assert sum_of(os.path.join(PACKAGES, "edges.zip")) in records[0]["sha256"], records


def test_text():
    """A description may hold anything; none of it commands the terminal."""
    own_folder()
    path = packed(os.path.join(PACKAGES, "edges.zip"), "my model.zip", description="Cells\tof\nthe \x1b[31mretina, 5 µm", license=None, cite=[],
                  config={"bioimageio": {"out_of_scope_use": "Not for diagnosis.", "bias_risks_limitations": {"limitations": "Not for clusters."}}})
    done("models", "add", path)
    same(card("my model")["purpose"], ["Cells of the  [31mretina, 5 µm"], "purpose")
    same(card("my model")["limits"], ["Not for diagnosis.", "Not for clusters."], "limits")
    assert "license" not in card("my model") and "citation" not in card("my model")


def test_refused():
    """Errors name the file, in whole sentences; nothing is copied."""
    folder = own_folder()
    image()
    packed(os.path.join(PACKAGES, "edges.zip"), "old.zip", format_version="0.3.6")
    with open("bad.onnx", "wb") as file:
        file.write(b"no network")
    with open(SHIPPED, "rb") as file:
        whole = file.read()
    with open("half.onnx", "wb") as file:
        file.write(whole[:len(whole) // 2])
    with open("empty.zip", "wb"):
        pass
    deep = os.path.join(*["folder" * 5] * 8)
    os.makedirs(deep)
    shutil.copy("bad.onnx", deep)
    cases = {"bad.onnx": "It is not an ONNX file, or it is damaged.", "half.onnx": "damaged", "old.zip": "format is 0.3.6", "empty.zip": "1 to",
             os.path.join(deep, "bad.onnx"): "not an ONNX file", "image.tif": "end in .zip, .onnx", "missing.zip": "no file has this name"}
    for path, words in cases.items():
        call = fovea("models", "add", path)
        fails(call, os.path.basename(path), words, status=1)
        same(call.stderr.decode()[-2:], ".\n", "end of the error")
        if path not in ("image.tif", "missing.zip"):
            fails(fovea("run", f"segment model='{path}'", "image.tif", "-o", "labels.tif"), os.path.basename(path), words, status=1)
    assert not os.path.exists(folder), os.listdir(folder)
    for arguments in (["add"], ["card", "nuclei", "nuclei"], ["list", "nuclei"], ["open", "nuclei"]):
        fails(fovea("models", *arguments), "fovea models --help", status=2)


if __name__ == "__main__":
    main([test for name, test in list(globals().items()) if name.startswith("test_")])
