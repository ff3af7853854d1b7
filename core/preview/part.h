/* SPDX-License-Identifier: MIT
 *
 * The part of an image that a preview is of, as a little image. When zoomed out the part is taken from a smaller version, and of a large image that
 * is not in memory only the part is read; the latest part is kept.
 */
#ifndef CORE_PREVIEW_PART_H
#define CORE_PREVIEW_PART_H

#include "core/data/image.h"

typedef struct PreviewPart {
  guint level;        /* how often the image is halved */
  ImageRegion region; /* in pixels of that */
  gint64 slice, slices, frame;
} PreviewPart;

typedef struct PreviewCache PreviewCache;

PreviewCache *preview_cache_new (void);
void preview_cache_free (PreviewCache *cache);

/* All channels of the part; of an image with one slice or one frame that one. id: a number that no other image has had. A smaller
 * version has the mean of each pixels' values; a mask what most of them are, labels one of them. NULL with *error. */
Image *preview_cut (PreviewCache *cache, Image *image, guint64 id, const PreviewPart *part, GError **error);
/* Whether its pixels can be had without fetching all that a GPU has made. */
gboolean preview_can_cut (Image *image);

#endif
