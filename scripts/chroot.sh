#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs COMMAND in a minimal Debian: scripts/chroot.sh [--fresh] [--bind FROM:TO]... RELEASE FOLDER COMMAND...
# RELEASE is a code name, such as trixie. FOLDER/system keeps that Debian; it is made when it is missing. With --fresh the command sees it as it was
# made, and its changes are dropped. --bind shows a folder of this machine in it, read-only. Needs root and debootstrap.
set -euo pipefail
fresh=false binds=()
while :; do
  case ${1:-} in
    --fresh) fresh=true && shift ;;
    --bind) binds+=("$2") && shift 2 ;;
    *) break ;;
  esac
done
release=$1 folder=$(realpath -m "$2")
shift 2
system=$folder/system

if [ ! -f "$folder/made" ]; then
  rm -rf "$system"
  mkdir -p "$system"
  # Where this machine's own packages come from.
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' | head -n 1)
  debootstrap --variant=minbase --include=ca-certificates "$release" "$system" "$mirror" >&2
  touch "$folder/made"
fi
mapfile -t kept < <(env | grep -E '^(PIP_[A-Z_]*|FOVEA_[A-Z_]*|[a-zA-Z]*_proxy|CI|DISPLAY)=')
# The mounts are in a namespace that ends with the command.
exec unshare --mount --pid --fork --kill-child -- bash -c '
  set -e
  system=$1 fresh=$2 n=$3
  shift 3
  binds=("${@:1:n}")
  shift "$n"
  if $fresh; then
    changes=$(mktemp -d)
    mount -t tmpfs tmpfs "$changes"
    mkdir "$changes"/{upper,work,system}
    mount -t overlay overlay -o "lowerdir=$system,upperdir=$changes/upper,workdir=$changes/work" "$changes/system"
    system=$changes/system
  fi
  cp /etc/resolv.conf "$system/etc/resolv.conf"
  cp /etc/ssl/certs/ca-certificates.crt "$system/etc/ssl/certs/ca-certificates.crt"
  for bind in "${binds[@]}"; do
    mkdir -p "$system${bind#*:}"
    mount --bind -o ro "${bind%%:*}" "$system${bind#*:}"
  done
  mount -t proc proc "$system/proc"
  mount --rbind /sys "$system/sys"
  mount --rbind /dev "$system/dev"
  exec chroot "$system" "$@"' - "$system" $fresh ${#binds[@]} "${binds[@]}" \
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 "${kept[@]}" "$@"
