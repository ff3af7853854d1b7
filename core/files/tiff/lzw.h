/* SPDX-License-Identifier: MIT
 *
 * LZW as TIFF has it: codes of 9 to 12 bits, the highest bit first, that widen one code early.
 */
#ifndef CORE_FILES_TIFF_LZW_H
#define CORE_FILES_TIFF_LZW_H

#include <glib.h>

enum { FILES_TIFF_LZW_PAD = 8 }; /* readable bytes behind the encoded ones */

typedef struct FilesTiffLzw FilesTiffLzw; /* a table of strings, for one thread; free with g_free() */
FilesTiffLzw *files_tiff_lzw_new (void);

/* Decodes `bytes` bytes of the n at raw. FALSE when these are not a stream of exactly as many, or one of another kind (codes with the lowest bit
 * first, more than 4096 of them), which may still have pixels. */
gboolean files_tiff_lzw_decode (FilesTiffLzw *lzw, const guint8 *raw, gsize n, guint8 *to, gsize bytes);

#endif
