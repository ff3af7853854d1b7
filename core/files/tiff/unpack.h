/* SPDX-License-Identifier: MIT
 *
 * A whole chunk (strip or tile) at once, from memory to memory: Deflate, Zstandard and LZW, faster than libtiff does it.
 */
#ifndef CORE_FILES_TIFF_UNPACK_H
#define CORE_FILES_TIFF_UNPACK_H

#include <glib.h>

typedef struct FilesTiffUnpacker FilesTiffUnpacker; /* for one thread at a time */

typedef enum {
  FILES_TIFF_UNPACKED,
  FILES_TIFF_DAMAGED, /* what is encoded is broken */
  FILES_TIFF_SHORT,   /* there are fewer bytes than asked for */
  FILES_TIFF_UNSURE,  /* libtiff may know better: it reads what is cut short, older kinds, and more than is asked for */
} FilesTiffUnpacked;

/* For a compression as libtiff numbers them; NULL for others. */
FilesTiffUnpacker *files_tiff_unpacker_new (guint16 compression);
void files_tiff_unpacker_free (FilesTiffUnpacker *unpacker);
/* Memory for n encoded bytes, which the next call decodes; NULL when there is none. */
guint8 *files_tiff_unpacker_input (FilesTiffUnpacker *unpacker, gsize n);
/* Decodes these n bytes to exactly `bytes`, or says why not; what is at `to` is then of no use. */
FilesTiffUnpacked files_tiff_unpack (FilesTiffUnpacker *unpacker, gsize n, void *to, gsize bytes);

#endif
