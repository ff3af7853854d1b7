/* SPDX-License-Identifier: MIT
 *
 * Planes come one after the other; the chunks of each level of a plane are made and written on all cores. Chunks of zeros alone are not written, since 0
 * is the fill value.
 */
#include "core/files/zarr/save.h"

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/data/halve.h"
#include "core/data/host_slot.h"
#include "core/data/pixel_type.h"
#include "core/files/zarr/layout.h"
#include "core/files/zarr/writer.h"

#include <libdeflate.h>
#include <string.h>
#include <zstd.h>

enum { ENTRY = 16 /* bytes of a chunk in the index of a shard */ };

/* A level of a plane on its way. */
typedef struct {
  const ZarrWriter *w;
  guint n;
  gint64 t, c, z, across; /* across: files side by side */
  const guint8 *pixels;
} Level;

static gboolean
cannot (const ZarrWriter *w, const char *why, GError **error)
{
  return file_fail (error, FILE_ERROR_WRITE, w->path, "cannot be written: %s.", why);
}

/* ---- Chunks ---- */

static gboolean
is_zero (const guint8 *bytes, gsize n)
{
  return n == 0 || (!bytes[0] && !memcmp (bytes, bytes + 1, n - 1));
}

/* The numbers of a chunk, which begins at that row and column. What lies outside of the level stays 0. */
static gboolean
fill_chunk (const Level *l, gint64 row, gint64 column, guint8 *to, GError **error)
{
  const ZarrWriter *w = l->w;
  const ZarrWriterLevel *level = &w->levels[l->n];
  const gsize bytes = w->number.bytes, pixel = pixel_type_bytes (w->info->type);
  const gsize n = (gsize) MIN (level->chunk_columns, level->columns - column);
  const gboolean narrowed = !files_number_is_copied (&w->number);
  for (gint64 y = row; y < MIN (row + level->chunk_rows, level->rows); y++) {
    const guint8 *from = l->pixels + (gsize) (y * level->columns + column) * pixel;
    if (!narrowed)
      memcpy (to, from, n * pixel);
    else if (files_numbers_narrow ((const double *) (const void *) from, n, w->number.is_signed,
                                   (guint64 *) (void *) to)
             < n)
      return file_fail (error, FILE_ERROR_WRITE, w->path, "cannot be written: '%s' has values that %s does not hold.",
                        w->info->name, files_number_source (&w->number));
    to += (gsize) level->chunk_columns * bytes;
  }
  return TRUE;
}

static gboolean
deflate (const ZarrWriter *w, const guint8 *from, gsize n, GByteArray *to, GError **error)
{
  struct libdeflate_compressor *compressor = libdeflate_alloc_compressor (w->choices->level);
  if (!compressor)
    return cannot (w, "there is not enough memory", error);
  const guint before = to->len;
  const gsize most = libdeflate_gzip_compress_bound (compressor, n);
  g_byte_array_set_size (to, before + (guint) most);
  const gsize made = libdeflate_gzip_compress (compressor, from, n, to->data + before, most);
  g_byte_array_set_size (to, before + (guint) made);
  libdeflate_free_compressor (compressor);
  return made > 0 || cannot (w, "it could not be compressed", error);
}

/* Appends what becomes of n bytes. */
static gboolean
compress (const ZarrWriter *w, const guint8 *from, gsize n, GByteArray *to, GError **error)
{
  const guint before = to->len;
  if (w->choices->compression == ZARR_WRITE_DEFLATE)
    return deflate (w, from, n, to, error);
  if (w->choices->compression == ZARR_WRITE_PLAIN) {
    g_byte_array_append (to, from, (guint) n);
    return TRUE;
  }
  const gsize most = ZSTD_compressBound (n);
  g_byte_array_set_size (to, before + (guint) most);
  const gsize made = ZSTD_compress (to->data + before, most, from, n, w->choices->level);
  if (ZSTD_isError (made))
    return cannot (w, "it could not be compressed", error);
  g_byte_array_set_size (to, before + (guint) made);
  return TRUE;
}

