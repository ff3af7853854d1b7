/* SPDX-License-Identifier: MIT
 *
 * A kernel as code of this machine: compiled by the system's C++ compiler into a library that is kept in
 * $XDG_CACHE_HOME/fovea/native (~/.cache without it), a folder of the user's alone.
 */
#ifndef KERNELS_NATIVE_LIBRARY_H
#define KERNELS_NATIVE_LIBRARY_H

#include "kernels/native/kernel.h"

typedef void (*kernel_function) (const kernel_task *, int64_t plane, int64_t row, int64_t begin, int64_t end);

/* Loads the library of the source, or compiles it first; the handle is for dlclose(). An error of the source names its place. */
fv_status kernel_library_open (const fv_call *call, const char *source, void **handle, kernel_function *function,
                               fv_error *error);
/* 16 hexadecimal digits, the same for the same text; others may share them. */
void kernel_hash (const char *text, char hash[17]);

#endif
