/* SPDX-License-Identifier: MIT
 *
 * Tiles that are missing are read side by side. What took too long to be read is there in a coarser form until it is looked at
 * again.
 */
#include "core/view/tiles.h"

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/base/parallel.h"
#include "core/data/pixel_type.h"
#include "core/data/plane.h"
#include "core/view/tile_levels.h"

#include <math.h>
#include <string.h>

#define KEPT_BYTES ((gsize) 256 << 20) /* of tiles, unless one picture needs more */
#define LARGE_PLANE ((gsize) 256 << 20)
#define LARGE_CHUNK ((gint64) 1 << 24) /* pixels that a file decodes at once */
enum { BESIDE = 2 };                   /* pixels around the part that outlines and means look at */

typedef struct {
  gint64 plane, y, x;
  guint level;
} Key;

typedef struct {
  Key key;
  GList link;
  guint serial; /* of the last look that used it */
  gsize bytes;
  guint8 pixels[];
} Tile;

struct Tiles {
  Image *image;
  gboolean numbers; /* as it was looked at */
  GMutex lock;      /* guards all below: held during lookups */
  TileLevel levels[TILE_LEVELS];
  guint n_levels, serial;
  GHashTable *tiles; /* Tile, by key */
  GQueue order;      /* Tile, the one used last comes first */
  gsize bytes;
};

gboolean
tiles_suit (Image *image, gint64 plane)
{
  ImageLevel level;
  if (image_level (image, 1, &level))
    return TRUE;
  return image_info_plane_bytes (image_info (image)) > LARGE_PLANE && image_missing_bytes (image) > 0
         && !image_device (image) && !image_plane_now (image, plane) && image_level (image, 0, &level)
         && (level.direct || level.tile_rows * level.tile_columns <= LARGE_CHUNK);
}

/* ---- What is kept ---- */

static guint
key_hash (gconstpointer key)
{
  const Key *k = key;
  return (guint) ((guint64) (((k->plane * 31 + k->level) * 8191 + k->y) * 8191 + k->x)
                    * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)
                  >> 32);
}

static gboolean
key_equal (gconstpointer a, gconstpointer b)
{
  const Key *k = a, *l = b;
  return k->plane == l->plane && k->level == l->level && k->y == l->y && k->x == l->x;
}

static void
forget (Tiles *t)
{
  g_hash_table_remove_all (t->tiles);
  g_queue_init (&t->order);
  t->bytes = 0;
}

/* Frees memory for others. */
static void
trim (gpointer tiles)
{
  Tiles *t = tiles;
  if (!g_mutex_trylock (&t->lock))
    return;
  forget (t);
  g_mutex_unlock (&t->lock);
}

Tiles *
tiles_new (void)
{
  Tiles *t = g_new0 (Tiles, 1);
  g_mutex_init (&t->lock);
  t->tiles = g_hash_table_new_full (key_hash, key_equal, NULL, g_free);
  host_memory_add_keeper (trim, t);
  return t;
}

void
tiles_free (Tiles *t)
{
  if (!t)
    return;
  host_memory_remove_keeper (t);
  g_hash_table_unref (t->tiles);
  image_unref (t->image);
  g_mutex_clear (&t->lock);
  g_free (t);
}

gsize
tiles_bytes (const Tiles *t)
{
  return t->bytes;
}

static Tile *
find (Tiles *t, const Key *key)
{
  Tile *tile = g_hash_table_lookup (t->tiles, key);
  if (!tile)
    return NULL;
  tile->serial = t->serial;
  g_queue_unlink (&t->order, &tile->link);
  g_queue_push_head_link (&t->order, &tile->link);
  return tile;
}

