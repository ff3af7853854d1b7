/* SPDX-License-Identifier: MIT
 *
 * The declarations of a kernel's parameters: "T x, raw T y, float32 s=0.5".
 */
#ifndef KERNELS_NATIVE_DECLARE_H
#define KERNELS_NATIVE_DECLARE_H

#include "kernels/native/kernel_args.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kernel_type {
  const char *name, *c; /* NumPy's name, and C's */
  fv_type pixels;       /* of an image that holds such; 0: no image does */
  bool truth;           /* a mask as an image: 0 and 255 */
} kernel_type;

enum { KERNEL_NAME = 32 };

typedef struct kernel_param {
  char name[KERNEL_NAME];
  char placeholder;        /* the letter that names the type, or 0 */
  const kernel_type *type; /* NULL: that of the placeholder */
  bool raw;                /* the whole array, indexed at will */
  bool number;             /* one number for all elements: it has a value, */
  char value[KERNEL_NAME]; /* as it is written: "0.5", "p", "width" */
} kernel_param;

typedef struct kernel_params {
  int n;
  kernel_param at[KERNEL_PARAMS];
} kernel_params;

/* field: "in_params" or "out_params", whose text this is. */
fv_status kernel_declare (const char *text, const char *field, kernel_params *params, fv_error *error);
/* The parameter's type, a letter that was declared, which `letter` holds, or a name of C. */
const char *kernel_word (const kernel_param *p, char letter[2]);
/* The type that pixels of that type are. */
const kernel_type *kernel_type_of (fv_type pixels);

#ifdef __cplusplus
}
#endif

#endif
