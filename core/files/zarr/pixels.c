/* SPDX-License-Identifier: MIT
 *
 * A chunk may have several planes, and is kept until all of its pixels were taken. What is not there has the fill value.
 */
#include "core/files/zarr/pixels.h"

#include "core/base/parallel.h"
#include "core/data/pixel_type.h"
#include "core/files/shared/decoded.h"
#include "core/files/shared/little.h"

#include <string.h>

enum {
  TOGETHER = 64,  /* chunks that are fetched from the web at a time */
  LEVEL_BITS = 4, /* of the key of what is kept, below the number of a chunk or a shard */
  ENTRY = 16,     /* bytes of a chunk in the index of a shard */
};

typedef struct {
  ZarrImage *image;
  FilesDecoded *chunks, *indexes; /* of shards */
  gsize bytes;                    /* of a pixel */
} Source;

/* ---- Chunks ---- */

/* Chunks, or shards, in the order of C: the number of what is at a position, and the other way. */
static guint64
number_of (const ZarrArray *a, const gint64 *sizes, const gint64 at[ZARR_AXES])
{
  guint64 number = 0;
  for (guint i = 0; i < a->n; i++)
    number = number * (guint64) ((a->shape[i] - 1) / sizes[i] + 1) + (guint64) at[i];
  return number;
}

static void
position_of (const ZarrArray *a, const gint64 *sizes, guint64 number, gint64 at[ZARR_AXES])
{
  for (guint i = a->n; i-- > 0;) {
    const guint64 along = (guint64) ((a->shape[i] - 1) / sizes[i] + 1);
    at[i] = (gint64) (number % along);
    number /= along;
  }
}

static gconstpointer
key_of (guint level, guint64 number)
{
  return GSIZE_TO_POINTER (number << LEVEL_BITS | level);
}

static const ZarrArray *
array_of (const Source *s, gconstpointer key, guint *level, guint64 *number)
{
  *level = (guint) (GPOINTER_TO_SIZE (key) & ((1 << LEVEL_BITS) - 1));
  *number = GPOINTER_TO_SIZE (key) >> LEVEL_BITS;
  return s->image->levels[*level];
}

static gboolean
damaged (const ZarrArray *a, const char *key, const char *what, GError **error)
{
  g_autofree char *path = zarr_store_path_of (a->store, key);
  return file_fail (error, FILE_ERROR_DAMAGED, path, "is damaged or truncated: it %s.", what);
}

/* That nothing is there is not an error. */
static void
pass_on (GError *fault, GError **error)
{
  if (g_error_matches (fault, FILE_ERROR, FILE_ERROR_MISSING))
    g_error_free (fault);
  else
    g_propagate_error (error, fault);
}

/* What is stored becomes a chunk. Takes `packed`. NULL with *error. */
static guint8 *
decode (const ZarrArray *a, const char *key, GBytes *packed, GError **error)
{
  const char *fault = NULL;
  guint8 *bytes = zarr_codecs_decode (&a->codecs, packed, (gsize) a->pixels * a->number.bytes, &fault);
  if (!bytes)
    damaged (a, key, fault, error);
  return bytes;
}

static guint8 *
decode_index (gpointer data, gconstpointer part, GError **error)
{
  guint level;
  guint64 number;
  const ZarrArray *a = array_of (data, part, &level, &number);
  const ZarrCodecs plain = {.sums_inside = a->index_sums};
  const gsize size = (gsize) zarr_array_in_shard (a) * ENTRY, all = size + a->index_sums * ZARR_SUM;
  const ZarrRange range = {a->index_first ? 0 : -(gint64) all, all};
  gint64 at[ZARR_AXES];
  position_of (a, a->stored, number, at);
  g_autofree char *shard = zarr_array_key_of (a, at);
  const char *what = NULL;
  GError *fault = NULL;
  GBytes *packed = zarr_store_read_range (a->store, shard, &range, &fault);
  if (!packed) {
    pass_on (fault, error);
    return NULL;
  }
  guint8 *bytes = zarr_codecs_decode (&plain, packed, size, &what);
  if (!bytes)
    damaged (a, shard, "has an index that is damaged", error);
  return bytes;
}

