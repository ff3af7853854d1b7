#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What run.sh builds for which GPUs, with a driver, GPUs, compilers and packages that are made up. Output is TAP.
set -euo pipefail
. "${FOVEA_SOURCE:?}/scripts/setup.sh"
. "$FOVEA_SOURCE/scripts/cuda.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir bin
PATH=$work/bin:/usr/bin:/bin
n=0

has_driver() { [ -e driver ]; }
pip_install() { # the wheels that would be had, unless there are none
  echo "$@" >wheels
  [ ! -e offline ] || return 1
  mkdir -p "$1/nvidia/cu13/bin" && touch "$1/nvidia/cu13/bin/nvcc"
}
machine_has() { # CARDS CUDA-OF-DRIVER CARDS-OF-NVCC: words, "-" for none
  rm -rf driver bin/* build wheels asked
  if [ "$1" != - ]; then
    touch driver
    printf '#!/bin/sh\ntouch "%s/asked"\ncase $1 in --query*) printf "%%s\\n" %s ;; *) echo "| CUDA Version: %s |" ;; esac\n' "$work" "$1" "$2" >bin/nvidia-smi
  else
    printf '#!/bin/sh\ntouch "%s/asked"\n' "$work" >bin/nvidia-smi
  fi
  if [ "$3" != - ]; then printf '#!/bin/sh\nprintf "sm_%%s\\n" %s\n' "$3" >bin/nvcc; else printf '#!/bin/sh\nexit 1\n' >bin/nvcc; fi
  chmod +x bin/*
}
chooses() { # NAME WANTED-OPTIONS WANTED-IN-THE-LINE
  local said not='not '
  n=$((n + 1))
  choose_cuda 2>said
  said=$(cat said)
  [ "${cuda_options[*]}" = "$2" ] && [[ $said == *"$3"* ]] && [ "$(wc -l <<<"$said")" = 1 ] && not=
  echo "${not}ok $n - $1"
  [ -z "$not" ] || printf '# %s\n' "${cuda_options[*]}" "$said"
}
check() { # NAME COMMAND...
  local not='not '
  n=$((n + 1))
  "${@:2}" && not=
  echo "${not}ok $n - $1"
}

none=-Dcuda=disabled own="-Dcuda=enabled -Dgpu_quick=false -Dnvcc=$work/bin/nvcc -Dgpu_archs"
wheels="-Dcuda=enabled -Dgpu_quick=false -Dnvcc=$work/build/nvcc/13.1/nvidia/cu13/bin/nvcc -Dgpu_archs"
unset FOVEA_GPU_ARCHS
machine_has - - '80 90'
chooses 'nvcc and no GPU' "$none" 'no GPU'
check 'a missing driver is not asked' test ! -e asked
machine_has 9.0 13.0 '80 90'
chooses 'a GPU that nvcc knows' "$own=90" "90: the GPU here, by this machine's"
machine_has '9.0 8.6 9.0' 13.0 '80 86 90'
chooses 'two kinds of GPUs' "$own=86,90" 86,90
machine_has 12.0 13.1 '80 90'
chooses 'a GPU that nvcc does not know' "$wheels=120" "compiler of Python's packages"
check 'of a version that the driver takes' grep -q 'nvidia-cuda-nvcc>=13,<13.2 ' wheels
machine_has 9.0 13.1 -
chooses 'a GPU and no nvcc' "$wheels=90" "compiler of Python's packages"
touch offline
machine_has 9.0 13.1 -
chooses 'a GPU, no nvcc and no packages' "$none" 'could not be downloaded'
rm offline
machine_has 9.0 12.8 -
chooses 'a driver that is too old for them' "$none" 'takes CUDA 12.8'
machine_has 7.5 13.0 '75 80 90'
chooses 'a GPU that is too old' "$none" 'no GPU of compute capability 8.0'
FOVEA_GPU_ARCHS=none
machine_has 9.0 13.0 90
chooses 'none' "$none" 'as FOVEA_GPU_ARCHS says'
FOVEA_GPU_ARCHS=all
machine_has - - '80 90'
chooses 'all' "$own=" 'as FOVEA_GPU_ARCHS says'
FOVEA_GPU_ARCHS=90
machine_has - - -
chooses 'one that is not here' "${wheels/13.1/newest}=90" 'as FOVEA_GPU_ARCHS says'
echo "1..$n"
