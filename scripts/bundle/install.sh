#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs Fovea for one user, without root: into ~/.local/lib/fovea, with links in ~/.local/bin, the manual pages, and an entry in the desktop's menu.
# FOVEA_PREFIX names another folder than ~/.local.
set -eu
from=$(cd "$(dirname "$0")" && pwd)
prefix=${FOVEA_PREFIX:-$HOME/.local}
to=$prefix/lib/fovea
[ ! -e "$to" ] || [ -x "$to/uninstall.sh" ] || { echo "install.sh: $to is not an installed Fovea; move it away, or set FOVEA_PREFIX to another folder." >&2 && exit 1; }
mkdir -p "$prefix/lib" "$prefix/bin" "$prefix/share/man/man1"
# An installed version stays until all of the new one is there.
new=$to.new
trap 'rm -rf "$new"' EXIT
trap 'exit 1' HUP INT TERM
rm -rf "$new"
cp -R "$from" "$new"
: >"$new/installed.txt"
! [ -x "$to/uninstall.sh" ] || "$to/uninstall.sh" --update
mv "$new" "$to"
list=$to/installed.txt

# add_link FILE TARGET, add_text FILE: what uninstall.sh removes is in the list. A file of another program is not replaced.
is_free() { [ ! -e "$1" ] && [ ! -L "$1" ] || { echo "install.sh: $1 is there already and stays as it is." >&2 && false; }; }
add_link() { ! is_free "$1" || { ln -s "$2" "$1" && echo "$1" >>"$list"; }; }
add_text() { mkdir -p "${1%/*}" && cat >"$1" && echo "$1" >>"$list"; }
for name in fovea fovea-gtk; do
  add_link "$prefix/bin/$name" "$to/bin/$name"
  add_link "$prefix/share/man/man1/$name.1" "$to/share/man/man1/$name.1"
done
for file in bash-completion/completions/fovea zsh/site-functions/_fovea; do
  mkdir -p "$prefix/share/${file%/*}"
  add_link "$prefix/share/$file" "$to/share/$file"
done
share=$to/share id=org.fovea.Fovea
sed "s#^Exec=fovea-gtk#Exec=\"$to/bin/fovea-gtk\"#" "$share/applications/$id.desktop" | add_text "$prefix/share/applications/$id.desktop"
sed "s#^TryExec=.*#TryExec=$to/bin/fovea#; s#^Exec=fovea#Exec=$to/bin/fovea#" "$share/thumbnailers/$id.thumbnailer" | add_text "$prefix/share/thumbnailers/$id.thumbnailer"
for file in "mime/packages/$id.xml" "icons/hicolor/scalable/apps/$id.svg" "icons/hicolor/symbolic/apps/$id-symbolic.svg" "metainfo/$id.metainfo.xml"; do
  add_text "$prefix/share/$file" <"$share/$file"
done
"$to/refresh.sh" "$prefix"

profile=$HOME/.profile
case :$PATH: in
  *":$prefix/bin:"*) how=fovea ;;
  *)
    how="$prefix/bin/fovea"
    [ -z "$(tail -c 1 "$profile" 2>/dev/null)" ] || echo >>"$profile" # its last line has no end
    grep -q ' # Fovea$' "$profile" 2>/dev/null || printf 'PATH="%s/bin:$PATH" # Fovea\n' "$prefix" >>"$profile"
    echo "$prefix/bin is in PATH from the next login on, by a line in $profile. For now: export PATH=\"$prefix/bin:\$PATH\""
    ;;
esac
cat <<END
Fovea is installed in $to.
Start the app from the menu or with: $how
Use the command, for example:        $how run 'otsu | label | regionprops' IMAGE --table cells.csv
Remove Fovea with:                   $to/uninstall.sh
END
