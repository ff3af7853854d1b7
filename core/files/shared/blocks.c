/* SPDX-License-Identifier: MIT
 *
 * A line is what is read at one go: a row, or a column where the pixels of a column are closer to each other in the file. Pixels that are stored as
 * they are, one behind the other, go straight into the caller's memory, several rows at a time where these follow each other in both.
 */
#include "core/files/shared/blocks.h"

#include "core/base/parallel.h"
#include "core/data/pixel_type.h"

#include <string.h>

enum {
  FRAME,
  CHANNEL,
  SLICE,
  ROW,
  PIXEL,
  PIECE = 1 << 20,   /* bytes of a thread's piece */
  SCRATCH = 1 << 18, /* bytes that are read before they are put in place */
};

typedef struct {
  const FilesBlocks *blocks;
  FilesBytes *file;
  gint64 at;                 /* of the region's first pixel */
  gint64 line_step, step;    /* in the file: from line to line, from pixel to pixel of a line */
  gint64 lines, length;      /* of pixels */
  gint64 to_line, to_step;   /* as line_step and step, in memory */
  gint64 each;               /* lines of a piece */
  gboolean copied, together; /* pixels are stored as they are; all lines are one run of such pixels */
  guint pixel;               /* bytes */
  guint8 *to;
} Reading;

static gboolean
cannot_read (const Reading *r, GError **error)
{
  return file_fail (error, FILE_ERROR_DAMAGED, r->file->path, "cannot be read up to the end of its pixels.");
}

/* ---- Lines ---- */

/* n pixels that are stored as they are, one behind the other. */
static gboolean
read_copied (const Reading *r, gint64 at, gsize n, guint8 *to, GError **error)
{
  if (!files_bytes_read (r->file, (guint64) at, to, n * r->pixel))
    return cannot_read (r, error);
  if (r->blocks->number.swapped)
    files_numbers_swap (to, r->pixel, n);
  return TRUE;
}

/* How many numbers of a line are read at a time: their bytes, with those between them, are at most SCRATCH. */
static gsize
numbers_at_a_time (const Reading *r)
{
  return (gsize) MIN ((SCRATCH - 8) / ABS (r->step) + 1, SCRATCH / 8);
}

/* How many lines are read at a time: as many as fit, unless more than half of what is read would lie between them. */
static gint64
lines_at_a_time (const Reading *r)
{
  const gint64 span = (r->length - 1) * ABS (r->step) + r->blocks->number.bytes, apart = ABS (r->line_step);
  return r->length > SCRATCH / 8 || span > SCRATCH || apart == 0 || apart > 2 * span ? 1 : (SCRATCH - span) / apart + 1;
}

/* n numbers of a line, which have been read, to their pixels. scratch: twice SCRATCH bytes, of numbers and of pixels. */
static gboolean
convert (const Reading *r, const guint8 *from, gsize n, guint8 *to, guint8 *scratch, GError **error)
{
  const FilesNumber *number = &r->blocks->number;
  void *numbers = scratch, *pixels = r->copied ? numbers : scratch + SCRATCH;
  if (r->copied && !number->swapped) {
    files_numbers_move (r->pixel, from, r->step, n, to, r->to_step);
    return TRUE;
  }
  files_numbers_move (number->bytes, from, r->step, n, numbers, number->bytes);
  const gsize made = files_numbers_convert (number, numbers, n, pixels);
  if (made < n)
    return files_number_not_exact (number, r->file->path, ((const guint64 *) numbers)[made], error);
  files_numbers_move (r->pixel, pixels, r->pixel, n, to, r->to_step);
  return TRUE;
}

/* Any other line. scratch: three times SCRATCH bytes, the first of them of what is read. */
static gboolean
read_line (const Reading *r, gint64 at, guint8 *to, guint8 *scratch, GError **error)
{
  const gsize most = numbers_at_a_time (r);
  for (gint64 done = 0; done < r->length;) {
    const gsize n = MIN (most, (gsize) (r->length - done));
    const gint64 span = (gint64) (n - 1) * r->step, first = at + done * r->step + MIN (span, 0);
    if (!files_bytes_read (r->file, (guint64) first, scratch, (gsize) ABS (span) + r->blocks->number.bytes))
      return cannot_read (r, error);
    if (!convert (r, scratch - MIN (span, 0), n, to + done * r->to_step, scratch + SCRATCH, error))
      return FALSE;
    done += (gint64) n;
  }
  return TRUE;
}

