# SPDX-License-Identifier: MIT
"""Operations that users write: in lists, help and steps, with their errors."""
import json
import os
import shutil

from command import NUCLEI, fails, fovea, main

FLAT = """[operation]
label=Scale...
search=multiply amplify
menu=Process/Own
help=Multiplies and adds.
expression=image * gain + offset

[input image]

[parameter gain]
label=Gain
default=2
min=0
max=10
help=By what pixels are multiplied.

[parameter offset]
type=int
default=0
"""


def folder(**files):
    os.makedirs("operations")
    for key, text in files.items():
        with open(f"operations/{key}.operation", "w", encoding="utf-8") as file:
            file.write(text)
    return {**os.environ, "FOVEA_OPERATION_PATH": os.path.abspath("operations")}


def says(done, *words):
    text = (done.stdout + done.stderr).decode()
    assert done.returncode == 0, text
    for word in words:
        assert word in text, f"{word!r} is not in {text!r}"


def test_lists():
    env = folder(scale_it=FLAT)
    says(fovea("ops", env=env), "scale_it", "Multiplies and adds.")
    says(fovea("help", "scale_it", env=env), "Menu: Process/Own/Scale...", "gain=  By what pixels are multiplied. (number, 0 to 10, default 2)")


def test_search():
    """Words find operations, best first, a user's own, too; what is not found is an error, and an unknown name suggests some."""
    def found(*words):
        return [line.split()[0] for line in fovea("ops", *words).stdout.decode().splitlines()]
    assert found("blur")[0] == "gaussian" and "deconvolve" in found("blur"), found("blur")
    assert found("Gaussian Blur...") == ["gaussian"]
    assert found("count", "cells")[0] == "label"
    assert "median" in found("DENOISE") and "label" not in found("denoise")
    assert b"scale_it" in fovea("ops", "amplify", env=folder(scale_it=FLAT)).stdout
    plugins = {**os.environ, "FOVEA_PLUGIN_PATH": os.path.join(os.environ["FOVEA_BUILD"], "tests/third_party_plugin")}
    assert fovea("ops", "haze", env=plugins).stdout.startswith(b"grade ")
    fails(fovea("ops", "xyzzy"), "No operation has 'xyzzy'")
    fails(fovea("run", "blur", NUCLEI), "'gaussian'")
    assert "denoise" in next(op["search"] for op in json.loads(fovea("ops", "median", "--json").stdout) if op["key"] == "median")


def test_the_same_as_the_formula():
    env = folder(scale_it=FLAT)
    says(fovea("run", "channel index=0 | scale_it gain=0.5 offset=-3", NUCLEI, "-o", "own.tif", env=env))
    says(fovea("run", "channel index=0 | expression expression='a * p + q' p=0.5 q=-3", NUCLEI, "-o", "formula.tif", env=env))
    with open("own.tif", "rb") as own, open("formula.tif", "rb") as formula:
        pixels = [file.read()[-4096:] for file in (own, formula)]
    assert pixels[0] == pixels[1]


def test_wrong_arguments():
    env = folder(scale_it=FLAT)
    fails(fovea("run", "scale_it gain=11", NUCLEI, env=env), "gain must be from 0 to 10, not 11")


def test_wrong_files():
    env = folder(scale_it=FLAT, wrong="[operation]\nexpression=a +* 2\n", otsu=FLAT)
    done = fovea("help", "scale_it", env=env)
    says(done, "Multiplies and adds.", "wrong.operation' defines no operation: Line 2: Column 4: expected a value here, not '*'.",
         "otsu.operation' is refused: the operation otsu already exists.")
    assert b"fovea: not loaded: '" in done.stderr
    fails(fovea("help", "--no-plugins", "scale_it", env=env), "Unknown operation 'scale_it'")


KERNEL = """[operation]
label=Turn Over...
in_params=T x, float32 k=level
out_params=float32 z
kernel=
  z = k - x;
[parameter level]
default=255
"""


def test_kernel():
    env = folder(turn_over=KERNEL)
    says(fovea("help", "turn_over", env=env), "Menu: Process/Own Operations/Turn Over...", "level=  A number that it takes. (number, default 255)")
    for words in (["run"], ["batch", "--out", "results", "-o", "{name}.tif"]):
        fails(fovea(words[0], "channel index=0 | turn_over", NUCLEI, *words[1:], env=env),
              "turn_over.operation' contains code. It runs with your permissions and has not been allowed")
        assert not os.path.exists("results")
    says(fovea("run", "--allow-native", "channel index=0 | turn_over level=100", NUCLEI, "-o", "own.tif", env=env))
    says(fovea("run", "channel index=0 | expression expression='p - a' p=100 output=f32", NUCLEI, "-o", "formula.tif", env=env))
    with open("own.tif", "rb") as own, open("formula.tif", "rb") as formula:
        pixels = [file.read()[-4096:] for file in (own, formula)]
    assert pixels[0] == pixels[1]


def test_reproducible():
    """What may differ between devices is named: on the page of operations, in help, in reports and in the manifest of a batch, and nothing else is."""
    sentence = "bilateral: reproducible to 1e-06 between devices"
    declared = {op["key"]: op["reproducible"] for op in json.loads(fovea("ops", "--json").stdout)}
    page = fovea("ops", "--markdown").stdout.decode().split("\n## ")
    assert declared["bilateral"] == 1e-6 and declared["otsu"] == 0 and declared.pop("segment") == 1e-3, declared
    assert max(declared.values()) <= 1e-5, declared
    declared["segment"] = 1e-3  # of networks that ONNX Runtime computes
    for section in page[1:]:
        key = section.split("\n")[0]
        assert (f"Reproducible to {declared[key]:g} between devices." in section) == (declared[key] > 0), section
        assert (f"[{key}]" in page[0]) == (declared[key] > 0), page[0]
    says(fovea("help", "bilateral"), "Reproducible to 1e-06 between devices.")
    steps = "channel index=1 | bilateral sigma=1 | expression expression='a + 1' | otsu"
    done = fovea("run", steps, NUCLEI, "--report", "report.json")
    says(done, sentence)
    assert done.stdout.count(b"reproducible") == 1, done.stdout
    with open("report.json", encoding="utf-8") as file:
        found = {step["operation"]: step["reproducible"] for step in json.load(file)["steps"] if "reproducible" in step}
    assert found == {"bilateral": 1e-6}, found
    with open("record.lua", "w", encoding="utf-8") as file:
        file.write('open("any.tif");\nrun("Bilateral Filter...", "sigma=1");\nrun("Bilateral Filter...", "sigma=2");\nsaveAs("Tiff", "b.tif");\n')
    for work in (steps, "record.lua"):
        says(fovea("batch", work, NUCLEI, "--out", "out"))
        with open("out/manifest.jsonl", encoding="utf-8") as file:
            records = [json.loads(line) for line in file]
        assert [record.get("reproducible") for record in records] == [None, sentence + "."], records
        shutil.rmtree("out")


main([test_reproducible, test_lists, test_the_same_as_the_formula, test_wrong_arguments, test_wrong_files, test_kernel])
