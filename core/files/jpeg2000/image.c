/* SPDX-License-Identifier: MIT
 */
#include "core/files/jpeg2000/image.h"

#include "core/base/parallel.h"
#include "core/files/shared/jpeg2000.h"
#include "core/files/shared/kept.h"
#include "core/data/pixel_type.h"

#include <string.h>

enum {
  BLOCK = 1024,       /* rows and columns of a level that are read at a time, of images without tiles */
  WORTH_IT = 1 << 18, /* pixels that more than one thread decodes */
};

typedef struct {
  FilesJp2 *layout;
  guint n;     /* channels */
  guint bytes; /* of a number */
  FilesKept *kept;
} Source;

/* A region that is decoded into planes, in strips at the borders of tiles. */
typedef struct {
  const Source *source;
  const ImageRegion *region;
  guint level;
  gint64 first; /* row of tiles */
  guint64 strips;
  guint8 *planes;
} Decoding;

typedef struct {
  const Decoding *decoding;
  gint64 row; /* of the strip in the region */
} Strip;

/* ---- Decoding ---- */

/* What the palette, or the rule for masks, makes of a number. */
static guint
color_of (const FilesJp2 *l, const FilesJp2Channel *channel, gint32 number)
{
  if (channel->column < 0)
    return number ? 255 : 0;
  const guint entry = (guint) CLAMP (number, 0, (gint32) l->boxes.palette_entries - 1);
  return l->boxes.palette[entry * l->boxes.palette_columns + (guint) channel->column];
}

static void
take_row (const Source *s, const FilesJp2Channel *channel, const gint32 *from, gsize n, guint8 *to)
{
  const FilesJp2 *l = s->layout;
  const gboolean is_mask = s->n == 1 && channel->bits == 1 && !l->codestream.components[0].is_signed;
  if (channel->column >= 0 || is_mask)
    for (gsize x = 0; x < n; x++)
      to[x] = (guint8) color_of (l, channel, from[x]);
  else if (s->bytes == 1)
    for (gsize x = 0; x < n; x++)
      to[x] = (guint8) from[x];
  else if (s->bytes == 2)
    for (gsize x = 0; x < n; x++)
      ((guint16 *) (gpointer) to)[x] = (guint16) from[x];
  else
    memcpy (to, from, n * sizeof *from);
}

static void
take (gpointer data, guint component, gint64 row, const gint32 *numbers)
{
  const Strip *strip = data;
  const Decoding *d = strip->decoding;
  const Source *s = d->source;
  const gsize columns = (gsize) d->region->columns, plane = columns * (gsize) d->region->rows;
  for (guint c = 0; c < s->n; c++) {
    const FilesJp2Channel *channel = &g_array_index (s->layout->channels, FilesJp2Channel, c);
    if (channel->component == component)
      take_row (s, channel, numbers, columns,
                d->planes + (c * plane + (gsize) (strip->row + row) * columns) * s->bytes);
  }
}

/* Where a row of tiles begins in the region, or its end if that comes before. */
static gint64
row_of_tiles (const Decoding *d, gint64 tile)
{
  const FilesJ2k *j = &d->source->layout->codestream;
  const gint64 grid = MAX (j->tile_row + tile * j->tile_rows, j->row);
  const gint64 row = files_j2k_at_level (grid, d->level) - files_j2k_at_level (j->row, d->level) - d->region->row;
  return CLAMP (row, 0, d->region->rows);
}

static gboolean
decode_strip (gpointer data, guint64 i, GError **error)
{
  const Decoding *d = data;
  const gint64 row = row_of_tiles (d, d->first + (gint64) i), end = row_of_tiles (d, d->first + (gint64) i + 1);
  const ImageRegion part = {d->region->row + row, d->region->column, end - row, d->region->columns};
  const gboolean alone = d->strips == 1 && part.rows * part.columns >= WORTH_IT;
  Strip strip = {d, row};
  return part.rows < 1
         || files_j2k_decode (&d->source->layout->codestream, d->level, &part, alone ? parallel_threads () : 1, take,
                              &strip, error);
}

static gboolean
decode (gpointer data, guint8 *planes, GError **error)
{
  Decoding *d = data;
  const Source *s = d->source;
  const FilesJ2k *j = &s->layout->codestream;
  const gsize plane = (gsize) (d->region->rows * d->region->columns);
  const gint64 top = (files_j2k_at_level (j->row, d->level) + d->region->row) << d->level,
               bottom = MIN (top + (d->region->rows << d->level), j->row + j->rows) - 1;
  d->planes = planes;
  d->first = (top - j->tile_row) / j->tile_rows;
  d->strips = (guint64) ((bottom - j->tile_row) / j->tile_rows - d->first) + 1;
  if (!parallel_do (d->strips, G_MAXUINT, decode_strip, d, error))
    return FALSE;
  guint8 *const colors[] = {planes, planes + plane, planes + 2 * plane};
  if (s->layout->is_ycc)
    files_jpeg2000_to_rgb (colors, 1, plane);
  return TRUE;
}

