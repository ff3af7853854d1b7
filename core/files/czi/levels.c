/* SPDX-License-Identifier: MIT
 *
 * How much a level is reduced is not in the file but in the sizes of its sub-blocks, which are rounded. That of large ones is certain.
 */
#include "core/files/czi/levels.h"

#include <math.h>

enum { CERTAIN = 16, MAX_LEVELS = 32, MAX_GRID = 256 };

typedef struct {
  FilesCziImage *image;
  FilesCziBlock *const *blocks;
  guint n;
  GArray *factors; /* gint32, ascending */
  gint64 x, y;     /* of the image's first pixel in the file's plane */
  gint64 width, height;
  gint32 slice; /* the file's index of slice 0 */
} Making;

const FilesCziLevel *
files_czi_level (const FilesCziImage *image, guint n)
{
  return n < image->levels->len ? &g_array_index (image->levels, FilesCziLevel, n) : NULL;
}

static guint
first_tile (const GArray *tiles, gint64 plane)
{
  guint low = 0, high = tiles->len;
  while (low < high) {
    const guint middle = low + (high - low) / 2;
    if (g_array_index (tiles, FilesCziTile, middle).plane < plane)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

guint
files_czi_level_tiles (const FilesCziLevel *level, gint64 plane, const FilesCziTile **tiles)
{
  const guint first = first_tile (level->tiles, plane);
  *tiles = (const FilesCziTile *) (gconstpointer) level->tiles->data + first;
  return first_tile (level->tiles, plane + 1) - first;
}

/* The index, 0 where the sub-block has none. */
static gint32
index_of (const FilesCziBlock *block, FilesCziAxis axis)
{
  return block->index[axis] == G_MININT32 ? 0 : block->index[axis];
}

/* ---- Factors ---- */

static gboolean
is_whole (const FilesCziBlock *block)
{
  return block->columns == block->width && block->rows == block->height;
}

/* Whether a level of that factor has the sub-block. */
static gboolean
fits (const FilesCziBlock *block, gint32 factor)
{
  if (factor == 1)
    return is_whole (block);
  return ABS ((gint64) block->columns * factor - block->width) <= factor
         && ABS ((gint64) block->rows * factor - block->height) <= factor && !is_whole (block);
}

static gint32
factor_of (const FilesCziBlock *block)
{
  const gboolean wide = block->columns > block->rows;
  const gint64 shown = wide ? block->width : block->height, stored = wide ? block->columns : block->rows;
  return is_whole (block) ? 1 : (gint32) ((shown + stored / 2) / stored);
}

static void
add_factor (GArray *factors, gint32 factor)
{
  guint i = 0;
  while (i < factors->len && g_array_index (factors, gint32, i) < factor)
    i++;
  if (factors->len < MAX_LEVELS && (i == factors->len || g_array_index (factors, gint32, i) != factor))
    g_array_insert_val (factors, i, factor);
}

static GArray *
find_factors (FilesCziBlock *const *blocks, guint n)
{
  GArray *factors = g_array_new (FALSE, FALSE, sizeof (gint32));
  for (guint i = 0; i < n; i++) {
    const gint32 factor = factor_of (blocks[i]);
    if ((factor == 1 || MAX (blocks[i]->columns, blocks[i]->rows) >= CERTAIN) && factor > 0 && fits (blocks[i], factor))
      add_factor (factors, factor);
  }
  return factors;
}

/* ---- Axes ---- */

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  const gint32 one = *(const gint32 *) a, other = *(const gint32 *) b;
  return (one > other) - (one < other);
}

/* The file's indices of the channels of level 0, each once. */
static void
set_channels (const Making *m, gint32 factor)
{
  g_autoptr (GArray) channels = g_array_new (FALSE, FALSE, sizeof (gint32));
  guint kept = 0;
  for (guint i = 0; i < m->n; i++)
    if (fits (m->blocks[i], factor)) {
      const gint32 c = index_of (m->blocks[i], FILES_CZI_C);
      if (!channels->len || c != g_array_index (channels, gint32, channels->len - 1))
        g_array_append_val (channels, c);
    }
  g_array_sort (channels, compare_numbers);
  for (guint i = 0; i < channels->len; i++)
    if (!kept || g_array_index (channels, gint32, i) != g_array_index (channels, gint32, kept - 1))
      g_array_index (channels, gint32, kept++) = g_array_index (channels, gint32, i);
  m->image->channels = kept;
  m->image->channel = g_memdup2 (channels->data, kept * sizeof (gint32));
}

/* All axes, from the sub-blocks of level 0. */
static void
set_axes (Making *m, gint32 factor)
{
  gint64 right = G_MININT64, bottom = G_MININT64;
  gint32 last_slice = G_MININT32, last_frame = G_MININT32;
  FilesCziImage *image = m->image;
  m->x = m->y = G_MAXINT64;
  m->slice = image->frame = G_MAXINT32;
  for (guint i = 0; i < m->n; i++) {
    const FilesCziBlock *b = m->blocks[i];
    if (!fits (b, factor))
      continue;
    if (!image->first)
      image->first = b;
    m->x = MIN (m->x, b->x), right = MAX (right, (gint64) b->x + b->width);
    m->y = MIN (m->y, b->y), bottom = MAX (bottom, (gint64) b->y + b->height);
    m->slice = MIN (m->slice, index_of (b, FILES_CZI_Z)), last_slice = MAX (last_slice, index_of (b, FILES_CZI_Z));
    image->frame = MIN (image->frame, index_of (b, FILES_CZI_T));
    last_frame = MAX (last_frame, index_of (b, FILES_CZI_T));
  }
  m->width = right - m->x;
  m->height = bottom - m->y;
  image->depth = (gint64) last_slice - m->slice + 1;
  image->frames = (gint64) last_frame - image->frame + 1;
  set_channels (m, factor);
}

/* ---- Tiles ---- */

/* -1: not a plane of the image. */
static gint64
plane_of (const Making *m, const FilesCziBlock *block)
{
  const FilesCziImage *image = m->image;
  const gint32 c = index_of (block, FILES_CZI_C);
  const gint64 z = (gint64) index_of (block, FILES_CZI_Z) - m->slice;
  const gint64 t = (gint64) index_of (block, FILES_CZI_T) - image->frame;
  const gint32 *found = bsearch (&c, image->channel, (gsize) image->channels, sizeof c, compare_numbers);
  if (!found || z < 0 || z >= image->depth || t < 0 || t >= image->frames)
    return -1;
  return (t * image->channels + (found - image->channel)) * image->depth + z;
}

/* By plane, then from the bottom to the top: by M, those without one first, then in the directory's order. */
static int
compare_tiles (gconstpointer a, gconstpointer b)
{
  const FilesCziTile *one = a, *other = b;
  const gint32 m = one->block->index[FILES_CZI_M], n = other->block->index[FILES_CZI_M];
  if (one->plane != other->plane)
    return one->plane < other->plane ? -1 : 1;
  return m != n ? (m < n ? -1 : 1) : (one->block > other->block) - (one->block < other->block);
}

static gint64
floor_divide (gint64 a, gint64 b)
{
  return a / b - (a % b < 0);
}

static FilesCziLevel
make_level (const Making *m, gint32 factor)
{
  FilesCziLevel level = {.factor = factor,
                         .rows = (m->height - 1) / factor + 1,
                         .columns = (m->width - 1) / factor + 1,
                         .tiles = g_array_new (FALSE, FALSE, sizeof (FilesCziTile))};
  for (guint i = 0; i < m->n; i++) {
    const FilesCziBlock *b = m->blocks[i];
    const FilesCziTile tile = {b, fits (b, factor) ? plane_of (m, b) : -1, floor_divide (b->y - m->y, factor),
                               floor_divide (b->x - m->x, factor)};
    if (tile.plane < 0)
      continue;
    g_array_append_val (level.tiles, tile);
    level.tile_rows = MAX (level.tile_rows, b->rows);
    level.tile_columns = MAX (level.tile_columns, b->columns);
  }
  g_array_sort (level.tiles, compare_tiles);
  return level;
}

/* ---- Whether a level shows as much as level 0 ---- */

/* A grid of points, evenly spread over the image: side × side numbers with a margin, of which sums say how many tiles are above a point. */
typedef struct {
  const FilesCziLevel *level;
  double row_step, column_step; /* of points, in pixels of the level */
  guint side;
  gint32 *sums;
} Grid;

/* The first point from that pixel on. */
static guint
point_from (gint64 pixel, double step, guint side)
{
  return (guint) CLAMP (ceil ((double) pixel / step - 0.5), 0, side);
}

static void
count_tiles (Grid *g, gint64 plane)
{
  const FilesCziTile *tiles;
  const guint n = files_czi_level_tiles (g->level, plane, &tiles), width = g->side + 1;
  memset (g->sums, 0, sizeof *g->sums * width * width);
  for (guint i = 0; i < n; i++) {
    const guint top = point_from (tiles[i].row, g->row_step, g->side),
                bottom = point_from (tiles[i].row + tiles[i].block->rows, g->row_step, g->side),
                left = point_from (tiles[i].column, g->column_step, g->side),
                right = point_from (tiles[i].column + tiles[i].block->columns, g->column_step, g->side);
    g->sums[top * width + left]++;
    g->sums[top * width + right]--;
    g->sums[bottom * width + left]--;
    g->sums[bottom * width + right]++;
  }
  for (guint y = 0; y < width; y++)
    for (guint x = 0; x < width; x++)
      g->sums[y * width + x] += (x ? g->sums[y * width + x - 1] : 0) + (y ? g->sums[(y - 1) * width + x] : 0)
                                - (x && y ? g->sums[(y - 1) * width + x - 1] : 0);
}

static Grid
grid_new (const FilesCziLevel *level, guint side)
{
  return (Grid){level, (double) level->rows / side, (double) level->columns / side, side,
                g_new (gint32, (gsize) (side + 1) * (side + 1))};
}

/* At each plane, at the points of a grid of about two points along each tile. */
static gboolean
shows_all (const FilesCziLevel *level, const FilesCziLevel *whole)
{
  const gint64 along = MAX (whole->rows / whole->tile_rows, whole->columns / whole->tile_columns) + 1;
  const guint side = (guint) MIN (2 * MIN (along, (gint64) sqrt (whole->tiles->len) + 1), MAX_GRID);
  Grid wanted = grid_new (whole, side), there = grid_new (level, side);
  const FilesCziTile *tiles = (const FilesCziTile *) (gconstpointer) whole->tiles->data;
  gboolean all = TRUE;
  for (guint i = 0; i < whole->tiles->len && all; i++) {
    if (i && tiles[i].plane == tiles[i - 1].plane)
      continue;
    count_tiles (&wanted, tiles[i].plane);
    count_tiles (&there, tiles[i].plane);
    for (gsize p = 0; p < (gsize) (side + 1) * (side + 1) && all; p++)
      all = !wanted.sums[p] || there.sums[p];
  }
  g_free (wanted.sums);
  g_free (there.sums);
  return all;
}

/* ---- All ---- */

static guint
count_others (const Making *m)
{
  guint others = 0;
  for (guint i = 0; i < m->n; i++) {
    gboolean fitting = m->blocks[i]->is_pyramid;
    for (guint k = 0; k < m->factors->len && !fitting; k++)
      fitting = fits (m->blocks[i], g_array_index (m->factors, gint32, k));
    others += !fitting;
  }
  return others;
}

gboolean
files_czi_levels_make (FilesCziImage *image, FilesCziBlock *const *blocks, guint n, guint *other)
{
  g_autoptr (GArray) factors = find_factors (blocks, n);
  Making m = {.image = image, .blocks = blocks, .n = n, .factors = factors};
  const gint32 base = factors->len ? g_array_index (factors, gint32, 0) : 0;
  *other = 0;
  if (!base || (base > 1 && blocks[0]->is_pyramid))
    return FALSE;
  *other = count_others (&m);
  image->levels = g_array_new (FALSE, FALSE, sizeof (FilesCziLevel));
  set_axes (&m, base);
  for (guint i = 0; i < factors->len; i++) {
    FilesCziLevel level = make_level (&m, g_array_index (factors, gint32, i));
    if (i == 0 || (level.tiles->len && shows_all (&level, files_czi_level (image, 0))))
      g_array_append_val (image->levels, level);
    else
      g_array_unref (level.tiles);
  }
  image->rows = files_czi_level (image, 0)->rows;
  image->columns = files_czi_level (image, 0)->columns;
  return TRUE;
}
