/* SPDX-License-Identifier: MIT
 *
 * TIFF files that no program writes, in this machine's byte order.
 */
#ifndef TESTS_SUPPORT_TIFF_BY_HAND_H
#define TESTS_SUPPORT_TIFF_BY_HAND_H

#include <glib.h>

/* The first eight bytes: a directory follows. */
const char *tiff_header (void);
/* A directory of one uncompressed 16-bit image; without a description where text_bytes is 0. Its entries, of 12 bytes each, start
 * at byte 2. */
GByteArray *tiff_directory (guint32 rows, guint32 columns, guint32 pixels_at, guint32 next, guint32 text_bytes,
                            guint32 text_at);
/* A file of n pages of 2 x 1 pixels, which hold the page's number, and with a text, or NULL, on the first. */
GByteArray *tiff_pages (guint32 n, const char *text);

#endif