/* Those that the present look uses stay. */
static void
keep (Tiles *t, Tile *tile)
{
  tile->link.data = tile;
  tile->serial = t->serial;
  g_hash_table_insert (t->tiles, &tile->key, tile);
  g_queue_push_head_link (&t->order, &tile->link);
  t->bytes += tile->bytes;
  for (Tile *last = t->order.tail->data; t->bytes > KEPT_BYTES && last->serial != t->serial;
       last = t->order.tail->data) {
    t->bytes -= last->bytes;
    g_queue_unlink (&t->order, &last->link);
    g_hash_table_remove (t->tiles, &last->key);
  }
}

/* ---- A look ---- */

typedef struct {
  Tiles *tiles;
  const TilesLook *look;
  const TileLevel *level;
  guint number;        /* of the level */
  ImageRegion region;  /* of the level */
  gint64 top, left;    /* the first tile, */
  gint64 down, across; /* how many */
  gsize pixel;         /* bytes */
  gint64 *wanted;      /* tiles that are missing, for key_at() */
  guint n;
  Tile **found; /* by wanted tile and channel; NULL: not read */
  gint begun;
  GMutex lock;
  GError *fault;
} Look;

static Key
key_of (const Look *k, guint level, gint64 channel, gint64 y, gint64 x)
{
  const PlanePosition position = {channel, k->look->slice, k->look->frame};
  return (Key){plane_number (image_info (k->look->image), position), y, x, level};
}

/* Of tile i of those that are looked at. */
static Key
key_at (const Look *k, gint64 channel, gint64 i)
{
  return key_of (k, k->number, channel, k->top + i / k->across, k->left + i % k->across);
}

static gint64
clamped (double position, gint64 n)
{
  return position > 0 ? (position < (double) n ? (gint64) position : n) : 0;
}

/* Which level, and which of its pixels. */
static void
aim (Look *k)
{
  const TilesLook *look = k->look;
  k->number = look->zoom < 1 ? (guint) MIN (floor (-log2 (look->zoom)), k->tiles->n_levels - 1) : 0;
  k->level = &k->tiles->levels[k->number];
  const TileLevel *l = k->level;
  ImageRegion *r = &k->region;
  r->row = MIN (clamped (floor (look->y / l->factor) - BESIDE, l->rows), l->rows - 1);
  r->column = MIN (clamped (floor (look->x / l->factor) - BESIDE, l->columns), l->columns - 1);
  r->rows = MAX (clamped (ceil ((look->y + look->height) / l->factor) + BESIDE, l->rows) - r->row, 1);
  r->columns = MAX (clamped (ceil ((look->x + look->width) / l->factor) + BESIDE, l->columns) - r->column, 1);
  gint64 tile_rows = l->block_rows >> l->halvings, tile_columns = l->block_columns >> l->halvings;
  k->top = r->row / tile_rows;
  k->left = r->column / tile_columns;
  k->down = (r->row + r->rows - 1) / tile_rows - k->top + 1;
  k->across = (r->column + r->columns - 1) / tile_columns - k->left + 1;
}

static gboolean
is_seen (const Look *k, gint64 channel)
{
  return !k->look->seen || k->look->seen[channel];
}

static void
find_missing (Look *k)
{
  const ImageInfo *info = image_info (k->look->image);
  k->wanted = g_new (gint64, k->down * k->across);
  for (gint64 i = 0; i < k->down * k->across; i++) {
    gboolean missing = FALSE;
    for (gint64 c = 0; c < info->channels; c++) {
      const Key key = key_at (k, c, i);
      missing |= is_seen (k, c) && !find (k->tiles, &key);
    }
    if (missing)
      k->wanted[k->n++] = i;
  }
  k->found = g_new0 (Tile *, k->n * (gsize) info->channels);
}

/* Of the same tile in the level before, if that is kept; else of the file. */
static gboolean
make_pixels (const Look *k, const Key *key, void *to, GError **error)
{
  const TileLevel *finer = k->number > 0 ? k->level - 1 : NULL;
  Key before = *key;
  before.level--;
  const Tile *tile = finer && tile_is_half (k->level, finer) ? g_hash_table_lookup (k->tiles->tiles, &before) : NULL;
  if (tile)
    return tile_halve (finer, image_info (k->look->image), key->y, key->x, k->look->numbers, tile->pixels, to, error);
  return tile_read (k->level, k->look->image, key->plane, key->y, key->x, k->look->numbers, to, error);
}

