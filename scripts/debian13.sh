#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the tests, or COMMAND, in a clean clone of the last commit, on a Debian 13 of its own: scripts/debian13.sh [FOLDER [COMMAND...]].
# FOLDER (build-debian13) keeps that system with what was installed in it; remove it for a fresh one. Needs root and debootstrap.
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
folder=$(realpath -m "${1:-$source/build-debian13}")
shift $(($# > 0))
[ $# -gt 0 ] || set -- ./test.sh
system=$folder/system

if [ ! -f "$folder/made" ]; then
  rm -rf "$system"
  mkdir -p "$system"
  # Where this machine's own packages come from.
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' | head -n 1)
  debootstrap --variant=minbase --include=ca-certificates,git trixie "$system" "$mirror" >&2
  touch "$folder/made"
fi
cp /etc/resolv.conf "$system/etc/resolv.conf"
cp /etc/ssl/certs/ca-certificates.crt "$system/etc/ssl/certs/ca-certificates.crt"
rm -rf "$system/srv/fovea"
git clone -q "file://$source" "$system/srv/fovea"

mapfile -t kept < <(env | grep -E '^(PIP_[A-Z_]*|FOVEA_[A-Z_]*|[a-zA-Z]*_proxy|CI)=')
# The mounts are in a namespace that ends with the command.
exec unshare --mount --pid --fork --kill-child -- bash -c '
  set -e
  system=$1
  shift
  mount -t proc proc "$system/proc"
  mount --rbind /sys "$system/sys"
  mount --rbind /dev "$system/dev"
  exec chroot "$system" "$@"' - "$system" \
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 "${kept[@]}" sh -c 'cd /srv/fovea && exec "$@"' - "$@"
