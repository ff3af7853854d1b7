/* SPDX-License-Identifier: MIT
 *
 * A frame is made a PNG file of its own: the header with its size, the palette, and its data as IDAT. A still picture before the animation that is
 * not one of its frames is left out, as in every viewer.
 */
#include "core/files/pictures/apng.h"

#include "core/base/file_read.h"
#include "core/files/pictures/png.h"
#include "core/files/pictures/png_write.h"
#include "core/files/shared/frames.h"
#include "core/files/shared/movie.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

enum { SIGNATURE = 8, LENGTH_AND_NAME = 8, CHECKSUM = 4 };

static guint32
u32 (const guint8 *p)
{
  return (guint32) p[0] << 24 | (guint32) p[1] << 16 | (guint32) p[2] << 8 | p[3];
}

static guint
u16 (const guint8 *p)
{
  return (guint) p[0] << 8 | p[1];
}

/* ---- Chunks ---- */

typedef struct {
  const guint8 *data;
  gsize at, n; /* where it begins, bytes of its data */
  char name[5];
} Chunk;

/* The chunk that begins there. FALSE: it is cut off or its checksum is wrong. */
static gboolean
next_chunk (const FilesFrames *f, gsize at, Chunk *chunk)
{
  if (at > f->size || f->size - at < LENGTH_AND_NAME + CHECKSUM)
    return FALSE;
  *chunk = (Chunk){f->bytes + at + LENGTH_AND_NAME, at, u32 (f->bytes + at), {0}};
  memcpy (chunk->name, f->bytes + at + 4, 4);
  return chunk->n <= f->size - at - LENGTH_AND_NAME - CHECKSUM
         && crc32 (crc32 (0, NULL, 0), chunk->data - 4, (uInt) chunk->n + 4) == u32 (chunk->data + chunk->n);
}

static gsize
end_of (const Chunk *chunk)
{
  return chunk->at + LENGTH_AND_NAME + chunk->n + CHECKSUM;
}

static gboolean
is (const Chunk *chunk, const char *name)
{
  return !strcmp (chunk->name, name);
}

static void
append_chunk (GByteArray *to, const char *name, const guint8 *data, gsize n)
{
  const guint32 length = GUINT32_TO_BE ((guint32) n);
  const guint start = to->len + 4;
  g_byte_array_append (to, (const guint8 *) &length, 4);
  g_byte_array_append (to, (const guint8 *) name, 4);
  g_byte_array_append (to, data, (guint) n);
  const guint32 sum = GUINT32_TO_BE ((guint32) crc32 (crc32 (0, NULL, 0), to->data + start, (uInt) n + 4));
  g_byte_array_append (to, (const guint8 *) &sum, 4);
}

/* ---- Frames ---- */

/* Of an fcTL chunk. FALSE: it is not within the canvas. */
static gboolean
read_control (const FilesFrames *f, const Chunk *chunk, FilesFrame *frame)
{
  const guint8 *p = chunk->data;
  if (chunk->n != 26 || p[24] > 2 || p[25] > 1)
    return FALSE;
  const guint part = u16 (p + 22);
  *frame = (FilesFrame){.columns = u32 (p + 4),
                        .rows = u32 (p + 8),
                        .column = u32 (p + 12),
                        .row = u32 (p + 16),
                        .end = p[24] == 1   ? FILES_FRAME_CLEARED
                               : p[24] == 2 ? FILES_FRAME_UNDONE
                                            : FILES_FRAME_STAYS,
                        .over = p[25],
                        .delay = u16 (p + 20) / (double) (part ? part : 100),
                        .at = end_of (chunk)};
  return frame->columns && frame->rows && frame->column + frame->columns <= f->info.columns
         && frame->row + frame->rows <= f->info.rows;
}

