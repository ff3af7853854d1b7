# SPDX-License-Identifier: MIT
"""What a person does with the window: finding things by role and name, clicking, typing, dragging, looking at the screen."""
import contextlib
import os
import re
import signal
import struct
import subprocess
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib  # noqa: E402
import numpy as np  # noqa: E402

TIMEOUT = 60
CRASHES = {-signal.SIGABRT, -signal.SIGBUS, -signal.SIGFPE, -signal.SIGILL, -signal.SIGSEGV, -signal.SIGTRAP}
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WORK = os.environ["FOVEA_WORK"]
HELD = os.path.join(WORK, "held")
NUCLEI = os.path.join(SOURCE, "data/samples/nuclei_rgb.tif")
Atspi.set_timeout(1000 * TIMEOUT, 0)  # for each answer of a program, which may be busy
# Roles that later versions of GTK and AT-SPI renamed, with their names in the oldest supported version.
ROLES = {"button": "push button", "toggle button": "push button"}
LEAVES = {"label", "image", "slider", "separator", "table row"}  # not searched below
known_roles = {}  # by the names of widgets on the bus, which are never reused


def wait(test, what):
    """The first result of test() that is true; every failure to look is one more try. Half of the time the test sleeps, so that the program has the
    core where both share one."""
    end, last = time.monotonic() + TIMEOUT, ""
    while time.monotonic() < end:
        start = time.monotonic()
        ended = Program.started[-1].process.poll() if Program.started else None
        if ended in CRASHES:
            raise AssertionError(f"the program ended with signal {-ended}; waited for: {what}")
        try:
            found = test()
            if found:
                return found
            last = f"at last {found!r}"
        except (GLib.Error, AttributeError, IndexError, ValueError, OSError) as error:
            last = f"at last {error!r}"
        time.sleep(max(0.02, time.monotonic() - start))
    raise AssertionError(f"timeout: {what}; {last:.200}")


def children(node, most):
    """Up to so many; none when the widget has gone since it was found."""
    try:
        for i in range(min(node.get_child_count(), most)):
            child = node.get_child_at_index(i)
            if child:
                yield child
    except GLib.Error:
        return


def below(node, most=500):
    """Of a table the rows alone: what is in them is below each row."""
    for child in children(node, most):
        yield child
        if role_of(child) not in LEAVES:
            yield from below(child, most)


def name_of(node):
    """Empty when the widget has gone since it was found."""
    try:
        return node.get_name() or ""
    except GLib.Error:
        return ""


def find(root, role=None, name=None, part=None):
    """The first widget below root with that role whose name is `name` or contains `part`, or None. GTK names a button with a
    mnemonic "S_top Stop"."""
    for node in below(root):
        if role and role_of(node) != role:
            continue
        if name is not None and name_of(node) != name and not name_of(node).endswith(" " + name):
            continue
        if part is not None and part not in name_of(node):
            continue
        return node
    return None


def role_of(node):
    """None when the widget has gone since it was found. That of a widget never changes, and to ask is slow."""
    try:
        if node.path not in known_roles:
            known_roles[node.path] = ROLES.get(node.get_role_name(), node.get_role_name())
        return known_roles[node.path]
    except GLib.Error:
        return None


def find_all(root, role):
    return [node for node in below(root) if role_of(node) == role]


def click(node):
    action = node.get_action_iface()
    names = [action.get_action_name(i) for i in range(action.get_n_actions())]
    for wanted in ("click", "activate", "toggle"):
        if wanted in names:
            return action.do_action(names.index(wanted))
    raise AssertionError(f"{name_of(node)} cannot be clicked: {names}")


