#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the version, which meson.build has.
sed -n "s/^  version: '\(.*\)',$/\1/p" "$(dirname "$0")/../meson.build" | head -n 1
