#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes an empty folder for the results of a script: scripts/fresh_folder.sh FOLDER. Results of an earlier call are removed. A folder with other files is an
# error, and stays as it is.
set -eu
mark=$1/.results-of-fovea
if [ -e "$1" ] && [ -n "$(ls -A "$1")" ] && [ ! -f "$mark" ]; then
  echo "$1 has other files. Choose a folder that is new or empty." >&2
  exit 1
fi
rm -rf "$1"
mkdir -p "$1"
: >"$mark"
