/* SPDX-License-Identifier: MIT
 *
 * What a page claims is held against the size of its file before anything is taken for it.
 */
#include "core/files/tiff/chunks.h"

#include "core/base/file_error.h"

#include <string.h>
#include <tiffio.h>

/* ---- Claims ---- */

static gboolean
damaged (const FilesTiffFile *file, const char *fault, GError **error)
{
  return file_fail (error, FILE_ERROR_DAMAGED, file->path, "is damaged: %s.", fault);
}

static gboolean
claims_too_much (const FilesTiffFile *file, const FilesTiffPage *page, GError **error)
{
  return file_fail (error, FILE_ERROR_DAMAGED, file->path,
                    "is damaged or truncated: it claims %u × %u pixels, more than its %" G_GUINT64_FORMAT
                    " bytes can hold.",
                    page->columns, page->rows, file->size);
}

gboolean
files_tiff_no_memory (const FilesTiffFile *file, GError **error)
{
  return file_fail (error, FILE_ERROR_OPEN, file->path,
                    "cannot be read: there is not enough memory for one of its pages.");
}

/* Bytes of rows of samples as the file has them, decoded; FALSE when they are more than 2^62. */
static gboolean
stored_bytes (guint64 rows, guint64 columns, guint samples, guint bits, guint64 *bytes)
{
  guint64 row_bits;
  return g_uint64_checked_mul (&row_bits, columns, (guint64) samples * bits)
         && g_uint64_checked_mul (bytes, rows, row_bits / 8 + (row_bits % 8 != 0))
         && *bytes < G_GUINT64_CONSTANT (1) << 62;
}

static guint
chunk_samples (const FilesTiffPage *page, const FilesTiffFormat *format)
{
  return page->planar == PLANARCONFIG_SEPARATE ? 1 : format->samples;
}

/* How many tiles of the page are left out, which reads as 0: their counts are 0. A page whose list cannot be read has none. */
static guint64
absent_tiles (const FilesTiffFile *file, const FilesTiffPage *page)
{
  guint64 absent = 0, counts[512];
  for (guint64 i = 0, n; page->tiled && i < page->counts.count; i += n) {
    n = MIN (page->counts.count - i, G_N_ELEMENTS (counts));
    if (!files_tiff_numbers (file, &page->counts, i, (gsize) n, counts))
      return 0;
    for (guint64 k = 0; k < n; k++)
      absent += counts[k] == 0;
  }
  return absent;
}

/* Whether so many bytes of pixels are no more than the file can hold beside the tiles, of `chunk` bytes each, that are left out. */
static gboolean
fits_without_absent (const FilesTiffFile *file, const FilesTiffPage *page, guint64 bytes, guint64 chunk, guint64 max)
{
  guint64 left_out;
  return g_uint64_checked_mul (&left_out, absent_tiles (file, page), chunk) && bytes - MIN (bytes, left_out) <= max;
}

gboolean
files_tiff_decodable (const FilesTiffJob *job, GError **error)
{
  const FilesTiffFile *file = job->file;
  const FilesTiffPage *page = &job->page;
  const FilesTiffFormat *format = &job->format;
  guint64 bytes, chunk, max;
  if (!files_tiff_codec_known (file, page, error))
    return FALSE;
  max = files_tiff_codec_max (page, file->size);
  if (!stored_bytes (page->rows, page->columns, format->samples, format->bits, &bytes)
      || (bytes > max && !absent_tiles (file, page)))
    return claims_too_much (file, page, error);
  if (!stored_bytes (page->chunk_rows, page->chunk_columns, chunk_samples (page, format), format->bits, &chunk)
      || chunk > MAX (max, 1 << 20)) {
    g_autofree char *fault =
      g_strdup_printf ("page %" G_GINT64_FORMAT " has tiles of %u × %u pixels, more than the file can hold",
                       job->number, page->chunk_columns, page->chunk_rows);
    return damaged (file, fault, error);
  }
  return bytes <= max || fits_without_absent (file, page, bytes, chunk, max) || claims_too_much (file, page, error);
}

/* ---- Chunks ---- */

static const char *
chunk_name (const FilesTiffDecoder *d)
{
  return d->page->tiled ? "tile" : "strip";
}

gboolean
files_tiff_chunk_fault (const FilesTiffDecoder *d, guint64 chunk, const char *kind, const char *fault, GError **error)
{
  return file_fail (error, FILE_ERROR_DAMAGED, d->job.file->path,
                    "is %s: %s %" G_GUINT64_FORMAT " of page %" G_GINT64_FORMAT " %s.", kind, chunk_name (d), chunk + 1,
                    d->job.number, fault);
}

