/* SPDX-License-Identifier: MIT
 *
 * W. Pence, R. White, R. Seaman, section 10 of the FITS standard 4.0. A tile that is not read whole, or of several slices, is unpacked whole
 * each time.
 */
#include "core/files/fits/tiles.h"

#include "core/base/parallel.h"
#include "core/files/fits/cards.h"
#include "core/files/fits/dither.h"
#include "core/files/fits/hcompress.h"
#include "core/files/fits/plio.h"
#include "core/files/fits/rice.h"
#include "core/files/fits/tile_table.h"

#include <libdeflate.h>
#include <string.h>

typedef enum { RICE_1, GZIP_1, GZIP_2, HCOMPRESS_1, PLIO_1, NOCOMPRESS, METHODS } Method;
static const char *const method_names[METHODS] = {"RICE_1", "GZIP_1", "GZIP_2", "HCOMPRESS_1", "PLIO_1", "NOCOMPRESS"};

enum {
  WIDEST = 8,              /* bytes of a number */
  FEW_BYTES = 64 << 20,    /* of a tile, which every file may have; */
  MAX_DEFLATED = 1100,     /* more only by what its bytes can become */
  MAX_ROW_BYTES = 1 << 20, /* of the table */
  MAX_BLOCK = 1 << 16      /* of Rice's code */
};

struct FilesFitsTiles {
  const FilesFitsFile *file;
  const FilesFitsImage *image;
  const FilesFitsValues *values;
  Method method;
  gint64 columns, rows, slices; /* of a tile */
  gint64 block, bytepix;        /* of Rice's code */
  gint64 smooth;                /* of HCOMPRESS_1; 0: not */
  FilesFitsColumn packed, gzipped, plain, scale, zero, blank;
  FilesFitsDither dither; /* but for what each tile has of its own */
  gboolean quantized;     /* floats are integers times a scale */
};

/* A tile at work. */
typedef struct {
  const FilesFitsTiles *tiles;
  guint64 number;
  gsize n; /* pixels */
  gint64 columns, rows, slices;
  guint8 *row;           /* of the table */
  guint8 *bytes;         /* as they are in the file */
  gsize size;            /* of these */
  guint8 *numbers;       /* unpacked */
  gint64 column, row_at; /* of its first pixel */
} Tile;

static gboolean
damaged (const Tile *t, GError **error)
{
  return file_fail (error, FILE_ERROR_DAMAGED, t->tiles->file->path,
                    "is damaged: tile %" G_GUINT64_FORMAT " of its part %u cannot be unpacked.", t->number,
                    t->tiles->image->part);
}

/* ---- Opening ---- */

static gboolean
wrong (const FilesFitsTiles *t, const char *what, GError **error)
{
  return file_fail (error, FILE_ERROR_DAMAGED, t->file->path, "is damaged: %s of its part %u cannot be.", what,
                    t->image->part);
}

static gboolean
read_method (FilesFitsTiles *t, GError **error)
{
  g_autofree char *name = files_fits_text (t->image->cards, "ZCMPTYPE", 0);
  while (name && t->method < METHODS && strcmp (name, method_names[t->method]))
    t->method++;
  if (name && !strcmp (name, "RICE_ONE"))
    t->method = RICE_1;
  if (name && t->method < METHODS)
    return TRUE;
  return file_fail (error, FILE_ERROR_UNSUPPORTED, t->file->path,
                    "is compressed by %s, which cannot be read: funpack makes a plain FITS file of it.",
                    name ? name : "no known method");
}

static void
read_parameters (FilesFitsTiles *t)
{
  t->block = 32;
  t->bytepix = 4;
  for (guint i = 1;; i++) {
    g_autofree char *name = files_fits_text (t->image->cards, "ZNAME", i);
    if (!name)
      break;
    if (!strcmp (name, "BLOCKSIZE"))
      files_fits_integer (t->image->cards, "ZVAL", i, &t->block);
    else if (!strcmp (name, "BYTEPIX"))
      files_fits_integer (t->image->cards, "ZVAL", i, &t->bytepix);
    else if (!strcmp (name, "SMOOTH"))
      files_fits_integer (t->image->cards, "ZVAL", i, &t->smooth);
  }
}

