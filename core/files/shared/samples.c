/* SPDX-License-Identifier: MIT
 *
 * Copies, and nothing but copies: values are never scaled.
 */
#include "core/files/shared/samples.h"

gboolean
files_samples_are_gray (const FilesSamples *from, gint64 rows, gint64 columns)
{
  for (gint64 y = 0; y < rows; y++) {
    const guint8 *p = (const guint8 *) from->pixels + (gsize) y * from->row_bytes;
    for (gint64 x = 0; x < columns; x++, p += from->samples)
      if (p[0] != p[1] || p[0] != p[2])
        return FALSE;
  }
  return TRUE;
}

enum { COLORS = 256, FAR = 64 }; /* FAR: of 255, in one of red, green and blue */

/* Whether most colors of indices that occur, but 0, are far from the one before. */
static gboolean
colors_are_far (const gboolean *used, const guint8 *palette, guint n)
{
  guint before = 0, pairs = 0, far = 0;
  for (guint i = 1; i < n; i++) {
    int max = 0;
    if (!used[i])
      continue;
    for (guint c = 0; c < 3; c++)
      max = MAX (max, ABS (palette[3 * i + c] - palette[3 * before + c]));
    if (before) {
      pairs++;
      far += max >= FAR;
    }
    before = i;
  }
  return pairs > 0 && far * 2 > pairs;
}

gboolean
files_samples_are_labels (const FilesSamples *indices, gint64 rows, gint64 columns, const guint8 *palette, guint n)
{
  gboolean used[COLORS] = {FALSE};
  guint64 pairs = 0, equal = 0;
  if (n < 3 || n > COLORS || palette[0] || palette[1] || palette[2])
    return FALSE;
  for (gint64 y = 0; y < rows; y++) {
    const guint8 *row = (const guint8 *) indices->pixels + (gsize) y * indices->row_bytes;
    for (gint64 x = 0; x < columns; x++) {
      used[row[x]] = TRUE;
      if (x && (row[x] || row[x - 1])) {
        pairs++;
        equal += row[x] == row[x - 1];
      }
    }
  }
  return equal * 10 >= pairs * 7 && colors_are_far (used, palette, n);
}

static gboolean
is_opaque (const ImageInfo *info, const FilesSamples *from)
{
  for (gint64 y = 0; y < info->rows; y++) {
    const guint8 *row = (const guint8 *) from->pixels + (gsize) y * from->row_bytes;
    for (gsize i = from->samples - 1, n = (gsize) info->columns * from->samples; i < n; i += from->samples)
      if (info->type == FV_U8 ? row[i] != G_MAXUINT8 : ((const guint16 *) row)[i] != G_MAXUINT16)
        return FALSE;
  }
  return TRUE;
}

/* Copies one sample of every pixel. */
static void
take_sample (const ImageInfo *info, const FilesSamples *from, guint sample, void *to)
{
  gsize columns = (gsize) info->columns, step = from->samples;
  for (gint64 y = 0; y < info->rows; y++) {
    const guint8 *row = (const guint8 *) from->pixels + (gsize) y * from->row_bytes;
    if (info->type == FV_U8)
      for (gsize x = 0; x < columns; x++)
        ((guint8 *) to)[(gsize) y * columns + x] = row[x * step + sample];
    else
      for (gsize x = 0; x < columns; x++)
        ((guint16 *) to)[(gsize) y * columns + x] = ((const guint16 *) row)[x * step + sample];
  }
}

void
files_samples_name_channels (ImageInfo *info)
{
  static const char *const names[] = {"red", "green", "blue"};
  static const guint32 colors[] = {0xff0000, 0x00ff00, 0x0000ff};
  if (info->channels == 1)
    return;
  if (info->channels == 3 && info->type == FV_U8) {
    info->role = FV_RGB;
    return;
  }
  info->channel_names = g_new0 (char *, info->channels + 1);
  info->channel_colors = g_new (guint32, info->channels);
  for (gint64 c = 0; c < info->channels; c++) {
    gboolean alpha = info->channels % 2 == 0 && c + 1 == info->channels, gray = info->channels == 2;
    info->channel_names[c] = g_strdup (alpha ? "alpha" : gray ? "gray" : names[c]);
    info->channel_colors[c] = alpha || gray ? 0xffffff : colors[c];
  }
}

const char *
files_samples_describe (const ImageInfo *info, const FilesSamples *from, gboolean may_be_gray, ImageInfo *full)
{
  const gboolean alpha = from->samples % 2 == 0, colors = from->samples > 2 && !from->gray;
  image_info_copy (full, info);
  full->channels = colors ? 3 : 1;
  files_samples_name_channels (full);
  if (alpha)
    return colors && may_be_gray
             ? "one channel if all its colors are gray, and one more if its alpha is not opaque everywhere"
             : "one more channel if its alpha is not opaque everywhere";
  return colors && may_be_gray ? "one channel if all its colors are gray" : NULL;
}

Image *
files_samples_image (const ImageInfo *info, const FilesSamples *from, GError **error)
{
  g_autoptr (Image) image = NULL;
  ImageInfo full;
  guint taken[4], n = 0;
  gboolean alpha = from->samples % 2 == 0 && !is_opaque (info, from);
  for (guint s = 0; s < from->samples - (from->samples % 2 == 0); s++)
    if (s == 0 || !from->gray)
      taken[n++] = s;
  if (alpha)
    taken[n++] = from->samples - 1;
  image_info_copy (&full, info);
  full.channels = n;
  files_samples_name_channels (&full);
  image = image_new (&full, error);
  for (guint c = 0; image && c < n; c++)
    take_sample (info, from, taken[c], (guint8 *) image_pixels (image) + c * image_info_plane_bytes (&full));
  image_info_clear (&full);
  return g_steal_pointer (&image);
}

void
files_samples_interleave (guint8 *to, const guint8 *const planes[3], gint64 columns, gint64 first, gint64 n)
{
  gsize start = (gsize) first * (gsize) columns, count = (gsize) n * (gsize) columns;
  for (gsize i = 0; i < count; i++, to += 3) {
    to[0] = planes[0][start + i];
    to[1] = planes[1][start + i];
    to[2] = planes[2][start + i];
  }
}
