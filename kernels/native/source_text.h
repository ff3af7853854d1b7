/* SPDX-License-Identifier: MIT
 *
 * The text of a kernel's source while it grows.
 */
#ifndef KERNELS_NATIVE_SOURCE_TEXT_H
#define KERNELS_NATIVE_SOURCE_TEXT_H

#include "kernels/common/common.h"

typedef struct text {
  char *at;
  size_t used, size;
} text;

__attribute__ ((format (printf, 2, 3))) void text_add (text *s, const char *format, ...);

#endif
