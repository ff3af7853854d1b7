/* SPDX-License-Identifier: MIT
 *
 * Chunk by chunk (strip or tile). Uncompressed chunks are read directly; for the others libtiff sees the file through a
 * header whose first directory is the page's, so that it reads this directory and no other.
 */
#include "core/files/tiff/decode.h"

#include "core/base/file_error.h"
#include "core/files/tiff/codec.h"
#include "core/base/progress.h"

#include <string.h>
#include <tiffio.h>

#define BLOCK_BYTES (1 << 20)

typedef struct {
  FilesTiffJob job;
  const FilesTiffPage *page; /* the job's */
  guint64 across, down;      /* chunks */
  guint samples;             /* of a pixel in one chunk */
  gsize row_bytes;           /* of a chunk's row */
  guint32 block_rows;        /* read at a time: a chunk's, or fewer, so that they stay in the cache, when that can be */
  guint64 *offsets, *counts; /* of the chunks of all samples; counts NULL: not given */
  FilesTiffCodec *codec;     /* NULL: uncompressed */
  guint8 *buffer;            /* one chunk */
} Decoder;

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

static gboolean
no_memory (const FilesTiffFile *file, GError **error)
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

gboolean
files_tiff_decodable (const FilesTiffJob *job, GError **error)
{
  const FilesTiffFile *file = job->file;
  const FilesTiffPage *page = job->page;
  const FilesTiffFormat *format = job->format;
  guint64 bytes, chunk, most;
  if (!files_tiff_codec_known (file, page, error))
    return FALSE;
  most = files_tiff_codec_most (page, file->size);
  if (!stored_bytes (page->rows, page->columns, format->samples, format->bits, &bytes) || bytes > most)
    return claims_too_much (file, page, error);
  if (!stored_bytes (page->chunk_rows, page->chunk_columns, chunk_samples (page, format), format->bits, &chunk)
      || chunk > MAX (most, 1 << 20)) {
    g_autofree char *fault =
      g_strdup_printf ("page %" G_GINT64_FORMAT " has tiles of %u × %u pixels, more than the file can hold",
                       job->number, page->chunk_columns, page->chunk_rows);
    return damaged (file, fault, error);
  }
  return TRUE;
}

/* ---- Chunks ---- */

static const char *
chunk_name (const Decoder *d)
{
  return d->page->tiled ? "tile" : "strip";
}

static gboolean
chunk_fault (const Decoder *d, guint64 chunk, const char *kind, const char *fault, GError **error)
{
  return file_fail (error, FILE_ERROR_DAMAGED, d->job.file->path,
                    "is %s: %s %" G_GUINT64_FORMAT " of page %" G_GINT64_FORMAT " %s.", kind, chunk_name (d), chunk + 1,
                    d->job.number, fault);
}

static gboolean
read_table (Decoder *d, GError **error)
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
    return no_memory (d->job.file, error);
  if (!files_tiff_numbers (d->job.file, &d->page->offsets, 0, n, d->offsets)) {
    fault =
      g_strdup_printf ("the list of %ss of page %" G_GINT64_FORMAT " cannot be read", chunk_name (d), d->job.number);
    return damaged (d->job.file, fault, error);
  }
  if (d->page->counts.count >= n) {
    d->counts = g_try_new (guint64, n);
    if (!d->counts)
      return no_memory (d->job.file, error);
    if (!files_tiff_numbers (d->job.file, &d->page->counts, 0, n, d->counts))
      g_clear_pointer (&d->counts, g_free);
  }
  return TRUE;
}

/* A tile that takes no room stands for zeros; slide scanners leave empty regions out in this way. */
static gboolean
chunk_is_absent (const Decoder *d, guint64 chunk)
{
  return d->page->tiled && d->counts && d->offsets[chunk] == 0 && d->counts[chunk] == 0;
}

static gboolean
check_chunk (const Decoder *d, guint64 chunk, gsize bytes, GError **error)
{
  guint64 at = d->offsets[chunk], size = d->job.file->size;
  guint64 count = !d->codec ? bytes : d->counts ? d->counts[chunk] : at < size ? size - at : 0;
  if (at > size || count > size - at)
    return chunk_fault (d, chunk, "truncated", "ends past the end of the file", error);
  if (count == 0 || bytes > files_tiff_codec_most (d->page, count))
    return chunk_fault (d, chunk, "damaged", "is too short for its pixels", error);
  return TRUE;
}

