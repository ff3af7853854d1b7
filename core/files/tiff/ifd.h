/* SPDX-License-Identifier: MIT
 *
 * A directory of a TIFF file that is being written, in the byte order of this machine.
 */
#ifndef CORE_FILES_TIFF_IFD_H
#define CORE_FILES_TIFF_IFD_H

#include <glib.h>

enum {
  TIFF_TYPE_BYTE = 1,
  TIFF_TYPE_ASCII = 2,
  TIFF_TYPE_SHORT = 3,
  TIFF_TYPE_LONG = 4,
  TIFF_TYPE_RATIONAL = 5,
  TIFF_TYPE_LONG8 = 16
};

typedef struct FilesTiffIfd {
  gboolean big;                 /* of BigTIFF */
  GByteArray *entries, *values; /* values: what does not fit into its entry */
  guint64 values_at;            /* where they will be in the file */
  guint n;
} FilesTiffIfd;

/* Tags are added in ascending order. data: in this machine's byte order. */
void files_tiff_ifd_add (FilesTiffIfd *ifd, guint16 tag, int type, guint64 count, gconstpointer data);
void files_tiff_ifd_add_short (FilesTiffIfd *ifd, guint16 tag, guint16 value);
/* As 32 bits, or 64 in BigTIFF. */
void files_tiff_ifd_add_long (FilesTiffIfd *ifd, guint16 tag, guint64 value);
void files_tiff_ifd_add_longs (FilesTiffIfd *ifd, guint16 tag, gsize n, const guint64 *values);

/* Adds a directory's tags. */
typedef void (*FilesTiffTags) (gconstpointer data, FilesTiffIfd *ifd);
/* The directory as it is in the file from `at`; its size depends on the tags alone. next: where the next one begins, 0: none, 1: right behind. */
GByteArray *files_tiff_ifd_make (gboolean big, guint64 at, guint64 next, FilesTiffTags tags, gconstpointer data);

/* A number of `size` bytes in this machine's byte order. */
void files_tiff_append_number (GByteArray *to, guint64 number, gsize size);

#endif
