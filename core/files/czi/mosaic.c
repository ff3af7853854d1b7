/* SPDX-License-Identifier: MIT
 *
 * From the top down, each tile takes what is left of the region. Tiles that are hidden are not even decoded.
 */
#include "core/files/czi/mosaic.h"

/* FALSE: they share no pixel. */
static gboolean
intersect (const ImageRegion *a, const ImageRegion *b, ImageRegion *both)
{
  const gint64 bottom = MIN (a->row + a->rows, b->row + b->rows);
  const gint64 right = MIN (a->column + a->columns, b->column + b->columns);
  both->row = MAX (a->row, b->row);
  both->column = MAX (a->column, b->column);
  both->rows = bottom - both->row;
  both->columns = right - both->column;
  return both->rows > 0 && both->columns > 0;
}

static void
add (GArray *regions, gint64 row, gint64 column, gint64 rows, gint64 columns)
{
  const ImageRegion region = {row, column, rows, columns};
  if (rows > 0 && columns > 0)
    g_array_append_val (regions, region);
}

/* What is around a part of a region: above and below it, left and right of it. */
static void
add_around (GArray *regions, const ImageRegion *all, const ImageRegion *part)
{
  const gint64 right = part->column + part->columns, bottom = part->row + part->rows;
  add (regions, all->row, all->column, part->row - all->row, all->columns);
  add (regions, bottom, all->column, all->row + all->rows - bottom, all->columns);
  add (regions, part->row, all->column, part->rows, part->column - all->column);
  add (regions, part->row, right, part->rows, all->column + all->columns - right);
}

/* Moves what a tile shows from *left to the parts. */
static void
take (const FilesCziTile *tile, GArray *parts, GArray *left)
{
  const ImageRegion own = {tile->row, tile->column, tile->block->rows, tile->block->columns};
  for (guint i = 0, n = left->len; i < n;) {
    const ImageRegion all = g_array_index (left, ImageRegion, i);
    FilesCziPart part = {tile, {0}};
    if (!intersect (&all, &own, &part.seen)) {
      i++;
      continue;
    }
    g_array_append_val (parts, part);
    add_around (left, &all, &part.seen);
    g_array_index (left, ImageRegion, i) = g_array_index (left, ImageRegion, n - 1); /* of those not looked at yet, */
    g_array_remove_index_fast (left, --n); /* the last fills its gap, and one around fills the gap of that */
  }
}

GArray *
files_czi_mosaic (const FilesCziTile *tiles, guint n, const ImageRegion *region)
{
  g_autoptr (GArray) left = g_array_new (FALSE, FALSE, sizeof (ImageRegion));
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (FilesCziPart));
  g_array_append_val (left, *region);
  for (guint i = n; i > 0 && left->len; i--)
    take (&tiles[i - 1], parts, left);
  for (guint i = 0; i < left->len; i++) {
    const FilesCziPart part = {NULL, g_array_index (left, ImageRegion, i)};
    g_array_append_val (parts, part);
  }
  return parts;
}
