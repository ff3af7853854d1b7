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
if [ -f "$HOME/.profile" ] && grep -q ' # Fovea$' "$HOME/.profile"; then
  kept=$(grep -v ' # Fovea$' "$HOME/.profile" || true)
  printf '%s\n' "$kept" >"$HOME/.profile"
  [ -n "$kept" ] || rm "$HOME/.profile"
fi
echo 'Fovea is removed. Your settings, recipes and macros stay in ~/.config/fovea and ~/.local/share/fovea.'
