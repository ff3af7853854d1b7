/* SPDX-License-Identifier: MIT
 *
 * Layout: header, the pixels of each page and of its smaller levels, then the directories, those of the levels behind that of their
 * page. The header is corrected when it is known where the first one is.
 */
#include "core/files/tiff/write_chunks.h"

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/data/halve.h"
#include "core/data/host_slot.h"
#include "core/files/tiff/predictor.h"

#include <libdeflate.h>
#include <string.h>
#include <tiffio.h>
#include <zstd.h>

enum {
  STRIP_BYTES = 1 << 18,
  PYRAMID_TILE = 256,
  DEFLATE_LEVEL = 6, /* of 12 */
  ZSTD_LEVEL = 3,    /* of 22 */
};

/* One level of a page on its way. */
typedef struct {
  FilesTiffWriter *w;
  FilesTiffCompression compression;
  FilesTiffWritten written;
  gint64 across, down; /* chunks */
  guint level;
  const void *planes[3];
  HostSlot made[3]; /* those of them that were made here */
  guint64 *at;      /* of each chunk in the file */
  guint64 *bytes;   /* of each */
  guint64 *end;     /* of the file so far */
} Level;

/* ---- Chunks ---- */

static gboolean
cannot (const Level *l, const char *why, GError **error)
{
  return file_fail (error, FILE_ERROR_WRITE, l->w->path, "cannot be written: %s.", why);
}

/* A tile that sticks out of the image is filled up with zeros. */
static gboolean
fill_chunk (const Level *l, gint64 chunk, gint64 rows, guint8 *to, GError **error)
{
  const FilesTiffWritten *p = &l->written;
  gint64 x = chunk % l->across * p->chunk_columns, y = chunk / l->across * p->chunk_rows;
  gint64 columns = MIN (p->chunk_columns, p->columns - x), last = MIN (y + rows, p->rows);
  gsize row = (gsize) p->chunk_columns * l->w->samples * l->w->stored.bits / 8;
  for (; y < last; y++, to += row)
    if (!files_tiff_make_samples (l->w, l->planes, (gsize) (y * p->columns + x), (gsize) columns, to, error))
      return FALSE;
  return TRUE;
}

/* Appends what becomes of n bytes. */
static gboolean
compress (const Level *l, const guint8 *from, gsize n, GByteArray *to, GError **error)
{
  gsize max, made;
  struct libdeflate_compressor *deflate = NULL;
  if (l->compression == FILES_TIFF_UNCOMPRESSED) {
    g_byte_array_append (to, from, (guint) n);
    return TRUE;
  }
  if (l->compression == FILES_TIFF_ZSTD) {
    max = ZSTD_compressBound (n);
    g_byte_array_set_size (to, (guint) max);
    made = ZSTD_compress (to->data, max, from, n, ZSTD_LEVEL);
    made = ZSTD_isError (made) ? 0 : made;
  } else {
    if (!(deflate = libdeflate_alloc_compressor (DEFLATE_LEVEL)))
      return cannot (l, "there is not enough memory", error);
    max = libdeflate_zlib_compress_bound (deflate, n);
    g_byte_array_set_size (to, (guint) max);
    made = libdeflate_zlib_compress (deflate, from, n, to->data, max);
    libdeflate_free_compressor (deflate);
  }
  g_byte_array_set_size (to, (guint) made);
  return made > 0 || cannot (l, "it could not be compressed", error);
}

static gboolean
make_chunk (gpointer data, guint64 i, GByteArray *bytes, GError **error)
{
  const Level *l = data;
  const FilesTiffWritten *p = &l->written;
  gint64 y = (gint64) i / l->across * p->chunk_rows, rows = p->tiled ? p->chunk_rows : MIN (p->chunk_rows, p->rows - y);
  gsize n = (gsize) rows * (gsize) p->chunk_columns * l->w->samples * l->w->stored.bits / 8;
  g_autofree guint8 *chunk = g_try_malloc0 (n);
  if (!chunk)
    return cannot (l, "there is not enough memory", error);
  if (!fill_chunk (l, (gint64) i, rows, chunk, error))
    return FALSE;
  if (p->differences)
    files_tiff_predictor_do (l->w->stored.bits, l->w->samples, (gsize) rows, (gsize) p->chunk_columns, chunk);
  return compress (l, chunk, n, bytes, error);
}

