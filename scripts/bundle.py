#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the program with all that a bare system lacks: scripts/bundle.py [FOLDER [-DOPTION=VALUE ...]], of the last commit, into build-bundle unless
told otherwise; the rest are options of meson. The results are fovea-VERSION-linux-x86_64.tar.xz and, where makeself is, the self-extracting
fovea-VERSION-linux-x86_64.run, which installs the same for one user without root.

Every library travels inside except those of the C and C++ compilers. A system's own libraries are preferred (scripts/bundle/launcher.sh), so it must
not be older than the one that builds: its C library, and with it GLib and GTK. On Debian, with the packages of packages.txt.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent
# Each system that has a C library has these, and drivers of GPUs need the system's own.
SYSTEMS = re.compile(r"(ld-linux-x86-64|libc|libm|libdl|librt|libpthread|libresolv|libutil|libmvec|libstdc\+\+|libgcc_s|libEGL|libGL\w*|libgbm|libdrm\w*|libvulkan)\.so")
DECODERS = ["bmp", "gif", "pnm", "svg", "webp"]
# What is loaded when a file needs it: Blosc of OME-Zarr, JPEG XR of CZI and JPEG-LS of DICOM.
LOADED = ["libblosc.so.1", "libjxrglue.so.0", "libcharls.so.2"]
MIME_FILES = ["aliases", "generic-icons", "globs2", "icons", "magic", "mime.cache", "subclasses", "types", "treemagic"]
SHARE = pathlib.Path("/usr/share")


def call(*words, **more):
    return subprocess.run([str(word) for word in words], check=True, stdout=subprocess.PIPE, text=True, **more).stdout


def epoch():
    return os.environ.get("SOURCE_DATE_EPOCH") or call("git", "-C", SOURCE, "log", "-1", "--format=%ct").strip()


def build(folder, top, options):
    """Installs the last commit into top."""
    source, stage = folder / "source", folder / "stage"
    made = source / "build"
    source.mkdir()
    archive = subprocess.run(["git", "-C", SOURCE, "archive", "HEAD"], check=True, stdout=subprocess.PIPE).stdout
    subprocess.run(["tar", "-x", "-C", source], check=True, input=archive)
    call("meson", "setup", made, source, "--prefix=/usr", "--bindir=libexec", "--libdir=lib", "-Dbuildtype=release", "-Dtests=false", "-Dpython=disabled",
         *(options or ["-Dcuda=disabled"]))
    call("ninja", "-C", made)
    call("meson", "install", "-C", made, "--no-rebuild", "--quiet", "--strip", env={**os.environ, "DESTDIR": str(stage)})
    (stage / "usr").rename(top)


