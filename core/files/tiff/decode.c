/* SPDX-License-Identifier: MIT
 *
 * Chunk by chunk (strip or tile), on all cores. Uncompressed ones are read directly. For the others libtiff sees the file through a header whose
 * first directory is the page's, so that it reads this directory and no other; each thread has its own.
 */
#include "core/files/tiff/decode.h"

#include "core/base/file_error.h"
#include "core/base/parallel.h"

#include <string.h>
#include <tiffio.h>

enum {
  BLOCK_BYTES = 1 << 20,  /* uncompressed ones are read in such blocks, that stay in the cache */
  THREAD_BYTES = 1 << 19, /* for fewer, another thread costs more than it helps */
};

/* In this machine's byte order and with the highest bit first. */
static void
normalize (const FilesTiffDecoder *d, guint8 *p, gsize bytes)
{
  if (d->page->fill_order == FILLORDER_LSB2MSB)
    TIFFReverseBits (p, (tmsize_t) bytes);
  files_tiff_swap (d->job.file, d->job.format.bits, p, bytes);
}

/* ---- Regions ---- */

/* What is wanted of a page as it is stored, and where it goes. */
typedef struct {
  FilesTiffDecoder *d;
  ImageRegion region;
  guint sample, n;      /* the first sample, and how many */
  guint64 left, across; /* the columns of chunks that it touches */
  guint64 top, down;    /* and the rows of them, or, of an uncompressed page, of blocks from its first row on */
  gint64 block;         /* rows of such a block */
  guint8 *pixels;
  gsize stride, plane; /* bytes from row to row and from sample to sample */
} Wanted;

/* The part of a chunk that is wanted. */
typedef struct {
  guint64 chunk;
  gint64 x, y;                   /* of the chunk's first pixel */
  gint64 row, rows, column, end; /* in the image */
  guint plane, first, samples;   /* where they go; which they are in the chunk, and how many */
} Part;

/* x, y: of a pixel as it is stored; i: its sample's number in the row. */
static gboolean
not_exact (const FilesTiffDecoder *d, gint64 x, gint64 y, const guint8 *row, gsize i, GError **error)
{
  g_autofree char *value = files_tiff_convert_text (&d->job.format, row, i);
  return file_fail (error, FILE_ERROR_UNSUPPORTED, d->job.file->path,
                    "has the value %s at column %" G_GINT64_FORMAT ", row %" G_GINT64_FORMAT
                    " of page %" G_GINT64_FORMAT ", which cannot be held exactly; all %s up to 2^53 = 9007199254740992 "
                    "can: renumber the objects, or scale the values.",
                    value, x, y, d->job.number, d->job.format.source);
}

static guint8 *
address (const Wanted *w, guint plane, gint64 row, gint64 column)
{
  return w->pixels + plane * w->plane + (gsize) (row - w->region.row) * w->stride
         + (gsize) (column - w->region.column) * w->d->job.format.bytes;
}

/* from: the chunk's rows from the part's first on. */
static gboolean
scatter (const Wanted *w, const Part *p, const guint8 *from, GError **error)
{
  const FilesTiffDecoder *d = w->d;
  gsize columns = (gsize) (p->end - p->column), skip = (gsize) (p->column - p->x) * d->samples;
  for (gint64 y = p->row; y < p->row + p->rows; y++, from += d->row_bytes)
    for (guint s = 0; s < p->samples; s++) {
      gsize made = files_tiff_convert (&d->job.format, from, skip + p->first + s, d->samples, columns,
                                       address (w, p->plane + s, y, p->column));
      if (made < columns)
        return not_exact (d, p->column + (gint64) made, y, from, skip + p->first + s + made * d->samples, error);
    }
  return TRUE;
}

/* Reads a part whose bytes are pixels to where it belongs; *done: whether that was a good way. */
static gboolean
read_in_place (const Wanted *w, const Part *p, guint64 at, gboolean *done, GError **error)
{
  const FilesTiffDecoder *d = w->d;
  guint bytes = d->job.format.bytes;
  gsize row = (gsize) (p->end - p->column) * bytes, skip = (gsize) (p->column - p->x) * bytes;
  gboolean whole = row == d->row_bytes && row == w->stride;
  gint64 times = whole ? 1 : p->rows;
  *done = d->direct && (whole || row * 8 < d->row_bytes);
  for (gint64 i = 0; *done && i < times; i++) {
    guint8 *to = address (w, p->plane, p->row + i, p->column);
    gsize n = whole ? row * (gsize) p->rows : row;
    if (!files_tiff_read (d->job.file, at + (gsize) i * d->row_bytes + skip, to, n))
      return files_tiff_chunk_fault (d, p->chunk, "truncated", "cannot be read", error);
    normalize (d, to, n);
  }
  return TRUE;
}