/* Appends a chunk, unless it has only zeros. */
static gboolean
add_chunk (const Level *l, gint64 row, gint64 column, GByteArray *to, GError **error)
{
  const ZarrWriterLevel *level = &l->w->levels[l->n];
  const gsize n = (gsize) (level->chunk_rows * level->chunk_columns) * l->w->number.bytes;
  g_autofree guint8 *chunk = g_try_malloc0 (n);
  if (!chunk)
    return cannot (l->w, "there is not enough memory", error);
  return fill_chunk (l, row, column, chunk, error) && (is_zero (chunk, n) || compress (l->w, chunk, n, to, error));
}

/* ---- Files ---- */

static void
append_little (GByteArray *to, guint64 number, guint bytes)
{
  const guint64 little = GUINT64_TO_LE (number);
  g_byte_array_append (to, (const guint8 *) &little, bytes);
}

/* Chunks, then where each of them is. */
static gboolean
add_shard (const Level *l, gint64 row, gint64 column, GByteArray *to, GError **error)
{
  const ZarrWriterLevel *level = &l->w->levels[l->n];
  g_autoptr (GByteArray) index = g_byte_array_new ();
  for (gint64 y = row; y < row + level->stored_rows; y += level->chunk_rows)
    for (gint64 x = column; x < column + level->stored_columns; x += level->chunk_columns) {
      const guint before = to->len;
      if (y < level->rows && x < level->columns && !add_chunk (l, y, x, to, error))
        return FALSE;
      append_little (index, to->len > before ? before : G_MAXUINT64, ENTRY / 2);
      append_little (index, to->len > before ? to->len - before : G_MAXUINT64, ENTRY / 2);
    }
  if (!to->len)
    return TRUE;
  append_little (index, zarr_crc32c (index->data, index->len), ZARR_SUM);
  g_byte_array_append (to, index->data, index->len);
  return TRUE;
}

static gboolean
write_file (gpointer data, guint64 i, GError **error)
{
  const Level *l = data;
  const ZarrWriterLevel *level = &l->w->levels[l->n];
  const gint64 y = (gint64) i / l->across, x = (gint64) i % l->across;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autofree char *name = g_strdup_printf (
    "%u/%s%" G_GINT64_FORMAT "/%" G_GINT64_FORMAT "/%" G_GINT64_FORMAT "/%" G_GINT64_FORMAT "/%" G_GINT64_FORMAT, l->n,
    l->w->choices->zarr == ZARR_WRITE_04 ? "" : "c/", l->t, l->c, l->z, y, x);
  return (l->w->choices->sharding ? add_shard : add_chunk) (l, y * level->stored_rows, x * level->stored_columns, bytes,
                                                            error)
         && (!bytes->len || file_target_add (l->w->target, name, bytes->data, bytes->len, error));
}

/* ---- Planes ---- */

static gboolean
write_level (Level *l, GError **error)
{
  const ZarrWriterLevel *level = &l->w->levels[l->n];
  l->across = (level->columns - 1) / level->stored_columns + 1;
  return parallel_do ((guint64) (l->across * ((level->rows - 1) / level->stored_rows + 1)), G_MAXUINT, write_file, l,
                      error);
}

/* The next smaller level, into a slot of its own. */
static gboolean
halve (Level *l, HostSlot *to, GError **error)
{
  const ZarrWriter *w = l->w;
  const ZarrWriterLevel *from = &w->levels[l->n], *half = from + 1;
  const Halving halving = {w->info->type, w->nearest, from->rows, from->columns, half->rows, half->columns};
  fv_error fault = FV_ERROR_INIT;
  if (host_slot_new (to, (gsize) (half->rows * half->columns) * pixel_type_bytes (w->info->type), NULL, &fault)) {
    step_error_set_from_plugin (error, w->path, &fault);
    return FALSE;
  }
  if (!halve_plane (&halving, l->pixels, to->pixels, error))
    return FALSE;
  host_slot_settle (to);
  l->pixels = to->pixels;
  l->n++;
  return TRUE;
}

static gboolean
write_plane (const ZarrWriter *w, gint64 plane, GError **error)
{
  const ImageInfo *info = w->info;
  HostSlot slots[2] = {{0}}; /* the level, and the one before */
  Level l = {.w = w,
             .t = plane / info->depth / info->channels,
             .c = plane / info->depth % info->channels,
             .z = plane % info->depth,
             .pixels = image_plane (w->image, plane, error)};
  gboolean done = l.pixels && write_level (&l, error);
  while (done && l.n + 1 < w->n_levels) {
    HostSlot *slot = &slots[l.n % 2];
    host_slot_free (slot);
    *slot = (HostSlot){0};
    done = halve (&l, slot, error) && write_level (&l, error);
  }
  for (guint i = 0; i < G_N_ELEMENTS (slots); i++)
    host_slot_free (&slots[i]);
  return done;
}

