/* SPDX-License-Identifier: MIT
 *
 * Whether an image has colors or alpha may be known only when its last frame is decoded, so that all frames are kept with those that can occur until
 * then.
 */
#include "core/files/shared/frames.h"

#include "core/base/file_error.h"
#include "core/base/file_name.h"
#include "core/base/parallel.h"
#include "core/base/progress.h"

#include <string.h>

/* For a byte of the file: pixels of the canvas, as many as LZW makes, and bytes of one sample of all frames, of which one that changes little
 * takes some 30 bytes. */
enum { MAX_PIXELS = 4096, MAX_OF_ALL = 16384, MOST_TOGETHER = 256 << 20 /* bytes */ };

typedef struct {
  const FilesFrames *frames;
  FilesRgba *canvas, *parts,
    *before;     /* parts: of the frames that are decoded together; before: what FILES_FRAME_UNDONE gives back */
  guint8 *all;   /* samples of all frames */
  guint samples; /* of a pixel, as in FilesSamples */
  guint first, together; /* of these frames */
} Player;

void
files_frames_init (FilesFrames *self, const char *path, const guint8 *bytes, gsize size)
{
  *self = (FilesFrames){.path = path, .bytes = bytes, .size = size};
  self->frames = g_array_new (FALSE, FALSE, sizeof (FilesFrame));
  self->info = (ImageInfo){.frames = 1, .channels = 1, .depth = 1, .spacing = {1, 1, 1}};
  self->info.name = file_name_short (path);
}

void
files_frames_clear (FilesFrames *self)
{
  g_array_unref (self->frames);
  image_info_clear (&self->info);
}

static guint64
canvas_pixels (const FilesFrames *self)
{
  return (guint64) self->info.rows * (guint64) self->info.columns;
}

gboolean
files_frames_uncovers (const FilesFrames *self, const FilesFrame *frame, guint before)
{
  return frame->end == FILES_FRAME_CLEARED
         || (!before
             && (frame->end == FILES_FRAME_UNDONE || frame->rows < self->info.rows
                 || frame->columns < self->info.columns));
}

gboolean
files_frames_check (const FilesFrames *self, GError **error)
{
  const guint64 value = self->info.type == FV_U16 ? 2 : 1, pixels = canvas_pixels (self),
                bytes = (guint64) self->size + 64;
  guint64 all;
  if (pixels > bytes * MAX_PIXELS)
    return file_fail (error, FILE_ERROR_DAMAGED, self->path,
                      "is damaged: it claims %" G_GINT64_FORMAT "×%" G_GINT64_FORMAT " pixels, more than it can hold.",
                      self->info.columns, self->info.rows);
  return (g_uint64_checked_mul (&all, pixels * value, self->frames->len) && all <= bytes * MAX_OF_ALL)
         || file_fail (error, FILE_ERROR_UNSUPPORTED, self->path,
                       "has %u frames of %" G_GINT64_FORMAT "×%" G_GINT64_FORMAT
                       " pixels, too many for a file of its size; save it as TIFF with Fiji.",
                       self->frames->len, self->info.columns, self->info.rows);
}

static const FilesFrame *
frame_at (const FilesFrames *self, guint n)
{
  return &g_array_index (self->frames, FilesFrame, n);
}

/* Of all frames but the last, whose delay is that before the first is shown again; 0: unknown or not always the same. */
static double
interval (const FilesFrames *self)
{
  const double first = frame_at (self, 0)->delay;
  for (guint i = 1; i + 1 < self->frames->len; i++)
    if (frame_at (self, i)->delay != first)
      return 0;
  return self->frames->len > 1 ? first : 0;
}

/* Of all frames. */
static void
info_of_frames (const FilesFrames *self, ImageInfo *info)
{
  image_info_copy (info, &self->info);
  info->frames = self->frames->len;
  info->frame_interval = interval (self);
  if (info->frame_interval > 0) {
    g_free (info->frame_unit);
    info->frame_unit = g_strdup ("s");
  }
}

