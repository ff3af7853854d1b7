/* SPDX-License-Identifier: MIT
 *
 * What is halved is read in larger blocks, of which the file decodes many tiles side by side.
 */
#include "core/view/tile_levels.h"

#include "core/base/error.h"
#include "core/data/halve.h"
#include "core/data/pixel_type.h"

#include <math.h>

enum { TILE = 512, BLOCK = 2048, BLOCK_PIXELS = 1 << 22 };

/* How many pixels of the image one of the level represents; an integer where sizes are rounded. */
static double
factor_of (const ImageLevel *level, const ImageInfo *info)
{
  gboolean wide = info->columns >= info->rows;
  double whole = (double) (wide ? info->columns : info->rows), part = (double) (wide ? level->columns : level->rows);
  double factor = whole / part, nearest = round (factor);
  return fabs (factor - nearest) * part <= nearest ? nearest : factor;
}

/* The smallest power of two that is at least `min` and n. */
static gint64
power_of_two (gint64 n, gint64 min)
{
  while (min < n)
    min *= 2;
  return min;
}

static void
set_blocks (TileLevel *level, const ImageLevel *file)
{
  gint64 usual = level->halvings ? BLOCK : TILE, one = (gint64) 1 << level->halvings;
  gint64 rows = file->direct ? 1 : file->tile_rows, columns = file->direct ? 1 : file->tile_columns;
  level->block_rows = power_of_two (MAX (rows, one), usual);
  level->block_columns = power_of_two (MAX (columns, one), usual);
  while (level->block_rows * level->block_columns > BLOCK_PIXELS && level->block_rows / 2 >= MAX (rows, one))
    level->block_rows /= 2;
}

guint
tile_levels_of (Image *image, TileLevel levels[TILE_LEVELS])
{
  const ImageInfo *info = image_info (image);
  ImageLevel file, next;
  guint n = 0, at = 0;
  image_level (image, 0, &file);
  while (n < TILE_LEVELS) {
    TileLevel *level = &levels[n];
    double factor = ldexp (1, (int) n);
    while (image_level (image, at + 1, &next) && factor_of (&next, info) <= factor) {
      file = next;
      at++;
    }
    *level = (TileLevel){.file = at, .file_rows = file.rows, .file_columns = file.columns};
    level->halvings = (guint) floor (log2 (factor / factor_of (&file, info)));
    level->factor = ldexp (factor_of (&file, info), (int) level->halvings);
    level->rows = file.rows >> level->halvings;
    level->columns = file.columns >> level->halvings;
    if (level->rows < 1 || level->columns < 1)
      break;
    set_blocks (level, &file);
    n++;
  }
  return n;
}

/* What is read for tile (y, x). */
static ImageRegion
block_of (const TileLevel *level, gint64 y, gint64 x)
{
  gint64 row = y * level->block_rows, column = x * level->block_columns;
  return (ImageRegion){row, column, MIN (level->block_rows, level->file_rows - row),
                       MIN (level->block_columns, level->file_columns - column)};
}

ImageRegion
tile_slot (const TileLevel *level, gint64 y, gint64 x)
{
  ImageRegion r = block_of (level, y, x);
  guint by = level->halvings;
  return (ImageRegion){r.row >> by, r.column >> by, r.rows >> by, r.columns >> by};
}

static gboolean
halve_once (const ImageInfo *info, gboolean numbers, gint64 rows, gint64 columns, const void *pixels, void *to,
            GError **error)
{
  const gboolean nearest = numbers || (info->role == FV_LABELS && info->type == FV_I32);
  return halve_plane (&(Halving){info->type, nearest, rows, columns, rows / 2, columns / 2}, pixels, to, error);
}

/* Halves the block, the last time into `to`. */
static gboolean
halve (const TileLevel *level, const ImageInfo *info, gboolean numbers, ImageRegion block, guint8 *pixels, void *to,
       GError **error)
{
  gsize pixel = pixel_type_bytes (info->type);
  guint8 *half = pixels + (gsize) (block.rows * block.columns) * pixel;
  for (guint i = 0; i < level->halvings; i++) {
    if (!halve_once (info, numbers, block.rows, block.columns, pixels, i + 1 == level->halvings ? to : half, error))
      return FALSE;
    block.rows /= 2;
    block.columns /= 2;
    pixels = half;
    half += (gsize) (block.rows * block.columns) * pixel;
  }
  return TRUE;
}

gboolean
tile_is_half (const TileLevel *level, const TileLevel *finer)
{
  return finer->file == level->file && finer->block_rows == level->block_rows
         && finer->block_columns == level->block_columns;
}

gboolean
tile_halve (const TileLevel *finer, const ImageInfo *info, gint64 y, gint64 x, gboolean numbers, const void *pixels,
            void *to, GError **error)
{
  const ImageRegion region = tile_slot (finer, y, x);
  return halve_once (info, numbers, region.rows, region.columns, pixels, to, error);
}

gboolean
tile_read (const TileLevel *level, Image *image, gint64 plane, gint64 y, gint64 x, gboolean numbers, void *to,
           GError **error)
{
  const ImageInfo *info = image_info (image);
  const ImageRegion block = block_of (level, y, x);
  gsize row = (gsize) block.columns * pixel_type_bytes (info->type);
  if (!level->halvings)
    return image_read (image, level->file, plane, &block, to, row, error);
  g_autofree guint8 *pixels =
    g_try_malloc ((gsize) block.rows * row + ((gsize) block.rows * row + 1) / 2); /* and what is halved */
  if (!pixels) {
    step_error_set (error, FV_NO_MEMORY, NULL, "Not enough memory to read '%s'.", info->name);
    return FALSE;
  }
  return image_read (image, level->file, plane, &block, pixels, row, error)
         && halve (level, info, numbers, block, pixels, to, error);
}
