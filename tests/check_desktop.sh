#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What desktops read about the program is valid, by their own tools, and everything that the window needs is installed. Output is
# TAP. $1: the desktop file, $2: the AppStream file, $3: the MIME types, then manual pages.
n=0
check() { # NAME TOOL ARGUMENTS...
  local name=$1 said
  shift
  n=$((n + 1))
  if ! command -v "$1" >/dev/null; then
    echo "ok $n - $name # SKIP $1 is not installed"
  elif said=$("$@" 2>&1); then
    echo "ok $n - $name"
  else
    echo "not ok $n - $name"
    sed 's/^/# /' <<<"$said"
  fi
}
check 'desktop file' desktop-file-validate "$1"
# From version 1 on the tool wants the address of a home page; there is none.
homepage=()
[[ $(appstreamcli --version 2>/dev/null) == *' 0.'* ]] || homepage=(--override=url-homepage-missing=info)
check 'AppStream file' appstreamcli validate --no-net "${homepage[@]}" "$2"
# update-mime-database rejects what is not of the standard.
mime=$(mktemp -d)
trap 'rm -rf "$mime"' EXIT
mkdir "$mime/packages"
cp "$3" "$mime/packages"
mime_types() { update-mime-database "$mime" && [ -f "$mime/image/x-ome-tiff.xml" ]; }
command -v update-mime-database >/dev/null && check 'MIME types' mime_types
shift 3
# What roff does not understand is lost in the page.
readable() { ! MANROFFOPT= man --warnings -E UTF-8 -l -Tutf8 -Z "$1" 2>&1 >/dev/null | grep .; }
for page; do
  command -v man >/dev/null && check "$(basename "$page") has no warnings" readable "$page"
done
for file in bin/fovea bin/fovea-gtk fovea-kernels.so fovea-kernel-worker fovea-readers.so fovea-hdf5 fovea-model org.fovea.Fovea.desktop thumbnailers/org.fovea.Fovea.thumbnailer fovea.1 fovea-gtk.1 org.fovea.Fovea.svg samples/nuclei_rgb.tif \
  samples/cells_2channel.tif samples/stack.tif samples/points.tif; do
  check "installs $file" grep -q "$file\"" "$FOVEA_BUILD/meson-info/intro-installed.json"
done
echo "1..$n"