/* All frames of the animation. */
static gboolean
read_frames (FilesFrames *f, GError **error)
{
  Chunk chunk = {0};
  FilesFrame frame;
  guint32 claimed = 0;
  gboolean fits = TRUE;
  gsize at = SIGNATURE;
  for (; fits && !is (&chunk, "IEND") && next_chunk (f, at, &chunk); at = end_of (&chunk))
    if (is (&chunk, "acTL"))
      claimed = (fits = chunk.n == 8) ? u32 (chunk.data) : 0;
    else if (is (&chunk, "fcTL") && (fits = read_control (f, &chunk, &frame)))
      g_array_append_val (f->frames, frame);
  for (guint i = 0; i < f->frames->len; i++)
    f->can_hide |= files_frames_uncovers (f, &g_array_index (f->frames, FilesFrame, i), i);
  if (fits && is (&chunk, "IEND") && f->frames->len && f->frames->len == claimed)
    return TRUE;
  return file_fail (error, FILE_ERROR_DAMAGED, f->path, "is damaged or truncated: it has %u of %u frames.",
                    f->frames->len, claimed);
}

/* Appends the chunks before the picture that its decoder needs, the header's size first replaced. */
static void
append_head (const FilesFrames *f, const FilesFrame *frame, GByteArray *to)
{
  const guint32 size[] = {GUINT32_TO_BE ((guint32) frame->columns), GUINT32_TO_BE ((guint32) frame->rows)};
  guint8 header[13];
  Chunk chunk;
  g_byte_array_append (to, f->bytes, SIGNATURE);
  for (gsize at = SIGNATURE; next_chunk (f, at, &chunk) && !is (&chunk, "IDAT"); at = end_of (&chunk))
    if (is (&chunk, "IHDR") && chunk.n == sizeof header) {
      memcpy (header, chunk.data, sizeof header);
      memcpy (header, size, sizeof size);
      append_chunk (to, "IHDR", header, sizeof header);
    } else if (is (&chunk, "PLTE") || is (&chunk, "tRNS"))
      append_chunk (to, chunk.name, chunk.data, chunk.n);
}

/* The frame as a file. */
static GByteArray *
file_of_frame (const FilesFrames *f, const FilesFrame *frame)
{
  GByteArray *to = g_byte_array_new ();
  Chunk chunk;
  append_head (f, frame, to);
  for (gsize at = frame->at; next_chunk (f, at, &chunk) && !is (&chunk, "fcTL") && !is (&chunk, "IEND");
       at = end_of (&chunk))
    if (is (&chunk, "IDAT"))
      append_chunk (to, "IDAT", chunk.data, chunk.n);
    else if (is (&chunk, "fdAT") && chunk.n >= 4)
      append_chunk (to, "IDAT", chunk.data + 4, chunk.n - 4);
  append_chunk (to, "IEND", NULL, 0);
  return to;
}

static guint16
sample (const FilesPng *png, gint64 row, gsize n)
{
  const guint8 *p = png->pixels + (gsize) row * png->samples.row_bytes;
  return png->info.type == FV_U16 ? ((const guint16 *) p)[n] : p[n];
}

static gboolean
decode (const FilesFrames *f, const FilesFrame *frame, FilesRgba *to, GError **error)
{
  g_autoptr (GByteArray) file = file_of_frame (f, frame);
  const guint16 opaque = f->info.type == FV_U16 ? G_MAXUINT16 : G_MAXUINT8;
  FilesPng png;
  const gboolean read = files_png_read (f->path, file->data, file->len, TRUE, &png, error);
  const guint n = png.samples.samples;
  for (gint64 y = 0; read && y < frame->rows; y++)
    for (gint64 x = 0; x < frame->columns; x++, to++) {
      for (guint i = 0; i < 3; i++)
        (*to)[i] = sample (&png, y, (gsize) x * n + (n > 2 ? i : 0));
      (*to)[3] = n % 2 ? opaque : sample (&png, y, (gsize) x * n + n - 1);
    }
  files_png_clear (&png);
  return read;
}

/* ---- Files ---- */

