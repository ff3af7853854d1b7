#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The .run of scripts/bundle.py on a bare Debian: a user without root installs it, measures a sample, opens the app, and removes it again. Output is TAP.
# scripts/check_bundle.sh FILE.run RELEASE FOLDER: FOLDER keeps the Debian of that code name. Needs root, debootstrap and Xvfb.
set -uo pipefail
run=$(realpath "$1") release=$2 folder=$3
scripts=$(cd "$(dirname "$0")" && pwd)
display=
if command -v Xvfb >/dev/null; then
  said=$(mktemp)
  Xvfb -displayfd 8 -screen 0 1280x800x24 -nolisten tcp 8>"$said" 2>/dev/null &
  server=$!
  trap 'kill $server; rm -f "$said"' EXIT
  for _ in $(seq 100); do [ -s "$said" ] && break; sleep .1; done
  display=:$(cat "$said")
fi
DISPLAY=$display "$scripts/chroot.sh" --fresh --bind "${run%/*}:/mnt" --bind "$scripts/bundle:/srv" "$release" "$folder" sh /srv/check_user.sh "/mnt/${run##*/}"