static void
read_columns (FilesFitsTiles *t)
{
  const char *cards = t->image->cards;
  double number;
  gint64 blank;
  t->packed = files_fits_column (t->image, "COMPRESSED_DATA");
  t->gzipped = files_fits_column (t->image, "GZIP_COMPRESSED_DATA");
  t->plain = files_fits_column (t->image, "UNCOMPRESSED_DATA");
  t->scale = files_fits_column (t->image, "ZSCALE");
  t->zero = files_fits_column (t->image, "ZZERO");
  t->blank = files_fits_column (t->image, "ZBLANK");
  t->quantized = t->values->bits < 0 && (t->scale.type || files_fits_number (cards, "ZSCALE", 0, &number));
  t->dither.scale = 1;
  files_fits_number (cards, "ZSCALE", 0, &t->dither.scale);
  files_fits_number (cards, "ZZERO", 0, &t->dither.zero);
  t->dither.has_blank = files_fits_integer (cards, "ZBLANK", 0, &blank);
  t->dither.blank = t->dither.has_blank ? (gint32) blank : 0;
  files_fits_dither_read (&t->dither, cards);
}

/* Tiles along an axis. */
static gint64
count (gint64 all, gint64 each)
{
  return (all - 1) / each + 1;
}

static gint64
planes_of_tiles (const FilesFitsTiles *t)
{
  return count (t->image->slices, t->slices) * t->image->channels * t->image->frames;
}

/* The size of tiles; checks that none is missing. */
static gboolean
read_sizes (FilesFitsTiles *t, GError **error)
{
  const FilesFitsTable *table = t->image->tiles;
  gint64 *const to[] = {&t->columns, &t->rows, &t->slices};
  const gint64 all[] = {t->image->columns, t->image->rows, t->image->slices};
  gint64 size, bytes = WIDEST;
  for (guint i = 0; i < G_N_ELEMENTS (to); i++) {
    size = i ? 1 : all[0];
    files_fits_integer (t->image->cards, "ZTILE", i + 1, &size);
    *to[i] = CLAMP (size, 1, all[i]);
    if (__builtin_mul_overflow (bytes, *to[i], &bytes))
      return wrong (t, "the size of tiles", error);
  }
  for (guint i = G_N_ELEMENTS (to) + 1; files_fits_integer (t->image->cards, "ZTILE", i, &size); i++)
    if (size != 1)
      return file_fail (
        error, FILE_ERROR_UNSUPPORTED, t->file->path,
        "has tiles of several channels or frames, which cannot be read: funpack makes a plain FITS file "
        "of it.");
  if (bytes > FEW_BYTES && (guint64) bytes / MAX_DEFLATED / WIDEST > table->heap_bytes)
    return wrong (t, "the size of tiles", error);
  if (table->row_bytes > MAX_ROW_BYTES
      || table->rows / (guint64) count (all[0], t->columns) / (guint64) count (all[1], t->rows)
           < (guint64) planes_of_tiles (t))
    return wrong (t, "the number of tiles", error);
  if (table->heap > t->file->size || table->heap_bytes > t->file->size - table->heap)
    return file_fail (error, FILE_ERROR_DAMAGED, t->file->path, "is truncated: tiles of its part %u are missing.",
                      t->image->part);
  return TRUE;
}

FilesFitsTiles *
files_fits_tiles_new (const FilesFitsFile *file, const FilesFitsImage *image, const FilesFitsValues *values,
                      GError **error)
{
  g_autofree FilesFitsTiles *t = g_new0 (FilesFitsTiles, 1);
  *t = (FilesFitsTiles){.file = file, .image = image, .values = values};
  if (!read_method (t, error) || !read_sizes (t, error))
    return NULL;
  read_parameters (t);
  read_columns (t);
  if (t->method == RICE_1
      && ((t->bytepix != 1 && t->bytepix != 2 && t->bytepix != 4) || t->block < 1 || t->block > MAX_BLOCK)) {
    wrong (t, "the form of Rice's code", error);
    return NULL;
  }
  return g_steal_pointer (&t);
}

void
files_fits_tiles_free (FilesFitsTiles *tiles)
{
  g_free (tiles);
}

void
files_fits_tiles_level (const FilesFitsTiles *tiles, ImageLevel *level)
{
  level->tile_rows = tiles->rows;
  level->tile_columns = tiles->columns;
  level->direct = FALSE;
}

/* ---- Bytes ---- */

/* Those that the row points to by this column; size 0 where there are none. */
static gboolean
take_bytes (Tile *t, const FilesFitsColumn *column, GError **error)
{
  const FilesFitsTiles *tiles = t->tiles;
  guint64 at, size;
  if (!files_fits_column_range (column, t->row, tiles->image->tiles, &at, &size))
    return damaged (t, error);
  g_free (t->bytes);
  t->bytes = g_try_malloc (size + 1);
  t->size = size;
  return (t->bytes && files_fits_read (tiles->file, at, t->bytes, size)) || damaged (t, error);
}

/* Numbers of the image's type or, where they are quantized, 4 bytes, from those of `from` bytes, which are signed from 2 on. Lossy
 * compression may have left the type's range. */
