/* SPDX-License-Identifier: MIT
 *
 * A whole chunk (strip or tile) at once, from memory to memory, faster than libtiff does it: Deflate, Zstandard, LZW, and JPEG of one
 * channel. Also JPEG 2000 and lossless JPEG, which libtiff does not know.
 */
#ifndef CORE_FILES_TIFF_UNPACK_H
#define CORE_FILES_TIFF_UNPACK_H

#include "core/files/tiff/dir.h"

typedef struct FilesTiffUnpacker FilesTiffUnpacker; /* for one thread at a time */

typedef enum {
  FILES_TIFF_UNPACKED,
  FILES_TIFF_DAMAGED, /* what is encoded is broken */
  FILES_TIFF_SHORT,   /* there are fewer bytes than asked for */
  FILES_TIFF_UNSURE,  /* libtiff may know better: it reads what is cut short, older kinds, and more than is asked for */
} FilesTiffUnpacked;

/* For a page of samples (FILES_TIFF_PLAIN); NULL when only libtiff can do it. tables: its JPEGTables, not copied, or NULL. */
FilesTiffUnpacker *files_tiff_unpacker_new (const FilesTiffPage *page, const guint8 *tables, gsize tables_bytes);
void files_tiff_unpacker_free (FilesTiffUnpacker *unpacker);
/* Memory for n encoded bytes, which the next call decodes; NULL when there is none. */
guint8 *files_tiff_unpacker_input (FilesTiffUnpacker *unpacker, gsize n);
/* Decodes these n bytes to exactly `bytes`, or says why not; what is at `to` is then of no use. *why: NULL, or what is wrong in words, behind "its
 * JPEG 2000 stream". */
FilesTiffUnpacked files_tiff_unpack (FilesTiffUnpacker *unpacker, gsize n, void *to, gsize bytes, const char **why);

#endif
