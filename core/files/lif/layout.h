/* SPDX-License-Identifier: MIT
 *
 * Which images a file of Leica's has, and where their pixels are. The first two dimensions that are in space or time are columns and rows, as they
 * were scanned: of an xzt scan rows are along z. Wavelengths are channels. Tiles of a mosaic, rotations and loops are images of their own.
 */
#ifndef CORE_FILES_LIF_LAYOUT_H
#define CORE_FILES_LIF_LAYOUT_H

#include "core/files/lif/file.h"
#include "core/files/shared/blocks.h"

enum { FILES_LIF_DIMENSIONS = 16 };

/* A part of a memory block, in a file. */
typedef struct FilesLifPiece {
  FilesBytes *bytes;
  guint64 at, first, size; /* in the file; in the memory block */
} FilesLifPiece;

/* An element with pixels, and the images that it is. */
typedef struct FilesLifImage {
  const FilesLifElement *element;
  char *path;     /* for people */
  GArray *pieces; /* FilesLifPiece, by `first` */
  FilesNumber number;
  gboolean is_rgb;
  /* NULL: there is none */
  const FilesLifDimension *columns, *rows, *slices, *frames;
  const FilesLifDimension *waves[FILES_LIF_DIMENSIONS], *others[FILES_LIF_DIMENSIONS]; /* NULL at the end */
  guint first, count;                                                                  /* numbers of its images */
} FilesLifImage;

/* Does not change once it is made, but for the hash. */
typedef struct FilesLifLayout {
  GPtrArray *files;  /* FilesLifFile, the one that was opened first */
  GPtrArray *images; /* FilesLifImage, at least one */
  GPtrArray *others; /* paths of the other files */
  GString *left_out; /* "": nothing */
} FilesLifLayout;

FilesLifLayout *files_lif_layout_new (const char *path, GError **error);
void files_lif_layout_free (FilesLifLayout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesLifLayout, files_lif_layout_free)
guint files_lif_layout_count (const FilesLifLayout *layout);
/* That which has image n. */
const FilesLifImage *files_lif_layout_image (const FilesLifLayout *layout, guint n);

/* Elements of a dimension, which may be NULL. */
gint64 files_lif_length (const FilesLifDimension *dimension);
/* Of dimensions that end with NULL: the product of their elements, and the elements of the n-th combination, the first dimension running fastest. */
gint64 files_lif_combinations (const FilesLifDimension *const *dimensions);
void files_lif_combination (const FilesLifDimension *const *dimensions, gint64 n, gint64 at[FILES_LIF_DIMENSIONS]);
/* The offset of that combination in bytes. */
gint64 files_lif_offset (const FilesLifDimension *const *dimensions, gint64 n);

#endif
