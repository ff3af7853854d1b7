#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Fuzzes readers, writers, operations, parsers and what plugins declare, for some seconds each (10 unless told). Output is TAP; what makes a target
# fail is kept in build-clang/.
cd "$(dirname "$0")/../.." || exit 1
seconds=${1:-10}
# In memory where that can be. A target that fails or is killed leaves its folder in it.
TMPDIR=$(mktemp -d -p /dev/shm fovea-fuzz-XXXXXX 2>/dev/null || mktemp -d)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
probe=$TMPDIR/probe
if ! echo 'int LLVMFuzzerTestOneInput (void) { return 0; }' |
  clang -x c - -fsanitize=fuzzer,address -fopenmp -o "$probe" 2>/dev/null; then
  printf '1..1\nok 1 - fuzz # SKIP clang with libFuzzer and OpenMP is not installed\n'
  exit
fi
. scripts/setup.sh
setup_sanitizers && ninja -C build-clang --quiet fuzz-targets >&2 || { echo 'Bail out! The targets cannot be built.' && exit 1; }

# fuzz TARGET SEEDS...: as many at once as there are processors. What it says of the target goes into a file.
targets=()
fuzz() {
  targets+=("$1")
  while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n; done
  fuzz_target "${#targets[@]}" "$@" >"build-clang/$1.tap" &
}
fuzz_target() {
  local number=$1 target=$2
  shift 2
  mkdir -p "build-clang/corpus-$target"
  # Any leak or sanitizer report, more than 25 s or 2 GiB for one input is a failure. tests/meson.build has the reason of the first option of
  # ASan. The second keeps memory in the caches.
  if OMP_NUM_THREADS=1 ASAN_OPTIONS=intercept_tls_get_addr=0:quarantine_size_mb=32 "build-clang/tests/fuzz_$target" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=2048 \
    -max_len=65536 -verbosity=0 -artifact_prefix=build-clang/ "build-clang/corpus-$target" "$@" >"build-clang/$target.log" 2>&1; then
    echo "ok $number - fuzz $target"
  else
    echo "not ok $number - fuzz $target"
    grep -vE '^(INFO|#)' "build-clang/$target.log" | head -n 40 | sed 's/^/# /'
  fi
}

# pack FILES...: one seed for the target `sets`, the first file being the one that is opened.
pack() {
  local file
  for file in "$@"; do
    printf -- '--- %s\n' "${file##*/}"
    cat "$file"
    printf '\n'
  done >"build-clang/seeds-sets/${1##*/}"
}
mkdir -p build-clang/seeds-sets
for set in set partial companion; do
  pack tests/core/files/data/ome_${set}_*.ome.tif
done
pack tests/core/files/data/ome_companion_0.ome.tif tests/core/files/data/set.companion.ome tests/core/files/data/ome_companion_[12].ome.tif
pack tests/core/files/leica/set/{stack.xlif,'second part.lof','first part.lof'}
for folder in tests/core/files/zarr/data/*; do
  (cd "${folder%/*}" && find "${folder##*/}" -type f | sort | while read -r file; do
    printf -- '--- %s\n' "$file"
    cat "$file"
    printf '\n'
  done) >"build-clang/seeds-sets/${folder##*/}"
done

# DICOM: a folder alone, one with subfolders, and an index.
for folder in tests/core/files/dicom/{series,slide,parts_*}; do
  for below in '' /a/b; do
    for file in "$folder"/*.dcm; do
      printf -- '--- disc%s/%s\n' "$below" "${file##*/}"
      cat "$file"
      printf '\n'
    done >"build-clang/seeds-sets/dicom-$(basename "$folder")${below////-}"
  done
done
(cd build-clang/seeds-sets && printf -- '--- disc/DICOMDIR\n' && cat ../../tests/core/files/dicom/index.dcm && printf '\n' && cat dicom-parts_full-a-b) >build-clang/seeds-sets/dicom-index

# Plates: the index first, and the pattern of names. A dozen images are enough: each one takes as long as an input of another kind.
rm -rf build-clang/seeds-plates
mkdir build-clang/seeds-plates
/usr/bin/python3 tests/core/files/plate/make.py build-clang/seeds-plates >/dev/null || true
for folder in build-clang/seeds-plates/*/; do
  (cd build-clang/seeds-plates && case $folder in
    */names/) printf -- '--- names/p1_{well}_f{field}_{channel}_x{_}.tif\n\n' ;;
    */stack/) printf -- '--- stack/img(?P<z>\\d+).tif\n\n' ;;
    */deep/) printf -- '--- deep/t{t}/b.tif\n\n' ;;
  esac
  find "$(basename "$folder")" -type f -printf '%f %p\n' | sort -V | cut -d' ' -f2- | (grep -v '\.[Tt][Ii][Ff]*$'; true) | cat - <(find "$(basename "$folder")" -name '*.[Tt][Ii][Ff]*' | sort -V | head -n 12) |
    while read -r file; do
      printf -- '--- %s\n' "$file"
      cat "$file"
      printf '\n'
    done) >"build-clang/seeds-sets/plate-$(basename "$folder")"
done

# What all operations make of a file takes longer than reading it: every eighth is enough, and they go first.
mkdir -p build-clang/seeds-operations
seeds=(tests/core/files/data/* tests/core/files/pictures/* tests/core/files/volumes/*)
for ((i = 0; i < ${#seeds[@]}; i += 8)); do
  cp "${seeds[i]}" build-clang/seeds-operations/
done

fuzz operations build-clang/seeds-operations
fuzz declarations
fuzz answers
fuzz files tests/fuzz/files tests/core/files/data tests/core/files/movies tests/core/files/pictures tests/core/files/fits tests/core/files/volumes tests/core/files/czi/data tests/core/files/leica tests/core/files/dicom tests/core/files/nikon tests/core/files/ome
fuzz kept tests/fuzz/kept
fuzz macros tests/fuzz/macros data/macros
fuzz network tests/kernels/network/data
fuzz packages tests/fuzz/packages
fuzz selections tests/core/selection/data tests/fuzz/selections
fuzz sets build-clang/seeds-sets
fuzz steps tests/fuzz/steps
fuzz tiles tests/fuzz/tiles
fuzz unpack tests/fuzz/unpack
fuzz writers tests/core/files/data tests/core/files/movies tests/core/files/pictures tests/core/files/fits tests/core/files/volumes tests/core/files/leica tests/core/files/nikon
wait
echo "1..${#targets[@]}"
for target in "${targets[@]}"; do cat "build-clang/$target.tap"; done