def screen():
    """The screen as (y, x, 3) bytes, by xwd."""
    dump = subprocess.run(["xwd", "-root", "-silent"], check=True, capture_output=True).stdout
    header = struct.unpack(">25I", dump[:100])
    size, width, height, order, bits, line, colours = (header[i] for i in (0, 4, 5, 7, 11, 12, 19))
    depth = bits // 8
    pixels = np.frombuffer(dump, np.uint8, height * line, size + 12 * colours).reshape(height, line)[:, :width * depth]
    pixels = pixels.reshape(height, width, depth)
    return pixels[..., 2::-1] if order == 0 else pixels[..., depth - 3:]


def keys(*names):
    subprocess.run(["xdotool", "key", "--clearmodifiers", *names], check=True)


def type_text(text):
    subprocess.run(["xdotool", "type", "--delay", "4", "--", text], check=True)


def move(x, y):
    """The mouse is there, and the program has noticed: a tooltip that is in the way closes before anything is dragged, as it does for a hand."""
    subprocess.run(["xdotool", "mousemove", str(int(x)), str(int(y))], check=True)
    if Program.started and Program.started[-1].alive():
        Program.started[-1].heard()


def mouse(x, y, *buttons):
    subprocess.run(["xdotool", "mousemove", str(int(x)), str(int(y))]
                   + [word for b in buttons for word in ("click", str(b))], check=True)


def press(node):
    """A click with the mouse, of a row in a list on its line."""
    x, y, width, height = line_of(node) if role_of(node) == "list item" else box(node)
    mouse(x + width / 2, y + height / 2, 1)


def text_of(node):
    return Atspi.Text.get_text(node, 0, Atspi.Text.get_character_count(node))


def words_of(node):
    """What is written there; empty when the widget has gone since it was found. The name of a label is another text when its caption or, since
    GTK 4.10, its tooltip names it."""
    try:
        return text_of(node) if node.get_text_iface() else name_of(node)
    except GLib.Error:
        return ""


def set_text(node, text):
    node.get_editable_text_iface().set_text_contents(text)


def focus_window(program, title):
    """The keys go there from now on. The title is "Fovea", or "nuclei.tif – Fovea"."""
    subprocess.run(["xdotool", "search", "--all", "--onlyvisible", "--pid", str(program.process.pid), "--name", f"(^| ){title}$",
                    "windowfocus", "--sync"], check=True, stdout=subprocess.DEVNULL)


def drag(x0, y0, x1, y1, steps=8, button=1):
    """As a hand does: it rests before it lets go."""
    move(x0, y0)
    words = ["mousedown", button]
    for i in range(1, steps + 1):
        words += ["mousemove", x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps, "sleep", 0.02]
    subprocess.run(["xdotool"] + [str(int(w) if isinstance(w, float) and w > 1 else w) for w in words] +
                   ["sleep", "0.1", "mouseup", str(button)], check=True)


def box(node):
    """x, y, width, height on the screen of a widget of a window at (0, 0)."""
    r = node.get_component_iface().get_extents(Atspi.CoordType.WINDOW)
    return r.x, r.y, r.width, r.height


def line_of(row):
    """The box of a row in the list of steps without the form that may be below its line."""
    x, y, width, height = box(row)
    return x, y, width, min(height, 28)


def misplaced(program):
    """The margin of a widget in its box, right and down: since 4.10 GTK leaves out the padding of its parents."""
    return 0 if int(program.app.get_toolkit_version().split(".")[1]) < 10 else 24


BUS = Gio.bus_get_sync(Gio.BusType.SESSION, None)
ERRORS = os.path.join(WORK, "err")


@contextlib.contextmanager
def held():
    """Inside, the step `held` keeps running, and the GPU of tests/posing is missing."""
    with open(HELD, "w", encoding="utf-8"):
        pass
    try:
        yield
    finally:
        os.remove(HELD)


