#!/bin/sh
# SPDX-License-Identifier: MIT
# check_imagej.sh WRITE_SUITE: what write_suite writes is what ImageJ opens. Skips (77) without ImageJ (package imagej).
jar=${IMAGEJ_JAR:-/usr/share/java/ij.jar}
command -v java >/dev/null && command -v xvfb-run >/dev/null && [ -f "$jar" ] || exit 77
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
"$1" "$folder" || exit 1
xvfb-run -a java -Duser.home="$folder" -cp "$jar" ij.ImageJ -batch "$(dirname "$0")/check_imagej.ijm" "$folder" >"$folder/log" 2>&1
cat "$folder/log"
[ "$(grep -c ': ok$' "$folder/log")" = 12 ]
