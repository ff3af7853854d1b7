/* SPDX-License-Identifier: MIT
 *
 * The text of OME-XML without the base64 of its pixels, which can be most of the file.
 */
#ifndef CORE_FILES_OME_TEXT_H
#define CORE_FILES_OME_TEXT_H

#include "core/files/shared/bytes.h"

/* As UTF-8, with the instruction FILES_OME_DATA, offset and length in place of what BinData elements hold. NULL with *error. */
char *ome_text_read (FilesBytes *file, GError **error);
/* The same without these instructions, for people. */
char *ome_text_plain (const char *text);

#endif