class Program:
    """The window's program, started on files, with these variables in its environment."""

    started = []

    def __init__(self, *arguments, **environment):
        self.times = environment.get("FOVEA_TIMES", os.path.join(WORK, f"times{len(Program.started)}"))
        with open(ERRORS, "a", encoding="utf-8") as errors:
            self.process = subprocess.Popen([os.environ["FOVEA_PROGRAM"], *arguments], stderr=errors,
                                            env={**os.environ, "FOVEA_TIMES": self.times, "FOVEA_HELD": HELD, **environment})
        Program.started.append(self)
        self.app = wait(self._application, "the program on the bus of accessibility")
        self.window = wait(lambda: find(self.app, "frame"), "the window")
        if any(not option.startswith("-") for option in map(os.fsdecode, arguments)):
            self.find("image", "Image")

    def _application(self):
        desktop = Atspi.get_desktop(0)
        for i in range(desktop.get_child_count()):
            app = desktop.get_child_at_index(i)
            if app and app.get_process_id() == self.process.pid:
                return app
        return None

    def find(self, role=None, name=None, part=None):
        return wait(lambda: find(self.app, role, name, part), f"{role} {name or part or ''}")

    def gone(self, role=None, name=None, part=None):
        wait(lambda: not find(self.app, role, name, part), f"no {role} {name or part or ''}")

    def call(self, method, where, parameters):
        """A method that a program has for its actions, and what it returns."""
        return BUS.call_sync("org.fovea.Fovea", "/org/fovea/Fovea" + (f"/{where}" if where else ""), "org.gtk.Actions", method,
                             parameters, None, Gio.DBusCallFlags.NONE, TIMEOUT * 1000, None).unpack()

    def do(self, action, *parameters, where="window/1"):
        """Activates an action as menus and keys do."""
        values = [GLib.Variant.parse(None, p, None, None) for p in parameters]
        self.call("Activate", where, GLib.Variant("(sava{sv})", (action, values, {})))

    def set_state(self, action, value):
        self.call("SetState", None, GLib.Variant("(sva{sv})", (action, GLib.Variant("s", value), {})))

    def heard(self):
        """It has dealt with all that mouse and keys did: it takes up one event at a time, and between two of them it answers."""
        for _ in range(10):
            self.call("Describe", None, GLib.Variant("(s)", ("quit",)))

    def alive(self):
        return self.process.poll() is None

    def end(self, discard="Discard"):
        """All unsaved changes; `discard` is the name of the button that discards them."""
        self.do("quit", where="")
        end = time.monotonic() + TIMEOUT
        while self.alive() and time.monotonic() < end:
            try:
                button = find(self.app, "push button", discard)
                if button:
                    click(button)
            except (GLib.Error, AssertionError):  # it is just ending, and its button has no actions any more
                pass
            time.sleep(0.05)
        return self.process.wait(1)

    def kill(self):
        self.process.kill()
        self.process.wait()


# ---- What is done with it time and again ----


def page_tabs(program):
    return find_all(program.find("page tab list"), "page tab")


def captions(window):
    """The texts of the labels that have a caption, by it. GTK names such a label by the caption, before 4.10 by its text and the caption."""
    texts = [(text_of(label), name_of(label)) for label in find_all(window, "label")]
    return {name.removeprefix(text).strip(): text for text, name in texts if name != text}


def column_titles(program, table):
    """The widgets over the columns of a table."""
    header = find(program.app, "tree table", table).get_child_at_index(0)
    return [header.get_child_at_index(i) for i in range(header.get_child_count())]


def has_state(node, state):
    """Not when the widget has gone since it was found."""
    try:
        return node.get_state_set().contains(state)
    except GLib.Error:
        return False


def focused(root):
    return [node for node in below(root) if has_state(node, Atspi.StateType.FOCUSED)]


def open_choices(combo):
    """Opens a list of choices, which has the keys then."""
    press(combo)
    wait(lambda: [row for row in find_all(combo, "list item") if has_state(row, Atspi.StateType.FOCUSED)], "the keys in the list of choices")


def chosen_row(root):
    """Of a list, or None."""
    return next((row for row in find_all(root, "list item") if has_state(row, Atspi.StateType.SELECTED)), None)


