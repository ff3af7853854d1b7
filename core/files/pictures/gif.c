/* SPDX-License-Identifier: MIT
 *
 * GIF 87a and 89a. A code of its LZW means a known string and a byte more; codes have 3 to 12 bits, the lowest bit first. A full table stays as it is
 * until a code clears it.
 */
#include "core/files/pictures/gif.h"

#include "core/base/file_read.h"
#include "core/files/pictures/gif_write.h"
#include "core/files/shared/frames.h"
#include "core/files/shared/movie.h"

#include <string.h>

enum {
  HEADER = 13,
  CONTROL = 0x21,
  PICTURE = 0x2c,
  END = 0x3b,
  GRAPHICS = 0xf9,
  DESCRIPTOR = 10,
  CODES = 4096,
};

static gboolean
is (const FileFormat *self, const char *path, const guint8 *head, gsize n)
{
  (void) self, (void) path;
  return n >= 6 && (!memcmp (head, "GIF87a", 6) || !memcmp (head, "GIF89a", 6));
}

static guint
u16 (const guint8 *p)
{
  return p[0] | (guint) p[1] << 8;
}

/* Bytes of the palette that the flags announce. */
static gsize
palette_bytes (guint8 flags)
{
  return flags & 0x80 ? (gsize) 6 << (flags & 7) : 0;
}

/* Where a chain of sub-blocks ends; behind the file when that is cut off. */
static gsize
skip_blocks (const FilesFrames *f, gsize i)
{
  while (i < f->size && f->bytes[i])
    i += (gsize) f->bytes[i] + 1;
  return i + 1;
}

/* ---- Blocks ---- */

static gboolean
is_gray (const guint8 *palette, gsize bytes)
{
  for (gsize i = 0; i + 2 < bytes; i += 3)
    if (palette[i] != palette[i + 1] || palette[i] != palette[i + 2])
      return FALSE;
  return TRUE;
}

/* The delay, the transparent color and the end of the frame that follows. */
static void
read_control (const FilesFrames *f, gsize at, FilesFrame *next)
{
  const guint8 *p = f->bytes + at;
  if (at + 8 > f->size || p[1] != GRAPHICS || p[2] < 4)
    return;
  const guint end = p[3] >> 2 & 7;
  next->end = end == 2 ? FILES_FRAME_CLEARED : end == 3 ? FILES_FRAME_UNDONE : FILES_FRAME_STAYS;
  next->delay = u16 (p + 4) / 100.0;
  next->key = p[3] & 1 ? p[6] : -1;
}

/* Adds the frame whose descriptor begins there. Returns where it ends; behind the file when it is cut off or not within the canvas. */
static gsize
read_picture (FilesFrames *f, gsize at, const FilesFrame *next)
{
  FilesFrame frame = *next;
  const guint8 *p = f->bytes + at;
  if (at + DESCRIPTOR >= f->size)
    return f->size + 1;
  const gsize own = palette_bytes (p[9]);
  frame.column = u16 (p + 1);
  frame.row = u16 (p + 3);
  frame.columns = u16 (p + 5);
  frame.rows = u16 (p + 7);
  frame.at = at;
  if (!frame.rows || !frame.columns || at + DESCRIPTOR + own >= f->size || !(own || palette_bytes (f->bytes[10])))
    return f->size + 1;
  if (f->frames->len == 0) { /* some programs leave the canvas smaller than what is on it */
    f->info.rows = MAX (f->info.rows, frame.row + frame.rows);
    f->info.columns = MAX (f->info.columns, frame.column + frame.columns);
  }
  if (frame.row + frame.rows > f->info.rows || frame.column + frame.columns > f->info.columns)
    return f->size + 1;
  f->can_hide |= (!f->frames->len && frame.key >= 0) || files_frames_uncovers (f, &frame, f->frames->len);
  f->gray &= own ? is_gray (p + DESCRIPTOR, own) : is_gray (f->bytes + HEADER, palette_bytes (f->bytes[10]));
  g_array_append_val (f->frames, frame);
  return skip_blocks (f, at + DESCRIPTOR + own + 1);
}

