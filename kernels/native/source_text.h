/* SPDX-License-Identifier: MIT
 *
 * The text of a kernel's source while it grows, and what its writers in C++ and C share.
 */
#ifndef KERNELS_NATIVE_SOURCE_TEXT_H
#define KERNELS_NATIVE_SOURCE_TEXT_H

#include "kernels/native/source.h"

typedef struct text {
  char *at;
  size_t used, size;
} text;

__attribute__ ((format (printf, 2, 3))) void text_add (text *s, const char *format, ...);

/* Whether its elements lie one behind the other. */
bool kernel_is_dense (const kernel_array *a);
/* The parameter's type, a letter that was declared, which `letter` holds, or a name of C. */
const char *kernel_word (const kernel_param *p, char letter[2]);

/* The end of the word, the number, the quoted text, the comment or the character that stands here. */
const char *behind_token (const char *at);
/* The user's C++ with `a / b`, `a % b`, `a << b`, `a >> b` and their assignments in words of arithmetic.c; at most GUARD_GROWTH times as long. */
enum { GUARD_GROWTH = 24 };
void text_add_guarded (text *s, const char *code, const char *end);
/* The same, and its loops ask fovea_goes_on() at each turn. preamble: where constants may be defined, besides the code itself. */
void text_add_with_checks (text *s, const char *code, const char *preamble);

/* The function of the user's operation, in C. */
void add_body_c (text *s, const kernel_code *code, const kernel_plan *plan);

#endif