const char *
files_frames_describe (const FilesFrames *self, ImageInfo *full)
{
  const FilesSamples samples = {.samples = self->can_hide ? 4 : 3, .gray = self->gray};
  ImageInfo info;
  info_of_frames (self, &info);
  const char *depends = files_samples_describe (&info, &samples, TRUE, full);
  image_info_clear (&info);
  return depends;
}

/* ---- Drawing ---- */

/* The pixel of the canvas under the first of a frame's row. */
static FilesRgba *
under (const Player *p, const FilesFrame *frame, gint64 row)
{
  return p->canvas + (frame->row + row) * p->frames->info.columns + frame->column;
}

/* "Over" of PNG's specification: alpha is not multiplied into the colors. */
static void
blend (FilesRgba to, const FilesRgba from, double opaque)
{
  const double a = from[3] / opaque, b = to[3] / opaque * (1 - a), all = a + b;
  for (int i = 0; i < 3 && all > 0; i++)
    to[i] = (guint16) ((a * from[i] + b * to[i]) / all + 0.5);
  to[3] = (guint16) (all * opaque + 0.5);
}

static void
draw (const Player *p, const FilesFrame *frame, FilesRgba *part)
{
  const guint16 opaque = p->frames->info.type == FV_U16 ? G_MAXUINT16 : G_MAXUINT8;
  const gsize columns = (gsize) frame->columns;
  for (gint64 y = 0; y < frame->rows; y++) {
    FilesRgba *to = under (p, frame, y);
    FilesRgba *from = part + (gsize) y * columns;
    if (!frame->over)
      memcpy (to, from, columns * sizeof *to);
    else
      for (gsize x = 0; x < columns; x++)
        if (from[x][3] == opaque)
          memcpy (to[x], from[x], sizeof *to);
        else if (from[x][3])
          blend (to[x], from[x], opaque);
  }
}

static void
end (const Player *p, const FilesFrame *frame)
{
  if (frame->end == FILES_FRAME_UNDONE)
    memcpy (p->canvas, p->before, canvas_pixels (p->frames) * sizeof *p->canvas);
  if (frame->end == FILES_FRAME_CLEARED)
    for (gint64 y = 0; y < frame->rows; y++)
      memset (under (p, frame, y), 0, (gsize) frame->columns * sizeof *p->canvas);
}

/* The samples of pixels that are kept: the first and alpha, or the first ones. */
static inline void
keep_samples (FilesRgba *from, gsize n, gsize samples, gboolean is_wide, gpointer to)
{
  for (gsize i = 0; i < n; i++)
    for (gsize s = 0; s < samples; s++) {
      const guint16 value = from[i][samples == 2 && s ? 3 : s];
      if (is_wide)
        ((guint16 *) to)[i * samples + s] = value;
      else
        ((guint8 *) to)[i * samples + s] = (guint8) value;
    }
}

/* The canvas, of frame n. */
static void
keep (const Player *p, guint n)
{
  const gboolean is_wide = p->frames->info.type == FV_U16;
  const gsize pixels = canvas_pixels (p->frames);
  FilesRgba *from = p->canvas;
  guint8 *to = p->all + n * pixels * p->samples * (is_wide ? 2 : 1);
  switch (p->samples) {
  case 1: keep_samples (from, pixels, 1, is_wide, to); break;
  case 2: keep_samples (from, pixels, 2, is_wide, to); break;
  case 3: keep_samples (from, pixels, 3, is_wide, to); break;
  default: keep_samples (from, pixels, 4, is_wide, to);
  }
}

static FilesRgba *
part_of (const Player *p, guint64 i)
{
  return p->parts + i * canvas_pixels (p->frames);
}

/* Of those that are decoded together. */
static gboolean
decode_frame (gpointer data, guint64 i, GError **error)
{
  const Player *p = data;
  return p->frames->decode (p->frames, frame_at (p->frames, p->first + (guint) i), part_of (p, i), error);
}

static void
show (const Player *p, guint n)
{
  const FilesFrame *frame = frame_at (p->frames, n);
  if (frame->end == FILES_FRAME_UNDONE)
    memcpy (p->before, p->canvas, canvas_pixels (p->frames) * sizeof *p->canvas);
  draw (p, frame, part_of (p, n - p->first));
  keep (p, n);
  end (p, frame);
}

