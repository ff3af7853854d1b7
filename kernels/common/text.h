/* SPDX-License-Identifier: MIT
 *
 * Text that operations read and write: numbers that users type, and source for compilers. The locale changes neither.
 */
#ifndef KERNELS_COMMON_TEXT_H
#define KERNELS_COMMON_TEXT_H

#include "kernels/common/common.h"

/* Text while it grows. used >= size: the text did not fit, and its end is missing. */
typedef struct text {
  char *at;
  size_t used, size;
} text;

__attribute__ ((format (printf, 2, 3))) void text_add (text *s, const char *format, ...);

/* Reads the number at the beginning, as strtod() does, with a decimal point. *end == text: it is not a number. */
double number_begin (const char *text, const char **end);
/* False: the text is not exactly one number. */
bool number_read (const char *text, double *number);

#endif
