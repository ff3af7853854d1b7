#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the files of a new operation on pixels, for the CPU and CUDA, with its golden cases:
#   scripts/new_op.sh filters/invert ['Invert...' ['amount - v']] [--run]
# The formula has the pixel v and the parameter amount, numbers and + - * / ( ); without one it is amount * v.
# With --run builds it and runs its tests. Nothing that is there is touched but the list in kernels/meson.build.
set -euo pipefail
cd "$(dirname "$0")/.."
die() { echo "$*" >&2; exit 1; }

run=false words=()
for word in "$@"; do [ "$word" = --run ] && run=true || words+=("$word"); done
[[ ${#words[@]} -ge 1 && ${#words[@]} -le 3 ]] || die "Usage: scripts/new_op.sh FAMILY/NAME [LABEL [FORMULA]] [--run]"
stem=${words[0]} family=${words[0]%%/*} name=${words[0]#*/}
[[ $stem =~ ^[a-z]+/[a-z][a-z0-9_]*$ ]] || die "'$stem' is not FAMILY/NAME, such as filters/invert: lowercase letters, digits and _."
[ -d "kernels/$family" ] || die "Unknown family '$family'. The families are $(cd kernels && ls -d */ | grep -v common | tr -d '/' | xargs)."
! grep -q "^  '[a-z]*/$name',$" kernels/meson.build || die "An operation '$name' exists already."
title=${name//_/ }
label=${words[1]:-${title^}...} upper=${stem^^}
[[ $label != *[\"\\\|]* ]] || die "A label cannot have quotation marks, backslashes or pipes."
formula=${words[2]:-amount * v}
plain=$(sed -E 's/\b(v|amount)\b//g; s/[0-9.]//g' <<<"$formula")
[[ $formula =~ v && $plain =~ ^[-+*/\(\)\ ]*$ ]] || die "'$formula' is not a formula of v and amount, such as 'amount - v'."
guard=KERNELS_${upper//\//_}_H

# make FILE: from standard input, with the names put in.
make() {
  [ ! -e "$1" ] || die "$1 is there already."
  mkdir -p "$(dirname "$1")"
  sed -e "s|@STEM@|$stem|g; s|@NAME@|$name|g; s|@LABEL@|${label//&/\\&}|g; s|@GUARD@|$guard|g; s|@FORMULA@|$formula|g" >"$1"
  echo "  $1"
}

echo "New:"
make "kernels/$stem.h" <<'FILE'
/* SPDX-License-Identifier: MIT
 *
 * @NAME@: out = @FORMULA@, in double for a pixel v, rounded and clamped to the type of the input. (NaN, the reference.)
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

INLINE double
@NAME@_value (double v, const @NAME@_args *a)
{
  const double amount = a->amount;
  (void) amount;
  return @FORMULA@;
}

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

#include "kernels/common/rows.h"

DEFINE_POINT_MAP (@NAME@_map, @NAME@_args, @NAME@_value)

static fv_status
@NAME@_cpu (const fv_call *call, fv_error *error)
{
  return point_cpu (call, @NAME@_map, call->args, error);
}

const fv_op fv_op_@NAME@ = {
  FV_OP (@NAME@_args),
  .key = "@NAME@",
  .menu = "Process",
  .label = "@LABEL@",
  .help = "Computes @FORMULA@ of each pixel v.",
  .kind = FV_POINT,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Image"}, {0}},
  .params = (const fv_param[]){{FV_FIELD (@NAME@_args, amount), .label = "Amount", .def = 1, .min = -1000, .max = 1000,
                                .help = "How much."},
                               {0}},
  .run = {[FV_CPU] = @NAME@_cpu, [FV_CUDA] = FV_CUDA_FN (@NAME@_cuda)},
};
FILE
make "kernels/$stem.cu" <<'FILE'
/* SPDX-License-Identifier: MIT
 *
 * @NAME@ on the GPU: the kernel of rows.cuh; reads each pixel once and writes it once.
 */
#include "kernels/common/rows.cuh"
#include "kernels/@STEM@.h"

fv_status
@NAME@_cuda (const fv_call *call, fv_error *error)
{
  const @NAME@_args a = *(const @NAME@_args *) call->args;
  return point_cuda<to_same> (
    call, [a] __device__ (double v) { return @NAME@_value (v, &a); }, "@NAME@", error);
}
FILE
make "tests/golden/$name.py" <<'FILE'
# SPDX-License-Identifier: MIT
"""@NAME@: what it is compared with."""
import numpy as np
from make import Case


def cases():
    rng, amount = np.random.default_rng(1), 1.5
    for dtype in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        image = (rng.random((2, 13, 17)) * 250).astype(dtype)
        v = image.astype(float)
        out = @FORMULA@
        if np.issubdtype(dtype, np.integer):
            out = np.clip(np.rint(out), np.iinfo(dtype).min, np.iinfo(dtype).max)
        yield Case(np.dtype(dtype).name, f"@NAME@ amount={amount}", {"image": image}, {"image": out.astype(dtype)})
FILE
make "tests/kernels/$family/test_$name.c" <<'FILE'
/* SPDX-License-Identifier: MIT
 *
 * @NAME@: what can be worked out by hand.
 */
#include "tests/support/support.h"

/* Put numbers here that were worked out by hand. */
static void
test_values (Device *device)
{
  const double values[] = {0, 1, 2.5, 100}, amount = 1.5;
  g_autoptr (Image) image = image_of (FV_F64, FV_IMAGE, 1, 4, values);
  CallResult result;
  run_step ("@NAME@ amount=1.5", image, NULL, device, &result, NULL);
  for (int i = 0; i < 4; i++) {
    const double v = values[i];
    (void) amount;
    g_assert_cmpfloat_with_epsilon (((const double *) image_plane (result.images[0], 0, NULL))[i], @FORMULA@, 1e-9);
  }
  call_result_clear (&result);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/@NAME@/values", test_values);
  return g_test_run ();
}
FILE
scripts/clang_format.sh -i "kernels/$stem".{c,h,cu} "tests/kernels/$family/test_$name.c" || true # names have lengths of their own
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

It computes $formula and passes its tests: ninja -C build && meson test -C build all_ops $name
Next:
  kernels/$stem.h and .c: formula, arguments, declaration; kernels/$stem.cu: the CUDA version, which calls the same formula
  tests/golden/$name.py: what an independent program makes of it; then python3 tests/golden/make.py $name
    and build/tests/test_golden -r /golden/$name
  tests/kernels/$family/test_$name.c: cases that can be worked out by hand
Last:
  scripts/format.sh; scripts/words.py; build/command/fovea ops --markdown > data/operations.md
END