static gboolean
play (Player *p, GError **error)
{
  const guint all = p->frames->frames->len;
  for (p->first = 0; p->first < all; p->first += p->together) {
    const guint n = MIN (p->together, all - p->first);
    if (progress_stopped (error) || !parallel_do (n, G_MAXUINT, decode_frame, p, error))
      return FALSE;
    for (guint i = 0; i < n; i++)
      show (p, p->first + i);
  }
  return TRUE;
}

/* How many frames are decoded at a time: one for each thread, but not for the price of much memory. */
static guint
frames_together (const FilesFrames *self)
{
  const guint64 fit = MOST_TOGETHER / (canvas_pixels (self) * sizeof (FilesRgba) + 1) + 1;
  return (guint) MIN (MIN (fit, parallel_threads ()), self->frames->len);
}

/* ---- The image ---- */

/* Whether red, green and blue are equal in all rows. */
static gboolean
is_gray (const FilesSamples *samples, fv_type type, gint64 rows, gint64 columns)
{
  if (type == FV_U8)
    return files_samples_are_gray (samples, rows, columns);
  for (gsize i = 0, n = (gsize) (rows * columns); i < n; i++) {
    const guint16 *p = (const guint16 *) samples->pixels + i * samples->samples;
    if (p[0] != p[1] || p[0] != p[2])
      return FALSE;
  }
  return TRUE;
}

/* The image of frames that lie one below the other, with n samples a pixel. */
static Image *
make_image (const FilesFrames *self, const guint8 *all, guint n, GError **error)
{
  const gsize value = self->info.type == FV_U16 ? 2 : 1;
  const FilesSamples samples = {all, (gsize) self->info.columns * n * value, n, self->gray};
  FilesSamples tall = samples;
  ImageInfo info;
  g_autoptr (Image) strip = NULL, image = NULL;
  const gint64 frames = self->frames->len;
  info_of_frames (self, &info);
  info.frames = 1;
  info.rows *= frames;
  tall.gray = self->gray || is_gray (&samples, info.type, info.rows, info.columns);
  strip = files_samples_image (&info, &tall, error);
  image_info_clear (&info);
  if (!strip || frames == 1)
    return g_steal_pointer (&strip);
  image_info_copy (&info, image_info (strip));
  info.frames = frames;
  info.rows = self->info.rows;
  image = image_new (&info, error);
  for (gint64 t = 0; image && t < frames; t++)
    for (gint64 c = 0; c < info.channels; c++)
      memcpy ((guint8 *) image_pixels (image) + (t * info.channels + c) * (gint64) image_info_plane_bytes (&info),
              (const guint8 *) image_pixels (strip) + (c * frames + t) * (gint64) image_info_plane_bytes (&info),
              image_info_plane_bytes (&info));
  image_info_clear (&info);
  return g_steal_pointer (&image);
}

Image *
files_frames_image (const FilesFrames *self, GError **error)
{
  const gsize pixels = canvas_pixels (self), value = self->info.type == FV_U16 ? 2 : 1;
  g_autofree FilesRgba *canvas = NULL, *parts = NULL, *before = NULL;
  g_autofree guint8 *all = NULL;
  if (!files_frames_check (self, error))
    return NULL;
  const guint together = frames_together (self), samples = (self->gray ? 1 : 3) + (self->can_hide ? 1 : 0);
  canvas = g_try_malloc0_n (pixels, sizeof *canvas);
  parts = g_try_malloc_n (pixels * together, sizeof *parts);
  before = g_try_malloc_n (pixels, sizeof *before);
  all = g_try_malloc_n (pixels * self->frames->len, samples * value);
  if (!canvas || !parts || !before || !all) {
    file_fail (error, FILE_ERROR_OPEN, self->path, "does not fit into the memory.");
    return NULL;
  }
  Player player = {self, canvas, parts, before, all, samples, 0, together};
  return play (&player, error) ? make_image (self, all, samples, error) : NULL;
}
