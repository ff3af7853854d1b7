# SPDX-License-Identifier: MIT
"""What a person does with the window: finding things by role and name, clicking, typing, dragging, looking at the screen."""
import os
import struct
import subprocess
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402
import numpy as np  # noqa: E402

TIMEOUT = 30


def wait(test, what):
    """The first result of test() that is true; every failure to look is one more try."""
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        try:
            found = test()
            if found:
                return found
        except (GLib.Error, AttributeError, IndexError, ValueError, OSError):
            pass
        time.sleep(0.03)
    raise AssertionError(f"timeout: {what}")


def below(node, most=200):
    for i in range(min(node.get_child_count(), most)):
        child = node.get_child_at_index(i)
        if child:
            yield child
            yield from below(child, most)


def name_of(node):
    return node.get_name() or ""


def find(root, role=None, name=None, part=None):
    """The first widget below root with that role whose name is `name` or contains `part`, or None. GTK names a button with a
    mnemonic "S_top Stop"."""
    for node in below(root):
        if role and node.get_role_name() != role:
            continue
        if name is not None and name_of(node) != name and not name_of(node).endswith(" " + name):
            continue
        if part is not None and part not in name_of(node):
            continue
        return node
    return None


def role_of(node):
    """None when the widget has gone since it was found."""
    try:
        return node.get_role_name()
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
    assert bits == 32, bits
    pixels = np.frombuffer(dump, np.uint8, height * line, size + 12 * colours).reshape(height, line)[:, :width * 4]
    pixels = pixels.reshape(height, width, 4)
    return pixels[..., 2::-1] if order == 0 else pixels[..., 1:]


def keys(*names):
    subprocess.run(["xdotool", "key", "--clearmodifiers", *names], check=True)


def type_text(text):
    subprocess.run(["xdotool", "type", "--delay", "4", text], check=True)


def mouse(x, y, *buttons):
    subprocess.run(["xdotool", "mousemove", str(int(x)), str(int(y))]
                   + [word for b in buttons for word in ("click", str(b))], check=True)


def drag(x0, y0, x1, y1, steps=8):
    words = ["mousemove", x0, y0, "mousedown", 1]
    for i in range(1, steps + 1):
        words += ["mousemove", x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps, "sleep", 0.02]
    subprocess.run(["xdotool"] + [str(int(w) if isinstance(w, float) and w > 1 else w) for w in words] + ["mouseup", "1"],
                   check=True)


def box(node):
    """x, y, width, height on the screen of a widget of a window at (0, 0)."""
    r = node.get_component_iface().get_extents(Atspi.CoordType.WINDOW)
    return r.x, r.y, r.width, r.height


class Program:
    """The window's program, started on files."""

    def __init__(self, *arguments):
        self.errors = os.path.join(os.environ["FOVEA_WORK"], "err")
        with open(self.errors, "a", encoding="utf-8") as errors:
            self.process = subprocess.Popen([os.environ["FOVEA_PROGRAM"], *arguments], stderr=errors)
        self.app = wait(self._application, "the program on the bus of accessibility")
        self.window = wait(lambda: find(self.app, "frame"), "the window")

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

    def do(self, action, *parameters, where="window/1"):
        """Activates an action as menus and keys do."""
        target = f"/org/fovea/Fovea/{where}" if where else "/org/fovea/Fovea"
        subprocess.run(["gdbus", "call", "--session", "--dest", "org.fovea.Fovea", "--object-path", target, "--method",
                        "org.gtk.Actions.Activate", action, "[" + ", ".join(f"<{p}>" for p in parameters) + "]", "{}"],
                       check=True, stdout=subprocess.DEVNULL)

    def alive(self):
        return self.process.poll() is None

    def end(self):
        self.do("set-steps", "''")
        self.do("quit", where="")
        return self.process.wait(TIMEOUT)

    def kill(self):
        self.process.kill()
        self.process.wait()