def headers(program, table):
    return [name_of(find(title, "label")) for title in column_titles(program, table)]


def table_rows(program, table):
    """The rows of a table that can be seen, as the labels of their cells."""
    return [find_all(row, "label") for row in find_all(find(find(program.app, "tree table", table), "list"), "table row")]


def rows(program, table):
    return [[name_of(cell) for cell in row] for row in table_rows(program, table)]


def run_command(*arguments):
    subprocess.run([os.environ["FOVEA_COMMAND"], *arguments], check=True, capture_output=True)


def picture(program, image="Image"):
    """The content of the canvas. Its rim, where the focus is shown, is black, and so is the scale bar: GTK 4.18 leaves out the lowest row of its text
    now and then."""
    x, y, width, height = box(program.find("image", image))
    shown = np.zeros((height, width, 3), np.uint8)
    shown[2:-2, 2:-2] = screen()[y + 2:y + height - 2, x + 2:x + width - 2]
    shown[-60:, -260:] = 0
    return shown


def shows_request(program):
    """The program has noted that it shows what was asked for last: the picture of these steps, and their table."""
    with open(program.times, "rb") as times:
        events = times.read()
    return events.rfind(b"\tshown\t") > events.rfind(b"\trequest\t")


def ready(program):
    """The results of the steps as they are now are there."""
    wait(lambda: shows_request(program), "the results")


def at_rest(program):
    """What was done to it is done, and no picture is on its way."""
    program.heard()
    with open(program.times, "rb") as times:
        events = times.read()
    return events.count(b"\task\t") == events.count(b"\tanswer\t") and shows_request(program)


def settled(program):
    """The canvas when it has stopped changing, with the mouse where it has no tooltip."""
    before = [None]
    mouse(640, 795)

    def same():
        was, before[0] = before[0], picture(program) if at_rest(program) else None
        time.sleep(0.1)
        return was is not None and np.array_equal(was, before[0]) and at_rest(program)
    wait(same, "a canvas at rest")
    return before[0]


def becomes(program, want, what):
    """The canvas shows these pixels."""
    mouse(640, 795)
    wait(lambda: np.array_equal(picture(program), want), what)


def steps_of(program):
    """The list of steps; since GTK 4.10 screen readers do not see the content of hidden tabs. While a window goes, neither may be."""
    def seen():
        tab = None if find(program.app, "list", "Steps") else find(program.app, "page tab", "Steps")
        if tab:
            press(tab)
        return find(program.app, "list", "Steps")
    return wait(seen, "the list of steps")


def texts(program):
    return [name_of(n) for n in find_all(steps_of(program), "label")]


def has_step(program, title):
    return wait(lambda: title in texts(program), f"the step {title}")


def has_text(program, part):
    return program.find("label", part=part)


def no_step(program):
    return wait(lambda: len(find_all(steps_of(program), "list item")) == 1, "no step")


def set_steps(program, steps):
    program.do("set-steps", f"'{steps}'")


def windows(program):
    """The main window and those beside it, file dialogs too."""
    return [program.app.get_child_at_index(i) for i in range(program.app.get_child_count())]


def a11y_bus():
    """A connection to the bus of accessibility of its own: what it asks is not remembered by Atspi."""
    address, = BUS.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None, Gio.DBusCallFlags.NONE,
                             TIMEOUT * 1000, None).unpack()
    flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
    return Gio.DBusConnection.new_for_address_sync(address, flags, None, None)


def answers_one_too_many(program):
    """The program outlives the question for one window more than it shows, as a screen reader may ask when a window has just been closed.
    GTK answers with the last window that it knows, which must not be a hidden one."""
    bus = a11y_bus()
    bus.call_sync(program.app.app.bus_name, "/org/a11y/atspi/accessible/root", "org.a11y.atspi.Accessible", "GetChildAtIndex",
                  GLib.Variant("(i)", (999,)), None, Gio.DBusCallFlags.NONE, TIMEOUT * 1000, None)
    bus.close_sync(None)


