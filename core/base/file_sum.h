/* SPDX-License-Identifier: MIT
 *
 * The SHA-256 of files that are named for people, such as models: hashed once until they change.
 */
#ifndef CORE_BASE_FILE_SUM_H
#define CORE_BASE_FILE_SUM_H

#include "core/base/file_error.h"

/* 64 hexadecimal digits; free with g_free(). NULL with *error: the file cannot be read. Any thread. */
char *file_sum (const char *path, GError **error);

#endif