static gboolean
read_plain (const Wanted *w, const Part *p, FilesTiffHand *hand, GError **error)
{
  const FilesTiffDecoder *d = w->d;
  gsize before = (gsize) (p->row - p->y) * d->row_bytes, bytes = (gsize) p->rows * d->row_bytes;
  guint8 *buffer;
  gboolean done;
  if (!files_tiff_chunk_check (d, p->chunk, before + bytes, error)
      || !read_in_place (w, p, d->offsets[p->chunk] + before, &done, error))
    return FALSE;
  if (done)
    return TRUE;
  if (!(buffer = files_tiff_hand_buffer (d, hand, bytes, error)))
    return FALSE;
  if (!files_tiff_read (d->job.file, d->offsets[p->chunk] + before, buffer, bytes))
    return files_tiff_chunk_fault (d, p->chunk, "truncated", "cannot be read", error);
  normalize (d, buffer, bytes);
  return scatter (w, p, buffer, error);
}

/* A chunk is decoded as a whole, to where it belongs when all of it is wanted there. */
static gboolean
read_encoded (const Wanted *w, const Part *p, FilesTiffHand *hand, GError **error)
{
  const FilesTiffDecoder *d = w->d;
  gint64 left = (gint64) d->page->rows - p->y;
  guint32 rows = d->page->tiled ? d->page->chunk_rows : (guint32) MIN (d->page->chunk_rows, left);
  gsize bytes = rows * d->row_bytes;
  gboolean in_place = d->direct && p->rows == rows && d->row_bytes == w->stride
                      && (gsize) (p->end - p->column) * d->job.format.bytes == d->row_bytes;
  guint8 *to;
  g_autofree char *fault = NULL;
  if (!files_tiff_chunk_check (d, p->chunk, bytes, error))
    return FALSE;
  if (!(to = in_place ? address (w, p->plane, p->row, p->column) : files_tiff_hand_buffer (d, hand, bytes, error)))
    return FALSE;
  fault = files_tiff_codec_chunk (hand->codec, (guint32) p->chunk, rows, to, bytes);
  if (fault && files_tiff_codec_lacks (fault))
    return file_fail (error, FILE_ERROR_UNSUPPORTED, d->job.file->path,
                      "has pixels on page %" G_GINT64_FORMAT
                      " of a kind that cannot be read: they %s. Save it uncompressed first.",
                      d->job.number, fault);
  if (fault)
    return files_tiff_chunk_fault (d, p->chunk, "damaged", fault, error);
  return in_place || scatter (w, p, to + (gsize) (p->row - p->y) * d->row_bytes, error);
}

static gboolean
read_absent (const Wanted *w, const Part *p, FilesTiffHand *hand, GError **error)
{
  gsize bytes = (gsize) p->rows * w->d->row_bytes;
  guint8 *buffer = files_tiff_hand_buffer (w->d, hand, bytes, error);
  if (!buffer)
    return FALSE;
  memset (buffer, 0, bytes);
  return scatter (w, p, buffer, error);
}

/* The part of a chunk that is in rows `from` to `to`. across, down: its position; separate: the sample whose chunks these are. */
static Part
part_of (const Wanted *w, guint64 across, guint64 down, guint separate, gint64 from, gint64 to)
{
  const FilesTiffDecoder *d = w->d;
  gboolean contiguous = d->page->planar == PLANARCONFIG_CONTIG;
  gint64 x = (gint64) across * d->page->chunk_columns, y = (gint64) down * d->page->chunk_rows;
  Part p = {.chunk = (separate * d->down + down) * d->across + across,
            .x = x,
            .y = y,
            .row = MAX (y, from),
            .column = MAX (x, w->region.column),
            .end = MIN (x + d->page->chunk_columns, w->region.column + w->region.columns),
            .plane = contiguous ? 0 : separate - w->sample,
            .first = contiguous ? w->sample : 0,
            .samples = contiguous ? w->n : 1};
  p.rows = MIN (y + d->page->chunk_rows, to) - p.row;
  return p;
}

static gboolean
read_part (const Wanted *w, const Part *p, GError **error)
{
  FilesTiffHand *hand = files_tiff_hand_take (w->d, error);
  gboolean done;
  if (!hand)
    return FALSE;
  if (files_tiff_chunk_is_absent (w->d, p->chunk))
    done = read_absent (w, p, hand, error);
  else
    done = w->d->plain ? read_plain (w, p, hand, error) : read_encoded (w, p, hand, error);
  files_tiff_hand_give (w->d, hand);
  return done;
}