def window_titled(program, title):
    """The one with this title ("Save Steps", be it of "Save Steps of nuclei.tif"), when it is there."""
    return wait(lambda: next((w for w in windows(program) if has_title(w, title)), None), title)


def has_title(window, title):
    return name_of(window) == title or name_of(window).startswith(title + " of ")


def on_display(program, name):
    """How many windows of the program the display has whose title matches."""
    found = subprocess.run(["xdotool", "search", "--all", "--onlyvisible", "--pid", str(program.process.pid), "--name", name],
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return len(found.stdout.split())


def is_shown(program, title):
    """Whether the display has a window with this title (has_title()). Asked for one that is just going, GTK 4.8 ends."""
    return on_display(program, f"^{title}( of .*)?$") > 0


def click_away(program, button):
    """Clicks a button that ends its window, and looks at nothing before it has gone (is_shown())."""
    before = on_display(program, "")
    click(button)
    wait(lambda: on_display(program, "") < before, f"the end of the window with {name_of(button)}")
    time.sleep(0.2)  # until it has gone from the tree of accessibility, too


def no_window(program, title):
    wait(lambda: not is_shown(program, title), f"the end of {title}")
    time.sleep(0.2)  # until it has gone from the tree of accessibility, too


def named_as(dialog, path):
    """The field holds the path. Where the dialog has completed what was being typed meanwhile, it gets it once more."""
    fields = [n for n in find_all(dialog, "text") if text_of(n).startswith("/")]
    if fields and text_of(fields[0]) != path:
        set_text(fields[0], path)
    return fields and text_of(fields[0]) == path


def name_file(program, title, path):
    """Types a path into the file dialog with this title that is coming up."""
    dialog = window_titled(program, title)
    wait(lambda: focused(dialog), f"the focus in {title}")
    keys("ctrl+a")
    type_text(path)
    wait(lambda: named_as(dialog, path), f"the path in {title}")
    return_ends(program, title)


def return_ends(program, title):
    """Return ends the file dialog with this title. One that came while it was completing a name or reading a folder is lost: another
    one follows."""
    pressed = 0

    def ended():
        nonlocal pressed
        if not is_shown(program, title):
            return True
        if time.monotonic() - pressed > 3:
            keys("Return")
            pressed = time.monotonic()
        return False
    wait(ended, f"the end of {title}")
    no_window(program, title)


def looked_at(program):
    """The zoom, 1 for 100 %, and the position in the image of the canvas's upper left corner."""
    zoom, x, y = re.match(r"(\S+) % at (\S+), (\S+)", program.find("image", "Image").get_description()).groups()
    return float(zoom) / 100, float(x), float(y)


def zoom_100(program):
    program.do("zoom-100")
    wait(lambda: looked_at(program)[0] == 1, "100 %")


def shows_file(program, path):
    """At 100 % the middle of the canvas, away from the scale bar, is a part of this PNG file."""
    ppm = subprocess.run(["pngtopnm", path], check=True, capture_output=True).stdout
    kind, size, most, pixels = ppm.split(b"\n", 3)
    width, height = (int(n) for n in size.split())
    want = np.frombuffer(pixels, np.uint8).reshape(height, width, -1) * np.ones(3, np.uint8)
    zoom_100(program)
    seen = settled(program)
    assert (kind, most) in ((b"P5", b"255"), (b"P6", b"255")), (kind, most)
    top, left, size = seen.shape[0] // 2 - 100, seen.shape[1] // 2 - 100, 200
    from_x, from_y = (int(n) for n in looked_at(program)[1:])
    part = seen[top:top + size, left:left + size]
    assert any((want[y:y + size, x:x + size] == part).all() for y in range(from_y + top - 1, from_y + top + 2)
               for x in range(from_x + left - 1, from_x + left + 2)), "the canvas shows other pixels"
