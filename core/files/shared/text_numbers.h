/* SPDX-License-Identifier: MIT
 *
 * Pixels that are written as text: numbers with white space or commas between them.
 */
#ifndef CORE_FILES_SHARED_TEXT_NUMBERS_H
#define CORE_FILES_SHARED_TEXT_NUMBERS_H

#include "core/files/shared/bytes.h"
#include "core/files/shared/numbers.h"

/* The next n numbers of a text from `at` on, as `number` stores them in this machine's order. digits: each digit is a number, with or without space
 * between them. More numbers than the text has room for are refused before anything is allocated; so is a number that the type does not have. NULL with
 * *error. */
FilesBytes *files_text_numbers (FilesBytes *text, guint64 at, const FilesNumber *number, guint64 n, gboolean digits,
                                GError **error);

#endif
