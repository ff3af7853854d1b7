#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a fault in a program or module meets: nothing writable is executable, no address is known before, nothing that the linker laid
# down can be written, a stack or a string that overflows ends the program. Output is TAP. Arguments: the programs and modules.
n=0
check() { # WHAT COMMAND...: it succeeds
  local what=$1 not=not\ 
  shift
  n=$((n + 1))
  "$@" && not=
  echo "${not}ok $n - $what"
}
says() { readelf -W "$2" "$1" | grep -qE "$3"; } # FILE OPTION PATTERN
# Each function says that it may be jumped to (endbr64). What the C library links in has a few; the mark of the whole file is there only
# where all of that library has it.
checks_jumps() { [ "$(readelf --hex-dump=.text "$1" | grep -o ' f30f1efa' | wc -l)" -gt 20 ]; }

for file in "$@"; do
  name=${file##*/}
  check "$name: placed anywhere in memory" says "$file" --file-header '^ *Type: *DYN'
  check "$name: no executable stack" says "$file" --segments 'GNU_STACK .* RW +0x'
  check "$name: relocations are read-only" says "$file" --segments GNU_RELRO
  check "$name: all symbols are bound at the start" says "$file" --dynamic 'FLAGS_1.*NOW'
  check "$name: the stack is guarded" says "$file" --dyn-syms __stack_chk_fail
  check "$name: strings and copies are checked" says "$file" --dyn-syms '__[a-z]+_chk'
  [ "$(uname -m)" != x86_64 ] || check "$name: jumps are checked" checks_jumps "$file"
done
links_whole() { ninja -C "$FOVEA_BUILD" -t commands plugin/fovea-kernels.so | tail -n 1 | grep -q -- ,-zdefs; }
check 'the module is linked with all that it calls' links_whole
echo "1..$n"
