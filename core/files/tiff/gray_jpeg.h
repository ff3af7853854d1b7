/* SPDX-License-Identifier: MIT
 *
 * A chunk of one channel in JPEG, by libjpeg itself: libtiff has every pixel of it copied once more, one by one.
 */
#ifndef CORE_FILES_TIFF_GRAY_JPEG_H
#define CORE_FILES_TIFF_GRAY_JPEG_H

#include <glib.h>

/* Decodes the n bytes at raw to rows of so many columns, one after the other. tables: a stream of tables that it may need (the page's
 * JPEGTables), or NULL. FALSE when it is not of just this size, not of one channel, progressive, or damaged in any way. */
gboolean files_tiff_gray_jpeg_decode (const guint8 *tables, gsize tables_bytes, const guint8 *raw, gsize n,
                                      guint columns, guint rows, guint8 *to);

#endif
