/* SPDX-License-Identifier: MIT
 *
 * Regions of pixels with several samples, which are asked for sample by sample: all samples are decoded at once and kept for the later ones. Any thread.
 */
#ifndef CORE_FILES_SHARED_KEPT_H
#define CORE_FILES_SHARED_KEPT_H

#include "core/data/source.h"

typedef struct FilesKept FilesKept;
/* path: of the file, for errors. */
FilesKept *files_kept_new (const char *path);
void files_kept_free (FilesKept *kept);

/* What is asked for. */
typedef struct FilesKeptRegion {
  guint level;
  guint64 page; /* or what else distinguishes the planes whose samples are decoded together */
  ImageRegion region;
  gsize bytes;  /* of all samples together */
  guint others; /* how many samples of it will be asked for later */
} FilesKeptRegion;

/* Decodes all samples of the region. FALSE with *error. */
typedef gboolean (*FilesKeptDecode) (gpointer data, guint8 *pixels, GError **error);
typedef struct FilesKeptPixels FilesKeptPixels;
/* The pixels of a region, which decode() makes if they are not kept. NULL with *error. */
FilesKeptPixels *files_kept_take (FilesKept *kept, const FilesKeptRegion *wanted, FilesKeptDecode decode, gpointer data,
                                  GError **error);
const guint8 *files_kept_pixels (const FilesKeptPixels *pixels);
void files_kept_pixels_unref (FilesKeptPixels *pixels);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesKeptPixels, files_kept_pixels_unref)

#endif
