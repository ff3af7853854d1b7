#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Whether kernels/ and plugin/ compile for Windows, all files but those that a port would have to write, and link with each other. No program runs. Output
# is TAP.
cd "${FOVEA_SOURCE:?}" || exit 1
cc=x86_64-w64-mingw32-gcc-posix
command -v $cc >/dev/null || { echo "1..0 # SKIP $cc is not installed"; exit; }
. tests/support/tap.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Written for Linux: the worker process and the compiler of the operation `kernel`; memory, threads and the kept code of the plugin; NVIDIA's libraries.
linux='kernels/native/compiler.c
kernels/native/library.c
kernels/native/pieces.c
kernels/native/worker.c
kernels/native/worker_main.c
kernels/network/model_package.c
kernels/network/model_process.c
plugin/code_cache.c
plugin/device_cpu.c
plugin/gate.c
plugin/helpers.c
plugin/nvml.c
plugin/nvrtc.c
plugin/openmp.c
plugin/program.c'

# compile FILE: without optimization this compiler fails at wide vectors. Of the system's headers it sees DLPack alone.
compile() {
  $cc -std=gnu11 -O1 -Wall -Wextra -Wno-missing-field-initializers -Werror -fopenmp -ffp-contract=off -DFOVEA_VERSION='"0"' -D__USE_MINGW_ANSI_STDIO=1 \
    -include tests/windows/compatibility.h -I. -Iplugin -I"$FOVEA_BUILD" -I"$work/include" -c "$1" -o "$work/${1//\//_}.o" 2>"$work/${1//\//_}.log" ||
    echo "$1"
}
export -f compile
export cc work
# The files, one a line, that do not compile.
failing() { xargs -P "$(nproc)" -I FILE bash -c 'compile FILE' | sort; }
all_compile() {
  local failed
  failed=$(find kernels plugin -name '*.c' | grep -vxF "$linux" | failing)
  for file in $failed; do echo "$file" && head -n 5 "$work/${file//\//_}.log"; done
  [ -z "$failed" ] && $cc -Wa,-I"$FOVEA_BUILD" -c "$FOVEA_BUILD/kernels/nuclei.S" -o "$work/nuclei.o"
}
only_linux() { diff <(failing <<<"$linux") - <<<"$linux"; }
# Functions that the files call and Windows does not have are those of the others.
link() {
  $cc -shared -fopenmp -o "$work/fovea-kernels.dll" "$work"/*.o 2>"$work/link" && return
  sed -n "s/.*undefined reference to \`\(.*\)'/\1/p" "$work/link" | sort -u >"$work/missing"
  grep -q . "$work/missing" || { cat "$work/link" && return 1; }
  ! grep -vxFf <(sed -nE 's/^(const fv_device )?([a-z_]+) (\(|=).*/\2/p' $linux) "$work/missing"
}

mkdir "$work/include"
ln -s /usr/include/dlpack "$work/include"
check 'kernels and plugin compile for Windows' all_compile
check 'what is left out is written for Linux' only_linux
check 'they need nothing else of Linux' link
echo "1..$n"
