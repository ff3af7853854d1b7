/* SPDX-License-Identifier: MIT
 *
 * JPEG 2000 (ITU-T T.800), codestreams and .jp2, by OpenJPEG.
 */
#ifndef CORE_FILES_SHARED_JPEG2000_H
#define CORE_FILES_SHARED_JPEG2000_H

#include <glib.h>

typedef struct FilesJpeg2000 {
  guint rows, columns, components, bytes; /* bytes: of a number in memory, 1, 2 or 4 */
  gboolean ycbcr; /* three components of one byte each are Y, Cb, Cr and become red, green, blue */
} FilesJpeg2000;

/* Decodes n bytes to rows × columns × components numbers, those of a pixel side by side. Signed ones are in two's complement. NULL, or why it cannot
 * be done, in a few words: also when the stream has another size, subsampled components other than Cb and Cr, or numbers of more bits than `bytes` have. Any thread. */
const char *files_jpeg2000_decode (const guint8 *stream, gsize n, const FilesJpeg2000 *wanted, void *to);
/* Whether bytes that begin so are a codestream without boxes. */
gboolean files_jpeg2000_is_codestream (const guint8 *head, gsize n);
/* Y, Cb and Cr of n pixels, which lie `step` bytes from each other, become red, green and blue by JFIF (ITU-T T.871), rounded. */
void files_jpeg2000_to_rgb (guint8 *const colors[3], gsize step, gsize n);

#endif
