#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds FOLDER/Fovea_.jar for ImageJ with a JDK, ij.jar and jna.jar:  ./build.sh FOLDER
# The menu is that of the installed Fovea. IJ_JAR, JNA_JAR: other files than those of Debian. FOVEA_LIBRARY: the folder of libfovea.so, if it is not
# installed.
set -eu
mkdir -p "${1:?Give the folder for Fovea_.jar, such as ~/.imagej/plugins.}"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")"
jars=${IJ_JAR:-/usr/share/java/ij.jar}:${JNA_JAR:-/usr/share/java/jna.jar}
classes=$(mktemp -d)
trap 'rm -rf "$classes"' EXIT
javac --release 11 -Xlint:all -Werror -encoding UTF-8 -cp "$jars" -d "$classes" src/fovea/*.java
java -cp "$jars:$classes" ${FOVEA_LIBRARY:+-Djna.library.path="$FOVEA_LIBRARY"} fovea.Menu > "$classes/plugins.config"
# Without times, so that the same sources make the same file.
jar --create --file "$out/Fovea_.jar" --date=1980-01-01T00:00:02Z -C "$classes" . 2> /dev/null || jar --create --file "$out/Fovea_.jar" -C "$classes" .
echo "$out/Fovea_.jar"
