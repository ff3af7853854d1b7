/* SPDX-License-Identifier: MIT
 *
 * GIF 89a. One palette for all frames does not flicker. Frames are encoded on all cores and written in order.
 */
#include "core/files/pictures/gif_write.h"

#include "core/base/file_target.h"
#include "core/base/parallel.h"
#include "core/base/progress.h"
#include "core/files/pictures/palette.h"
#include "core/files/shared/movie.h"

#include <math.h>
#include <string.h>

enum {
  LARGEST_SIDE = 65535,
  LARGEST_FRAME = 1 << 30, /* pixels */
  GRAYS = 256,
  CODES = 4096,
  SLOTS = 8192, /* for codes, a power of two */
  BLOCK = 255,  /* bytes of a sub-block */
};

typedef struct {
  FilesMovie movie;
  FileTarget *target;
  FilesPalette *palette; /* NULL: gray values */
  guint bits;            /* of an index */
} Writer;

static void
add (GByteArray *to, guint value, guint bytes)
{
  const guint8 little[] = {(guint8) value, (guint8) (value >> 8)};
  g_byte_array_append (to, little, bytes);
}

/* ---- LZW ---- */

/* Strings are a code and a byte more; those that are known are found by both. */
typedef struct {
  guint32 keys[SLOTS]; /* G_MAXUINT32: free */
  guint16 codes[SLOTS];
  guint first, next, width; /* the code that clears; the next new one; bits of a code */
  guint32 bits;
  guint n_bits;
  GByteArray *to;
} Coder;

static void
clear (Coder *c)
{
  memset (c->keys, 0xff, sizeof c->keys);
  c->next = c->first + 2;
}

static void
put_code (Coder *c, guint code)
{
  c->bits |= code << c->n_bits;
  for (c->n_bits += c->width; c->n_bits >= 8; c->n_bits -= 8) {
    add (c->to, c->bits & 0xff, 1);
    c->bits >>= 8;
  }
}

/* Where the string is, or the free slot for it. */
static guint
slot_of (const Coder *c, guint32 key)
{
  guint slot = (key * 2654435761u) >> 19;
  while (c->keys[slot] != key && c->keys[slot] != G_MAXUINT32)
    slot = (slot + 1) % SLOTS;
  return slot;
}

/* The decoder knows a string one code later than the encoder. */
static void
count_code (Coder *c)
{
  c->next++;
  if (c->next > 1u << c->width && c->width < 12)
    c->width++;
}

static void
encode (Coder *c, guint min, const guint8 *indices, gsize n)
{
  c->first = 1u << min;
  c->width = min + 1;
  clear (c);
  put_code (c, c->first);
  guint string = indices[0];
  for (gsize i = 1; i < n; i++) {
    const guint32 key = string << 8 | indices[i];
    const guint slot = slot_of (c, key);
    if (c->keys[slot] == key) {
      string = c->codes[slot];
      continue;
    }
    put_code (c, string);
    string = indices[i];
    if (c->next < CODES) {
      c->keys[slot] = key;
      c->codes[slot] = (guint16) c->next;
      count_code (c);
    } else {
      put_code (c, c->first);
      c->width = min + 1;
      clear (c);
    }
  }
  put_code (c, string);
  count_code (c);
  put_code (c, c->first + 1);
  add (c->to, c->bits & 0xff, c->n_bits > 0);
}

static void
add_pixels (GByteArray *to, guint min, const guint8 *indices, gsize n)
{
  g_autoptr (GByteArray) codes = g_byte_array_new ();
  g_autofree Coder *coder = g_new0 (Coder, 1);
  coder->to = codes;
  encode (coder, min, indices, n);
  add (to, min, 1);
  for (guint at = 0; at < codes->len; at += BLOCK) {
    const guint some = MIN (codes->len - at, BLOCK);
    add (to, some, 1);
    g_byte_array_append (to, codes->data + at, some);
  }
  add (to, 0, 1);
}

/* ---- Frames ---- */

static gboolean
no_memory (const FilesMovie *m, GError **error)
{
  return file_fail (error, FILE_ERROR_WRITE, m->path, "cannot be written: there is not enough memory.");
}