/* Where in its shard a chunk is. FALSE, without *error when it is not there. */
static gboolean
find_in_shard (const Source *s, guint level, const gint64 at[ZARR_AXES], gint64 shard[ZARR_AXES], ZarrRange *range,
               GError **error)
{
  const ZarrArray *a = s->image->levels[level];
  gsize inner = 0;
  for (guint i = 0; i < a->n; i++) {
    const gint64 along = a->stored[i] / a->chunk[i];
    shard[i] = at[i] / along;
    inner = inner * (gsize) along + (gsize) (at[i] % along);
  }
  g_autoptr (FilesDecodedPart) index = files_decoded_take (s->indexes, key_of (level, number_of (a, a->stored, shard)),
                                                           (gsize) zarr_array_in_shard (a) * ENTRY, 0, error);
  const guint8 *entries = index ? files_decoded_bytes (index) : NULL;
  if (!entries)
    return FALSE;
  const guint64 from = files_little (entries + inner * ENTRY, 8), n = files_little (entries + inner * ENTRY + 8, 8);
  *range = (ZarrRange){(gint64) from, (gsize) n};
  if (from == G_MAXUINT64 && n == G_MAXUINT64)
    return FALSE;
  g_autofree char *key = zarr_array_key_of (a, shard);
  return (from <= G_MAXINT64 && n <= zarr_codecs_most ((gsize) a->pixels * a->number.bytes))
         || damaged (a, key, "has an index that is damaged", error);
}

static guint8 *
decode_chunk (gpointer data, gconstpointer part, GError **error)
{
  const Source *s = data;
  guint level;
  guint64 number;
  const ZarrArray *a = array_of (s, part, &level, &number);
  gint64 at[ZARR_AXES], shard[ZARR_AXES];
  ZarrRange range;
  GError *fault = NULL;
  position_of (a, a->chunk, number, at);
  if (a->is_sharded && !find_in_shard (s, level, at, shard, &range, error))
    return NULL;
  g_autofree char *key = zarr_array_key_of (a, a->is_sharded ? shard : at);
  GBytes *packed = a->is_sharded
                     ? zarr_store_read_range (a->store, key, &range, &fault)
                     : zarr_store_read (a->store, key, zarr_codecs_most ((gsize) a->pixels * a->number.bytes), &fault);
  if (packed)
    return decode (a, key, packed, error);
  pass_on (fault, error);
  return NULL;
}

/* ---- Regions ---- */

/* A region that is being read. */
typedef struct {
  Source *source;
  const ZarrArray *a;
  guint level;
  gint64 at[ZARR_AXES]; /* the plane's pixels along the other axes */
  const ImageRegion *region;
  gint64 row, column, across; /* the first chunk; how many side by side */
  guint64 first;              /* of them that is read now */
  guint8 *to;
  gsize stride;
} Reading;

/* The part of a chunk that is in the region: from ... to - 1 along an axis. */
typedef struct {
  gint64 from, to;
} Span;

static Span
span_of (const ZarrArray *a, int axis, gint64 chunk, gint64 first, gint64 n)
{
  if (axis < 0)
    return (Span){0, 1};
  return (Span){MAX (first, chunk * a->chunk[axis]), MIN (first + n, (chunk + 1) * a->chunk[axis])};
}

/* Numbers of objects, which are at most 2^31 - 1. */
static gboolean
make_labels (const ZarrArray *a, void *numbers, gsize n, gint32 *to, GError **error)
{
  const FilesNumber *f = &a->number;
  for (gsize i = 0; i < n; i++) {
    guint64 bits = 0;
    memcpy (G_BYTE_ORDER == G_LITTLE_ENDIAN ? (guint8 *) &bits : (guint8 *) &bits + 8 - f->bytes,
            (const guint8 *) numbers + i * f->bytes, f->bytes);
    const guint shift = 64 - 8 * f->bytes;
    const gint64 value = f->is_signed         ? (gint64) (bits << shift) >> shift
                         : bits <= G_MAXINT64 ? (gint64) bits
                                              : G_MAXINT64;
    if (value < G_MININT32 || value > G_MAXINT32) {
      g_autofree char *path = zarr_store_path_of (a->store, a->key);
      return file_fail (error, FILE_ERROR_UNSUPPORTED, path,
                        "has the label %" G_GINT64_FORMAT "; up to %d can be: renumber the objects.", value,
                        G_MAXINT32);
    }
    to[i] = (gint32) value;
  }
  return TRUE;
}

