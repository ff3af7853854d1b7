/* SPDX-License-Identifier: MIT
 *
 * A kernel as code of this machine: compiled by the system's compiler, kept in the user's cache folder (plugin/code_cache.h).
 */
#ifndef KERNELS_NATIVE_LIBRARY_H
#define KERNELS_NATIVE_LIBRARY_H

#include "kernels/native/compiler.h"

typedef struct kernel_library {
  int file; /* that it was loaded from: open, and so its number is no other's, for as long as it is loaded */
  void *handle;
  void (*run) (const kernel_task *, int64_t plane, int64_t row, int64_t begin, int64_t end);
} kernel_library;

/* Finds the library of the source, or compiles it. An error of the source names its place. */
fv_status kernel_library_open (const fv_call *call, const compiler *c, const char *source, kernel_library *library,
                               fv_error *error);
void kernel_library_close (kernel_library *library);

#endif
