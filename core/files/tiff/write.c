/* SPDX-License-Identifier: MIT
 *
 * Layout: header, first directory, pixels of all planes, the other directories. libtiff cannot write that: it puts each
 * directory behind its own pixels, and ImageJ finds only planes that follow each other without a gap. Numbers are
 * in this machine's byte order.
 */
#include "core/files/tiff/write.h"

#include "core/files/tiff/write_chunks.h"
#include "core/files/tiff/writer.h"

#include <string.h>
#include <tiffio.h>

enum { FIRST_AT = 16 }; /* the first directory */

/* Pixels one after the other. */
typedef struct {
  FilesTiffWriter *w;
  guint64 page_bytes;
  guint64 pixels_at; /* where the first page's begin */
} Solid;

/* ---- Pixels without gaps ---- */

static GByteArray *
make_directory (const Solid *s, gint64 page, guint64 at, guint64 next)
{
  const ImageInfo *info = s->w->info;
  guint64 offset = s->pixels_at + (guint64) page * s->page_bytes;
  const FilesTiffWritten written = {.writer = s->w,
                                    .page = page,
                                    .rows = info->rows,
                                    .columns = info->columns,
                                    .compression = COMPRESSION_NONE,
                                    .chunk_rows = info->rows,
                                    .n = 1,
                                    .offsets = &offset,
                                    .counts = &s->page_bytes};
  return files_tiff_ifd_make (s->w->big, at, page + 1 < s->w->pages ? next : 0, files_tiff_add_tags, &written);
}

static guint64
align (guint64 at)
{
  return (at + 15) / 16 * 16;
}

static gboolean
write_head (const Solid *s, GError **error)
{
  guint64 behind = align (s->pixels_at + (guint64) s->w->pages * s->page_bytes);
  g_autoptr (GByteArray) head = g_byte_array_new (), first = make_directory (s, 0, FIRST_AT, behind);
  files_tiff_append_header (head, s->w->big, FIRST_AT);
  while (head->len < FIRST_AT)
    files_tiff_append_number (head, 0, 1);
  g_byte_array_append (head, first->data, first->len);
  while (head->len < s->pixels_at)
    files_tiff_append_number (head, 0, 1);
  return file_target_write (s->w->target, head->data, head->len, error);
}

/* A plane, or pieces of what becomes of it. */
static gboolean
write_page (const Solid *s, gint64 page, GError **error)
{
  const FilesTiffWriter *w = s->w;
  const void *planes[3];
  gsize pixels = (gsize) w->info->rows * (gsize) w->info->columns, step = 1 << 20,
        bytes = w->stored.bits / 8 * w->samples;
  g_autofree guint8 *piece = w->samples == 3 || !w->stored.copied ? g_malloc (step * bytes) : NULL;
  if (!files_tiff_page_planes (w, page, planes, error))
    return FALSE;
  if (!piece)
    return file_target_write (w->target, planes[0], s->page_bytes, error);
  for (gsize i = 0; i < pixels; i += step) {
    gsize n = MIN (step, pixels - i);
    if (!files_tiff_make_samples (w, planes, i, n, piece, error)
        || !file_target_write (w->target, piece, n * bytes, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
write_other_directories (const Solid *s, GError **error)
{
  guint64 end = s->pixels_at + (guint64) s->w->pages * s->page_bytes, at = align (end);
  static const guint8 zeros[16];
  if (s->w->pages > 1 && !file_target_write (s->w->target, zeros, at - end, error))
    return FALSE;
  for (gint64 page = 1; page < s->w->pages; page++) {
    g_autoptr (GByteArray) directory = make_directory (s, page, at, 1);
    if (!file_target_write (s->w->target, directory->data, directory->len, error))
      return FALSE;
    at += directory->len;
  }
  return TRUE;
}

static gboolean
write_solid (FilesTiffWriter *w, guint64 page_bytes, GError **error)
{
  Solid s = {w, page_bytes, 0};
  g_autoptr (GByteArray) first = make_directory (&s, 0, FIRST_AT, 1); /* as large as it will be */
  s.pixels_at = FIRST_AT + align (first->len);
  if (!write_head (&s, error))
    return FALSE;
  for (gint64 page = 0; page < w->pages; page++)
    if (!write_page (&s, page, error))
      return FALSE;
  return write_other_directories (&s, error);
}

/* ---- The whole ---- */

/* ImageJ counts display ranges of signed 16-bit values from 0, as it holds these. */
static double *
shift_ranges (const ImageInfo *info)
{
  double *ranges = g_memdup2 (info->display_ranges, (gsize) info->channels * 2 * sizeof *ranges);
  for (gint64 i = 0; ranges && i < info->channels * 2; i++)
    ranges[i] -= G_MININT16;
  return ranges;
}

static gboolean
write_file (FilesTiffWriter *w, const FilesTiffChoices *choices, GError **error)
{
  const ImageInfo *info = w->info;
  gboolean solid = !choices || (choices->compression == FILES_TIFF_UNCOMPRESSED && !choices->tile && !choices->pyramid);
  guint64 page_bytes, size;
  if (info->rows > G_MAXINT32 || info->columns > G_MAXINT32)
    return file_fail (error, FILE_ERROR_WRITE, w->path, "cannot be written: TIFF holds at most %d rows and columns.",
                      G_MAXINT32);
  w->samples = info->role == FV_RGB ? 3 : 1;
  w->pages = image_info_planes (info) / w->samples;
  page_bytes = (guint64) info->rows * (guint64) info->columns * (w->stored.bits / 8) * w->samples;
  files_tiff_set_extras (w);
  size = (guint64) w->pages * (page_bytes + 512) + w->extras->len + w->counts->len + 65536;
  w->big = solid && size > G_MAXUINT32;
  return (w->target = file_target_new (w->path, error))
         && (solid ? write_solid (w, page_bytes, error) : files_tiff_write_chunks (w, choices, error));
}

gboolean
files_tiff_save (Image *image, const char *path, gconstpointer choices, GError **error)
{
  ImageInfo info = *image_info (image);
  FilesTiffStored stored = files_tiff_stored (&info);
  g_autofree double *shifted = stored.type == FV_I16 ? shift_ranges (&info) : NULL;
  FilesTiffWriter w = {.path = path,
                       .image = image,
                       .info = &info,
                       .stored = stored,
                       .counts = g_byte_array_new (),
                       .extras = g_byte_array_new ()};
  gboolean written;
  if (shifted)
    info.display_ranges = shifted;
  written = files_tiff_set_resolution (&w, error) && write_file (&w, choices, error);
  g_byte_array_unref (w.counts);
  g_byte_array_unref (w.extras);
  if (written)
    return file_target_commit (w.target, error);
  if (w.target)
    file_target_abandon (w.target);
  return FALSE;
}
