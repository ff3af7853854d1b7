# SPDX-License-Identifier: MIT
"""A form for each operation, made of its declaration, which shows the result while values change."""
import functools

import fovea
from magicgui.widgets import CheckBox, ComboBox, Container, FloatSpinBox, Label, LineEdit, PushButton, SpinBox
from napari import layers
from napari.qt.threading import create_worker

from .layers import image_of, kind_of, layer_of, pixels_of

BOOLEAN, INTEGER, NUMBER, CHOICE = 1, 2, 3, 8  # types of parameters; others are text
LARGEST = 2**31 - 1  # of a spin box


class Outdated(Exception):
    """Values have changed since the run began."""


def number(parameter, kind):
    """A spin box with the limits of the parameter."""
    low, high, soft_low, soft_high = parameter["limits"]
    try:
        initial = kind(parameter["initial"])
    except ValueError:
        return None
    low, high = max(low, -LARGEST), min(high, LARGEST)
    if not low <= initial <= high:
        return None
    if kind is int:
        return SpinBox(value=initial, min=int(low), max=int(high))
    span = soft_high - soft_low if abs(soft_high) < LARGEST and abs(soft_low) < LARGEST else 100
    return FloatSpinBox(value=initial, min=low, max=high, step=max(span / 100, 1e-6))


def control(parameter):
    """The widget of a parameter; one that has no other is text, as steps have it."""
    kind, initial = parameter["type"], parameter["initial"]
    made = None
    if kind == BOOLEAN:
        made = CheckBox(value=initial == "yes")
    elif kind == CHOICE:
        made = ComboBox(choices=[key for key, _ in parameter["choices"]], value=initial)
    elif kind in (INTEGER, NUMBER):
        made = number(parameter, int if kind == INTEGER else float)
    made = made or LineEdit(value=initial)
    made.name, made.label = parameter["key"], parameter["label"]
    made.tooltip = parameter["help"]
    return made


def matters(condition, values):
    """Whether a parameter matters: "method=manual|otsu", or several of these with " & " between."""
    for part in (condition or "").split(" & "):
        other, _, choices = part.partition("=")
        if other in values and str(values[other]) not in choices.split("|") and not (
                isinstance(values[other], bool) and ("yes" if values[other] else "no") in choices.split("|")):
            return False
    return True


def shown(value):
    """A value of a table, short."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


class OperationForm(Container):
    """The form of one operation: layers that it takes, parameters, and whether it runs after each change."""

    def __init__(self, key, napari_viewer):
        super().__init__()
        self._viewer = napari_viewer
        self._about = fovea.describe(key)
        self._inputs = {i["key"]: ComboBox(label=i["key"], tooltip=i["help"], choices=self._layers, nullable=bool(i["optional"])) for i in self._about["inputs"]}
        self._controls = {p["key"]: control(p) for p in self._about["parameters"]}
        self._live = CheckBox(label="live", value=True, tooltip="Runs after each change.")
        self._button = PushButton(text="Run")
        self._said = Label(value="")
        self.extend([Label(value=self._about["help"]), *self._inputs.values(), *self._controls.values(), self._live, self._button, self._said])
        self._results = []  # layers of the last run, which the next one changes
        self._worker = None
        self._again = False
        for widget in (*self._inputs.values(), *self._controls.values(), self._live):
            widget.changed.connect(self._changed)
        self._button.changed.connect(self.start)
        for event in (self._viewer.layers.events.inserted, self._viewer.layers.events.removed):
            event.connect(self._list_layers)
        self._show_which_matter()
        # The image that is selected is the one to work on.
        active = self._viewer.layers.selection.active
        if active in self._layers():
            next(iter(self._inputs.values())).value = active

    def _layers(self, _=None):
        return [layer for layer in self._viewer.layers if isinstance(layer, (layers.Image, layers.Labels))]

    def _list_layers(self, _=None):
        for widget in self._inputs.values():
            with widget.changed.blocked():
                widget.reset_choices()

    def _values(self):
        return {key: widget.value for key, widget in self._controls.items()}

    def _show_which_matter(self):
        values = self._values()
        for p in self._about["parameters"]:
            self._controls[p["key"]].enabled = matters(p["enabled"], values)

    def _changed(self, _=None):
        self._show_which_matter()
        if self._live.value:
            self.start()

    def _progress(self, *_):
        if self._again:
            raise Outdated

    def _compute(self, images, values):
        """On a thread: a list of images and tables."""
        function = getattr(fovea, self._about["key"])
        first, *others = images.items()
        made = function(first[1], **dict(others), **values, progress=self._progress)
        return made if isinstance(made, tuple) else (made,)

    def start(self, _=None):
        """Runs with the present values, after the run that is under way, which is stopped."""
        if self._worker is not None:
            self._again = True
            return
        self._again = False
        try:
            images = {key: image_of(widget.value) for key, widget in self._inputs.items() if widget.value is not None}
        except fovea.Error as error:
            self._said.value = str(error)
            return
        if next(iter(self._inputs)) not in images:
            self._said.value = "Open an image first."
            return
        base = next(iter(self._inputs.values())).value
        self._worker = create_worker(self._compute, images, self._values(), _connect={
            "returned": functools.partial(self._show, base), "errored": self._fail, "finished": self._finish})

    def _finish(self):
        self._worker = None
        if self._again:
            self.start()

    def _fail(self, error):
        self._said.value = "" if isinstance(error, Outdated) else str(error)

    def _show(self, base, made):
        self._said.value = ""
        images = [one for one in made if isinstance(one, fovea.Image)]
        for table in (one for one in made if isinstance(one, fovea.Table)):
            self._show_table(table, base)
        results = []
        for n, image in enumerate(images):
            old = self._results[n] if n < len(self._results) and self._results[n] in self._viewer.layers else None
            results.append(self._update(old, image, base, n))
        self._results = results

    def _update(self, layer, image, base, n):
        """The layer of a result: the one of the run before, if it can be, or a new one."""
        same = layer is not None and "C" not in image.axes and type(layer).__name__.lower() == kind_of(image) and layer.data.ndim == image.ndim
        if same and layer.data.dtype == pixels_of(image).dtype:
            layer.data = pixels_of(image)
            return layer
        if layer is not None:
            self._viewer.layers.remove(layer)
        output = self._about["outputs"][n]
        name = f"{base.name} {self._about['key']}" + ("" if output in ("image", "labels", "mask") else f" {output}")
        data, arguments, kind = layer_of(image, name)
        added = getattr(self._viewer, f"add_{kind}")(data, **arguments)
        return added[0] if isinstance(added, list) else added

    def _show_table(self, table, base):
        """Rows about objects are features of their layer, which napari shows and colors by; of others the first ones are text."""
        if isinstance(base, layers.Labels) and "label" in table:
            base.features = table.to_pandas().rename(columns={"label": "index"})
            self._said.value = f"{table.rows} objects: see the features of layer '{base.name}'."
        else:
            self._said.value = "\n".join(f"{name}: {', '.join(map(shown, table[name][:5]))} {table.units[name]}".rstrip() for name in list(table)[:20])


def __getattr__(name):
    """What the manifest calls: for each operation a function that makes its form in a viewer."""
    if name not in fovea.operations():
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")

    def make(napari_viewer: "napari.viewer.Viewer") -> OperationForm:  # noqa: F821 - napari looks at the name
        return OperationForm(name, napari_viewer)

    make.__name__ = make.__qualname__ = name
    return make
