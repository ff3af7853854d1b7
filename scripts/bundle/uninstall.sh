#!/bin/sh
# SPDX-License-Identifier: MIT
# Removes Fovea, which install.sh of this folder has installed. Settings, recipes and macros of the user stay.
set -eu
to=$(cd "$(dirname "$0")" && pwd)
prefix=${to%/lib/fovea}
[ -f "$to/installed.txt" ] || { echo "uninstall.sh: $to is not installed; remove the folder itself." >&2 && exit 1; }
while read -r file; do rm -f "$file"; done <"$to/installed.txt"
"$to/refresh.sh" "$prefix"
rm -rf "$to"
# A new version keeps PATH.
[ "${1:-}" != --update ] || exit 0
profile=$(readlink -f "$HOME/.profile")
if [ -f "$profile" ] && grep -q ' # Fovea$' "$profile"; then
  # Replaced as a whole, so that nothing of it is lost on a full disk.
  cp -p "$profile" "$profile.fovea"
  if sed '/ # Fovea$/d' "$profile" >"$profile.fovea"; then mv "$profile.fovea" "$profile"; else rm "$profile.fovea"; fi
  [ -s "$profile" ] || rm "$profile"
fi
echo 'Fovea is removed. Your settings, recipes and macros stay in ~/.config/fovea and ~/.local/share/fovea.'
