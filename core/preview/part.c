/* SPDX-License-Identifier: MIT
 */
#include "core/preview/part.h"

#include "core/base/error.h"
#include "core/view/pyramid.h"
#include "core/view/tiles.h"

#include <math.h>

enum { KEPT = 4 };

/* A slice at a fraction of its size. */
typedef struct {
  guint64 id;
  gint64 slice, frame;
  guint level;
  Image *image;
} Smaller;

struct PreviewCache {
  Smaller kept[KEPT];
  guint next; /* that is replaced */
  Tiles *tiles;
};

PreviewCache *
preview_cache_new (void)
{
  PreviewCache *cache = g_new0 (PreviewCache, 1);
  cache->tiles = tiles_new ();
  return cache;
}

void
preview_cache_free (PreviewCache *cache)
{
  for (guint i = 0; i < KEPT; i++)
    image_unref (cache->kept[i].image);
  tiles_free (cache->tiles);
  g_free (cache);
}

/* ---- Smaller versions ---- */

/* Means of a mask's pixels become what most of them are. */
static void
decide (Image *mask)
{
  guint8 *pixels = image_pixels (mask);
  for (gsize i = 0; i < image_bytes (mask); i++)
    pixels[i] = pixels[i] > 127 ? 255 : 0;
}

/* What is read of a large image; the region of the part becomes one of that. NULL where its file has no such level. */
static Image *
read_tiles (PreviewCache *cache, Image *image, PreviewPart *part, GError **error)
{
  const double scale = ldexp (1, (int) part->level);
  ImageRegion *r = &part->region;
  const TilesLook look = {image,
                          part->frame,
                          part->slice,
                          FALSE,
                          NULL,
                          (double) r->column * scale,
                          (double) r->row * scale,
                          (double) r->columns * scale,
                          (double) r->rows * scale,
                          1 / scale,
                          0};
  TilesPart made;
  if (!tiles_part (cache->tiles, &look, &made, error))
    return NULL;
  g_autoptr (Image) read = made.image;
  const ImageInfo *info = image_info (read);
  g_clear_error (&made.fault); /* reported when the whole is read */
  r->row -= made.y;
  r->column -= made.x;
  if (made.factor == scale && r->row >= 0 && r->column >= 0 && r->row + r->rows <= info->rows
      && r->column + r->columns <= info->columns)
    return g_steal_pointer (&read);
  step_error_set (error, FV_UNSUPPORTED, NULL, "The file has no level at 1 / %g of its size.", scale);
  return NULL;
}

/* A new reference. */
static Image *
smaller (PreviewCache *cache, Image *image, guint64 id, const PreviewPart *part, GError **error)
{
  g_autoptr (Pyramid) pyramid = NULL;
  Image *made;
  for (guint i = 0; i < KEPT; i++) {
    const Smaller *s = &cache->kept[i];
    if (s->image && s->id == id && s->slice == part->slice && s->frame == part->frame && s->level == part->level)
      return image_ref (s->image);
  }
  pyramid = pyramid_new ();
  if (!(made = pyramid_level (pyramid, &(PyramidSlice){image, part->frame, part->slice, FALSE}, part->level, error)))
    return NULL;
  if (image_info (made)->role == FV_MASK && image_info (made)->type == FV_U8)
    decide (made);
  Smaller *to = &cache->kept[cache->next++ % KEPT];
  image_unref (to->image);
  *to = (Smaller){id, part->slice, part->frame, part->level, image_ref (made)};
  return image_ref (made);
}

/* ---- Cutting ---- */

gboolean
preview_can_cut (Image *image)
{
  return !image_device (image) || !image_missing_bytes (image);
}

static Image *
new_part (const ImageInfo *like, const PreviewPart *part, GError **error)
{
  ImageInfo info = *like;
  info.rows = part->region.rows;
  info.columns = part->region.columns;
  info.depth = part->slices;
  info.frames = 1;
  return image_new (&info, error);
}

Image *
preview_cut (PreviewCache *cache, Image *image, guint64 id, const PreviewPart *of, GError **error)
{
  const ImageInfo *info = image_info (image);
  PreviewPart part = *of;
  g_autoptr (Image) cut = NULL, from = image_ref (image);
  gint64 first;
  if (info->depth == 1) {
    part.slice = 0;
    part.slices = 1;
  }
  part.frame = MIN (part.frame, info->frames - 1);
  first = part.frame * info->channels * info->depth + part.slice;
  gint64 channel = info->depth; /* planes from one to the next */
  if (part.level) {
    image_unref (from);
    from =
      tiles_suit (image, first) ? read_tiles (cache, image, &part, error) : smaller (cache, image, id, &part, error);
    if (!from)
      return NULL;
    first = 0;
    channel = 1;
  }
  if (!(cut = new_part (info, &part, error)))
    return NULL;
  const gsize bytes = image_info_plane_bytes (image_info (cut)), stride = bytes / (gsize) part.region.rows;
  char *to = image_pixels (cut);
  for (gint64 c = 0; c < info->channels; c++)
    for (gint64 z = 0; z < part.slices; z++, to += bytes)
      if (!image_read (from, 0, first + c * channel + z, &part.region, to, stride, error))
        return NULL;
  return g_steal_pointer (&cut);
}
