/* SPDX-License-Identifier: MIT
 *
 * Level k + 1 is made from level k when it is first wanted.
 */
#include "core/view/pyramid.h"

#include "core/data/halve.h"
#include "core/data/plane.h"

#include <math.h>
#include <string.h>

enum { LEVELS = 24 };

struct Pyramid {
  PyramidSlice of; /* no image: nothing */
  Image *levels[LEVELS];
};

static void
forget (Pyramid *p)
{
  for (int i = 0; i < LEVELS; i++)
    g_clear_pointer (&p->levels[i], image_unref);
  g_clear_pointer (&p->of.image, image_unref);
}

Pyramid *
pyramid_new (void)
{
  return g_new0 (Pyramid, 1);
}

void
pyramid_free (Pyramid *p)
{
  if (!p)
    return;
  forget (p);
  g_free (p);
}

guint
pyramid_level_for (double zoom)
{
  return zoom < 0.5 ? (guint) floor (-log2 (zoom)) : 0;
}

/* ---- The slice ---- */

static Image *
take_slice (Image *image, gint64 frame, gint64 slice, GError **error)
{
  ImageInfo info = *image_info (image);
  gsize bytes = image_info_plane_bytes (&info);
  g_autoptr (Image) copy = NULL;
  if (info.frames == 1 && info.depth == 1)
    return image_on_host (image, NULL, error) ? image_ref (image) : NULL;
  info.frames = info.depth = 1;
  if (!(copy = image_new (&info, error)))
    return NULL;
  for (gint64 c = 0; c < info.channels; c++) {
    const void *plane = image_plane (image, plane_number (image_info (image), (PlanePosition){c, slice, frame}), error);
    if (!plane)
      return NULL;
    memcpy ((char *) image_pixels (copy) + (gsize) c * bytes, plane, bytes);
  }
  return g_steal_pointer (&copy);
}

/* ---- Halves ---- */

/* Of at least two rows and columns. */
static Image *
half_of (Image *image, gboolean numbers, GError **error)
{
  ImageInfo info = *image_info (image);
  g_autoptr (Image) half = NULL;
  const gboolean nearest = numbers || (info.role == FV_LABELS && info.type == FV_I32);
  Halving halving = {info.type, nearest, info.rows, info.columns, info.rows / 2, info.columns / 2};
  info.rows = halving.half_rows, info.columns = halving.half_columns;
  if (!(half = image_new (&info, error)))
    return NULL;
  for (gint64 c = 0; c < info.channels; c++)
    if (!halve_plane (&halving, image_plane (image, c, error),
                      (char *) image_pixels (half) + (gsize) c * image_info_plane_bytes (&info), error))
      return NULL;
  return g_steal_pointer (&half);
}

static gboolean
same (const PyramidSlice *a, const PyramidSlice *b)
{
  return a->image == b->image && a->frame == b->frame && a->slice == b->slice && a->numbers == b->numbers;
}

Image *
pyramid_level (Pyramid *p, const PyramidSlice *of, guint level, GError **error)
{
  guint have;
  if (!same (&p->of, of) || !p->levels[0]) {
    forget (p);
    if (!(p->levels[0] = take_slice (of->image, of->frame, of->slice, error)))
      return NULL;
    p->of = *of;
    image_ref (p->of.image);
  }
  level = MIN (level, LEVELS - 1);
  for (have = level; !p->levels[have]; have--)
    ;
  for (; have < level; have++) {
    const ImageInfo *info = image_info (p->levels[have]);
    if (info->rows < 2 || info->columns < 2)
      break;
    if (!(p->levels[have + 1] = half_of (p->levels[have], of->numbers, error)))
      return NULL;
  }
  return p->levels[have];
}