static gboolean
put_chunk (gpointer data, guint64 i, const GByteArray *bytes, GError **error)
{
  Level *l = data;
  l->at[i] = *l->end;
  l->bytes[i] = bytes->len;
  *l->end += bytes->len;
  return file_target_write (l->w->target, bytes->data, bytes->len, error);
}

/* ---- Levels ---- */

static void
forget_planes (Level *l)
{
  for (int i = 0; i < 3; i++)
    host_slot_free (&l->made[i]);
  memset (l->made, 0, sizeof l->made);
}

static void
level_free (gpointer data)
{
  Level *l = data;
  forget_planes (l);
  g_free (l->at);
  g_free (l->bytes);
  g_free (l);
}

/* The planes of a smaller level, from those of the one before. */
static gboolean
halve_planes (Level *l, const Level *before, GError **error)
{
  const FilesTiffWriter *w = l->w;
  const FilesTiffWritten *p = &before->written;
  /* Numbers that the file's type may not hold, and those that are names. */
  gboolean nearest =
    w->info->role == FV_LABELS || w->info->role == FV_MASK || (!w->stored.copied && w->stored.type == FV_F64);
  Halving halving = {w->info->type, nearest, p->rows, p->columns, l->written.rows, l->written.columns};
  gsize pixel = image_info_plane_bytes (w->info) / (gsize) w->info->rows / (gsize) w->info->columns;
  for (int s = 0; s < w->samples; s++) {
    fv_error fault = FV_ERROR_INIT;
    if (host_slot_new (&l->made[s], (gsize) l->written.rows * (gsize) l->written.columns * pixel, NULL, &fault)) {
      step_error_set_from_plugin (error, l->w->path, &fault);
      return FALSE;
    }
    l->planes[s] = l->made[s].pixels;
    if (!halve_plane (&halving, before->planes[s], l->made[s].pixels, error))
      return FALSE;
    host_slot_settle (&l->made[s]);
  }
  return TRUE;
}

static void
set_chunks (Level *l, const FilesTiffChoices *choices)
{
  const FilesTiffWriter *w = l->w;
  FilesTiffWritten *p = &l->written;
  gint64 tile = choices->tile ? choices->tile : choices->pyramid ? PYRAMID_TILE : 0;
  gsize row = (gsize) p->columns * w->samples * w->stored.bits / 8;
  p->tiled = tile > 0;
  p->chunk_columns = tile ? tile : p->columns;
  p->chunk_rows = tile ? tile : CLAMP ((gint64) (STRIP_BYTES / row), 1, p->rows);
  p->compression = l->compression == FILES_TIFF_DEFLATE ? COMPRESSION_ADOBE_DEFLATE
                   : l->compression == FILES_TIFF_ZSTD  ? COMPRESSION_ZSTD
                                                        : COMPRESSION_NONE;
  p->differences = l->compression != FILES_TIFF_UNCOMPRESSED && w->stored.format != SAMPLEFORMAT_IEEEFP
                   && files_tiff_predictor_known (w->stored.bits);
  l->across = (p->columns - 1) / p->chunk_columns + 1;
  l->down = (p->rows - 1) / p->chunk_rows + 1;
  p->n = (gsize) l->across * (gsize) l->down;
  p->offsets = l->at = g_new (guint64, p->n);
  p->counts = l->bytes = g_new (guint64, p->n);
}

/* before: the level above, or NULL. */
static Level *
level_new (FilesTiffWriter *w, const FilesTiffChoices *choices, gint64 page, const Level *before, guint64 *end)
{
  Level *l = g_new0 (Level, 1);
  l->w = w;
  l->compression = choices->compression;
  l->end = end;
  l->written = (FilesTiffWritten){.writer = w,
                                  .page = page,
                                  .rows = before ? (before->written.rows + 1) / 2 : w->info->rows,
                                  .columns = before ? (before->written.columns + 1) / 2 : w->info->columns,
                                  .level = before ? before->written.level + 1 : 0};
  set_chunks (l, choices);
  return l;
}