/* ---- The whole ---- */

static void
set_number (ZarrWriter *w)
{
  const PixelType *type = pixel_type (w->info->type);
  const char *source = w->info->source_type;
  const gboolean is_wide =
    w->info->type == FV_F64 && source && (!strcmp (source, "int64") || !strcmp (source, "uint64"));
  w->number = (FilesNumber){.bytes = type->dl.bits / 8u,
                            .is_float = type->is_float && !is_wide,
                            .is_signed = is_wide ? *source == 'i' : type->is_signed};
  w->nearest = w->info->role == FV_LABELS || w->info->role == FV_MASK || is_wide;
}

static void
set_levels (ZarrWriter *w)
{
  const gint64 tile = w->choices->tile, side = MAX (w->choices->sharding, 1);
  gint64 rows = w->info->rows, columns = w->info->columns;
  for (;;) {
    ZarrWriterLevel *l = &w->levels[w->n_levels++];
    *l = (ZarrWriterLevel){rows, columns, MIN (tile, rows), MIN (tile, columns), 0, 0};
    l->stored_rows = l->chunk_rows * MIN (side, (rows - 1) / l->chunk_rows + 1);
    l->stored_columns = l->chunk_columns * MIN (side, (columns - 1) / l->chunk_columns + 1);
    if (!w->choices->pyramid || (rows <= tile && columns <= tile) || w->n_levels == ZARR_LEVELS)
      return;
    rows = (rows + 1) / 2;
    columns = (columns + 1) / 2;
  }
}

/* Whether a name in a folder is that of metadata or of a level. */
static gboolean
is_own (const ZarrImage *image, const char *name)
{
  static const char *const documents[] = {"zarr.json", ".zgroup", ".zattrs", ".zarray", ".zmetadata", NULL};
  gboolean is = g_strv_contains (documents, name);
  for (guint i = 0; i < image->n_levels; i++)
    is = is || !strcmp (image->levels[i]->key, name);
  return is;
}

/* Whether what is there is one image and nothing else, so that no labels, wells or files of the user are lost. */
static gboolean
may_replace (const char *path)
{
  g_autoptr (ZarrLayout) layout = zarr_layout_new (path, NULL);
  g_autoptr (ZarrImage) image = layout && layout->entries->len == 1 ? zarr_layout_image (layout, 0, NULL) : NULL;
  g_autoptr (GDir) dir = image ? g_dir_open (path, 0, NULL) : NULL;
  gboolean may = dir != NULL;
  for (const char *name; may && (name = g_dir_read_name (dir));)
    may = is_own (image, name);
  return may;
}

static gboolean
check_existing (const char *path, GError **error)
{
  return !g_file_test (path, G_FILE_TEST_IS_DIR) || may_replace (path)
         || file_fail (
           error, FILE_ERROR_WRITE, path,
           "cannot be written: the folder is more than one image of OME-Zarr, and would be lost. Remove it, "
           "or choose another name.");
}

static gboolean
write_all (const ZarrWriter *w, GError **error)
{
  for (gint64 plane = 0; plane < image_info_planes (w->info); plane++)
    if (!write_plane (w, plane, error))
      return FALSE;
  return zarr_writer_describe (w, error);
}

gboolean
zarr_save (Image *image, const char *path, gconstpointer options, GError **error)
{
  ZarrChoices choices = *(const ZarrChoices *) options;
  ZarrWriter w = {.path = path, .image = image, .info = image_info (image), .choices = &choices};
  if (!choices.level)
    choices.level = choices.compression == ZARR_WRITE_ZSTD ? 3 : 6;
  set_number (&w);
  set_levels (&w);
  if (!check_existing (path, error) || !(w.target = file_target_new_folder (path, error)))
    return FALSE;
  if (write_all (&w, error))
    return file_target_commit (w.target, error);
  file_target_abandon (w.target);
  return FALSE;
}
