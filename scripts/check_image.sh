#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# An image of scripts/image.py: its checksums are right, and the command and the Python package work in its root file system.
# scripts/check_image.sh FILE-oci.tar; output is TAP. Needs root, and skopeo for one of the checks.
set -uo pipefail
image=$(realpath "$1") tests=$(cd "$(dirname "$0")/../debian/tests" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
. "$(dirname "$0")/../tests/support/tap.sh"
mkdir "$folder"/{image,made}
tar -xf "$image" -C "$folder/image"
sums_are_right() { (cd "$folder/image/blobs/sha256" && for file in *; do echo "$file  $file"; done | sha256sum --quiet -c); }
unpack() {
  python3 - "$folder/image" <<'END' | xargs -I{} tar -xzf {} -C "$folder/made/system"
import json, pathlib, sys
top = pathlib.Path(sys.argv[1])
blob = lambda descriptor: top / "blobs" / descriptor["digest"].replace(":", "/")
manifest = json.loads(blob(json.loads((top / "index.json").read_text())["manifests"][0]).read_text())
config = json.loads(blob(manifest["config"]).read_text())
assert config["config"]["Entrypoint"] == ["/usr/bin/fovea"], config
print(*map(blob, manifest["layers"]), sep="\n")
END
}
inside() { "$(dirname "$0")/chroot.sh" --bind "$tests:/mnt" unused "$folder/made" "$@"; }
mkdir "$folder/made/system"
touch "$folder/made/made"
check 'blobs have their checksums' sums_are_right
if command -v skopeo >/dev/null; then check 'skopeo reads it' skopeo inspect "oci-archive:$image"; fi
check 'its layers are unpacked' unpack
check 'the command measures a sample' inside /mnt/command
check 'the Python package blurs an array' inside /mnt/python
echo "1..$n"
