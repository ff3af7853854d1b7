/* SPDX-License-Identifier: MIT
 *
 * How sub-blocks of CZI files are compressed. Each function fills all of `to`, and says what is wrong with the n packed bytes, behind "the sub-block",
 * or NULL.
 */
#ifndef CORE_FILES_CZI_CODECS_H
#define CORE_FILES_CZI_CODECS_H

#include "core/files/czi/levels.h"

/* The most bytes of pixels for one that is compressed: Zstandard makes 128 KiB of a block of four bytes. */
enum { FILES_CZI_MAX_RATIO = 1 << 15 };

const char *files_czi_zstd0 (const guint8 *packed, gsize n, guint8 *to, gsize size);
/* With a header that says whether the low bytes of all 16-bit samples come before their high bytes. */
const char *files_czi_zstd1 (const guint8 *packed, gsize n, guint8 *to, gsize size);
/* 8-bit gray and colors. */
const char *files_czi_jpeg (const guint8 *packed, gsize n, const FilesCziBlock *block, const FilesCziPixel *pixel,
                            guint8 *to);

#endif
