# SPDX-License-Identifier: MIT
"""Every operation as a function, made from its declaration."""
import difflib
import functools
import inspect
import keyword
import textwrap

from . import _fovea
from ._images import Image
from ._runs import PLACEHOLDER, as_image, execute, for_image, ones_of
from ._tables import Table

#: What the first image is called: steps call it "from", which is a word of Python's.
FIRST = "image"
BOOLEAN, INTEGER, NUMBER, AXES, SET, MATRIX, TEXT, CHOICE = range(1, 9)
#: Whether slices are one volume, which None leaves to the image, as run() does.
VOLUME = "volume"
VOLUME_DEFAULT = "default None: as fovea.run() decides, with a warning if there are several slices"

#: The operation that declares in a parameter which of its images a call makes, and that parameter: "T z, bool mask" are two.
DECLARING, DECLARED = "kernel", "out_params"

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
    """A value as steps have it: rows of a matrix are separated by ';', planes by '/', and all else by ','. Booleans in a list are 0 and 1."""
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
        if depth > 2:
            raise ValueError(f"An array of {depth + 1} dimensions is not a value: use 1 to 3.")
        return ",;/"[depth].join(str(int(item)) if isinstance(item, bool) else value_text(item) for item in value)
    return repr(value)


def matrices(parameters):
    """For each parameter with a choice that says "as the matrix": that choice, and the parameter that is the matrix. So an array can be given instead."""
    found = {}
    for name, p in parameters.items():
        other, _, choice = (p["enabled"] or "").partition("=")
        if p["type"] == MATRIX and choice in [key for key, _ in parameters.get(other, {"choices": []})["choices"]]:
            found[other] = choice, name
    return found


def closest(name, names):
    """A sentence that suggests the most similar name, or nothing."""
    similar = difflib.get_close_matches(name, names, 1)
    return f" Did you mean '{similar[0]}'?" if similar else ""


def doc_of(summary, arguments, returns, cite=()):
    """A docstring of these parts, in lines of 120 characters."""
    lines = [summary, "", *arguments, "axes, device, progress: as in fovea.run().", "", returns, *cite]
    return "\n".join("\n".join(textwrap.wrap(line, 120, subsequent_indent="    ")) for line in lines)


class Operation:
    """One operation: what it is called with, and the recipe of it."""

    def __init__(self, about):
        self.about = about
        self.images = [i for i in about["inputs"] if not i["table"]]
        self.tables = [i for i in about["inputs"] if i["table"]]
        #: Of Python -> the key
        self.parameters = {spelled(p["key"]): p for p in about["parameters"]}
        self.initial = {name: None if name == VOLUME else default(p) for name, p in self.parameters.items()}
        self.matrices = matrices(self.parameters)
        self.initial_texts = {name: value_text(value) for name, value in self.initial.items()}
        self.texts = {p["key"] for p in about["parameters"] if p["type"] == TEXT}
        self.recipes = {}

    def signature(self):
        """What a call looks like."""
        def make(name, kind, *value):
            return inspect.Parameter(name, kind, **dict(zip(("default",), value)))

        positional, named = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
        images = sorted(self.images[1:], key=lambda i: i["optional"])  # as declared but for that
        made = [make(FIRST, positional, *[None] * i["optional"]) for i in self.images[:1]]
        made += [make(spelled(i["key"]), positional, *[None] * i["optional"]) for i in images]
        # What follows an optional argument has to be optional, too; all parameters are.
        made += [make(name, positional, value) for name, value in self.initial.items()]
        return inspect.Signature(made + [make(name, named, value) for name, value in COMMON.items()])

    def returns(self):
        """The names of what comes out: of its images, and "table"."""
        return self.about["outputs"] + (["table"] if self.about["table"] else [])

    def declares(self):
        """Whether a call says itself how many images it makes."""
        return self.about["key"] == DECLARING

    def made(self, arguments):
        """How many images a call makes that has no error: all, or as many as it declares."""
        return len(arguments[DECLARED].split(",")) if self.declares() else len(self.about["outputs"])

    def image_lines(self):
        """What the images are that it takes."""
        return [f"{FIRST if n == 0 else spelled(i['key'])}: {i['help']} ({i['words']}{', optional' if i['optional'] else ''})"
                for n, i in enumerate(self.images)]

    def parameter_lines(self, name):
        """What a parameter does."""
        p = self.parameters[name]
        lines = [f"{name}: {p['help']} ({VOLUME_DEFAULT if name == VOLUME else p['values']})"]
        if name in self.matrices:
            lines.append(f"    an array of 0 and 1: the same as {' '.join(self.matrices[name][:1])} with that {self.matrices[name][1]}")
        return lines + [f"    {key}: {text}" for key, text in p["choices"]]

    def doc(self):
        """The declaration for people."""
        lines = [line for name in self.parameters for line in self.parameter_lines(name)]
        if self.tables:
            lines.append("It uses the last table. Use fovea.run() with a step before it that makes one.")
        cite = ["", self.about["cite"]] if self.about["cite"] else []
        returns = f"an image for each output that {DECLARED} declares; several are a tuple" if self.declares() else ", ".join(self.returns())
        return doc_of(self.about["help"], self.image_lines() + lines, f"Returns {returns}.", cite)

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
        for name, (choice, matrix) in self.matrices.items():
            if not isinstance(arguments[name], str):
                given.update({matrix: given[name], name: choice})
        return {self.parameters[name]["key"]: text for name, text in given.items() if text != self.initial_texts[name]}

    def run(self, arguments):
        """A run of it, the number of its step, and the axes of length 1 that results keep."""
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
        if VOLUME in self.initial and arguments[VOLUME] is None:
            recipe = for_image(recipe, images, f"{self.about['key']}: each slice separately", 5)
        return execute(recipe, images, arguments["device"], arguments["progress"], keep=True), step, ones_of(images)

    def images_and_table(self, arguments):
        """What it makes: one object, or a tuple of several."""
        run, step, ones = self.run(arguments)
        made = [Image._of(_fovea.run_step_image(run, step, n), ones) for n in range(self.made(arguments))]
        made += [Table._of(_fovea.run_table(run, None))] if self.about["table"] else []
        return made[0] if len(made) == 1 else tuple(made)

    def threshold(self, method, arguments):
        """The first number that it finds: of several planes or volumes an array."""
        run, step, _ = self.run({**self.initial, **arguments, "method": method})
        numbers = Table._of(_fovea.run_numbers(run, step))[self.about["scalars"][0][0]]
        return float(numbers[0]) if len(numbers) == 1 else numbers


