/* SPDX-License-Identifier: MIT
 *
 * Which images a Zarr hierarchy has: a multiscale with its labels, the fields of a plate or a well, the series of bioformats2raw, or an array alone.
 * What is known of each is read when it is asked for, since a plate may have thousands.
 */
#ifndef CORE_FILES_ZARR_LAYOUT_H
#define CORE_FILES_ZARR_LAYOUT_H

#include "core/files/zarr/image.h"

typedef struct ZarrLayout {
  ZarrStore *store;
  guint version;   /* of Zarr */
  GArray *entries; /* ZarrEntry, at least one */
  GString *left_out;
} ZarrLayout;

ZarrLayout *zarr_layout_new (const char *path, GError **error);
void zarr_layout_free (ZarrLayout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ZarrLayout, zarr_layout_free)
/* All of image n but its pixels. NULL with *error. */
ZarrImage *zarr_layout_image (const ZarrLayout *layout, guint n, GError **error);

#endif
