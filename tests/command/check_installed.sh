#!/bin/sh
# SPDX-License-Identifier: MIT
# What is installed, moved elsewhere: the command finds the library, by itself. Output is TAP.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset LD_LIBRARY_PATH
echo 1..3

DESTDIR="$folder/stage" meson install -C "${FOVEA_BUILD:?}" --no-rebuild --quiet --tags runtime >"$folder/said" 2>&1 || sed 's/^/# /' "$folder/said"
fovea=$(find "$folder/stage" -path '*/bin/fovea')
mv "${fovea%/bin/fovea}" "$folder/moved"
if [ "$("$folder/moved/bin/fovea" --version)" = "$("$FOVEA_BUILD/command/fovea" --version)" ]; then echo "ok 1 - the command runs"; else
  echo "not ok 1 - the command runs"
fi
# Not that of the build tree, whose way may not be in what is installed.
if LD_TRACE_LOADED_OBJECTS=1 "$folder/moved/bin/fovea" | grep -q "libfovea.*$folder/moved/"; then echo "ok 2 - with the library beside it"; else
  LD_TRACE_LOADED_OBJECTS=1 "$folder/moved/bin/fovea" | grep libfovea | sed 's/^/# /'
  echo "not ok 2 - with the library beside it"
fi
# Code of users runs in the worker beside the plugin.
plugins=$(dirname "$(find "$folder/moved" -name fovea-kernels.so)")
if FOVEA_PLUGIN_PATH="$plugins" "$folder/moved/bin/fovea" run -q --allow-native 'plain width=8 height=8 | kernel operation="z = x + 1;"' -o "$folder/one.png" >"$folder/said" 2>&1; then echo "ok 3 - with the worker of kernels"; else
  sed 's/^/# /' "$folder/said"
  echo "not ok 3 - with the worker of kernels"
fi