def called(name, signature, doc, work):
    """A function with that name, signature and docstring that calls work() with a dictionary of all arguments."""
    defaults = {name: p.default for name, p in signature.parameters.items()}
    positional = [p.name for p in signature.parameters.values() if p.kind is not p.KEYWORD_ONLY]
    required = {name for name in positional if defaults[name] is inspect.Parameter.empty}

    def call(*args, **kwargs):
        given = dict(zip(positional, args))
        given.update(kwargs)
        # What is right needs no binding, which takes longer than a small step; what is wrong gets its error from that.
        if len(given) == len(args) + len(kwargs) and given.keys() <= defaults.keys() and given.keys() >= required:
            return work({**defaults, **given})
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as error:
            unknown = next((name for name in kwargs if name not in defaults), None)
            told = f"Unknown parameter '{unknown}'.{closest(unknown, defaults)} Parameters: {', '.join(defaults)}." if unknown else error
            raise TypeError(f"fovea.{call.__name__}(): {told}") from None
        bound.apply_defaults()
        return work(bound.arguments)

    call.__name__ = call.__qualname__ = name
    call.__module__ = "fovea"
    call.__signature__ = signature
    call.__doc__ = doc
    return call


def function(about):
    """A function that does what an operation does."""
    operation = Operation(about)
    return called(spelled(about["key"]), operation.signature(), operation.doc(), operation.images_and_table)


def threshold_methods(about):
    """For each function that finds a threshold: its name, and the method of the operation `threshold` that it calls."""
    methods = next(p for p in about["parameters"] if p["key"] == "method")["choices"]
    return {f"threshold_{method}": (method, text) for method, text in methods if method != "manual"}


def threshold_function(about, name):
    """A function that returns the threshold that a method finds."""
    operation = Operation(about)
    method, text = threshold_methods(about)[name]
    named = inspect.Parameter.KEYWORD_ONLY
    heeded = {key for key, p in operation.parameters.items() if method in (p["enabled"] or "").partition("=")[2].split("|")}
    parameters = [p for key, p in operation.signature().parameters.items() if key == FIRST or key in heeded or p.kind is named]
    lines = operation.image_lines() + [line for key in operation.parameters if key in heeded for line in operation.parameter_lines(key)]
    doc = doc_of(f"Finds the threshold by the method {method}. {text}", lines,
                 "Returns a number; pixels above it are foreground. If slices are separate, an array with the threshold of each.")
    return called(name, inspect.Signature(parameters), doc, functools.partial(operation.threshold, method))