static void
convert (Tile *t, guint from, guint to, const void *numbers)
{
  for (gsize i = 0; i < t->n && from != to; i++) {
    gint64 v;
    switch (from) {
    case 1: v = ((const guint8 *) numbers)[i]; break;
    case 2: v = ((const gint16 *) numbers)[i]; break;
    case 4: v = ((const gint32 *) numbers)[i]; break;
    default: v = ((const gint64 *) numbers)[i];
    }
    switch (to) {
    case 1: t->numbers[i] = (guint8) CLAMP (v, 0, G_MAXUINT8); break;
    case 2: ((gint16 *) t->numbers)[i] = (gint16) CLAMP (v, G_MININT16, G_MAXINT16); break;
    case 4: ((gint32 *) t->numbers)[i] = (gint32) CLAMP (v, G_MININT32, G_MAXINT32); break;
    default: ((gint64 *) t->numbers)[i] = v;
    }
  }
  if (from == to)
    memcpy (t->numbers, numbers, t->n * to);
}

/* The first bytes of all numbers, then the second ones and so on. */
static void
unshuffle (guint8 *numbers, guint bytes, gsize n, guint8 *to)
{
  for (guint b = 0; b < bytes; b++)
    for (gsize i = 0; i < n; i++)
      to[i * bytes + b] = numbers[b * n + i];
}

/* Numbers in the file's byte order. shuffled: room for as many, or NULL when they are in their own. */
static gboolean
take_numbers (Tile *t, guint8 *numbers, gsize size, guint8 *shuffled, guint to, GError **error)
{
  guint bytes = (guint) (size / t->n);
  if (size % t->n || (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8))
    return damaged (t, error);
  if (shuffled) {
    unshuffle (numbers, bytes, t->n, shuffled);
    numbers = shuffled;
  }
  files_fits_swap (numbers, bytes, t->n);
  convert (t, bytes, to, numbers);
  return TRUE;
}

static gboolean
gunzip (Tile *t, gboolean shuffled, guint to, GError **error)
{
  gsize size, max = t->n * WIDEST;
  struct libdeflate_decompressor *d = libdeflate_alloc_decompressor ();
  g_autofree guint8 *numbers = g_try_malloc (max), *other = shuffled ? g_try_malloc (max) : NULL;
  gboolean done = d && numbers && (other || !shuffled)
                  && libdeflate_gzip_decompress (d, t->bytes, t->size, numbers, max, &size) == LIBDEFLATE_SUCCESS;
  libdeflate_free_decompressor (d);
  return done ? take_numbers (t, numbers, size, other, to, error) : damaged (t, error);
}

/* A list has no negative values: of an unsigned image it has the values themselves, regardless of BZERO, as fpack does. */
static gboolean
take_list (const Tile *t, gint32 *numbers)
{
  const FilesFitsValues *v = t->tiles->values;
  if (!files_fits_plio (t->bytes, t->size, t->n, numbers))
    return FALSE;
  for (gsize i = 0; v->bits == 16 && v->zero == 0x8000 && i < t->n; i++)
    numbers[i] -= 0x8000;
  return TRUE;
}

/* Bytes of each of the numbers that the tile's bytes became; 0: they cannot be unpacked. */
static guint
unpack_integers (const Tile *t, void *numbers)
{
  const FilesFitsTiles *tiles = t->tiles;
  guint bytepix = (guint) tiles->bytepix;
  switch (tiles->method) {
  case RICE_1: return files_fits_rice (t->bytes, t->size, bytepix, (guint) tiles->block, t->n, numbers) ? bytepix : 0;
  case HCOMPRESS_1: return files_fits_hcompress (t->bytes, t->size, tiles->smooth != 0, t->n, numbers) ? 8 : 0;
  default: return take_list (t, numbers) ? 4 : 0;
  }
}

static gboolean
unpack (Tile *t, guint to, GError **error)
{
  Method method = t->tiles->method;
  g_autofree void *numbers = NULL;
  guint bytes;
  if (method == NOCOMPRESS)
    return take_numbers (t, t->bytes, t->size, NULL, to, error);
  if (method == GZIP_1 || method == GZIP_2)
    return gunzip (t, method == GZIP_2, to, error);
  numbers = g_try_malloc (t->n * WIDEST);
  bytes = numbers ? unpack_integers (t, numbers) : 0;
  if (!bytes)
    return damaged (t, error);
  convert (t, bytes, to, numbers);
  return TRUE;
}

/* ---- Tiles ---- */

static void
dequantize (Tile *t)
{
  const FilesFitsTiles *tiles = t->tiles;
  FilesFitsDither dither = tiles->dither;
  g_autofree gint32 *integers = g_memdup2 (t->numbers, t->n * 4);
  dither.tile = t->number;
  if (tiles->scale.type)
    dither.scale = files_fits_column_number (&tiles->scale, t->row);
  if (tiles->zero.type)
    dither.zero = files_fits_column_number (&tiles->zero, t->row);
  if (tiles->blank.type) {
    dither.has_blank = TRUE;
    dither.blank = (gint32) files_fits_column_number (&tiles->blank, t->row);
  }
  files_fits_undither (&dither, integers, t->n, tiles->values->bits == -64, t->numbers);
}

