#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The window on a GPU machine without GTK: a small Debian for chroot, made of this machine's packages, with the built program, a
display server, the accessibility bus and the benchmark of the window.

tests/gpu/window_root.py FILE.tar.xz [BUILD]; on the GPU machine, as root, in an empty folder:
tar xf FILE.tar.xz; bash fovea/tests/gpu/window.sh [CASE...]
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PYTHON = os.path.basename(os.path.realpath("/usr/bin/python3"))
PACKAGES = ["bash", "dash", "coreutils", "grep", "xvfb", "xkb-data", "libx11-data", "x11-xkb-utils", "xdotool", "dbus-daemon",
            "dbus-session-bus-common", "at-spi2-core", "gir1.2-atspi-2.0", "gir1.2-glib-2.0", "gir1.2-freedesktop", "gir1.2-gtk-4.0",
            "gir1.2-graphene-1.0", "gir1.2-pango-1.0", "gir1.2-harfbuzz-0.0", "gir1.2-gdkpixbuf-2.0", "python3-gi",
            "python3-numpy", "python3-scipy", "python3-decorator", "python3-tifffile", f"{PYTHON}-minimal",
            f"lib{PYTHON}-minimal", f"lib{PYTHON}-stdlib", "python3-minimal", "fonts-dejavu-core", "fontconfig-config",
            "hicolor-icon-theme", "adwaita-icon-theme", "libglib2.0-bin", "libgdk-pixbuf-2.0-0"]
# Of other packages; and what was made when packages were installed.
MORE = ["/usr/share/mime/mime.cache", "/usr/share/mime/magic", "/usr/share/mime/globs2", "/usr/share/glib-2.0/schemas",
        "/etc/passwd", "/etc/group", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
        "/usr/bin/xwd", "/usr/bin/pngtopnm", "/usr/lib/x86_64-linux-gnu/gconv/UTF-16.so",
        "/usr/lib/x86_64-linux-gnu/gconv/gconv-modules", "/usr/lib/locale/C.utf8",
        "/usr/lib/locale/C.utf8/LC_MESSAGES",
        *(f"/usr/lib/x86_64-linux-gnu/lib{name}" for name in ("dl.so.2", "pthread.so.0", "rt.so.1"))]  # the driver needs them
LEFT_OUT = re.compile(r"/usr/share/(doc|man|locale|lintian|bug)/|/tests?/|/__pycache__/|\.(a|la|pyc|h)$|/cursors/|/icons/.*\.png$"
                      r"|/python3\.\d+/(lib2to3|ensurepip|idlelib|pydoc_data)/|/numpy/(f2py|distutils)/"
                      "|/scipy/(cluster|datasets|fft|fftpack|integrate|interpolate|io|misc|odr|optimize|signal|spatial|stats)/")


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def installed():
    for path in run("dpkg", "-L", *PACKAGES):
        if os.path.lexists(path) and not LEFT_OUT.search(path) and (os.path.islink(path) or not os.path.isdir(path)):
            yield path
    for path in MORE:
        yield from (os.path.join(path, name) for name in os.listdir(path)) if os.path.isdir(path) else [path]


def with_targets(paths):
    """Each as it lies in folders that are no links, and what it is a link to."""
    seen, todo = set(), list(paths)
    while todo:
        path = todo.pop()
        path = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
        if path in seen or not os.path.exists(path) or os.path.isdir(path):
            continue
        seen.add(path)
        if os.path.islink(path):
            todo.append(os.path.join(os.path.dirname(path), os.readlink(path)))
    return seen


def libraries(paths):
    """What the programs and libraries among them need."""
    programs = [p for p in paths if not os.path.islink(p) and open(p, "rb").read(4) == b"\x7fELF"]
    found = subprocess.run(["ldd", *programs], check=False, capture_output=True, text=True).stdout
    return set(map(os.path.normpath, re.findall(r"(/\S+\.so\S*) \(0x", found)))


def main():
    file, build = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2] if len(sys.argv) > 2 else os.path.join(SOURCE, "build"))
    ours = {os.path.join(build, "ui/fovea-gtk"): "build/ui/fovea-gtk", os.path.join(build, "command/fovea"): "build/command/fovea",
            os.path.join(build, "library/libfovea.so.0"): "build/library/libfovea.so.0",
            os.path.join(build, "plugin/fovea-kernels.so"): "build/plugin/fovea-kernels.so",
            os.path.join(build, "plugin/fovea-kernel-worker"): "build/plugin/fovea-kernel-worker",
            os.path.join(build, "tests/slow.so"): "build/tests/slow.so",
            # By its folder the programs know a build tree.
            os.path.join(build, "meson-private/fovea.pc"): "build/meson-private/fovea.pc"}
    for top, folder, target in ((SOURCE, "tests/ui", "tests/ui"), (SOURCE, "tests/bench", "tests/bench"), (SOURCE, "tests/gpu", "tests/gpu"),
                                (SOURCE, "data/samples", "data/samples"), (build, "data/samples", "build/data/samples")):
        for name in os.listdir(os.path.join(top, folder)):
            path = os.path.join(top, folder, name)
            if os.path.isfile(path):
                ours[path] = f"{target}/{name}"
    loaders = [os.path.join(folder, name) for folder, _, names in os.walk("/usr/lib/x86_64-linux-gnu/gdk-pixbuf-2.0")
               for name in names]
    paths = with_targets([*installed(), *loaders])
    paths |= with_targets((libraries([*paths, *ours]) | {"/lib64/ld-linux-x86-64.so.2"}) - set(ours))
    with tempfile.TemporaryDirectory() as root:
        for name in ("bin", "sbin", "lib", "lib64"):
            os.makedirs(os.path.join(root, "usr", name))
            os.symlink(f"usr/{name}", os.path.join(root, name))
        for name in ("proc", "sys", "dev", "tmp", "run", "root", "etc", "var/lib/dbus"):
            os.makedirs(os.path.join(root, name))
        os.chmod(os.path.join(root, "tmp"), 0o1777)
        for path, name in [*((path, path[1:]) for path in paths), *((path, f"fovea/{name}") for path, name in ours.items())]:
            target = os.path.join(root, name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy2(path, target, follow_symlinks=False)
        subprocess.run(["ldconfig", "-r", root], check=True)
        subprocess.run(["tar", "cf", file, "-I", "xz -T0 --x86 --lzma2=preset=6", "-C", root, "."], check=True)
    print(f"{file}: {os.path.getsize(file) >> 20} MiB")


main()