/* Unreadable tiles are 0, and the error is reported once. */
static gboolean
read_one (Look *k, const Key *key, Tile **found, GError **error)
{
  const ImageRegion position = tile_slot (k->level, key->y, key->x);
  gsize bytes = (gsize) (position.rows * position.columns) * k->pixel;
  g_autoptr (GError) fault = NULL;
  Tile *tile = g_try_malloc (sizeof *tile + bytes);
  if (!tile) {
    step_error_set (error, FV_NO_MEMORY, NULL, "Not enough memory to read '%s'.", image_info (k->look->image)->name);
    return FALSE;
  }
  *tile = (Tile){.key = *key, .bytes = sizeof *tile + bytes};
  if (!make_pixels (k, key, tile->pixels, &fault)) {
    if (step_error_is_cancelled (fault) || g_error_matches (fault, STEP_ERROR, FV_NO_MEMORY)) {
      g_free (tile);
      g_propagate_error (error, g_steal_pointer (&fault));
      return FALSE;
    }
    memset (tile->pixels, 0, bytes);
    g_mutex_lock (&k->lock);
    if (!k->fault)
      k->fault = g_steal_pointer (&fault);
    g_mutex_unlock (&k->lock);
  }
  *found = tile;
  return TRUE;
}

/* A tile of all channels, which are side by side in many files. */
static gboolean
read_wanted (gpointer data, guint64 i, GError **error)
{
  Look *k = data;
  const ImageInfo *info = image_info (k->look->image);
  if (g_atomic_int_add (&k->begun, 1) > 0 && k->look->until && g_get_monotonic_time () > k->look->until)
    return TRUE;
  for (gint64 c = 0; c < info->channels; c++) {
    const Key key = key_at (k, c, k->wanted[i]);
    if (is_seen (k, c) && !g_hash_table_contains (k->tiles->tiles, &key)
        && !read_one (k, &key, &k->found[i * (guint64) info->channels + (guint64) c], error))
      return FALSE;
  }
  return TRUE;
}

/* ---- The picture of it ---- */

static ImageRegion
common (ImageRegion a, ImageRegion b)
{
  gint64 row = MAX (a.row, b.row), column = MAX (a.column, b.column);
  return (ImageRegion){row, column, MIN (a.row + a.rows, b.row + b.rows) - row,
                       MIN (a.column + a.columns, b.column + b.columns) - column};
}

static guint8 *
pixel_at (const Look *k, guint8 *pixels, gint64 row, gint64 column)
{
  return pixels + (gsize) ((row - k->region.row) * k->region.columns + column - k->region.column) * k->pixel;
}

static void
copy_tile (const Look *k, const Tile *tile, guint8 *pixels)
{
  const ImageRegion position = tile_slot (k->level, tile->key.y, tile->key.x), r = common (position, k->region);
  for (gint64 y = r.row; y < r.row + r.rows; y++)
    memcpy (pixel_at (k, pixels, y, r.column),
            tile->pixels + (gsize) ((y - position.row) * position.columns + r.column - position.column) * k->pixel,
            (gsize) r.columns * k->pixel);
}

/* A pixel of a coarser level's tile for each of the region. */
static void
copy_coarser (const Look *k, const TileLevel *level, const Tile *tile, ImageRegion region, guint8 *pixels)
{
  const ImageRegion position = tile_slot (level, tile->key.y, tile->key.x);
  double scale = k->level->factor / level->factor;
  for (gint64 y = region.row; y < region.row + region.rows; y++) {
    gint64 from_y = (gint64) (((double) y + 0.5) * scale) - position.row;
    for (gint64 x = region.column; x < region.column + region.columns && from_y >= 0 && from_y < position.rows; x++) {
      gint64 from_x = (gint64) (((double) x + 0.5) * scale) - position.column;
      if (from_x >= 0 && from_x < position.columns)
        memcpy (pixel_at (k, pixels, y, x), tile->pixels + (gsize) (from_y * position.columns + from_x) * k->pixel,
                k->pixel);
    }
  }
}

