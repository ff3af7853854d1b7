#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the tests, or COMMAND, in a clean clone of the last commit, on a Debian 13 of its own: scripts/debian13.sh [FOLDER [COMMAND...]].
# FOLDER (build-debian13) keeps that system with what was installed in it; remove it for a fresh one. Needs root and debootstrap.
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
folder=$(realpath -m "${1:-$source/build-debian13}")
shift $(($# > 0))
[ $# -gt 0 ] || set -- ./test.sh
"$source/scripts/chroot.sh" trixie "$folder" sh -c 'command -v git >/dev/null || { apt-get -qq update && apt-get -qq install -y git >/dev/null; }' >&2
rm -rf "$folder/system/srv/fovea"
git clone -q "file://$source" "$folder/system/srv/fovea"
exec "$source/scripts/chroot.sh" trixie "$folder" sh -c 'cd /srv/fovea && exec "$@"' - "$@"