/* All blocks, to the last. */
static gboolean
read_blocks (FilesFrames *f, GError **error)
{
  const FilesFrame none = {.key = -1, .over = TRUE};
  FilesFrame next = none;
  gsize at = f->size < HEADER ? f->size : HEADER + palette_bytes (f->bytes[10]);
  if (at < f->size) {
    f->info.columns = u16 (f->bytes + 6);
    f->info.rows = u16 (f->bytes + 8);
    f->gray = TRUE;
  }
  while (at < f->size && f->bytes[at] != END)
    if (f->bytes[at] == CONTROL) {
      read_control (f, at, &next);
      at = skip_blocks (f, at + 2);
    } else if (f->bytes[at] == PICTURE) {
      at = read_picture (f, at, &next);
      next = none;
    } else if (f->bytes[at] == 0)
      at++;
    else
      break;
  if (at < f->size && f->bytes[at] == END && f->frames->len)
    return TRUE;
  return file_fail (error, FILE_ERROR_DAMAGED, f->path, "is damaged or truncated: frame %u of it cannot be read.",
                    f->frames->len + (at <= f->size));
}

/* ---- Pixels ---- */

typedef struct {
  const FilesFrames *f;
  gsize at, left; /* the next byte, and how many more the sub-block has */
  guint32 bits;
  guint n;
} Bits;

/* The next code; CODES at the end. */
static guint
next_code (Bits *b, guint width)
{
  for (; b->n < width; b->n += 8) {
    if (!b->left && (b->at >= b->f->size || !(b->left = b->f->bytes[b->at++])))
      return CODES;
    if (b->at >= b->f->size)
      return CODES;
    b->bits |= (guint32) b->f->bytes[b->at++] << b->n;
    b->left--;
  }
  const guint code = b->bits & ((1u << width) - 1);
  b->bits >>= width;
  b->n -= width;
  return code;
}

/* Decodes the strings of sub-blocks from `at` on into n indices; how many there are. */
static gsize
decode_indices (const FilesFrames *f, gsize at, guint8 *to, gsize n)
{
  struct {
    guint16 before;
    guint8 last;
  } table[CODES] = {{0}};
  const guint min = CLAMP (f->bytes[at], 1, 8), clear = 1u << min, end = clear + 1;
  Bits b = {.f = f, .at = at + 1};
  guint width = min + 1, next = end + 1, before = CODES;
  gsize done = 0;
  guint8 first = 0;
  if (min != f->bytes[at])
    return 0;
  while (done < n) {
    const guint code = next_code (&b, width);
    if (code == end || code == CODES)
      break;
    if (code == clear) {
      width = min + 1;
      next = end + 1;
      before = CODES;
      continue;
    }
    if (code > next || (code == next && before == CODES) || (code > end && before == CODES))
      break;
    guint8 string[CODES];
    guint length = 0, at_code = code;
    if (code == next) {
      string[length++] = first;
      at_code = before;
    }
    for (; at_code > end; at_code = table[at_code].before)
      string[length++] = table[at_code].last;
    string[length++] = first = (guint8) at_code;
    while (length && done < n)
      to[done++] = string[--length];
    if (before != CODES && next < CODES) {
      table[next].before = (guint16) before;
      table[next++].last = first;
      width += next == 1u << width && width < 12;
    }
    before = code;
  }
  return done;
}

/* Row y of the picture, of those that are stored in order. */
static gint64
row_of (gint64 stored, gint64 rows, gboolean interlaced)
{
  static const struct {
    int first, step;
  } passes[] = {{0, 8}, {4, 8}, {2, 4}, {1, 2}};
  if (!interlaced)
    return stored;
  for (guint i = 0;; i++) {
    const gint64 of_pass = rows > passes[i].first ? (rows - passes[i].first - 1) / passes[i].step + 1 : 0;
    if (stored < of_pass)
      return passes[i].first + stored * passes[i].step;
    stored -= of_pass;
  }
}

