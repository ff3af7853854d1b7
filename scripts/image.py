#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes an OCI image of Debian and the packages of scripts/packages.sh: scripts/image.py PACKAGES [FOLDER], into build-image unless told otherwise.
PACKAGES is the folder of the .deb files, which must be for the Debian that this runs on. The result, fovea-VERSION-oci.tar, is for Apptainer, Podman and
Docker. Needs root and debootstrap.
"""
import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
PACKAGES = ["libfovea0", "fovea", "python3-fovea"]
# Pages, translations and lists that no program in a container reads; licenses stay.
UNREAD = ["usr/share/man", "usr/share/info", "usr/share/locale", "var/lib/apt/lists", "var/cache/apt", "var/cache/debconf", "var/log", "tmp"]


def call(*words, **more):
    return subprocess.run([str(word) for word in words], check=True, stdout=subprocess.PIPE, text=True, **more).stdout


def release():
    return re.search(r"^VERSION_CODENAME=(\w+)$", pathlib.Path("/etc/os-release").read_text(encoding="utf-8"), re.M)[1]


def make_system(folder, packages):
    """The root file system with Fovea in it."""
    install = f"apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends {' '.join(f'/mnt/{file.name}' for file in packages)} >&2"
    call(SOURCE / "scripts/chroot.sh", "--bind", f"{packages[0].parent}:/mnt", release(), folder, "sh", "-ec", install)
    system = folder / "system"
    for name in UNREAD:
        for path in (system / name).iterdir() if (system / name).is_dir() else []:
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    for path in (system / "usr/share/doc").rglob("*"):
        if path.is_file() and path.name != "copyright":
            path.unlink()
    (system / "etc/resolv.conf").write_text("", encoding="utf-8")
    return system


class Layout:
    """An image layout, whose blobs have their checksums as names."""

    def __init__(self, path, epoch):
        self.tar, self.epoch = tarfile.open(path, "w"), epoch

    def add(self, name, data):
        entry = tarfile.TarInfo(name)
        entry.size, entry.mtime = len(data), self.epoch
        self.tar.addfile(entry, io.BytesIO(data))

    def add_blob(self, kind, data):
        """Its descriptor."""
        digest = hashlib.sha256(data).hexdigest()
        self.add(f"blobs/sha256/{digest}", data)
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": f"sha256:{digest}", "size": len(data)}


def as_json(data):
    return json.dumps(data, sort_keys=True).encode()


def write_image(path, system, version, epoch):
    raw = subprocess.run(["tar", "-c", "--sort=name", "--numeric-owner", f"--mtime=@{epoch}", "--clamp-mtime", "--exclude=./dev/*", "--exclude=./proc/*", "--exclude=./sys/*", "-C", system,
                          "."], check=True, stdout=subprocess.PIPE).stdout
    date = call("date", "-u", "-d", f"@{epoch}", "+%Y-%m-%dT%H:%M:%SZ").strip()
    layout = Layout(path, epoch)
    layer = layout.add_blob("layer.v1.tar+gzip", gzip.compress(raw, 6, mtime=0))
    config = layout.add_blob("config.v1+json", as_json({
        "architecture": "amd64", "os": "linux", "created": date, "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(raw).hexdigest()}"]},
        "config": {"Entrypoint": ["/usr/bin/fovea"], "Cmd": ["--help"], "Env": ["PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"]}}))
    manifest = layout.add_blob("manifest.v1+json", as_json({"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json", "config": config, "layers": [layer]}))
    manifest["annotations"] = {"org.opencontainers.image.ref.name": version}
    layout.add("index.json", as_json({"schemaVersion": 2, "manifests": [manifest]}))
    layout.add("oci-layout", as_json({"imageLayoutVersion": "1.0.0"}))
    layout.tar.close()


def main():
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    packages = [file for name in PACKAGES for file in pathlib.Path(sys.argv[1]).resolve().glob(f"{name}_*.deb")]
    if len(packages) != len(PACKAGES):
        sys.exit(f"image.py: {sys.argv[1]} needs one .deb each of {', '.join(PACKAGES)}: scripts/packages.sh makes them")
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else SOURCE / "build-image").resolve()
    version = call(SOURCE / "scripts/version.sh").strip()
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH") or call("git", "-C", SOURCE, "log", "-1", "--format=%ct"))
    if subprocess.run([SOURCE / "scripts/fresh_folder.sh", folder], check=False).returncode:
        sys.exit(1)
    path = folder / f"fovea-{version}-oci.tar"
    write_image(path, make_system(folder, packages), version, epoch)
    shutil.rmtree(folder / "system")
    print(f"{path}  {path.stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
