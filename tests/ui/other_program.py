# SPDX-License-Identifier: MIT
"""Another program on the same screen. `drag FILE...`: a small window from which the files can be dragged; it ends when they were.
`drop`: a small window that says which files were dropped on it.
`paste`: writes what is on the clipboard. `picture`: writes the picture on it, as PNG."""
import sys

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import Gdk, Gio, GLib, Gtk  # noqa: E402


def drag(loop, paths):
    uris = "".join(f"{Gio.File.new_for_path(path).get_uri()}\r\n" for path in paths)
    source = Gtk.DragSource(content=Gdk.ContentProvider.new_for_bytes("text/uri-list", GLib.Bytes.new(uris.encode())))
    source.connect("drag-end", lambda *_: loop.quit())
    source.connect("drag-cancel", lambda *_: loop.quit())
    window = Gtk.Window(title="Files", decorated=False, default_width=120, default_height=60)
    window.add_controller(source)
    window.present()


def drop(loop):
    def dropped(_target, files, _x, _y):
        print(*(file.get_path() for file in files.get_files()), sep="\n", flush=True)
        loop.quit()
    target = Gtk.DropTarget.new(Gdk.FileList, Gdk.DragAction.COPY)
    target.connect("drop", dropped)
    window = Gtk.Window(title="Files", decorated=False, default_width=120, default_height=60)
    window.add_controller(target)
    window.present()


def paste(loop):
    def pasted(clipboard, result):
        sys.stdout.write(clipboard.read_text_finish(result))
        loop.quit()
    Gdk.Display.get_default().get_clipboard().read_text_async(None, pasted)


def picture(loop):
    def pasted(clipboard, result):
        sys.stdout.buffer.write(clipboard.read_texture_finish(result).save_to_png_bytes().get_data())
        loop.quit()
    Gdk.Display.get_default().get_clipboard().read_texture_async(None, pasted)


def main():
    Gtk.init()
    loop = GLib.MainLoop()
    if sys.argv[1] == "drag":
        drag(loop, sys.argv[2:])
    else:
        {"paste": paste, "picture": picture, "drop": drop}[sys.argv[1]](loop)
    loop.run()


main()