/* One row of stored numbers, which are `step` bytes from each other, as pixels. numbers: room for them. */
static gboolean
make_row (const Reading *r, const guint8 *from, gint64 step, gsize n, guint8 *to, guint8 *numbers, GError **error)
{
  const FilesNumber *f = &r->a->number;
  const gboolean is_labels = r->source->image->info.role == FV_LABELS;
  guint8 *gathered = is_labels || !files_number_is_copied (f) ? numbers : to;
  if (step == f->bytes)
    memcpy (gathered, from, n * f->bytes);
  else
    files_numbers_move (f->bytes, from, step, n, gathered, f->bytes);
  if (is_labels) {
    if (f->swapped)
      files_numbers_swap (gathered, f->bytes, n);
    return make_labels (r->a, gathered, n, (gint32 *) (void *) to, error);
  }
  const gsize made = files_numbers_convert (f, gathered, n, to);
  if (made == n)
    return TRUE;
  g_autofree char *path = zarr_store_path_of (r->a->store, r->a->key);
  return files_number_not_exact (f, path, ((const guint64 *) (const void *) gathered)[made], error);
}

static gint64
step_of (const ZarrArray *a, int axis)
{
  return axis < 0 ? 0 : a->stride[axis] * a->number.bytes;
}

/* The part of the region that the chunk has. chunk: its bytes; NULL: it is not there. */
static gboolean
copy (const Reading *r, const guint8 *chunk, Span rows, Span columns, GError **error)
{
  const ZarrArray *a = r->a;
  const int *axis = r->source->image->axis;
  const gsize n = (gsize) (columns.to - columns.from);
  g_autofree guint8 *numbers = g_malloc (n * 8);
  gint64 first = 0;
  for (guint i = 0; i < a->n; i++) {
    const gint64 at = (int) i == axis[ZARR_Y] ? rows.from : (int) i == axis[ZARR_X] ? columns.from : r->at[i];
    first += at % a->chunk[i] * step_of (a, (int) i);
  }
  for (gint64 y = rows.from; y < rows.to; y++) {
    guint8 *to =
      r->to + (gsize) (y - r->region->row) * r->stride + (gsize) (columns.from - r->region->column) * r->source->bytes;
    const guint8 *from = chunk ? chunk + first + (y - rows.from) * step_of (a, axis[ZARR_Y]) : a->fill;
    if (!make_row (r, from, chunk ? step_of (a, axis[ZARR_X]) : 0, n, to, numbers, error))
      return FALSE;
  }
  return TRUE;
}

/* Where a chunk of the region is, and how many of its pixels are in the image. */
static guint64
find_chunk (const Reading *r, guint64 piece, gint64 chunk[ZARR_AXES])
{
  const ZarrArray *a = r->a;
  const int *axis = r->source->image->axis;
  guint64 pixels = 1;
  for (guint i = 0; i < a->n; i++) {
    chunk[i] = r->at[i] / a->chunk[i];
    if ((int) i == axis[ZARR_Y])
      chunk[i] = r->row + (gint64) piece / r->across;
    else if ((int) i == axis[ZARR_X])
      chunk[i] = r->column + (gint64) piece % r->across;
    pixels *= (guint64) MIN (a->chunk[i], a->shape[i] - chunk[i] * a->chunk[i]);
  }
  return pixels;
}

static gboolean
read_piece (gpointer data, guint64 i, GError **error)
{
  const Reading *r = data;
  const ZarrArray *a = r->a;
  const int *axis = r->source->image->axis;
  const guint64 piece = r->first + i;
  const gint64 row = r->row + (gint64) piece / r->across, column = r->column + (gint64) piece % r->across;
  const Span rows = span_of (a, axis[ZARR_Y], row, r->region->row, r->region->rows),
             columns = span_of (a, axis[ZARR_X], column, r->region->column, r->region->columns);
  gint64 chunk[ZARR_AXES];
  const guint64 pixels = find_chunk (r, piece, chunk);
  const guint64 used = (guint64) ((rows.to - rows.from) * (columns.to - columns.from));
  const gsize bytes = (gsize) a->pixels * a->number.bytes;
  g_autoptr (FilesDecodedPart) part =
    files_decoded_take (r->source->chunks, key_of (r->level, number_of (a, a->chunk, chunk)), bytes,
                        used == pixels ? bytes : used * a->number.bytes, error);
  return part && copy (r, files_decoded_bytes (part), rows, columns, error);
}

