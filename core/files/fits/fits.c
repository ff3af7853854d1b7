/* SPDX-License-Identifier: MIT
 *
 * The source of an image in a FITS file whose pixels are not compressed, but for gzip.
 */
#include "core/files/fits/fits.h"

#include "core/base/parallel.h"
#include "core/files/fits/info.h"
#include "core/files/fits/tiles.h"
#include "core/files/fits/values.h"

enum { RUN = 1 << 16, /* numbers read at one go */ PIECE = 1 << 20 /* bytes of a thread's piece */ };

typedef struct {
  FilesFitsLayout *layout;
  const FilesFitsImage *image;
  FilesFitsValues values;
  FilesFitsTiles *tiles; /* NULL: not compressed */
} Source;

typedef struct {
  const Source *source;
  gint64 plane, piece; /* rows of a piece */
  const ImageRegion *region;
  guint8 *to;
  gsize stride;
} Reading;

/* ---- Pixels ---- */

static gboolean
not_exact (const Source *s, const guint64 *number, GError **error)
{
  g_autofree char *value = s->values.flipped ? g_strdup_printf ("%" G_GUINT64_FORMAT, *number ^ (guint64) 1 << 63)
                                             : g_strdup_printf ("%" G_GINT64_FORMAT, (gint64) *number);
  return file_fail (
    error, FILE_ERROR_UNSUPPORTED, s->layout->file->path,
    "has the value %s in its part %u, which cannot be held exactly; all %s up to 2^53 = 9007199254740992 can: "
    "renumber the objects, or scale the values.",
    value, s->image->part, s->values.source);
}

/* n pixels from number `first` of the image on. scratch: room for RUN numbers. */
static gboolean
read_run (const Source *s, guint64 first, gsize n, guint8 *to, void *scratch, GError **error)
{
  const FilesFitsValues *v = &s->values;
  for (gsize done = 0; done < n; done += RUN) {
    gsize now = MIN (RUN, n - done), made;
    void *numbers = v->copied ? to + done * v->pixel : scratch;
    if (!files_fits_read (s->layout->file, s->image->at + (first + done) * v->bytes, numbers, now * v->bytes))
      return file_fail (error, FILE_ERROR_DAMAGED, s->layout->file->path,
                        "cannot be read up to the end of its part %u.", s->image->part);
    files_fits_swap (numbers, v->bytes, now);
    made = files_fits_convert (v, numbers, now, to + done * v->pixel);
    if (made < now)
      return not_exact (s, (const guint64 *) numbers + made, error);
  }
  return TRUE;
}

static gboolean
read_piece (gpointer data, guint64 number, GError **error)
{
  const Reading *r = data;
  const Source *s = r->source;
  const ImageRegion *region = r->region;
  gint64 from = (gint64) number * r->piece, to = MIN (from + r->piece, region->rows);
  gboolean whole = region->columns == s->image->columns && r->stride == (gsize) region->columns * s->values.pixel;
  gint64 together = whole ? to - from : 1;
  g_autofree void *scratch = s->values.copied ? NULL : g_malloc ((gsize) RUN * s->values.bytes);
  for (gint64 y = from; y < to; y += together) {
    gint64 row = r->plane * s->image->rows + region->row + y;
    if (!read_run (s, (guint64) (row * s->image->columns + region->column), (gsize) (region->columns * together),
                   r->to + (gsize) y * r->stride, scratch, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
source_read (gpointer self, guint level, gint64 plane, const ImageRegion *region, void *to, gsize stride,
             GError **error)
{
  const Source *s = self;
  Reading r = {s, plane, PIECE / (region->columns * s->values.pixel) + 1, region, to, stride};
  (void) level;
  if (s->tiles)
    return files_fits_tiles_read (s->tiles, plane, region, to, stride, error);
  return parallel_do ((guint64) ((region->rows - 1) / r.piece + 1), G_MAXUINT, read_piece, &r, error);
}

static gboolean
source_level (gpointer self, guint n, ImageLevel *level)
{
  const Source *s = self;
  *level = (ImageLevel){s->image->rows, s->image->columns, s->image->rows, s->image->columns, TRUE};
  if (s->tiles)
    files_fits_tiles_level (s->tiles, level);
  return n == 0;
}

/* ---- Opening ---- */

static void
source_free (gpointer self)
{
  Source *s = self;
  g_clear_pointer (&s->tiles, files_fits_tiles_free);
  files_fits_layout_unref (s->layout);
  g_free (s);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Source, source_free)

static gboolean
is_all_there (const Source *s, GError **error)
{
  const FilesFitsImage *i = s->image;
  guint64 bytes = (guint64) (i->columns * i->rows * files_fits_planes (i)) * s->values.bytes;
  guint64 size = s->layout->file->size;
  if (bytes <= size && i->at <= size - bytes)
    return TRUE;
  return file_fail (error, FILE_ERROR_DAMAGED, s->layout->file->path,
                    "is truncated: its part %u ends at byte %" G_GUINT64_FORMAT ", the file at %" G_GUINT64_FORMAT ".",
                    i->part, i->at + bytes, size);
}

gboolean
files_fits_describe (gpointer layout, guint n, ImageInfo *info, const char **depends, GError **error)
{
  FilesFitsValues values;
  (void) depends, (void) error;
  files_fits_values (((const FilesFitsLayout *) layout)->images->pdata[n], &values);
  files_fits_info (layout, n, &values, info);
  return TRUE;
}

Image *
files_fits_open (gpointer layout, guint n, GError **error)
{
  static const ImageSource functions = {source_level, source_read, source_free};
  g_autoptr (Source) s = g_new0 (Source, 1);
  ImageInfo info;
  Image *image;
  s->layout = files_fits_layout_ref (layout);
  if (!files_fits_file_unpack (s->layout->file, error))
    return NULL;
  s->image = s->layout->images->pdata[n];
  files_fits_values (s->image, &s->values);
  if (s->image->tiles ? !(s->tiles = files_fits_tiles_new (s->layout->file, s->image, &s->values, error))
                      : !is_all_there (s, error))
    return NULL;
  files_fits_info (layout, n, &s->values, &info);
  image = image_new_from_source (&info, &functions, g_steal_pointer (&s), error);
  image_info_clear (&info);
  return image;
}
