# SPDX-License-Identifier: MIT
"""Every operation as a function, made from its declaration."""
import inspect
import keyword
import textwrap

from . import _fovea
from ._images import Image
from ._runs import PLACEHOLDER, as_image, execute, ones_of
from ._tables import Table

#: What the first image is called: steps call it "from", which is a word of Python's.
FIRST = "image"
BOOLEAN, INTEGER, NUMBER, AXES, SET, MATRIX, TEXT, CHOICE = range(1, 9)
HINTS = {BOOLEAN: "bool", INTEGER: "int", NUMBER: "float", AXES: "float | Sequence[float]", SET: "str | Sequence[str]",
         MATRIX: "str | Sequence[Any]", TEXT: "str", CHOICE: "str"}


KEPT = 64  # recipes of an operation

#: Arguments that every function takes.
COMMON = {"axes": None, "device": "auto", "progress": None}


def spelled(key):
    """A key as Python can write it, and that no other argument has."""
    return key + "_" if keyword.iskeyword(key) or key in COMMON or key == FIRST else key


def default(parameter):
    """The default of a parameter, as a Python value."""
    text, kind = parameter["initial"], parameter["type"]
    if kind == BOOLEAN:
        return text == "yes"
    if kind in (INTEGER, NUMBER, AXES):
        try:
            return int(text) if kind == INTEGER else float(text)
        except ValueError:
            return text
    return text


def value_text(value):
    """A value as steps have it: rows of a matrix are separated by ';', planes by '/', and all else by ','."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if hasattr(value, "tolist"):  # arrays and numbers of NumPy
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        depth = 0
        inner = value
        while inner and isinstance(inner[0], (list, tuple)):
            depth, inner = depth + 1, inner[0]
        return ",;/"[depth].join(value_text(item) for item in value)
    return value_text(value) if isinstance(value, bool) else repr(value)


class Operation:
    """One operation: what it is called with, and the recipe of it."""

    def __init__(self, about):
        self.about = about
        self.images = [i for i in about["inputs"] if not i["table"]]
        self.tables = [i for i in about["inputs"] if i["table"]]
        #: Of Python -> the key
        self.parameters = {spelled(p["key"]): p for p in about["parameters"]}
        self.initial = {name: default(p) for name, p in self.parameters.items()}
        self.initial_texts = {name: value_text(value) for name, value in self.initial.items()}
        self.texts = {p["key"] for p in about["parameters"] if p["type"] == TEXT}
        self.recipes = {}

    def signature(self):
        """What a call looks like."""
        def make(name, kind, *value):
            return inspect.Parameter(name, kind, **dict(zip(("default",), value)))

        positional, named = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
        made = [make(FIRST, positional, *[None] * i["optional"]) for i in self.images[:1]]
        required = [i for i in self.images[1:] if not i["optional"]]
        made += [make(spelled(i["key"]), positional) for i in required]
        made += [make(spelled(i["key"]), named, None) for i in self.images[1:] if i["optional"]]
        made += [make(name, named, value) for name, value in self.initial.items()]
        return inspect.Signature(made + [make(name, named, value) for name, value in COMMON.items()])

    def returns(self):
        """The names of what comes out: of its images, and "table"."""
        return self.about["outputs"] + (["table"] if self.about["table"] else [])

    def doc(self):
        """The declaration for people."""
        lines = [self.about["help"], ""]
        for n, i in enumerate(self.images):
            lines.append(f"{FIRST if n == 0 else spelled(i['key'])}: {i['help']} ({i['words']}{', optional' if i['optional'] else ''})")
        for name, p in self.parameters.items():
            lines.append(f"{name}: {p['help']} ({p['values']}{', matters with ' + p['enabled'] if p['enabled'] else ''})")
            lines += [f"    {key}: {text}" for key, text in p["choices"]]
        if self.tables:
            lines.append("It uses the last table. Use fovea.run() with a step before it that makes one.")
        lines += ["axes, device, progress: as in fovea.run().", "", f"Returns {', '.join(self.returns())}."]
        if self.about["cite"]:
            lines += ["", self.about["cite"]]
        return "\n".join("\n".join(textwrap.wrap(line, 120, subsequent_indent="    ")) for line in lines)

    def recipe(self, count, inputs, values):
        """So many placeholders for images, then the step with its inputs, as text, and all parameters that differ from their defaults."""
        placeholders = "".join(f"{PLACEHOLDER} as=input{n} | " for n in range(1, count)) + (f"{PLACEHOLDER} | " if count else "")
        # What it has to take it has from the beginning.
        step = " ".join([self.about["key"]] + [f'{key}="{text}"' for key, text in inputs.items()])
        recipe = _fovea.recipe_parse(placeholders + step)
        for key, value in values.items():
            recipe = _fovea.recipe_with(recipe, count, key, value_text(value))
        return recipe

    def kept_recipe(self, count, inputs, values):
        """The same, parsed once."""
        key = count, tuple(inputs.items()), tuple(values.items())
        if key not in self.recipes:
            if len(self.recipes) >= KEPT:
                self.recipes.clear()
            self.recipes[key] = self.recipe(count, inputs, values)
        return self.recipes[key]

    def changed(self, arguments):
        """The parameters that differ from their defaults, by key, as text."""
        given = {name: value_text(arguments[name]) for name, value in self.initial.items() if arguments[name] is not value}
        return {self.parameters[name]["key"]: text for name, text in given.items() if text != self.initial_texts[name]}

    def __call__(self, arguments):
        values = self.changed(arguments)
        first = arguments.get(FIRST)
        given = first is not None or (self.images and not self.images[0]["optional"])
        images = [as_image(first, arguments["axes"])] if given else []
        inputs = {}
        lasting = self.texts.isdisjoint(values)  # a text may name a file, which can change
        for i in self.images[1:]:
            value = arguments[spelled(i["key"])]
            if value is None:
                continue
            inputs[i["key"]] = value if isinstance(value, str) else f"input{len(images)}"
            if isinstance(value, str):  # a selection
                lasting = False
            else:
                images.append(as_image(value))
        step = len(images)
        recipe = (self.kept_recipe if lasting else self.recipe)(step, inputs, values)
        run = execute(recipe, images, arguments["device"], arguments["progress"], keep=True)
        ones = ones_of(images)
        made = [Image._of(_fovea.run_step_image(run, step, n), ones) for n in range(len(self.about["outputs"]))]
        made += [Table(_fovea.run_table(run, None))] if self.about["table"] else []
        return made[0] if len(made) == 1 else tuple(made)


def function(about):
    """A function that does what an operation does."""
    operation = Operation(about)
    signature = operation.signature()
    defaults = {name: p.default for name, p in signature.parameters.items()}
    positional = [p.name for p in signature.parameters.values() if p.kind is not p.KEYWORD_ONLY]
    required = {name for name in positional if defaults[name] is inspect.Parameter.empty}

    def call(*args, **kwargs):
        given = dict(zip(positional, args))
        given.update(kwargs)
        # What is right needs no binding, which takes longer than a small step; what is wrong gets its error from that.
        if len(given) == len(args) + len(kwargs) and given.keys() <= defaults.keys() and given.keys() >= required:
            return operation({**defaults, **given})
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"fovea.{call.__name__}(): {error}") from None
        bound.apply_defaults()
        return operation(bound.arguments)

    call.__name__ = call.__qualname__ = spelled(about["key"])
    call.__module__ = "fovea"
    call.__signature__ = signature
    call.__doc__ = operation.doc()
    return call