/* Whether there is a smaller level. */
static gboolean
goes_on (const Level *l, const FilesTiffChoices *choices)
{
  return choices->pyramid && (l->across > 1 || l->down > 1);
}

/* Writes the pixels of a page; appends its levels, whose planes are gone. */
static gboolean
write_page (FilesTiffWriter *w, const FilesTiffChoices *choices, gint64 page, guint64 *end, GPtrArray *levels,
            GError **error)
{
  guint first = levels->len;
  Level *l = NULL;
  gboolean done = TRUE;
  do {
    Level *before = l;
    l = level_new (w, choices, page, before, end);
    g_ptr_array_add (levels, l);
    done = before ? halve_planes (l, before, error) : files_tiff_page_planes (w, page, l->planes, error);
    done = done && parallel_make (l->written.n, make_chunk, put_chunk, l, error);
    if (before)
      forget_planes (before);
  } while (done && goes_on (l, choices));
  forget_planes (l);
  ((Level *) levels->pdata[first])->written.n_levels = levels->len - first - 1;
  return done;
}

/* ---- Directories ---- */

/* The most bytes that the directories take. */
static guint64
directory_bytes (const FilesTiffWriter *w, const GPtrArray *levels)
{
  guint64 bytes = w->extras->len + w->counts->len + 65536;
  for (guint i = 0; i < levels->len; i++)
    bytes += 1024 + ((const Level *) levels->pdata[i])->written.n * 2 * sizeof (guint64);
  return bytes;
}

/* Writes those of a page and its n smaller levels, which begin at *end. */
static gboolean
write_directories (FilesTiffWriter *w, Level *const *levels, guint64 *end, GError **error)
{
  FilesTiffWritten *page = &levels[0]->written;
  gsize n = page->n_levels;
  g_autoptr (GPtrArray) made = g_ptr_array_new_with_free_func ((GDestroyNotify) g_byte_array_unref);
  g_autofree guint64 *at = g_new0 (guint64, n + 1);
  g_autoptr (GByteArray) size = NULL;
  guint64 behind = *end;
  gboolean done = TRUE;
  page->levels = at;
  size = files_tiff_ifd_make (w->big, *end, 0, files_tiff_add_tags, page);
  behind += size->len;
  for (gsize i = 0; i < n; i++) {
    GByteArray *directory = files_tiff_ifd_make (w->big, behind, 0, files_tiff_add_tags, &levels[i + 1]->written);
    at[i] = behind;
    behind += directory->len;
    g_ptr_array_add (made, directory);
  }
  g_ptr_array_insert (
    made, 0, files_tiff_ifd_make (w->big, *end, page->page + 1 < w->pages ? behind : 0, files_tiff_add_tags, page));
  page->levels = NULL;
  for (guint i = 0; done && i < made->len; i++) {
    const GByteArray *directory = made->pdata[i];
    done = file_target_write (w->target, directory->data, directory->len, error);
  }
  *end = behind;
  return done;
}

gboolean
files_tiff_write_chunks (FilesTiffWriter *w, const FilesTiffChoices *choices, GError **error)
{
  static const guint8 zeros[16];
  g_autoptr (GPtrArray) levels = g_ptr_array_new_with_free_func (level_free);
  g_autoptr (GByteArray) header = g_byte_array_new ();
  guint64 end = sizeof zeros, first;
  if (!file_target_write (w->target, zeros, sizeof zeros, error))
    return FALSE;
  for (gint64 page = 0; page < w->pages; page++)
    if (!write_page (w, choices, page, &end, levels, error))
      return FALSE;
  if (!file_target_write (w->target, zeros, -end % sizeof zeros, error))
    return FALSE;
  first = end += -end % sizeof zeros;
  w->big = end + directory_bytes (w, levels) > G_MAXUINT32;
  for (guint i = 0; i < levels->len; i += 1 + (guint) ((Level *) levels->pdata[i])->written.n_levels)
    if (!write_directories (w, (Level *const *) levels->pdata + i, &end, error))
      return FALSE;
  files_tiff_append_header (header, w->big, first);
  return file_target_correct (w->target, 0, header->data, header->len, error);
}
