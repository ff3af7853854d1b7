#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes Debian packages of the last commit for the Debian or Ubuntu that it runs on: scripts/packages.sh [FOLDER [ARGUMENT...]], into
# build-packages unless told otherwise. Arguments are for dpkg-buildpackage. With NVCC=/path/to/nvcc there is fovea-cuda too, for the GPUs that
# GPU_ARCHS names, such as 86,90. The packages that debian/control needs must be installed: apt-get build-dep ./ installs them.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(realpath -m "${1:-build-packages}")
shift $(($# > 0))
version=$(scripts/version.sh)
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
# debhelper has a home of its own, without the user's compiler cache.
! command -v ccache >/dev/null || export CCACHE_DIR=${CCACHE_DIR:-$(ccache --get-config cache_dir)}
tree=$folder/fovea-$version

scripts/fresh_folder.sh "$folder"
mkdir -p "$tree"
git archive HEAD | tar -x -C "$tree"
cat >"$tree/debian/changelog" <<END
fovea ($version) unstable; urgency=medium

  * Version $version. CHANGELOG.md has the changes.

 -- The Fovea developers <maintainers@fovea.example>  $(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")
END
profiles=()
[ -z "${NVCC:-}" ] || profiles=(--build-profiles=pkg.fovea.cuda)
(cd "$tree" && dpkg-buildpackage --build=binary --no-sign "${profiles[@]}" "$@" >"$folder/build.log" 2>&1) || { tail -n 40 "$folder/build.log" >&2 && exit 1; }
rm -rf "$tree"
ls "$folder"/*.deb