def package_of(file):
    """The Debian package that has a file, and its source."""
    for name in (file, file.replace("/usr/lib/", "/lib/", 1), f"/usr{file}"):
        done = subprocess.run(["dpkg", "-S", name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if done.returncode == 0:
            package = done.stdout.split(": ")[0]
            return package.split(":")[0], call("dpkg-query", "-W", "-f", "${source:Package}", package)
    sys.exit(f"bundle.py: no package has {file}")


def libraries_of(files):
    """The paths of all that they need, except the system's and our own."""
    found = set()
    for file in files:
        lines = call("ldd", file, env={**os.environ, "LD_LIBRARY_PATH": ""}).splitlines()
        if missing := [line.strip() for line in lines if "not found" in line]:
            sys.exit(f"bundle.py: {file}: {', '.join(missing)}")
        found.update(line.split()[2] for line in lines if "=> /" in line)
    return sorted(path for path in found if not SYSTEMS.match(path.rsplit("/", 1)[1]) and "libfovea" not in path)


def loaded_libraries():
    known = dict(re.findall(r"^\t(\S+) \(libc6,x86-64\S*\) => (\S+)$", call("/sbin/ldconfig", "-p"), re.M))
    if missing := [name for name in LOADED if name not in known]:
        sys.exit(f"bundle.py: install {', '.join(missing)}; packages.txt has the packages")
    return [known[name] for name in LOADED]


def add_libraries(top):
    """lib/fallback/SOURCE/ with the libraries of each source, and the licenses of their packages."""
    modules = pathlib.Path(call("pkg-config", "--variable=gdk_pixbuf_moduledir", "gdk-pixbuf-2.0").strip())
    decoders = [file for name in DECODERS if (file := modules / f"libpixbufloader-{name}.so").exists()]
    ours = [top / "libexec/fovea", top / "libexec/fovea-gtk", top / "lib/libfovea.so.0", *(file for file in (top / "lib/fovea/plugins").iterdir() if file.is_file())]
    licenses = top / "share/doc/fovea/licenses"
    licenses.mkdir(parents=True)
    loaded = loaded_libraries()
    for library in sorted({*libraries_of(ours + decoders + loaded), *loaded}):
        package, source = package_of(os.path.realpath(library))
        folder = top / "lib/fallback" / source
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(library, folder)
        shutil.copy(SHARE / "doc" / package / "copyright", licenses / f"{package}.txt")
    # By their names alone the loader finds them beside the library.
    pixbuf = top / "lib/fallback/gdk-pixbuf"
    for decoder in decoders:
        shutil.copy(decoder, pixbuf)
    query = call("pkg-config", "--variable=gdk_pixbuf_query_loaders", "gdk-pixbuf-2.0").strip()
    text = re.sub(r'^"/.*/(.*\.so)"$', r'"\1"', call(query, *decoders), flags=re.M)
    (pixbuf / "loaders.cache").write_text(re.sub(r"^#.*\n", "", text, flags=re.M), encoding="utf-8")


def add_data(top):
    """What GTK, GIO, GtkSourceView and fontconfig read. A system that has these files shares them in the same folders."""
    share = top / "share"
    schemas = share / "glib-2.0/schemas"
    schemas.mkdir(parents=True)
    for file in (SHARE / "glib-2.0/schemas").glob("org.gtk.gtk4.*.xml"):
        shutil.copy(file, schemas)
    call("glib-compile-schemas", "--strict", schemas)
    shutil.copytree(SHARE / "gtksourceview-5", share / "gtksourceview-5")
    shutil.copytree(SHARE / "icons/Adwaita/scalable", share / "icons/Adwaita/scalable")
    shutil.copy(SHARE / "icons/Adwaita/index.theme", share / "icons/Adwaita")
    shutil.copy(SHARE / "icons/hicolor/index.theme", share / "icons/hicolor")
    (share / "mime").mkdir(exist_ok=True)
    for name in MIME_FILES:
        shutil.copy(SHARE / "mime" / name, share / "mime")
    (share / "fonts").mkdir()
    for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf"):
        shutil.copy(SHARE / "fonts/truetype/dejavu" / name, share / "fonts")
    shutil.copy(SOURCE / "scripts/bundle/fonts.conf", share / "fonts")
    for package in ("adwaita-icon-theme", "fonts-dejavu-core", "shared-mime-info"):
        shutil.copy(SHARE / "doc" / package / "copyright", top / "share/doc/fovea/licenses" / f"{package}.txt")


def add_scripts(top):
    (top / "bin").mkdir()
    shutil.copy(SOURCE / "scripts/bundle/launcher.sh", top / "bin/fovea")
    shutil.copy(SOURCE / "scripts/bundle/launcher.sh", top / "bin/fovea-gtk")
    for name in ("install.sh", "uninstall.sh", "refresh.sh"):
        shutil.copy(SOURCE / "scripts/bundle" / name, top)


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else SOURCE / "build-bundle").resolve()
    name = f"fovea-{call(SOURCE / 'scripts/version.sh').strip()}-linux-x86_64"
    if subprocess.run([SOURCE / "scripts/fresh_folder.sh", folder], check=False).returncode:
        sys.exit(1)
    top = folder / name
    build(folder, top, sys.argv[2:])
    add_libraries(top)
    add_data(top)
    add_scripts(top)
    # The same tree gives the same bytes.
    same = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", f"--mtime=@{epoch()}", "--mode=u+w,go-w,a+rX"]
    call("tar", "-c", "-I", "xz -6 -T1", "-f", folder / f"{name}.tar.xz", *same, "-C", folder, name)
    if shutil.which("makeself"):
        date = call("date", "-u", "-d", f"@{epoch()}", env={**os.environ, "LC_ALL": "C"}).strip()
        # A bare system has gzip and not xz; 9n: without the time. The file has the names that this call gives.
        call("makeself", "--gzip", "--complevel", "9n", "--nox11", "--nochown", "--quiet", "--packaging-date", date, "--tar-extra", " ".join(same), name, f"{name}.run", "Fovea",
             "./install.sh", cwd=folder)
    for path in sorted(folder.glob(f"{name}.*")):
        print(f"{path}  {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