/* In this machine's byte order and with the highest bit first. */
static void
normalise (const Decoder *d, guint8 *p, gsize bytes)
{
  if (d->page->fill_order == FILLORDER_LSB2MSB)
    TIFFReverseBits (p, (tmsize_t) bytes);
  if (!d->job.file->swapped)
    return;
  if (d->job.format->bits == 16)
    TIFFSwabArrayOfShort ((uint16_t *) (void *) p, (tmsize_t) (bytes / 2));
  else if (d->job.format->bits == 24)
    TIFFSwabArrayOfTriples (p, (tmsize_t) (bytes / 3));
  else if (d->job.format->bits == 32)
    TIFFSwabArrayOfLong ((uint32_t *) (void *) p, (tmsize_t) (bytes / 4));
  else if (d->job.format->bits == 64)
    TIFFSwabArrayOfDouble ((double *) (void *) p, (tmsize_t) (bytes / 8));
}

/* Decodes `rows` rows of one chunk from row `skip` on: all that it has unless d->block_rows is smaller. */
static gboolean
read_chunk (const Decoder *d, guint64 chunk, guint32 skip, guint32 rows, guint8 *to, GError **error)
{
  gsize bytes = rows * d->row_bytes, before = skip * d->row_bytes;
  g_autofree char *fault = NULL;
  if (chunk_is_absent (d, chunk)) {
    memset (to, 0, bytes);
    return TRUE;
  }
  if (!check_chunk (d, chunk, before + bytes, error))
    return FALSE;
  if (d->codec) {
    fault = files_tiff_codec_chunk (d->codec, (guint32) chunk, rows, to, bytes);
  } else {
    if (!files_tiff_read (d->job.file, d->offsets[chunk] + before, to, bytes))
      return chunk_fault (d, chunk, "truncated", "cannot be read", error);
    normalise (d, to, bytes);
  }
  return !fault || chunk_fault (d, chunk, "damaged", fault, error);
}

/* ---- Pages ---- */

/* Which samples are wanted. */
typedef struct {
  guint plane;         /* whose chunks are read: the sample, or 0 when a chunk has all samples */
  guint first, number; /* of the samples in those chunks */
  guint to;            /* where the first of them goes */
} Wanted;

/* x, y: of a pixel as it is stored; i: its sample's number in the row. */
static gboolean
not_exact (const Decoder *d, guint64 x, guint64 y, const guint8 *row, gsize i, GError **error)
{
  g_autofree char *value = files_tiff_convert_text (d->job.format, row, i);
  return file_fail (error, FILE_ERROR_UNSUPPORTED, d->job.file->path,
                    "has the value %s at column %" G_GUINT64_FORMAT ", row %" G_GUINT64_FORMAT
                    " of page %" G_GINT64_FORMAT ", which cannot be held exactly; all %s up to 2^53 = 9007199254740992 "
                    "can: number the objects anew, or scale the values.",
                    value, x, y, d->job.number, d->job.format->source);
}

/* Copies the part of d->buffer that is in the image. x, y: of its first pixel. */
static gboolean
scatter (const Decoder *d, const Wanted *wanted, guint64 x, guint64 y, guint64 rows, guint8 *pixels, GError **error)
{
  guint64 columns = MIN (d->page->chunk_columns, d->page->columns - x);
  rows = MIN (rows, d->page->rows - y);
  for (guint64 row = 0; row < rows; row++)
    for (guint s = 0; s < wanted->number; s++) {
      gsize pixel = ((gsize) (wanted->to + s) * d->page->rows + y + row) * d->page->columns + x;
      const guint8 *from = d->buffer + row * d->row_bytes;
      gsize made = files_tiff_convert (d->job.format, from, wanted->first + s, d->samples, columns,
                                       pixels + pixel * d->job.format->bytes);
      if (made < columns)
        return not_exact (d, x + made, y + row, from, wanted->first + s + made * d->samples, error);
    }
  return TRUE;
}

static gboolean
decode_chunks (const Decoder *d, const Wanted *wanted, guint8 *pixels, GError **error)
{
  const FilesTiffPage *page = d->page;
  gboolean direct = !page->tiled && d->job.format->copied && d->samples == 1;
  for (guint64 i = 0; i < d->across * d->down; i++)
    for (guint32 skip = 0; skip < page->chunk_rows; skip += d->block_rows) {
      guint64 x = i % d->across * page->chunk_columns, y = i / d->across * page->chunk_rows + skip;
      guint64 left = page->tiled || y >= page->rows ? page->chunk_rows : MIN (page->chunk_rows - skip, page->rows - y);
      guint32 rows = (guint32) MIN (left, d->block_rows);
      guint8 *to = direct ? pixels + ((gsize) wanted->to * page->rows + y) * d->row_bytes : d->buffer;
      if (y >= page->rows)
        break;
      if (progress_stopped (error))
        return FALSE;
      if (!read_chunk (d, wanted->plane * d->across * d->down + i, skip, rows, to, error))
        return FALSE;
      if (!direct && !scatter (d, wanted, x, y, rows, pixels, error))
        return FALSE;
    }
  return TRUE;
}

