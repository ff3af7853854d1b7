#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the files of a new operation, which copies its input until you say what it does:
#   scripts/new_op.sh filters/invert ['Invert...'] [--run]
# With --run builds it and runs its tests. Nothing that is there is touched but the list in kernels/meson.build.
set -euo pipefail
cd "$(dirname "$0")/.."
die() { echo "$*" >&2; exit 1; }

run=false words=()
for word in "$@"; do [ "$word" = --run ] && run=true || words+=("$word"); done
[[ ${#words[@]} -ge 1 && ${#words[@]} -le 2 ]] || die "Usage: scripts/new_op.sh FAMILY/NAME [LABEL] [--run]"
stem=${words[0]} family=${words[0]%%/*} name=${words[0]#*/}
[[ $stem =~ ^[a-z]+/[a-z][a-z0-9_]*$ ]] || die "'$stem' is no FAMILY/NAME such as filters/invert: small letters, digits and _."
[ -d "kernels/$family" ] || die "There is no family '$family'; there are: $(cd kernels && ls -d */ | grep -v common | tr -d '/' | xargs)."
! grep -q "^  '[a-z]*/$name',$" kernels/meson.build || die "There is an operation '$name' already."
title=${name//_/ }
label=${words[1]:-${title^}...} upper=${stem^^}
[[ $label != *[\"\\\|]* ]] || die "A label has no quotation marks, backslashes or bars."
guard=KERNELS_${upper//\//_}_H

# make FILE: from standard input, with the names put in.
make() {
  [ ! -e "$1" ] || die "$1 is there already."
  mkdir -p "$(dirname "$1")"
  sed -e "s|@STEM@|$stem|g; s|@NAME@|$name|g; s|@LABEL@|${label//&/\\&}|g; s|@GUARD@|$guard|g" >"$1"
  echo "  $1"
}

echo "New:"
make "kernels/$stem.h" <<'FILE'
/* SPDX-License-Identifier: MIT
 *
 * @NAME@: out = in. (The formula, the border, what NaN does, the reference.)
 */
#ifndef @GUARD@
#define @GUARD@

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct @NAME@_args {
  double amount;
} @NAME@_args;

fv_status @NAME@_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
FILE
make "kernels/$stem.c" <<'FILE'
/* SPDX-License-Identifier: MIT
 */
#include "kernels/@STEM@.h"

static fv_status
@NAME@_cpu (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  int64_t planes = array_planes (out), rows = array_rows (out);
  size_t bytes = (size_t) array_columns (out) * type_bytes (in->grid->type);
  progress p = {call, .total = planes * rows};

#pragma omp parallel for collapse(2) schedule(static, 64)
  for (int64_t z = 0; z < planes; z++)
    for (int64_t y = 0; y < rows; y++) {
      if (progress_stopped (&p))
        continue;
      memcpy (array_row (out, z, y), array_row (in, z, y), bytes);
      progress_step (&p, 1);
    }
  return p.stop ? cancelled (error) : FV_OK;
}

const fv_op fv_op_@NAME@ = {
  FV_OP (@NAME@_args),
  .key = "@NAME@",
  .menu = "Process",
  .label = "@LABEL@",
  .help = "Copies the image.",
  .kind = FV_POINT,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Image"}, {0}},
  .params = (const fv_param[]){{FV_FIELD (@NAME@_args, amount), .label = "Amount", .max = 1, .soft_max = 1,
                                .help = "How much."},
                               {0}},
  .run = {[FV_CPU] = @NAME@_cpu},
};
FILE
make "tests/golden/$name.py" <<'FILE'
# SPDX-License-Identifier: MIT
"""@NAME@: what it is compared with."""
import numpy as np
from make import Case


def cases():
    rng = np.random.default_rng(1)
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        image = (rng.random((2, 13, 17)) * 250).astype(dtype)
        yield Case(np.dtype(dtype).name, "@NAME@ amount=0.5", {"image": image}, {"image": image.copy()})
FILE
make "tests/kernels/$family/test_$name.c" <<'FILE'
/* SPDX-License-Identifier: MIT
 *
 * @NAME@: what can be worked out by hand.
 */
#include "tests/support/support.h"

static void
test_copies (Device *device)
{
  g_autoptr (Image) image = image_random (FV_U16, FV_IMAGE, 2, 3, 37, 53, 5);
  CallResult result;
  run_step ("@NAME@ amount=0.5", image, NULL, device, &result, NULL);
  assert_images_equal (result.images[0], image);
  call_result_clear (&result);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/@NAME@/copies", test_copies);
  return g_test_run ();
}
FILE
scripts/clang_format.sh -i "kernels/$stem".[ch] "tests/kernels/$family/test_$name.c" || true # names have lengths of their own
# The line last: files are found by their names when the build is configured. Where it belongs by the alphabet.
LC_ALL=C awk -v stem="$stem" '
  /^operations = / { inside = 1 }
  inside && ($0 == "]" || $0 > "  \047" stem "\047,") && !/^operations/ { print "  \047" stem "\047,"; inside = 0 }
  { print }' kernels/meson.build >kernels/meson.build.new
mv kernels/meson.build.new kernels/meson.build
echo "  the line in kernels/meson.build"

if $run; then
  [ -f build/build.ninja ] || meson setup build
  ninja -C build --quiet plugin/fovea-kernels.so tests/test_all_ops "tests/test_$name"
  build/tests/test_all_ops -p "/all-ops/$name"
  "build/tests/test_$name"
fi
cat <<END

It copies its input and passes its tests: ninja -C build && meson test -C build all_ops $name
Next:
  kernels/$stem.h and .c: formula, arguments, declaration, CPU version
  tests/golden/$name.py: what an independent program makes of it; then python3 tests/golden/make.py $name
  tests/kernels/$family/test_$name.c: cases that can be worked out by hand
  kernels/$stem.cu: the CUDA twin, and [FV_CUDA] = FV_CUDA_FN (${name}_cuda) in the declaration
Last:
  scripts/format.sh; scripts/words.py; build/command/fovea ops --markdown > data/operations.md
END
