/* SPDX-License-Identifier: MIT
 *
 * The system's compiler: of C++, else of C.
 */
#ifndef KERNELS_NATIVE_COMPILER_H
#define KERNELS_NATIVE_COMPILER_H

#include "kernels/native/source.h"

#include <limits.h>

typedef struct compiler {
  char path[PATH_MAX];
  kernel_language language;      /* that it compiles */
  char identity[PATH_MAX + 128]; /* a line: which version it is, and the code that it makes for this machine */
  const char *vectors;           /* its option for the vector units of this machine */
} compiler;

/* FV_UNSUPPORTED: there is none in $PATH. */
fv_status compiler_find (compiler *c, fv_error *error);

/* Makes COMPILER_LIBRARY of COMPILER_SOURCE in the folder, COMPILER_LOG beside them, and stops when the host says so. An error of
 * the source names its position in it. */
#define COMPILER_SOURCE "kernel.c"
#define COMPILER_LIBRARY "kernel.so"
#define COMPILER_LOG "log"
fv_status compiler_run (const compiler *c, const char *folder, const fv_call *call, fv_error *error);

#endif
