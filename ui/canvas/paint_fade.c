/* SPDX-License-Identifier: MIT
 *
 * Screen pixels find their labels as in the operation `display`. Outlines fade towards a picture without them, which is made for
 * that. Colors of objects fade towards black.
 */
#include "ui/canvas/paint_fade.h"

#include <math.h>

/* Which pixel of n lies under screen pixel i; -1: none. */
static gint64
pixel_of (double start, double zoom, int i, gint64 n)
{
  double pixel_at = floor (start + (i + 0.5) / zoom);
  return pixel_at >= 0 && pixel_at < (double) n ? (gint64) pixel_at : -1;
}

static gboolean
is_kept (const guchar *kept, gsize bytes, gint32 label)
{
  gsize byte = (gsize) label >> 3;
  return label <= 0 || (byte < bytes && kept[byte] >> (label & 7) & 1);
}

/* A quarter of the color stays. */
static void
fade_pixel (guchar *pixel, const guchar *towards)
{
  for (int i = 0; i < 3; i++)
    pixel[i] = (guchar) ((pixel[i] + 3 * (towards ? towards[i] : 0)) / 4);
}

/* The labels under the screen. */
typedef struct {
  const gint32 *plane;
  gint64 *rows, *columns; /* [-1 ... height], [-1 ... width]: -1 beside the image */
  gint64 stride;
  const guchar *kept;
  gsize bytes;
} Under;

static gint32
label_at (const Under *u, int y, int x)
{
  return u->rows[y] < 0 || u->columns[x] < 0 ? 0 : u->plane[u->rows[y] * u->stride + u->columns[x]];
}

/* Background is the dark side of an outline where all objects beside it fade. */
static gboolean
fades (const Under *u, int y, int x)
{
  const gint32 label = label_at (u, y, x);
  const gint32 beside[4] = {label_at (u, y - 1, x), label_at (u, y + 1, x), label_at (u, y, x - 1),
                            label_at (u, y, x + 1)};
  gboolean any = FALSE;
  if (label > 0)
    return !is_kept (u->kept, u->bytes, label);
  for (int i = 0; i < 4; i++) {
    any |= beside[i] > 0;
    if (beside[i] > 0 && is_kept (u->kept, u->bytes, beside[i]))
      return FALSE;
  }
  return any;
}

/* The positions under n screen pixels and one more at each end; free the pointer minus one. */
static gint64 *
pixels_of (double start, double zoom, int n, gint64 max)
{
  gint64 *all = g_new (gint64, n + 2) + 1;
  for (int i = -1; i <= n; i++)
    all[i] = pixel_of (start, zoom, i, max);
  return all;
}

static void
fade_pixels (const PaintFade *f, Image *labels, guchar *pixels, const guchar *plain)
{
  const ImageInfo *info = image_info (labels);
  const PaintArea *a = &f->area;
  Under u = {image_plane (labels, 0, NULL),
             pixels_of (a->y, a->zoom, a->height, info->rows),
             pixels_of (a->x, a->zoom, a->width, info->columns),
             info->columns,
             NULL,
             0};
  u.kept = g_bytes_get_data (f->kept, &u.bytes);
  for (int y = 0; y < a->height && u.plane; y++)
    for (int x = 0; x < a->width; x++) {
      gsize at = ((gsize) y * (gsize) a->width + (gsize) x) * 4;
      if (u.rows[y] >= 0 && u.columns[x] >= 0 && fades (&u, y, x))
        fade_pixel (pixels + at, plain ? plain + at : NULL);
    }
  g_free (u.rows - 1);
  g_free (u.columns - 1);
}

gboolean
paint_fade (const PaintFade *f, Image *picture, Progress *progress, GError **error)
{
  Image *alone[2] = {f->inputs[0], NULL}, *labels = f->inputs[1] ? f->inputs[1] : f->inputs[0];
  CallResult plain = {0};
  if (image_info (labels)->type != FV_I32)
    return TRUE;
  if (!f->colors && !call_op (f->op, f->args, alone, f->device, progress, &plain, error))
    return FALSE;
  fade_pixels (f, labels, image_pixels (picture), plain.n_images ? image_plane (plain.images[0], 0, NULL) : NULL);
  call_result_clear (&plain);
  return TRUE;
}
