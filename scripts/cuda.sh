# SPDX-License-Identifier: MIT
# Sourced by run.sh and test.sh after setup.sh, from the source root: what the build is to have for GPUs. FOVEA_GPU_ARCHS says it
# outright: "none", "all" (for packages), or compute capabilities such as "86,90".

# On Linux, or on Linux under Windows.
has_driver() { [ -e /proc/driver/nvidia/version ] || [ -e /dev/dxg ]; }

# The compute capabilities of the GPUs here, such as "86,90", from 8.0 on; nothing without such a GPU. Looks for the driver first: asking
# it takes a while.
gpu_archs() {
  has_driver && command -v nvidia-smi >/dev/null || return 0
  nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | awk '$1 >= 8 { sub (/\./, "", $1); print $1 }' | sort -nu | paste -sd,
}

# The newest CUDA version that the driver takes, such as 13.0; nothing without a driver.
driver_cuda() { nvidia-smi 2>/dev/null | sed -n 's/.*CUDA\( UMD\)\? Version: *\([0-9]*\.[0-9]*\).*/\2/p'; }

# machine_nvcc ARCHS: the machine's own compiler, when it knows these GPUs.
machine_nvcc() {
  local nvcc arch known
  nvcc=$(PATH=$PATH:/usr/local/cuda/bin command -v nvcc) || return 1
  known=$("$nvcc" --list-gpu-code 2>/dev/null) || return 1
  for arch in ${1//,/ }; do
    [ "$arch" = all ] || grep -qx "sm_$arch" <<<"$known" || return 1
  done
  echo "$nvcc"
}

# wheel_nvcc CUDA: the compiler from Python's packages, of the newest version up to CUDA (any version when empty), in a folder of its own. They have
# one since CUDA 13.
wheel_nvcc() {
  local folder=$PWD/build/nvcc/${1:-newest} range='>=13' package packages=()
  [ -z "$1" ] || range="$range,<${1%.*}.$((${1#*.} + 1))"
  if ! compgen -G "$folder/nvidia/cu*/bin/nvcc"; then
    for package in nvidia-cuda-nvcc nvidia-nvvm nvidia-cuda-crt nvidia-cuda-runtime nvidia-cuda-cccl; do
      packages+=("$package$range")
    done
    pip_install "$folder" "${packages[@]}" && compgen -G "$folder/nvidia/cu*/bin/nvcc"
  fi
}

# Says in one line what is built for GPUs and why; cuda_options is for meson.
choose_cuda() {
  local archs=${FOVEA_GPU_ARCHS:-} why='as FOVEA_GPU_ARCHS says' cuda nvcc
  cuda_options=(-Dcuda=disabled)
  if [ -z "$archs" ]; then
    archs=$(gpu_archs) || true
    why='the GPU here'
  fi
  case $archs in
    '') echo 'GPU: no GPU of compute capability 8.0 or later here, built for the CPU alone.' >&2; return ;;
    none) echo "GPU: built for the CPU alone, $why." >&2; return ;;
  esac
  cuda=$(driver_cuda) || true
  if nvcc=$(machine_nvcc "$archs"); then
    why+=", by this machine's $nvcc"
  elif [ -n "$cuda" ] && [ "${cuda%.*}" -lt 13 ]; then
    echo "GPU: built for the CPU alone: the driver takes CUDA $cuda, and Python's packages have compilers from 13 on. Install nvcc, or a newer driver." >&2
    return
  elif nvcc=$(wheel_nvcc "$cuda"); then
    why+=", by the compiler of Python's packages"
  else
    echo "GPU: built for the CPU alone: this machine has no nvcc for $archs, and the one of Python's packages could not be downloaded." >&2
    return
  fi
  echo "GPU: built for compute capability $archs: $why." >&2
  cuda_options=(-Dcuda=enabled -Dgpu_quick=false "-Dnvcc=$nvcc" "-Dgpu_archs=${archs#all}")
}