/* Draws coarser levels where a tile is missing, the finest of them last. */
static void
fill_from_coarser (const Look *k, gint64 channel, gint64 y, gint64 x, guint8 *pixels)
{
  const ImageRegion r = common (tile_slot (k->level, y, x), k->region);
  for (guint n = k->tiles->n_levels - 1; n > k->number; n--) {
    const TileLevel *l = &k->tiles->levels[n];
    double scale = k->level->factor / l->factor;
    gint64 rows = l->block_rows >> l->halvings, columns = l->block_columns >> l->halvings;
    for (gint64 v = (gint64) ((double) r.row * scale) / rows; v * rows <= (gint64) ((double) (r.row + r.rows) * scale);
         v++)
      for (gint64 u = (gint64) ((double) r.column * scale) / columns;
           u * columns <= (gint64) ((double) (r.column + r.columns) * scale); u++) {
        const Key key = key_of (k, n, channel, v, u);
        const Tile *tile = find (k->tiles, &key);
        if (tile)
          copy_coarser (k, l, tile, r, pixels);
      }
  }
}

static Image *
compose (const Look *k, gboolean *complete, GError **error)
{
  ImageInfo info = *image_info (k->look->image);
  info.frames = info.depth = 1;
  info.rows = k->region.rows;
  info.columns = k->region.columns;
  Image *image = image_new (&info, error);
  *complete = TRUE;
  for (gint64 c = 0; image && c < info.channels; c++) {
    guint8 *pixels = (guint8 *) image_pixels (image) + (gsize) c * image_info_plane_bytes (&info);
    for (gint64 i = 0; is_seen (k, c) && i < k->down * k->across; i++) {
      const Key key = key_at (k, c, i);
      const Tile *tile = find (k->tiles, &key);
      if (tile)
        copy_tile (k, tile, pixels);
      else
        fill_from_coarser (k, c, key.y, key.x, pixels);
      *complete &= tile != NULL;
    }
  }
  return image;
}

static void
look_at (Tiles *t, Image *image, gboolean numbers)
{
  t->serial++;
  if (t->image == image && t->numbers == numbers)
    return;
  forget (t);
  t->numbers = numbers;
  image_ref (image);
  image_unref (t->image);
  t->image = image;
  t->n_levels = tile_levels_of (image, t->levels);
}

static gboolean
read_missing (Look *k, GError **error)
{
  gsize channels = (gsize) image_info (k->look->image)->channels;
  gboolean done = parallel_do (k->n, G_MAXUINT, read_wanted, k, error);
  for (gsize i = 0; i < k->n * channels; i++)
    if (k->found[i])
      keep (k->tiles, k->found[i]);
  return done;
}

gboolean
tiles_part (Tiles *t, const TilesLook *look, TilesPart *part, GError **error)
{
  Look k = {.tiles = t, .look = look, .pixel = pixel_type_bytes (image_info (look->image)->type)};
  g_mutex_init (&k.lock);
  g_mutex_lock (&t->lock);
  look_at (t, look->image, look->numbers);
  aim (&k);
  find_missing (&k);
  *part = (TilesPart){.factor = k.level->factor, .x = k.region.column, .y = k.region.row};
  if (read_missing (&k, error))
    part->image = compose (&k, &part->complete, error);
  g_mutex_unlock (&t->lock);
  part->fault = g_steal_pointer (&k.fault);
  if (!part->image)
    g_clear_error (&part->fault);
  g_mutex_clear (&k.lock);
  g_free (k.wanted);
  g_free (k.found);
  return part->image != NULL;
}
