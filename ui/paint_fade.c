/* SPDX-License-Identifier: MIT
 *
 * Screen pixels are looked up in the labels as `display` does; outlines fade towards the picture without them, which is made for
 * that, and colours of objects towards black.
 */
#include "paint_fade.h"

#include <math.h>

/* Which pixel of n lies under screen pixel i; -1: none. */
static gint64
place_of (double start, double zoom, int i, gint64 n)
{
  double place = floor (start + (i + 0.5) / zoom);
  return place >= 0 && place < (double) n ? (gint64) place : -1;
}

static gboolean
is_kept (const guchar *kept, gsize bytes, gint32 label)
{
  gsize byte = (gsize) label >> 3;
  return label <= 0 || (byte < bytes && kept[byte] >> (label & 7) & 1);
}

/* A quarter of the colour stays. */
static void
fade_pixel (guchar *pixel, const guchar *towards)
{
  for (int i = 0; i < 3; i++)
    pixel[i] = (guchar) ((pixel[i] + 3 * (towards ? towards[i] : 0)) / 4);
}

static void
fade_pixels (const PaintFade *f, Image *labels, guchar *pixels, const guchar *plain)
{
  const ImageInfo *info = image_info (labels);
  const gint32 *plane = image_plane (labels, 0, NULL);
  const PaintArea *a = &f->area;
  gsize bytes;
  const guchar *kept = g_bytes_get_data (f->kept, &bytes);
  g_autofree gint64 *columns = g_new (gint64, a->width);
  for (int x = 0; x < a->width; x++)
    columns[x] = place_of (a->x, a->zoom, x, info->columns);
  for (int y = 0; y < a->height && plane; y++) {
    gint64 row = place_of (a->y, a->zoom, y, info->rows);
    for (int x = 0; x < a->width && row >= 0; x++) {
      gsize at = ((gsize) y * (gsize) a->width + (gsize) x) * 4;
      if (columns[x] >= 0 && !is_kept (kept, bytes, plane[row * info->columns + columns[x]]))
        fade_pixel (pixels + at, plain ? plain + at : NULL);
    }
  }
}

gboolean
paint_fade (const PaintFade *f, Image *picture, Progress *progress, GError **error)
{
  Image *alone[2] = {f->inputs[0], NULL}, *labels = f->inputs[1] ? f->inputs[1] : f->inputs[0];
  CallResult plain = {0};
  if (image_info (labels)->type != FV_I32)
    return TRUE;
  if (!f->colours && !call_op (f->op, f->args, alone, f->device, progress, &plain, error))
    return FALSE;
  fade_pixels (f, labels, image_pixels (picture), plain.n_images ? image_plane (plain.images[0], 0, NULL) : NULL);
  call_result_clear (&plain);
  return TRUE;
}
