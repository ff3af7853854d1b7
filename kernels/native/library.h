/* SPDX-License-Identifier: MIT
 *
 * A kernel as code of this machine: compiled by the system's compiler, kept in the user's cache folder (plugin/code_cache.h).
 */
#ifndef KERNELS_NATIVE_LIBRARY_H
#define KERNELS_NATIVE_LIBRARY_H

#include "kernels/native/compiler.h"

/* A file in memory, to be closed, with the library of the source: found, or compiled. Where the source does not compile `plain`, which means nearly
 * the same, is compiled instead. -1 with *error; one of the source names its position in `plain`. */
int kernel_library_open (const fv_call *call, const compiler *c, const char *source, const char *plain,
                         fv_error *error);

#endif