/* Piece i: a chunk, or of an uncompressed page a chunk's part in a block of rows. */
static gboolean
read_piece (gpointer data, guint64 i, GError **error)
{
  const Wanted *w = data;
  const FilesTiffDecoder *d = w->d;
  gint64 from = w->region.row, to = from + w->region.rows;
  guint separate = d->page->planar == PLANARCONFIG_CONTIG ? 0 : w->sample + (guint) (i / (w->across * w->down));
  guint64 across = w->left + i % w->across, down = w->top + i / w->across % w->down;
  if (!d->plain) {
    const Part p = part_of (w, across, down, separate, from, to);
    return read_part (w, &p, error);
  }
  from = MAX (from, (gint64) down * w->block);
  to = MIN (to, (gint64) (down + 1) * w->block);
  for (gint64 y = from, next; y < to; y = next) {
    guint64 strip = (guint64) y / d->page->chunk_rows;
    const Part p = part_of (w, across, strip, separate, y, to);
    if (!read_part (w, &p, error))
      return FALSE;
    next = p.row + p.rows;
  }
  return TRUE;
}

/* Rows and columns as the file has them. */
static gboolean
decode_stored (FilesTiffDecoder *d, int sample, const ImageRegion *region, guint8 *pixels, gsize stride, GError **error)
{
  gint64 chunk_rows = d->page->chunk_rows, chunk_columns = d->page->chunk_columns;
  Wanted w = {d,
              *region,
              (guint) MAX (sample, 0),
              sample < 0 ? d->job.format.samples : 1,
              .pixels = pixels,
              .stride = stride,
              .plane = stride * (gsize) region->rows};
  gint64 last = region->row + region->rows - 1;
  gsize bytes = w.plane * w.n;
  w.block = d->plain ? MAX ((gint64) (BLOCK_BYTES / d->row_bytes), 1) : chunk_rows;
  w.left = (guint64) (region->column / chunk_columns);
  w.across = (guint64) ((region->column + region->columns - 1) / chunk_columns) - w.left + 1;
  w.top = (guint64) (region->row / w.block);
  w.down = (guint64) (last / w.block) - w.top + 1;
  return parallel_do (w.across * w.down * (d->page->planar == PLANARCONFIG_CONTIG ? 1 : w.n), bytes / THREAD_BYTES + 1,
                      read_piece, &w, error);
}

/* ---- Turned pages ---- */

/* How a page is turned between the way it is stored and the way it is shown. */
static gboolean
is_mirrored (const FilesTiffPage *page)
{
  guint o = page->orientation;
  return o == 2 || o == 3 || o == 7 || o == 8;
}

static gboolean
is_flipped (const FilesTiffPage *page)
{
  guint o = page->orientation;
  return o == 3 || o == 4 || o == 6 || o == 7;
}

/* Where the pixels of a shown region are stored. */
static ImageRegion
stored_region (const FilesTiffPage *page, const ImageRegion *shown)
{
  ImageRegion stored = *shown;
  if (page->orientation > 4)
    stored = (ImageRegion){shown->column, shown->row, shown->columns, shown->rows};
  if (is_flipped (page))
    stored.row = page->rows - stored.row - stored.rows;
  if (is_mirrored (page))
    stored.column = page->columns - stored.column - stored.columns;
  return stored;
}

/* Turns and mirrors `rows` by `columns` pixels as they are stored. */
static void
orient (const FilesTiffPage *page, gsize rows, gsize columns, guint bytes, const guint8 *from, guint8 *to, gsize stride)
{
  gboolean mirrored = is_mirrored (page), flipped = is_flipped (page);
  for (gsize y = 0; y < rows; y++)
    for (gsize x = 0; x < columns; x++) {
      gsize to_x = mirrored ? columns - 1 - x : x, to_y = flipped ? rows - 1 - y : y;
      gsize at = page->orientation > 4 ? to_x * stride + to_y * bytes : to_y * stride + to_x * bytes;
      memcpy (to + at, from + (y * columns + x) * bytes, bytes);
    }
}

gboolean
files_tiff_decode (FilesTiffDecoder *d, int sample, const ImageRegion *region, void *pixels, gsize stride,
                   GError **error)
{
  const ImageRegion stored = stored_region (d->page, region);
  gsize rows = (gsize) stored.rows, columns = (gsize) stored.columns, row = columns * d->job.format.bytes;
  gsize planes = sample < 0 ? d->job.format.samples : 1;
  g_autofree guint8 *turned = NULL;
  if (d->page->orientation == ORIENTATION_TOPLEFT)
    return decode_stored (d, sample, region, pixels, stride, error);
  turned = g_try_malloc (rows * row * planes);
  if (!turned)
    return files_tiff_no_memory (d->job.file, error);
  if (!decode_stored (d, sample, &stored, turned, row, error))
    return FALSE;
  for (gsize i = 0; i < planes; i++)
    orient (d->page, rows, columns, d->job.format.bytes, turned + i * rows * row,
            (guint8 *) pixels + i * (gsize) region->rows * stride, stride);
  return TRUE;
}
