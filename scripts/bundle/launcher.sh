#!/bin/sh
# SPDX-License-Identifier: MIT
# Starts the program of this name. Libraries of the system are preferred. lib/fallback has a folder for each source of others; those folders are
# used of which the system lacks a library.
self=$(readlink -f "$0")
top=${self%/bin/*}
known=$(PATH=$PATH:/usr/sbin:/sbin ldconfig -p 2>/dev/null)
lacks() {
  for library in "$1"/lib*.so.*; do
    case $known in *"	${library##*/} (libc6,x86-64"*) ;; *) return 0 ;; esac
  done
  return 1
}
for folder in "$top"/lib/fallback/*; do
  ! lacks "$folder" || LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$folder
done
case ${LD_LIBRARY_PATH:-} in
  *"$top/lib/fallback/gdk-pixbuf"*) export GDK_PIXBUF_MODULE_FILE="$top/lib/fallback/gdk-pixbuf/loaders.cache" ;;
esac
export LD_LIBRARY_PATH
[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_FILE="$top/share/fonts/fonts.conf"
export XDG_DATA_DIRS="${XDG_DATA_DIRS:-/usr/local/share:/usr/share}:$top/share"
exec "$top/libexec/${0##*/}" "$@"