static gboolean
make_frame (gpointer data, guint64 frame, GByteArray *bytes, GError **error)
{
  const Writer *w = data;
  const FilesMovie *m = &w->movie;
  const gsize n = (gsize) (m->info->rows * m->info->columns);
  g_autofree guint8 *pixels = g_try_malloc (files_movie_bytes (m)), *indices = g_try_malloc (n);
  if (!pixels || !indices)
    return no_memory (m, error);
  if (!files_movie_read_pixels (m, (gint64) frame, pixels, error))
    return FALSE;
  if (w->palette)
    files_palette_index (w->palette, pixels, n, indices);
  static const guint8 control[] = {0x21, 0xf9, 4, 1 << 2 /* it stays until the next is drawn */};
  g_byte_array_append (bytes, control, sizeof control);
  add (bytes, m->frames > 1 ? (guint) lround (m->interval * 100) : 0, 2);
  add (bytes, 0, 2);
  add (bytes, 0x2c, 1);
  add (bytes, 0, 2);
  add (bytes, 0, 2);
  add (bytes, (guint) m->info->columns, 2);
  add (bytes, (guint) m->info->rows, 2);
  add (bytes, 0, 1);
  add_pixels (bytes, MAX (w->bits, 2), w->palette ? indices : pixels, n);
  return TRUE;
}

static gboolean
put_frame (gpointer data, guint64 frame, const GByteArray *bytes, GError **error)
{
  (void) frame;
  return file_target_write (((Writer *) data)->target, bytes->data, bytes->len, error);
}

/* ---- The whole ---- */

/* Of all frames. */
static gboolean
find_palette (Writer *w, GError **error)
{
  const FilesMovie *m = &w->movie;
  g_autofree guint8 *pixels = g_try_malloc (files_movie_bytes (m));
  if (!pixels)
    return no_memory (m, error);
  for (gint64 i = 0; i < m->frames; i++) {
    if (progress_stopped (error) || !files_movie_read_pixels (m, i, pixels, error))
      return FALSE;
    files_palette_add (w->palette, pixels, (gsize) (m->info->rows * m->info->columns));
  }
  return TRUE;
}

static gboolean
write_head (Writer *w, GError **error)
{
  const FilesMovie *m = &w->movie;
  g_autoptr (GByteArray) head = g_byte_array_new ();
  guint8 colors[3 * GRAYS] = {0};
  guint n = GRAYS;
  for (guint i = 0; i < sizeof colors; i++)
    colors[i] = w->palette ? 0 : (guint8) (i / 3);
  if (w->palette) {
    const guint8 *found = files_palette_colors (w->palette, &n);
    memcpy (colors, found, 3 * (gsize) n);
  }
  for (w->bits = 1; 1u << w->bits < n;)
    w->bits++;
  g_byte_array_append (head, (const guint8 *) "GIF89a", 6);
  add (head, (guint) m->info->columns, 2);
  add (head, (guint) m->info->rows, 2);
  add (head, 0xf0 | (w->bits - 1), 1); /* a palette, of 8 bits */
  add (head, 0, 2);
  g_byte_array_append (head, colors, 3u << w->bits);
  if (m->frames > 1) /* repeated forever */
    g_byte_array_append (head, (const guint8 *) "\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0", 19);
  return file_target_write (w->target, head->data, head->len, error);
}

gboolean
files_gif_save (Image *image, const char *path, gconstpointer options, GError **error)
{
  const FilesMovieChoices *choices = options;
  Writer w = {.bits = 8};
  const FilesMovie *m = &w.movie;
  g_autoptr (FileTarget) target = NULL;
  if (!files_movie_init (&w.movie, image, path, "GIF", choices->rate, error) || !files_movie_is_8_bit (m, error)
      || !files_movie_check_interval (m, 0.01, 655.35, error))
    return FALSE;
  const ImageInfo *info = m->info;
  if (info->rows > LARGEST_SIDE || info->columns > LARGEST_SIDE || info->rows * info->columns > LARGEST_FRAME)
    return file_fail (error, FILE_ERROR_WRITE, path, "cannot be written: it is too large for GIF; save it as .tif.");
  g_autoptr (FilesPalette) palette = w.palette = m->channels == 3 ? files_palette_new () : NULL;
  if ((palette && !find_palette (&w, error)) || !(target = w.target = file_target_new (path, error)))
    return FALSE;
  return write_head (&w, error) && parallel_make ((guint64) m->frames, make_frame, put_frame, &w, error)
         && file_target_write (target, "\x3b", 1, error) && file_target_commit (g_steal_pointer (&target), error);
}