/* Chunks that are files of their own on the web. */
static void
prefetch (const Reading *r, guint64 n)
{
  const ZarrArray *a = r->a;
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
  for (guint64 i = 0; i < n && !a->is_sharded; i++) {
    gint64 chunk[ZARR_AXES];
    find_chunk (r, r->first + i, chunk);
    if (!files_decoded_has (r->source->chunks, key_of (r->level, number_of (a, a->chunk, chunk))))
      g_ptr_array_add (keys, zarr_array_key_of (a, chunk));
  }
  if (keys->len > 1)
    zarr_store_prefetch (a->store, keys, zarr_codecs_most ((gsize) a->pixels * a->number.bytes));
}

/* The position of a plane in level n, of which a smaller one may have fewer slices. */
static void
find_plane (Reading *r, gint64 plane)
{
  const ZarrImage *image = r->source->image;
  const ImageInfo *info = &image->info;
  const gint64 z = plane % info->depth, c = plane / info->depth % info->channels,
               t = plane / info->depth / info->channels;
  const gint64 depth = zarr_image_size (image, r->level, ZARR_Z);
  if (image->axis[ZARR_T] >= 0)
    r->at[image->axis[ZARR_T]] = t;
  if (image->axis[ZARR_C] >= 0)
    r->at[image->axis[ZARR_C]] = c;
  if (image->axis[ZARR_Z] >= 0)
    r->at[image->axis[ZARR_Z]] = MIN ((gint64) ((double) z * (double) depth / (double) info->depth), depth - 1);
}

/* The first chunk of a region along an axis, and how many there are. */
static gint64
chunks_of (const ZarrArray *a, int axis, gint64 first, gint64 n, gint64 *chunk)
{
  *chunk = axis < 0 ? 0 : first / a->chunk[axis];
  return axis < 0 ? 1 : (first + n - 1) / a->chunk[axis] - *chunk + 1;
}

static gboolean
source_read (gpointer self, guint level, gint64 plane, const ImageRegion *region, void *to, gsize stride,
             GError **error)
{
  Source *s = self;
  const ZarrArray *a = s->image->levels[level];
  Reading r = {.source = s, .a = a, .level = level, .region = region, .to = to, .stride = stride};
  find_plane (&r, plane);
  const gint64 down = chunks_of (a, s->image->axis[ZARR_Y], region->row, region->rows, &r.row);
  r.across = chunks_of (a, s->image->axis[ZARR_X], region->column, region->columns, &r.column);
  const guint64 n = (guint64) (down * r.across), together = zarr_store_is_url (a->store) ? TOGETHER : n;
  gboolean done = TRUE;
  for (; done && r.first < n; r.first += together) {
    const guint64 now = MIN (together, n - r.first);
    if (zarr_store_is_url (a->store))
      prefetch (&r, now);
    done = parallel_do (now, G_MAXUINT, read_piece, &r, error);
  }
  return done;
}

/* ---- The source ---- */

static gboolean
source_level (gpointer self, guint n, ImageLevel *level)
{
  const Source *s = self;
  if (n >= s->image->n_levels)
    return FALSE;
  const gint64 *chunk = s->image->levels[n]->chunk;
  const int y = s->image->axis[ZARR_Y], x = s->image->axis[ZARR_X];
  *level =
    (ImageLevel){.rows = zarr_image_size (s->image, n, ZARR_Y), .columns = zarr_image_size (s->image, n, ZARR_X)};
  level->tile_rows = MIN (y < 0 ? 1 : chunk[y], level->rows);
  level->tile_columns = MIN (chunk[x], level->columns);
  return TRUE;
}

static void
source_free (gpointer self)
{
  Source *s = self;
  files_decoded_free (s->chunks);
  files_decoded_free (s->indexes);
  zarr_image_free (s->image);
  g_free (s);
}

Image *
zarr_pixels_image (ZarrImage *image, GError **error)
{
  static const ImageSource functions = {source_level, source_read, source_free};
  Source *s = g_new0 (Source, 1);
  s->image = image;
  s->bytes = pixel_type_bytes (image->info.type);
  s->chunks = files_decoded_new (decode_chunk, s);
  s->indexes = files_decoded_new (decode_index, s);
  return image_new_from_source (&image->info, &functions, s, error);
}