/* The numbers of a tile, as they would be in a file that is not compressed, in this machine's byte order. */
static gboolean
decode (Tile *t, GError **error)
{
  const FilesFitsTiles *tiles = t->tiles;
  const FilesFitsTable *table = tiles->image->tiles;
  guint bytes = tiles->values->bytes;
  t->row = g_malloc (table->row_bytes);
  t->numbers = g_try_malloc (t->n * WIDEST);
  if (!t->numbers || !files_fits_read (tiles->file, table->at + t->number * table->row_bytes, t->row, table->row_bytes))
    return damaged (t, error);
  if (!take_bytes (t, &tiles->packed, error))
    return FALSE;
  if (t->size) {
    if (!unpack (t, tiles->quantized ? 4 : bytes, error))
      return FALSE;
    if (tiles->quantized)
      dequantize (t);
    return TRUE;
  }
  if (!take_bytes (t, &tiles->gzipped, error))
    return FALSE;
  if (t->size)
    return gunzip (t, FALSE, bytes, error);
  return take_bytes (t, &tiles->plain, error) && take_numbers (t, t->bytes, t->size, NULL, bytes, error);
}

typedef struct {
  const FilesFitsTiles *tiles;
  gint64 plane, first_row, first_column, across; /* the first tile that is touched, and how many side by side */
  const ImageRegion *region;
  guint8 *to;
  gsize stride;
} Reading;

/* The part of the tile that is wanted. */
static gboolean
copy (const Reading *r, Tile *t, GError **error)
{
  const FilesFitsValues *v = r->tiles->values;
  const ImageRegion *region = r->region;
  gint64 slice = r->plane % r->tiles->image->slices % r->tiles->slices;
  gint64 left = MAX (t->column, region->column), right = MIN (t->column + t->columns, region->column + region->columns);
  gint64 top = MAX (t->row_at, region->row), bottom = MIN (t->row_at + t->rows, region->row + region->rows);
  for (gint64 y = top; y < bottom; y++) {
    gsize from = (gsize) ((slice * t->rows + y - t->row_at) * t->columns + left - t->column),
          n = (gsize) (right - left);
    guint8 *to = r->to + (gsize) (y - region->row) * r->stride + (gsize) (left - region->column) * v->pixel;
    if (files_fits_convert (v, t->numbers + from * v->bytes, n, to) < n)
      return file_fail (error, FILE_ERROR_UNSUPPORTED, r->tiles->file->path,
                        "has %s values above 2^53 in its part %u, which cannot be held exactly.", v->source,
                        r->tiles->image->part);
  }
  return TRUE;
}

static gboolean
read_tile (gpointer data, guint64 piece, GError **error)
{
  const Reading *r = data;
  const FilesFitsTiles *tiles = r->tiles;
  const FilesFitsImage *image = tiles->image;
  gint64 x = r->first_column + (gint64) piece % r->across, y = r->first_row + (gint64) piece / r->across;
  gint64 slice = r->plane % image->slices, z = slice / tiles->slices;
  gint64 plane = r->plane / image->slices * count (image->slices, tiles->slices) + z;
  Tile t = {.tiles = tiles, .column = x * tiles->columns, .row_at = y * tiles->rows};
  gboolean done;
  t.columns = MIN (tiles->columns, image->columns - t.column);
  t.rows = MIN (tiles->rows, image->rows - t.row_at);
  t.slices = MIN (tiles->slices, image->slices - z * tiles->slices);
  t.n = (gsize) (t.columns * t.rows * t.slices);
  t.number = (guint64) ((plane * count (image->rows, tiles->rows) + y) * count (image->columns, tiles->columns) + x);
  done = decode (&t, error) && copy (r, &t, error);
  g_free (t.row);
  g_free (t.bytes);
  g_free (t.numbers);
  return done;
}

gboolean
files_fits_tiles_read (const FilesFitsTiles *tiles, gint64 plane, const ImageRegion *region, void *to, gsize stride,
                       GError **error)
{
  Reading r = {tiles, plane, region->row / tiles->rows, region->column / tiles->columns, 0, region, to, stride};
  gint64 down = (region->row + region->rows - 1) / tiles->rows - r.first_row + 1;
  r.across = (region->column + region->columns - 1) / tiles->columns - r.first_column + 1;
  return parallel_do ((guint64) (down * r.across), G_MAXUINT, read_tile, &r, error);
}
