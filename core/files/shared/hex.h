/* SPDX-License-Identifier: MIT
 *
 * Pixels that are written as hexadecimal digits.
 */
#ifndef CORE_FILES_SHARED_HEX_H
#define CORE_FILES_SHARED_HEX_H

#include "core/files/shared/bytes.h"

/* The next `size` bytes of a text from `at` on, of two digits each, the high one first. White space is ignored, between the digits of a byte too. More
 * bytes than the text has room for are refused before anything is allocated. In memory, or on disk when memory is short. NULL with *error. */
FilesBytes *files_hex (FilesBytes *text, guint64 at, guint64 size, GError **error);

#endif
