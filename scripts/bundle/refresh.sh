#!/bin/sh
# SPDX-License-Identifier: MIT
# Tells the desktop what has changed, where it has the tools for that: refresh.sh PREFIX.
try() { ! command -v "$1" >/dev/null || "$@" >/dev/null 2>&1 || true; }
try update-desktop-database "$1/share/applications"
[ ! -d "$1/share/mime/packages" ] || try update-mime-database "$1/share/mime"
