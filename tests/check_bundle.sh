#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# install.sh and uninstall.sh of the bundle for one user: nothing of the user's is lost, and an installed version stays when a new one cannot be copied. Output
# is TAP.
. "${FOVEA_SOURCE:?}/tests/support/tap.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOME="$folder/a home"
id=org.fovea.Fovea to=$HOME/.local/lib/fovea
mkdir "$HOME"
unset FOVEA_PREFIX

# bundle VERSION: a small one, whose program says its version.
bundle() {
  local top=$folder/$1 file
  mkdir -p "$top"/{bin,share/man/man1}
  for file in "applications/$id.desktop" "thumbnailers/$id.thumbnailer" "mime/packages/$id.xml" "icons/hicolor/scalable/apps/$id.svg" \
    "icons/hicolor/symbolic/apps/$id-symbolic.svg" "metainfo/$id.metainfo.xml"; do
    mkdir -p "$top/share/$(dirname "$file")"
    echo 'Exec=fovea-gtk' >"$top/share/$file"
  done
  printf '#!/bin/sh\necho %s\n' "$1" | tee "$top/bin/fovea" >"$top/bin/fovea-gtk"
  chmod +x "$top"/bin/*
  cp "$FOVEA_SOURCE"/scripts/bundle/{install,uninstall,refresh}.sh "$top"
}
runs() { [ "$("$HOME/.local/bin/fovea")" = "$1" ]; }
# The disk is full after the first file.
cannot_be_copied() {
  mkdir "$folder/full"
  printf '#!/bin/sh\nfor to; do :; done\nmkdir -p "$to" && echo half >"$to/uninstall.sh" && echo "No space left on device" >&2 && exit 1\n' >"$folder/full/cp"
  chmod +x "$folder/full/cp"
  ! PATH=$folder/full:$PATH "$folder/2/install.sh" && runs 1 && [ ! -e "$to.new" ]
}
asks_first() { mkdir -p "$to" && echo mine >"$to/notes" && ! "$folder/1/install.sh" && [ "$(cat "$to/notes")" = mine ] && rm -r "$to"; }
has_path() { [ "$(cat "$HOME/.profile")" = "$(printf 'export EDITOR=vi\nPATH="%s/.local/bin:$PATH" # Fovea' "$HOME")" ]; }
completes() { [ -L "$HOME/.local/share/bash-completion/completions/fovea" ] && [ -L "$HOME/.local/share/zsh/site-functions/_fovea" ]; }
is_gone() { "$to/uninstall.sh" && [ ! -e "$to" ] && [ ! -L "$HOME/.local/bin/fovea" ] && ! completes && [ ! -e "$HOME/.local/share/applications/$id.desktop" ]; }
keeps_profile() { [ "$(cat "$HOME/.profile")" = 'export EDITOR=vi' ]; }

bundle 1
bundle 2
printf 'export EDITOR=vi' >"$HOME/.profile"
check 'a folder of other files is not replaced' asks_first
check 'it is installed' "$folder/1/install.sh"
check 'it runs' runs 1
check 'shells complete it' completes
check 'a last line without an end stays a line' has_path
check 'the version before stays when a new one cannot be copied' cannot_be_copied
check 'a new version' "$folder/2/install.sh"
check 'it runs, too' runs 2
check 'PATH is there once' has_path
check 'it is removed' is_gone
check '.profile is as before' keeps_profile
echo "1..$n"
