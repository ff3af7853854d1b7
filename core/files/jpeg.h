/* SPDX-License-Identifier: MIT
 *
 * Whether the data of a JPEG file are sound, by libjpeg: decoders of pictures for people fill up what is missing, and go on.
 */
#ifndef CORE_FILES_JPEG_H
#define CORE_FILES_JPEG_H

#include <glib.h>

/* How many components a pixel has, as the header says, of which these bytes are the beginning; 0: they do not reach that far. */
guint files_jpeg_components (const guint8 *bytes, gsize size);
/* Reads all of the file's data, without making its pixels. pixels: the most that it may claim; what claims more is left to the
 * caller. FALSE with *error. */
gboolean files_jpeg_check (const char *path, const guint8 *bytes, gsize size, guint64 pixels, GError **error);

#endif
