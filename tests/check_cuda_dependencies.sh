#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Each CUDA object is rebuilt when a header changes that its source includes: a struct that the two sides see differently would pass every test of
# either. Output is TAP.
ninja -C "${FOVEA_BUILD:?}" -t deps | awk -v source="${FOVEA_SOURCE:?}" '
  /: #deps/ { object = $1; sub(/.*\//, "", object); sub(/\.o:$/, "", object) }
  /^ / { known[object] = known[object] " " $1 " " }
  END {
    list = "find " source "/kernels " source "/plugin -name \"*.cu\" | sort"
    while ((list | getline file) > 0) {
      name = file
      sub(/.*\//, "", name)
      missing = name in known ? "" : " everything"
      while ((getline line < file) > 0)
        if (match(line, /^ *# *include "[^"]*"/)) {
          split(line, words, "\"")
          if (!index(known[name], "/" words[2] " "))
            missing = missing " " words[2]
        }
      print (missing ? "not " : "") "ok " ++n " - " name " depends on what it includes" missing
    }
    print "1.." n
  }'