static gboolean
decode (const FilesFrames *f, const FilesFrame *frame, FilesRgba *to, GError **error)
{
  const guint8 *p = f->bytes + frame->at;
  const gsize own = palette_bytes (p[9]), colors = (own ? own : palette_bytes (f->bytes[10])) / 3;
  const guint8 *palette = own ? p + DESCRIPTOR : f->bytes + HEADER;
  const gsize n = (gsize) (frame->rows * frame->columns);
  g_autofree guint8 *indices = g_try_malloc (n);
  if (!indices)
    return file_fail (error, FILE_ERROR_OPEN, f->path, "does not fit into the memory.");
  if (decode_indices (f, frame->at + DESCRIPTOR + own, indices, n) < n)
    return file_fail (error, FILE_ERROR_DAMAGED, f->path, "is damaged or truncated: frame %u of it cannot be decoded.",
                      (guint) (frame - (const FilesFrame *) f->frames->data) + 1);
  for (gint64 y = 0; y < frame->rows; y++) {
    FilesRgba *row = to + row_of (y, frame->rows, p[9] & 0x40) * frame->columns;
    for (gint64 x = 0; x < frame->columns; x++) {
      const guint index = indices[y * frame->columns + x];
      for (guint i = 0; i < 3; i++)
        row[x][i] = index < colors ? palette[3 * index + i] : 0;
      row[x][3] = (gint) index == frame->key ? 0 : G_MAXUINT8;
    }
  }
  return TRUE;
}

/* ---- Labels ---- */

/* The only frame, where it is all of the canvas: its indices are the image if they are labels. NULL: they are not. */
static Image *
open_labels (const FilesFrames *f)
{
  const FilesFrame *frame = (const FilesFrame *) f->frames->data;
  const guint8 *p = f->bytes + frame->at;
  const gsize own = palette_bytes (p[9]), n = (gsize) (frame->rows * frame->columns);
  const guint8 *palette = own ? p + DESCRIPTOR : f->bytes + HEADER;
  g_autofree guint8 *stored = NULL, *indices = NULL;
  if (f->frames->len > 1 || frame->rows < f->info.rows || frame->columns < f->info.columns)
    return NULL;
  stored = g_try_malloc (n);
  indices = g_try_malloc (n);
  if (!stored || !indices || decode_indices (f, frame->at + DESCRIPTOR + own, stored, n) < n)
    return NULL;
  for (gint64 y = 0; y < frame->rows; y++)
    memcpy (indices + row_of (y, frame->rows, p[9] & 0x40) * frame->columns, stored + y * frame->columns,
            (gsize) frame->columns);
  const FilesSamples samples = {indices, (gsize) frame->columns, 1, TRUE};
  return files_samples_are_labels (&samples, frame->rows, frame->columns, palette,
                                   (guint) (own ? own : palette_bytes (f->bytes[10])) / 3)
           ? files_samples_image (&f->info, &samples, NULL)
           : NULL;
}

/* ---- Files ---- */

/* FALSE with *error; files_frames_clear() and g_free (*bytes) in any case. */
static gboolean
frames_open (FilesFrames *f, const char *path, char **bytes, GError **error)
{
  gsize size = 0;
  *bytes = file_read_small (path, 0, G_MAXUINT32, &size, error);
  files_frames_init (f, path, (const guint8 *) *bytes, size);
  f->info.type = FV_U8;
  f->decode = decode;
  if (!*bytes || !read_blocks (f, error) || !files_frames_check (f, error))
    return FALSE;
  f->info.source_type = f->gray ? NULL : g_strdup (IMAGE_INFO_INDEXED);
  return TRUE;
}

static Image *
open_frames (gpointer path, guint n, GError **error)
{
  g_autofree char *bytes = NULL;
  FilesFrames f;
  (void) n;
  const gboolean opened = frames_open (&f, path, &bytes, error);
  Image *image = opened ? open_labels (&f) : NULL;
  if (opened && !image)
    image = files_frames_image (&f, error);
  files_frames_clear (&f);
  return image;
}

static gboolean
describe (gpointer path, guint n, ImageInfo *info, const char **depends, GError **error)
{
  g_autofree char *bytes = NULL;
  FilesFrames f;
  (void) n;
  const gboolean read = frames_open (&f, path, &bytes, error);
  if (read)
    *depends = files_frames_describe (&f, info);
  if (read && f.frames->len == 1 && !f.gray)
    *depends =
      "one channel if all its colors are gray or those of labels, and one more if its alpha is not opaque everywhere";
  files_frames_clear (&f);
  return read;
}

static const fv_param options[] = {FILES_MOVIE_RATE, {0}};

const FileFormat format_gif = {
  .key = "gif",
  .label = "GIF",
  .endings = (const char *const[]){"gif", NULL},
  .mime = (const char *const[]){"image/gif", NULL},
  .is = is,
  .describe = describe,
  .open = open_frames,
  .n_written = 1,
  .macro = "Gif",
  .options = options,
  .options_size = sizeof (FilesMovieChoices),
  .save = files_gif_save,
};
