/* SPDX-License-Identifier: MIT
 *
 * The layout of a file that is a header and the pixels of one image behind it or in files of their own: plain, packed, or as text. A format reads its
 * header into a FilesPlain; the functions of FileFormat for it are here.
 */
#ifndef CORE_FILES_SHARED_PLAIN_H
#define CORE_FILES_SHARED_PLAIN_H

#include "core/files/shared/blocks.h"
#include "core/files/shared/format.h"

typedef enum {
  FILES_PLAIN,
  FILES_PACKED, /* by gzip or zlib */
  FILES_BZIP2,
  FILES_TEXT,   /* as numbers in words */
  FILES_DIGITS, /* as digits, each of which is a number */
  FILES_HEX,    /* as hexadecimal digits, two for a byte */
} FilesPacking;

typedef struct FilesPlain {
  FilesBytes *file;  /* that was opened */
  GPtrArray *data;   /* FilesBytes, of the pixels: it, or others */
  GPtrArray *others; /* their paths */
  /* The format sets sizes, spacing and units; it may set more. The type is set by files_plain_finish(). */
  ImageInfo info;
  FilesBlocks
    blocks; /* of what was unpacked, if it is packed or text. The format sets the number, and where the pixels are. */
  GArray *planes; /* NULL, or blocks.planes */
  FilesPacking packing;
  guint64 packed_at, packed; /* packed bytes or text: where they begin, and, of packed ones, how many there are */
  char *left_out;            /* NULL: nothing */
  GString *header;           /* its text for people, a line for each field */
  GPtrArray *properties;     /* keys and values in turn */
} FilesPlain;

/* Of a file; what it says is still to be read. NULL with *error. */
FilesPlain *files_plain_new (const char *path, GError **error);
void files_plain_free (gpointer layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesPlain, files_plain_free)
/* The pixels are in another file, or some of them. FALSE with *error. */
gboolean files_plain_add_data (FilesPlain *self, const char *path, GError **error);
/* Numbers times slope plus intercept are what values mean. Unsigned integers of 8 and 16 bits keep their values, with that as calibration; others are
 * computed. A slope of 0, or of no finite number, means nothing. */
void files_plain_calibrate (FilesPlain *self, double slope, double intercept);
/* A size of a pixel along an axis (0 z, 1 y, 2 x). Without a unit, or of no positive number, it is unknown. */
void files_plain_set_spacing (FilesPlain *self, guint axis, double spacing, const char *unit);
/* A line of the header for people. */
void files_plain_say (FilesPlain *self, const char *key, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* Something that is kept with the image and saved. */
void files_plain_keep (FilesPlain *self, const char *key, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* Channels are colors: RGB or, with 4 samples, RGBA. The number's type is known. */
void files_plain_set_colors (FilesPlain *self, guint samples);
/* When all is set: checks everything that can be checked without reading pixels. FALSE with *error. */
gboolean files_plain_finish (FilesPlain *self, GError **error);

/* How many bytes the pixels and what is before them have when they are unpacked. */
guint64 files_plain_bytes (const FilesPlain *self);
/* Whether a file of so many bytes can hold them, packed by Deflate. FALSE with *error. */
gboolean files_plain_can_be (const FilesPlain *self, guint64 packed, GError **error);
/* The image of bytes that the format has unpacked on its own. NULL with *error. */
Image *files_plain_open_unpacked (const FilesPlain *self, FilesBytes *unpacked, GError **error);

/* ---- Functions of FileFormat ---- */

gboolean files_plain_describe (gpointer layout, guint n, ImageInfo *info, const char **depends, GError **error);
Image *files_plain_open (gpointer layout, guint n, GError **error);
const char *files_plain_left_out (gconstpointer layout);
const GPtrArray *files_plain_others (gconstpointer layout);
FileHash **files_plain_hash (gpointer layout, int *fd);

/* The functions of a FileFormat whose layouts are FilesPlain, but for layout(). */
#define FILES_PLAIN_FUNCTIONS                                                                                          \
  .free = files_plain_free, .left_out = files_plain_left_out, .others = files_plain_others,                            \
  .describe = files_plain_describe, .open = files_plain_open, .hash = files_plain_hash

#endif
