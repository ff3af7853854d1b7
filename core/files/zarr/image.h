/* SPDX-License-Identifier: MIT
 *
 * An image of OME-Zarr, a multiscale: its arrays, which are the levels of its pyramid, and what is known of it. Source: next-generation file formats
 * (NGFF) 0.1 to 0.5.
 */
#ifndef CORE_FILES_ZARR_IMAGE_H
#define CORE_FILES_ZARR_IMAGE_H

#include "core/data/image_info.h"
#include "core/files/zarr/array.h"

typedef enum { ZARR_T, ZARR_C, ZARR_Z, ZARR_Y, ZARR_X, ZARR_DIMENSIONS } ZarrDimension;

enum { ZARR_LEVELS = 16 };

/* Which image is meant. */
typedef struct ZarrEntry {
  char *key;          /* of its group, or of an array alone */
  char *title;        /* what it is called in the hierarchy, "A/1/0"; NULL: it is the only one */
  guint multiscale;   /* of that group, from 0 */
  gboolean is_labels; /* its numbers are those of objects */
} ZarrEntry;

typedef struct ZarrImage {
  guint n_levels;
  ZarrArray *levels[ZARR_LEVELS];
  int axis[ZARR_DIMENSIONS]; /* of the arrays; -1: they have none */
  ImageInfo info;
} ZarrImage;

/* version: of Zarr. number: of the image in the file. NULL with *error. */
ZarrImage *zarr_image_new (ZarrStore *store, guint version, const ZarrEntry *entry, guint number, GError **error);
void zarr_image_free (ZarrImage *image);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ZarrImage, zarr_image_free)

/* Pixels of level n along a dimension. */
gint64 zarr_image_size (const ZarrImage *image, guint n, ZarrDimension dimension);

#endif
