#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The installed tree can be moved: the programs find the library, the plugin, the worker of kernels and all data relative to themselves. With
# --window the app is tested too, as a person uses it. Output is TAP.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset LD_LIBRARY_PATH FOVEA_PLUGIN_PATH FOVEA_SAMPLES FOVEA_RECIPES FOVEA_MACROS
export XDG_DATA_HOME=$folder/home
. "$(dirname "$0")/../support/tap.sh"

tags=(--tags runtime,python-runtime)
[ "${1:-}" != --window ] || tags=()
DESTDIR="$folder/stage" meson install -C "${FOVEA_BUILD:?}" --no-rebuild --quiet "${tags[@]}" >"$folder/said" 2>&1 || sed 's/^/# /' "$folder/said"
fovea=$(find "$folder/stage" -path '*/bin/fovea')
moved=$folder/moved
mv "${fovea%/bin/fovea}" "$moved"

if [ "${1:-}" = --window ]; then
  plugins=$(dirname "$(find "$moved" -name fovea-kernels.so)")
  # A card of the start page opens an installed sample with an installed recipe; the app speaks German.
  "$(dirname "$0")/../ui/run.sh" "$moved/bin/fovea-gtk" "$moved/bin/fovea" "$plugins" tried_on_a_sample german
  exit
fi

first_line() { "$1" --version | head -1; }
same_version() { [ "$(first_line "$moved/bin/fovea")" = "$(first_line "$FOVEA_BUILD/command/fovea")" ]; }
names_plugin() { "$moved/bin/fovea" --version | grep "^Plugin: .*fovea-kernels" | tee /dev/stderr | grep -q "^Plugin: $(realpath "$moved")/"; }
# Not the library of the build tree, whose path may not be in what is installed.
own_library() { LD_TRACE_LOADED_OBJECTS=1 "$moved/bin/fovea" | tee /dev/stderr | grep -q "libfovea.*$moved/"; }
says_nothing_of() {
  ! grep -lrF "$1" "$moved/bin" "$(dirname "$(find "$moved" -name 'libfovea.so.0')")"
}
check 'the command runs' same_version
check 'with the library beside it' own_library
check 'and names the plugin beside it' names_plugin
check 'with the plugin' "$moved/bin/fovea" run -q 'plain width=8 height=8 | gaussian' -o "$folder/plain.tif"
check 'with the worker of kernels' "$moved/bin/fovea" run -q --allow-native 'plain width=8 height=8 | kernel operation="z = x + 1;"' -o "$folder/one.png"
python=$(dirname "$(find "$moved" -path '*/fovea/__init__.py')" 2>/dev/null)
if [ -n "$python" ]; then
  check 'with the package for Python' env PYTHONPATH="${python%/fovea}" /usr/bin/python3 -c 'import fovea; fovea.gaussian([[0.0, 1.0]], sigma=1)'
fi
check 'no file has a path of the build tree' says_nothing_of "$FOVEA_BUILD"
echo "1..$n"