/* n lines at one go. */
static gboolean
read_lines (const Reading *r, gint64 at, gint64 n, guint8 *to, guint8 *scratch, GError **error)
{
  const gint64 down = (n - 1) * r->line_step, across = (r->length - 1) * r->step;
  const gint64 before = -(MIN (down, 0) + MIN (across, 0)); /* bytes before the first number of the first line */
  if (!files_bytes_read (r->file, (guint64) (at - before), scratch,
                         (gsize) (ABS (down) + ABS (across)) + r->blocks->number.bytes))
    return cannot_read (r, error);
  for (gint64 i = 0; i < n; i++)
    if (!convert (r, scratch + before + i * r->line_step, (gsize) r->length, to + i * r->to_line, scratch + SCRATCH,
                  error))
      return FALSE;
  return TRUE;
}

static gboolean
read_piece (gpointer data, guint64 piece, GError **error)
{
  const Reading *r = data;
  const gint64 first = (gint64) piece * r->each, end = MIN (first + r->each, r->lines);
  const gboolean direct = r->copied && r->step == r->pixel && r->to_step == r->pixel;
  g_autofree guint8 *scratch = direct ? NULL : g_malloc (3 * SCRATCH);
  if (r->together)
    return read_copied (r, r->at + first * r->line_step, (gsize) ((end - first) * r->length),
                        r->to + first * r->to_line, error);
  for (gint64 i = first, n; i < end; i += n) {
    const gint64 at = r->at + i * r->line_step;
    guint8 *to = r->to + i * r->to_line;
    n = direct ? 1 : MIN (lines_at_a_time (r), end - i);
    if (direct   ? !read_copied (r, at, (gsize) r->length, to, error)
        : n == 1 ? !read_line (r, at, to, scratch, error)
                 : !read_lines (r, at, n, to, scratch, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
files_blocks_read (const FilesBlocks *blocks, const FilesBlock *block, const ImageRegion *region, void *to,
                   gsize stride, GError **error)
{
  const gint64 row = blocks->strides[ROW], step = blocks->strides[PIXEL];
  Reading r = {.blocks = blocks, .file = blocks->files[block->file], .to = to};
  r.at = (gint64) block->at + region->row * row + region->column * step;
  r.copied = files_number_is_copied (&blocks->number);
  r.pixel = (guint) pixel_type_bytes (files_number_type (&blocks->number));
  const gboolean by_column = row != 0 && ABS (row) < ABS (step);
  r.lines = by_column ? region->columns : region->rows;
  r.length = by_column ? region->rows : region->columns;
  r.line_step = by_column ? step : row;
  r.step = by_column ? row : step;
  r.to_line = by_column ? r.pixel : (gint64) stride;
  r.to_step = by_column ? (gint64) stride : r.pixel;
  r.together = r.copied && r.step == r.pixel && r.to_step == r.pixel && r.line_step == r.length * r.pixel
               && r.to_line == r.line_step;
  r.each = PIECE / (r.length * r.pixel) + 1;
  return parallel_do ((guint64) ((r.lines - 1) / r.each + 1), G_MAXUINT, read_piece, &r, error);
}

/* ---- The source ---- */

typedef struct {
  FilesBlocks blocks;
  gint64 frames, channels, depth, rows, columns;
} Source;

static FilesBlock
block_of (const Source *s, gint64 plane)
{
  const gint64 *strides = s->blocks.strides;
  if (s->blocks.planes)
    return s->blocks.planes[plane];
  return (FilesBlock){0, (guint64) ((gint64) s->blocks.at + plane / s->depth / s->channels * strides[FRAME]
                                    + plane / s->depth % s->channels * strides[CHANNEL]
                                    + plane % s->depth * strides[SLICE])};
}

static gboolean
source_read (gpointer self, guint level, gint64 plane, const ImageRegion *region, void *to, gsize stride,
             GError **error)
{
  const Source *s = self;
  const FilesBlock block = block_of (s, plane);
  (void) level;
  return files_blocks_read (&s->blocks, &block, region, to, stride, error);
}

static gboolean
source_level (gpointer self, guint n, ImageLevel *level)
{
  const Source *s = self;
  *level = (ImageLevel){s->rows, s->columns, s->rows, s->columns, TRUE};
  return n == 0;
}

static void
source_free (gpointer self)
{
  Source *s = self;
  for (guint i = 0; i < s->blocks.n_files; i++)
    files_bytes_unref (s->blocks.files[i]);
  g_free (s->blocks.files);
  g_free ((gpointer) s->blocks.planes);
  g_free (s);
}

/* ---- Checks ---- */

/* Widens *low ... *high by an axis. */
static gboolean
add_axis (gint64 n, gint64 stride, gint64 *low, gint64 *high)
{
  gint64 reach;
  if (__builtin_mul_overflow (n - 1, stride, &reach))
    return FALSE;
  return !__builtin_add_overflow (reach < 0 ? *low : *high, reach, reach < 0 ? low : high);
}

/* Whether what begins at `at` and has those axes lies within a file. */
static gboolean
is_within (const FilesBlocks *blocks, const FilesBytes *file, guint64 at, const gint64 *sizes, guint first_axis,
           GError **error)
{
  gint64 low = (gint64) MIN (at, G_MAXINT64), high = low;
  gboolean possible = at <= G_MAXINT64 && blocks->strides[PIXEL] != 0;
  for (guint axis = first_axis; possible && axis <= PIXEL; axis++)
    possible = sizes[axis] > 0 && add_axis (sizes[axis], blocks->strides[axis], &low, &high);
  possible = possible && low >= 0 && !__builtin_add_overflow (high, (gint64) blocks->number.bytes, &high);
  if (possible && (guint64) high <= file->size)
    return TRUE;
  if (possible)
    return file_fail (error, FILE_ERROR_DAMAGED, file->path,
                      "is truncated: its pixels end at byte %" G_GINT64_FORMAT ", the file at %" G_GUINT64_FORMAT ".",
                      high, file->size);
  return file_fail (error, FILE_ERROR_DAMAGED, file->path,
                    "is damaged: by its header, pixels lie outside of the file.");
}

gboolean
files_blocks_check (const FilesBlocks *blocks, const ImageInfo *info, GError **error)
{
  const gint64 sizes[] = {info->frames, info->channels, info->depth, info->rows, info->columns};
  if (!blocks->planes)
    return is_within (blocks, blocks->files[0], blocks->at, sizes, FRAME, error);
  for (gint64 i = 0; i < image_info_planes (info); i++)
    if (!is_within (blocks, blocks->files[blocks->planes[i].file], blocks->planes[i].at, sizes, ROW, error))
      return FALSE;
  return TRUE;
}

void
files_blocks_set_dense (FilesBlocks *blocks, const ImageInfo *info, guint samples)
{
  const gint64 number = blocks->number.bytes, plane = info->rows * info->columns * number * samples;
  blocks->strides[PIXEL] = number * samples;
  blocks->strides[ROW] = info->columns * number * samples;
  blocks->strides[SLICE] = plane;
  blocks->strides[CHANNEL] = samples > 1 ? number : plane * info->depth;
  blocks->strides[FRAME] = plane * info->depth * (samples > 1 ? 1 : info->channels);
}

Image *
files_blocks_image (const FilesBlocks *blocks, const ImageInfo *info, GError **error)
{
  static const ImageSource functions = {source_level, source_read, source_free};
  if (!image_info_check (info, error) || !files_blocks_check (blocks, info, error))
    return NULL;
  Source *s = g_new (Source, 1);
  *s = (Source){*blocks, info->frames, info->channels, info->depth, info->rows, info->columns};
  s->blocks.files = g_memdup2 (blocks->files, blocks->n_files * sizeof *blocks->files);
  s->blocks.planes = g_memdup2 (blocks->planes, (gsize) image_info_planes (info) * sizeof *blocks->planes);
  for (guint i = 0; i < blocks->n_files; i++)
    files_bytes_ref (blocks->files[i]);
  return image_new_from_source (info, &functions, s, error);
}
