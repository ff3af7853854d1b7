# SPDX-License-Identifier: MIT
"""Operations that users write: in lists, help and steps, with their errors."""
import os

from command import NUCLEI, fails, fovea, main

FLAT = """[operation]
label=Scale...
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
    says(done, "Multiplies and adds.", "wrong.operation' makes no operation: Line 2: Column 4: a value should stand here, not '*'.",
         "otsu.operation' is refused: there is an operation otsu already.")
    assert b"fovea: not loaded: '" in done.stderr
    fails(fovea("help", "--no-plugins", "scale_it", env=env), "no operation 'scale_it'")


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
              "turn_over.operation' holds code, which can do whatever you can and has not been allowed")
        assert not os.path.exists("results")
    says(fovea("run", "--allow-native", "channel index=0 | turn_over level=100", NUCLEI, "-o", "own.tif", env=env))
    says(fovea("run", "channel index=0 | expression expression='p - a' p=100 output=f32", NUCLEI, "-o", "formula.tif", env=env))
    with open("own.tif", "rb") as own, open("formula.tif", "rb") as formula:
        pixels = [file.read()[-4096:] for file in (own, formula)]
    assert pixels[0] == pixels[1]


main([test_lists, test_the_same_as_the_formula, test_wrong_arguments, test_wrong_files, test_kernel])
