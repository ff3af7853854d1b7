# SPDX-License-Identifier: MIT
"""Models…: cards, a package that is added, tested, chosen beside the field of a step and removed, and files that are no models."""
import hashlib
import os

import numpy as np
import tifffile

from person import (SOURCE, WORK, Program, click_away, find, find_all, keys, name_file, press, set_steps, settled, text_of, wait, window_titled, windows,
                    words_of)

PACKAGES = os.path.join(SOURCE, "tests", "kernels", "network", "data", "packages")
KEPT = os.path.join(os.environ["XDG_DATA_HOME"], "fovea", "models", "edges.zip")


def field():
    path = os.path.join(WORK, "discs.tif")
    tifffile.imwrite(path, np.load(os.path.join(PACKAGES, "image.npy")))
    return path


def says(window, part):
    return wait(lambda: any(part in words_of(label) for label in find_all(window, "label")), part)


def button(window, name):
    return wait(lambda: find(window, "push button", name), name)


def row(window, model):
    return wait(lambda: find(window, "list item", model), f"the row of {model}")


def opened(program):
    program.do("models")
    return window_titled(program, "Models")


def sum_of(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def add(program, window, path):
    press(button(window, "Add…"))
    name_file(program, "Add a Model", path)


def models_are_managed(program):
    """A package is added by a file dialog, tested, chosen in the menu beside the field, and removed after a question."""
    program.end()
    program = Program(field())
    set_steps(program, "segment")
    settled(program)
    window = opened(program)
    press(row(window, "dim"))
    says(window, "Pixels that are not quite black")
    assert find(row(window, "dim"), "label", "Part of the plugin own-models") and find(row(window, "nuclei"), "label", "Part of Fovea")
    press(row(window, "nuclei"))
    says(window, "Bright nuclei on a dark background")
    for part in ("MIT", "6 to 100 pixels", "Not for cytoplasm", sum_of(os.path.join(SOURCE, "data", "models", "nuclei.onnx"))):
        says(window, part)
    bad = os.path.join(WORK, "bad.onnx")
    with open(bad, "wb") as file:
        file.write(b"no network")
    add(program, window, bad)
    says(window, "bad.onnx' cannot be used. It is not an ONNX file, or it is damaged.")
    add(program, window, os.path.join(PACKAGES, "edges.zip"))
    says(window, "Added edges")
    says(window, sum_of(KEPT))
    press(button(window, "Test"))
    says(window, "It passes its test")
    press(button(window, "Close"))
    press(program.find("push button", "Models"))
    keys("Down", "Return")
    wait(lambda: text_of(find(program.app, "text", "Model")) == "edges", "the model in the field")
    settled(program)
    window = opened(program)
    press(row(window, "edges"))
    says(window, "A network for tests.")
    press(button(window, "Remove…"))
    question = wait(lambda: next((w for w in windows(program) if find(w, "push button", "Remove") and w != window), None), "the question")
    click_away(program, find(question, "push button", "Remove"))
    wait(lambda: not os.path.exists(KEPT), "the end of the file")
    wait(lambda: not find(window, "list item", "edges"), "the end of the row")
    press(button(window, "Close"))
    set_steps(program, "")
    return program


TESTS = [models_are_managed]