/* Whether an animation of more than one frame is announced before the pixels. */
static gboolean
is_animated (const char *path)
{
  guint8 head[LENGTH_AND_NAME + 4];
  struct stat about;
  FILE *file = file_open_stream (path, &about, NULL);
  gboolean found = FALSE;
  if (!file)
    return FALSE;
  for (long at = SIGNATURE; !found && !fseek (file, at, SEEK_SET) && fread (head, 1, sizeof head, file) == sizeof head
                            && memcmp (head + 4, "IDAT", 4);
       at += (long) u32 (head) + LENGTH_AND_NAME + CHECKSUM)
    found = !memcmp (head + 4, "acTL", 4) && u32 (head + LENGTH_AND_NAME) > 1;
  fclose (file);
  return found;
}

/* FALSE with *error; files_frames_clear() and g_free (*bytes) in any case. */
static gboolean
frames_open (FilesFrames *f, const char *path, char **bytes, GError **error)
{
  FilesPng png;
  gsize size = 0;
  *bytes = file_read_small (path, 0, G_MAXUINT32, &size, error);
  files_frames_init (f, path, (const guint8 *) *bytes, size);
  if (!*bytes)
    return FALSE;
  const gboolean read = files_png_read (path, (guint8 *) *bytes, size, FALSE, &png, error);
  if (read) {
    image_info_clear (&f->info);
    image_info_copy (&f->info, &png.info);
    f->info.role = FV_IMAGE;
    g_clear_pointer (&f->info.display_ranges, g_free);
    f->gray = png.samples.samples < 3 || png.samples.gray;
    f->can_hide = png.samples.samples % 2 == 0;
    f->decode = decode;
  }
  files_png_clear (&png);
  return read && read_frames (f, error) && files_frames_check (f, error);
}

static gboolean
is_png (const FileFormat *self, const char *path, const guint8 *head, gsize n)
{
  (void) self, (void) path;
  return n >= SIGNATURE && !memcmp (head, "\x89PNG\r\n\x1a\n", SIGNATURE);
}

static gboolean
is_picture (const FileFormat *self, const char *path, const guint8 *head, gsize n)
{
  return is_png (self, path, head, n) && !is_animated (path);
}

static gboolean
is_apng (const FileFormat *self, const char *path, const guint8 *head, gsize n)
{
  return is_png (self, path, head, n) && is_animated (path);
}

static Image *
open_picture (gpointer path, guint n, GError **error)
{
  (void) n;
  return files_png_open (path, error);
}

static gboolean
describe_picture (gpointer path, guint n, ImageInfo *info, const char **depends, GError **error)
{
  (void) n;
  return files_png_describe (path, info, depends, error);
}

static Image *
open_frames (gpointer path, guint n, GError **error)
{
  g_autofree char *bytes = NULL;
  FilesFrames f;
  (void) n;
  Image *image = frames_open (&f, path, &bytes, error) ? files_frames_image (&f, error) : NULL;
  files_frames_clear (&f);
  return image;
}

static gboolean
describe_frames (gpointer path, guint n, ImageInfo *info, const char **depends, GError **error)
{
  g_autofree char *bytes = NULL;
  FilesFrames f;
  (void) n;
  const gboolean read = frames_open (&f, path, &bytes, error);
  if (read)
    *depends = files_frames_describe (&f, info);
  files_frames_clear (&f);
  return read;
}

static const fv_param options[] = {FILES_MOVIE_RATE, {0}};

const FileFormat format_apng = {
  .key = "apng",
  .label = "APNG",
  .endings = (const char *const[]){"apng", NULL},
  .mime = (const char *const[]){"image/apng", NULL},
  .is = is_apng,
  .describe = describe_frames,
  .open = open_frames,
  .n_written = 1,
  .macro = "APNG",
  .options = options,
  .options_size = sizeof (FilesMovieChoices),
  .save = files_apng_save,
};

const FileFormat format_png = {
  .key = "png",
  .label = "PNG",
  .endings = (const char *const[]){"png", NULL},
  .mime = (const char *const[]){"image/png", NULL},
  .is = is_picture,
  .describe = describe_picture,
  .open = open_picture,
  .n_written = 1,
  .macro = "PNG",
  .save = files_png_save,
};
