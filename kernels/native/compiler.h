/* SPDX-License-Identifier: MIT
 *
 * The system's C++ compiler.
 */
#ifndef KERNELS_NATIVE_COMPILER_H
#define KERNELS_NATIVE_COMPILER_H

#include "kernels/common/common.h"

#include <limits.h>

typedef struct compiler {
  char path[PATH_MAX];
  char identity[PATH_MAX + 128]; /* a line: which version it is, and the code that it makes for this machine */
  const char *vectors;           /* its option for the vector units of this machine */
} compiler;

/* FV_UNSUPPORTED: there is none in $PATH. */
fv_status compiler_find (compiler *c, fv_error *error);
enum { COMPILER_FOLDER = 1024 /* most bytes of its name */ };

/* Makes kernel.so of kernel.cc in the folder, and stops when the host says so. An error of the source names its place in it. */
fv_status compiler_run (const compiler *c, const char *folder, const fv_call *call, fv_error *error);

#endif
