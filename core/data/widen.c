/* SPDX-License-Identifier: MIT
 */
#include "core/data/widen.h"

#include "core/base/parallel.h"
#include "core/data/pixel_type.h"

enum { PIECE = 1 << 18 }; /* pixels */

typedef struct {
  fv_type from, to;
  const char *pixels;
  char *widened;
  gsize n;
} Work;

static gboolean
widen_piece (gpointer data, guint64 i, GError **error)
{
  const Work *w = data;
  gsize first = i * PIECE;
  (void) error;
  pixel_type_widen (w->from, w->pixels + first * pixel_type_bytes (w->from), MIN (PIECE, w->n - first), w->to,
                    w->widened + first * pixel_type_bytes (w->to));
  return TRUE;
}

Image *
widen_image (Image *image, fv_type type, Progress *progress, GError **error)
{
  ImageInfo info = *image_info (image);
  g_autoptr (Image) wide = NULL;
  Work work = {.from = info.type, .to = type, .n = image_bytes (image) / pixel_type_bytes (info.type)};
  info.type = type;
  info.role = FV_IMAGE;
  info.dense = FALSE;
  info.source_type = NULL;
  if (!(work.pixels = image_on_host (image, progress, error)) || !(wide = image_new (&info, error)))
    return NULL;
  work.widened = image_pixels (wide);
  return parallel_do ((work.n - 1) / PIECE + 1, G_MAXUINT, widen_piece, &work, error) ? g_steal_pointer (&wide) : NULL;
}
