/* SPDX-License-Identifier: MIT
 *
 * The words of a kernel, and its divisions and shifts with a result for all integers.
 */
#ifndef KERNELS_NATIVE_GUARD_H
#define KERNELS_NATIVE_GUARD_H

#include "kernels/common/text.h"

/* The end of the word, the number, the quoted text, the comment or the character that stands here. */
const char *behind_token (const char *at);
/* The user's C++ with `a / b`, `a % b`, `a << b`, `a >> b` and their assignments in words of arithmetic.c; at most GUARD_GROWTH times as long. */
enum { GUARD_GROWTH = 24 };
void text_add_guarded (text *s, const char *code, const char *end);

#endif