static void
decoder_clear (Decoder *d)
{
  files_tiff_codec_free (d->codec);
  g_free (d->offsets);
  g_free (d->counts);
  g_free (d->buffer);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Decoder, decoder_clear)

static gboolean
decoder_init (Decoder *d, GError **error)
{
  const FilesTiffPage *page = d->page;
  guint64 row_bytes = 0, chunk_bytes = 0, few;
  d->across = (page->columns - 1) / page->chunk_columns + 1;
  d->down = (page->rows - 1) / page->chunk_rows + 1;
  d->samples = chunk_samples (page, d->job.format);
  if (!stored_bytes (1, page->chunk_columns, d->samples, d->job.format->bits, &row_bytes)
      || !stored_bytes (page->chunk_rows, page->chunk_columns, d->samples, d->job.format->bits, &chunk_bytes))
    return claims_too_much (d->job.file, page, error);
  d->row_bytes = row_bytes;
  if (!read_table (d, error))
    return FALSE;
  if (page->compression != COMPRESSION_NONE || page->color != FILES_TIFF_PLAIN) {
    d->codec = files_tiff_codec_new (d->job.file, page, d->job.number, chunk_bytes, error);
    if (!d->codec)
      return FALSE;
  }
  few = MAX (BLOCK_BYTES / row_bytes, 1);
  d->block_rows = d->codec || page->tiled ? page->chunk_rows : (guint32) MIN (page->chunk_rows, few);
  d->buffer = g_try_malloc (d->block_rows * d->row_bytes);
  return d->buffer || no_memory (d->job.file, error);
}

/* Rows and columns as the file has them. */
static gboolean
decode_stored (const FilesTiffJob *job, int sample, guint8 *pixels, GError **error)
{
  g_auto (Decoder) d = {.job = *job, .page = job->page};
  guint one = (guint) MAX (sample, 0), all = job->format->samples;
  if (!decoder_init (&d, error))
    return FALSE;
  if (job->page->planar == PLANARCONFIG_CONTIG)
    return decode_chunks (&d, &(Wanted){0, one, sample < 0 ? all : 1, 0}, pixels, error);
  if (sample >= 0)
    return decode_chunks (&d, &(Wanted){one, 0, 1, 0}, pixels, error);
  for (guint s = 0; s < all; s++)
    if (!decode_chunks (&d, &(Wanted){s, 0, 1, s}, pixels, error))
      return FALSE;
  return TRUE;
}

/* Turns and mirrors one plane from the way it is stored to the way it is shown. */
static void
orient (const FilesTiffPage *page, guint bytes, const guint8 *from, guint8 *to)
{
  gsize rows = page->rows, columns = page->columns;
  guint o = page->orientation;
  gboolean mirrored = o == 2 || o == 3 || o == 7 || o == 8, flipped = o == 3 || o == 4 || o == 6 || o == 7;
  for (gsize y = 0; y < rows; y++)
    for (gsize x = 0; x < columns; x++) {
      gsize to_x = mirrored ? columns - 1 - x : x, to_y = flipped ? rows - 1 - y : y;
      gsize at = o > 4 ? to_x * rows + to_y : to_y * columns + to_x;
      memcpy (to + at * bytes, from + (y * columns + x) * bytes, bytes);
    }
}

gboolean
files_tiff_decode (const FilesTiffJob *job, int sample, void *pixels, GError **error)
{
  const FilesTiffPage *page = job->page;
  gsize plane = (gsize) page->rows * page->columns * job->format->bytes, planes = sample < 0 ? job->format->samples : 1;
  g_autofree guint8 *stored = NULL;
  if (page->orientation == ORIENTATION_TOPLEFT)
    return decode_stored (job, sample, pixels, error);
  stored = g_try_malloc (plane * planes);
  if (!stored)
    return no_memory (job->file, error);
  if (!decode_stored (job, sample, stored, error))
    return FALSE;
  for (gsize i = 0; i < planes; i++)
    orient (page, job->format->bytes, stored + i * plane, (guint8 *) pixels + i * plane);
  return TRUE;
}