static gboolean
read_table (FilesTiffDecoder *d, GError **error)
{
  guint64 n, planes = d->page->planar == PLANARCONFIG_SEPARATE ? d->page->samples : 1;
  g_autofree char *fault = NULL;
  if (!g_uint64_checked_mul (&n, d->across, d->down) || !g_uint64_checked_mul (&n, n, planes)
      || n > d->page->offsets.count || n > d->job.file->size) {
    fault =
      g_strdup_printf ("page %" G_GINT64_FORMAT " lists fewer %ss than its size needs", d->job.number, chunk_name (d));
    return damaged (d->job.file, fault, error);
  }
  d->offsets = g_try_new (guint64, n);
  if (!d->offsets)
    return files_tiff_no_memory (d->job.file, error);
  if (!files_tiff_numbers (d->job.file, &d->page->offsets, 0, n, d->offsets)) {
    fault =
      g_strdup_printf ("the list of %ss of page %" G_GINT64_FORMAT " cannot be read", chunk_name (d), d->job.number);
    return damaged (d->job.file, fault, error);
  }
  if (d->page->counts.count >= n) {
    d->counts = g_try_new (guint64, n);
    if (!d->counts)
      return files_tiff_no_memory (d->job.file, error);
    if (!files_tiff_numbers (d->job.file, &d->page->counts, 0, n, d->counts))
      g_clear_pointer (&d->counts, g_free);
  }
  return TRUE;
}

gboolean
files_tiff_chunk_is_absent (const FilesTiffDecoder *d, guint64 chunk)
{
  return d->page->tiled && d->counts && d->counts[chunk] == 0;
}

gboolean
files_tiff_chunk_check (const FilesTiffDecoder *d, guint64 chunk, gsize bytes, GError **error)
{
  guint64 at = d->offsets[chunk], size = d->job.file->size;
  guint64 count = d->plain ? bytes : d->counts ? d->counts[chunk] : at < size ? size - at : 0;
  if (at > size || count > size - at)
    return files_tiff_chunk_fault (d, chunk, "truncated", "ends past the end of the file", error);
  if (count == 0 || bytes > files_tiff_codec_max (d->page, count))
    return files_tiff_chunk_fault (d, chunk, "damaged", "is too short for its pixels", error);
  return TRUE;
}

/* ---- Hands ---- */

static void
hand_free (FilesTiffHand *hand)
{
  files_tiff_codec_free (hand->codec);
  g_free (hand->buffer);
  g_free (hand);
}

FilesTiffHand *
files_tiff_hand_take (FilesTiffDecoder *d, GError **error)
{
  FilesTiffHand *hand;
  g_mutex_lock (&d->lock);
  if ((hand = d->idle))
    d->idle = hand->next;
  g_mutex_unlock (&d->lock);
  if (hand)
    return hand;
  hand = g_new0 (FilesTiffHand, 1);
  if (!d->plain && !(hand->codec = files_tiff_codec_new (d->job.file, d->page, d->job.number, d->chunk_bytes, error)))
    g_clear_pointer (&hand, hand_free);
  return hand;
}

void
files_tiff_hand_give (FilesTiffDecoder *d, FilesTiffHand *hand)
{
  g_mutex_lock (&d->lock);
  hand->next = d->idle;
  d->idle = hand;
  g_mutex_unlock (&d->lock);
}

guint8 *
files_tiff_hand_buffer (const FilesTiffDecoder *d, FilesTiffHand *hand, gsize bytes, GError **error)
{
  if (hand->size < bytes) {
    g_free (hand->buffer);
    hand->buffer = g_try_malloc (bytes);
    hand->size = hand->buffer ? bytes : 0;
  }
  if (!hand->buffer)
    files_tiff_no_memory (d->job.file, error);
  return hand->buffer;
}

/* ---- Pages ---- */

static void
decoder_free (FilesTiffDecoder *d)
{
  for (FilesTiffHand *next; d->idle; d->idle = next) {
    next = d->idle->next;
    hand_free (d->idle);
  }
  files_tiff_file_unref (d->job.file);
  g_mutex_clear (&d->lock);
  g_free (d->offsets);
  g_free (d->counts);
  g_free (d);
}

FilesTiffDecoder *
files_tiff_decoder_ref (FilesTiffDecoder *d)
{
  g_atomic_int_inc (&d->references);
  return d;
}

void
files_tiff_decoder_unref (FilesTiffDecoder *d)
{
  if (g_atomic_int_dec_and_test (&d->references))
    decoder_free (d);
}

static gboolean
decoder_init (FilesTiffDecoder *d, GError **error)
{
  const FilesTiffPage *page = d->page;
  guint64 row_bytes = 0;
  FilesTiffHand *first;
  d->across = (page->columns - 1) / page->chunk_columns + 1;
  d->down = (page->rows - 1) / page->chunk_rows + 1;
  d->samples = chunk_samples (page, &d->job.format);
  d->plain = page->compression == COMPRESSION_NONE && page->color == FILES_TIFF_PLAIN;
  d->direct = d->job.format.copied && d->samples == 1;
  if (!stored_bytes (1, page->chunk_columns, d->samples, d->job.format.bits, &row_bytes)
      || !stored_bytes (page->chunk_rows, page->chunk_columns, d->samples, d->job.format.bits, &d->chunk_bytes))
    return claims_too_much (d->job.file, page, error);
  d->row_bytes = row_bytes;
  if (!read_table (d, error) || !(first = files_tiff_hand_take (d, error)))
    return FALSE;
  files_tiff_hand_give (d, first);
  return TRUE;
}

FilesTiffDecoder *
files_tiff_decoder_new (const FilesTiffJob *job, GError **error)
{
  g_autoptr (FilesTiffDecoder) d = g_new0 (FilesTiffDecoder, 1);
  d->references = 1;
  d->job = *job;
  d->page = &d->job.page;
  files_tiff_file_ref (d->job.file);
  g_mutex_init (&d->lock);
  return decoder_init (d, error) ? g_steal_pointer (&d) : NULL;
}