static gboolean
source_read (gpointer self, guint level, gint64 plane, const ImageRegion *region, void *to, gsize stride,
             GError **error)
{
  Source *s = self;
  const gsize row = (gsize) region->columns * s->bytes, bytes = row * (gsize) region->rows;
  const FilesKeptRegion wanted = {level, 0, *region, s->n * bytes, s->n - 1};
  Decoding d = {.source = s, .region = region, .level = level};
  g_autoptr (FilesKeptPixels) pixels = files_kept_take (s->kept, &wanted, decode, &d, error);
  for (gsize y = 0; pixels && y < (gsize) region->rows; y++)
    memcpy ((guint8 *) to + y * stride, files_kept_pixels (pixels) + (gsize) plane * bytes + y * row, row);
  return pixels != NULL;
}

/* ---- Levels ---- */

static gint64
block_of (gint64 tile, gint64 side, guint level)
{
  const gint64 block = tile >> level;
  return CLAMP (block, MIN (BLOCK / 4, side), MIN (BLOCK, side));
}

static gboolean
source_level (gpointer self, guint n, ImageLevel *level)
{
  const FilesJp2 *l = ((Source *) self)->layout;
  const FilesJ2k *j = &l->codestream;
  if (n > 0 && (n >= j->levels || l->boxes.palette))
    return FALSE;
  level->rows = files_j2k_at_level (j->row + j->rows, n) - files_j2k_at_level (j->row, n);
  level->columns = files_j2k_at_level (j->column + j->columns, n) - files_j2k_at_level (j->column, n);
  if (level->rows < 1 || level->columns < 1)
    return FALSE;
  level->tile_rows = j->is_whole ? level->rows : block_of (j->tile_rows, level->rows, n);
  level->tile_columns = j->is_whole ? level->columns : block_of (j->tile_columns, level->columns, n);
  level->direct = FALSE;
  return TRUE;
}

/* ---- Opening ---- */

static void
source_free (gpointer self)
{
  Source *s = self;
  files_kept_free (s->kept);
  files_jp2_unref (s->layout);
  g_free (s);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Source, source_free)

static Image *
image_of (FilesJp2 *layout, guint n, GError **error)
{
  static const ImageSource functions = {source_level, source_read, source_free};
  ImageInfo info;
  files_jp2_info (layout, n, &info);
  Source *s = g_new (Source, 1);
  *s = (Source){files_jp2_ref (layout), n, (guint) pixel_type_bytes (info.type), files_kept_new (layout->bytes->path)};
  Image *image = image_new_from_source (&info, &functions, s, error);
  image_info_clear (&info);
  return image;
}

/* FALSE with *error: it cannot be read. */
static gboolean
alpha_is_opaque (Image *image, const FilesJp2 *layout, gboolean *opaque, GError **error)
{
  const ImageInfo *info = image_info (image);
  const guint bytes = (guint) pixel_type_bytes (info->type);
  const guint bits = g_array_index (layout->channels, FilesJp2Channel, info->channels - 1).bits;
  const guint32 max = (guint32) ((G_GUINT64_CONSTANT (1) << (bits - layout->codestream.components[0].is_signed)) - 1);
  const guint8 *pixels = image_plane (image, info->channels - 1, error);
  *opaque = pixels != NULL;
  for (gsize i = 0, n = (gsize) (info->rows * info->columns); *opaque && i < n; i++) {
    const guint32 value = bytes == 1   ? pixels[i]
                          : bytes == 2 ? ((const guint16 *) (gconstpointer) pixels)[i]
                                       : ((const guint32 *) (gconstpointer) pixels)[i];
    *opaque = value == max;
  }
  return pixels != NULL;
}

Image *
files_jp2_image (FilesJp2 *layout, GError **error)
{
  const guint n = layout->channels->len;
  g_autoptr (Image) image = image_of (layout, n, error);
  gboolean opaque = FALSE;
  if (image && layout->is_alpha && !alpha_is_opaque (image, layout, &opaque, error))
    return NULL;
  return opaque ? image_of (layout, n - 1, error) : g_steal_pointer (&image);
}
