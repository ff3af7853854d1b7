/* SPDX-License-Identifier: MIT
 *
 * Frames are made on all cores and written in order. What is only known behind them, such as sizes of lists, is corrected when it is.
 */
#include "core/files/movies/avi_write.h"

#include "core/base/file_target.h"
#include "core/base/parallel.h"
#include "core/files/shared/jpeg.h"
#include "core/files/pictures/png_write.h"

#include <math.h>
#include <string.h>

#define TREE_BYTES ((guint64) 1 << 30)
enum {
  LARGEST_FRAME = 1 << 30, /* bytes */
  LARGEST_SIDE = 65500,    /* of JPEG */
  INDEX_HEAD = 24,
  SUPER_ENTRY = 16,
  HAS_INDEX = 0x10, /* flag of avih */
  KEY_FRAME = 0x10, /* flag in idx1 */
};

typedef struct {
  guint64 at; /* of its chunk */
  guint32 size;
} Entry;

typedef struct {
  FilesMovie movie;
  FileTarget *target;
  FilesMovieCompression compression;
  guint64 tree_bytes;
  guint64 at;            /* bytes that were written */
  guint64 tree, list;    /* where the tree and its list of frames begin */
  GArray *entries;       /* Entry, of this tree */
  guint64 count, buffer; /* where the number of frames of the first tree, and the size of the largest frame, stand */
  guint64 super;         /* where the index of indexes begins */
  guint trees, room;     /* in it */
  guint32 largest;       /* bytes of a frame */
} Writer;

/* ---- Bytes ---- */

static void
add (GByteArray *to, guint64 value, guint bytes)
{
  for (guint i = 0; i < bytes; i++) {
    const guint8 byte = i < 8 ? (guint8) (value >> 8 * i) : 0;
    g_byte_array_append (to, &byte, 1);
  }
}

static void
add_name (GByteArray *to, const char *name)
{
  g_byte_array_append (to, (const guint8 *) name, 4);
}

/* A chunk, or with a kind a list, whose size end_chunk() sets. */
static guint
begin_chunk (GByteArray *to, const char *name, const char *kind)
{
  const guint at = to->len;
  add_name (to, name);
  add (to, 0, 4);
  if (kind)
    add_name (to, kind);
  return at;
}

static void
end_chunk (GByteArray *to, guint at)
{
  const guint32 size = GUINT32_TO_LE (to->len - at - 8);
  memcpy (to->data + at + 4, &size, sizeof size);
}

static gboolean
put (Writer *w, gconstpointer bytes, gsize n, GError **error)
{
  w->at += n;
  return file_target_write (w->target, bytes, n, error);
}

static gboolean
put_array (Writer *w, const GByteArray *bytes, GError **error)
{
  return put (w, bytes->data, bytes->len, error);
}

static gboolean
correct (Writer *w, guint64 at, guint64 value, GError **error)
{
  const guint32 stored = GUINT32_TO_LE ((guint32) value);
  return file_target_correct (w->target, at, &stored, sizeof stored, error);
}

/* ---- Headers ---- */

static gsize
row_bytes (const FilesMovie *movie)
{
  return ((gsize) movie->info->columns * movie->channels + 3) / 4 * 4;
}

static gsize
raw_bytes (const FilesMovie *movie)
{
  return row_bytes (movie) * (gsize) movie->info->rows;
}

static void
add_main_header (Writer *w, GByteArray *to)
{
  const FilesMovie *m = &w->movie;
  const guint at = begin_chunk (to, "avih", NULL);
  add (to, (guint64) MIN (round (m->interval * 1e6), G_MAXUINT32), 4);
  add (to, 0, 4); /* bytes per second, unknown */
  add (to, 0, 4);
  add (to, HAS_INDEX, 4);
  w->count = to->len;
  add (to, 0, 4);
  add (to, 0, 4);
  add (to, 1, 4); /* streams */
  add (to, 0, 4);
  add (to, (guint64) m->info->columns, 4);
  add (to, (guint64) m->info->rows, 4);
  for (guint i = 0; i < 4; i++)
    add (to, 0, 4);
  end_chunk (to, at);
}

/* Of the chunk of a frame. */
static const char *
frame_name (const Writer *w)
{
  return w->compression == FILES_MOVIE_PLAIN ? "00db" : "00dc";
}

static const char *
codec_name (const Writer *w)
{
  static const char *const names[] = {"\0\0\0\0", "MJPG", "png "};
  return names[w->compression];
}

static void
add_stream_header (Writer *w, GByteArray *to)
{
  const FilesMovie *m = &w->movie;
  const guint at = begin_chunk (to, "strh", "vids");
  guint32 rate, scale;
  files_movie_rate (m->interval, &rate, &scale);
  add_name (to, codec_name (w));
  for (guint i = 0; i < 3; i++) /* flags; priority and language; initial frames */
    add (to, 0, 4);
  add (to, scale, 4);
  add (to, rate, 4);
  add (to, 0, 4); /* start */
  add (to, (guint64) m->frames, 4);
  w->buffer = to->len;
  add (to, 0, 4);
  add (to, G_MAXUINT32, 4); /* quality, unknown */
  add (to, 0, 4);           /* bytes of a sample: they vary */
  add (to, 0, 4);           /* the rectangle that shows it */
  add (to, (guint64) m->info->columns, 2);
  add (to, (guint64) m->info->rows, 2);
  end_chunk (to, at);
}

/* BITMAPINFOHEADER, and a palette of gray values. */
static void
add_format (const Writer *w, GByteArray *to)
{
  const FilesMovie *m = &w->movie;
  const guint at = begin_chunk (to, "strf", NULL), colors = m->channels == 1 ? 256 : 0;
  add (to, 40, 4);
  add (to, (guint64) m->info->columns, 4);
  add (to, (guint64) m->info->rows, 4);
  add (to, 1, 2); /* planes */
  add (to, m->channels * 8, 2);
  add_name (to, codec_name (w));
  add (to, raw_bytes (m), 4);
  add (to, 0, 8); /* pixels per meter, unknown */
  add (to, colors, 4);
  add (to, 0, 4);
  for (guint i = 0; i < colors; i++)
    add (to, i * 0x010101, 4);
  end_chunk (to, at);
}

static void
add_super_index (Writer *w, GByteArray *to)
{
  const guint at = begin_chunk (to, "indx", NULL);
  w->super = to->len;
  add (to, SUPER_ENTRY / 4, 2);
  add (to, 0, 2); /* an index of indexes */
  add (to, 0, 4);
  add_name (to, frame_name (w));
  add (to, 0, 12);
  for (guint i = 0; i < w->room; i++)
    add (to, 0, 16);
  end_chunk (to, at);
}

static gboolean
put_headers (Writer *w, GError **error)
{
  g_autoptr (GByteArray) to = g_byte_array_new ();
  const guint list = begin_chunk (to, "LIST", "hdrl");
  const guint64 before = w->at;
  add_main_header (w, to);
  const guint stream = begin_chunk (to, "LIST", "strl");
  add_stream_header (w, to);
  add_format (w, to);
  add_super_index (w, to);
  end_chunk (to, stream);
  const guint extended = begin_chunk (to, "LIST", "odml"), total = begin_chunk (to, "dmlh", NULL);
  add (to, (guint64) w->movie.frames, 4);
  end_chunk (to, total);
  end_chunk (to, extended);
  end_chunk (to, list);
  w->count += before;
  w->buffer += before;
  w->super += before;
  return put_array (w, to, error);
}

/* ---- Trees ---- */

static gboolean
begin_tree (Writer *w, GError **error)
{
  g_autoptr (GByteArray) head = g_byte_array_new (), list = g_byte_array_new ();
  w->tree = w->at;
  g_array_set_size (w->entries, 0);
  begin_chunk (head, "RIFF", w->trees ? "AVIX" : "AVI ");
  begin_chunk (list, "LIST", "movi");
  if (!put_array (w, head, error) || (!w->trees && !put_headers (w, error)))
    return FALSE;
  w->list = w->at;
  return put_array (w, list, error);
}

/* The index of the tree in its list, whose offsets are those of the frames' bytes from the list on, and its entry in the index of indexes. */
static gboolean
put_index (Writer *w, GError **error)
{
  g_autoptr (GByteArray) to = g_byte_array_new (), entry = g_byte_array_new ();
  const guint at = begin_chunk (to, "ix00", NULL);
  add (to, 2, 2);
  add (to, 1 << 8, 2); /* an index of chunks */
  add (to, w->entries->len, 4);
  add_name (to, frame_name (w));
  add (to, w->list, 8);
  add (to, 0, 4);
  for (guint i = 0; i < w->entries->len; i++) {
    const Entry *e = &g_array_index (w->entries, Entry, i);
    add (to, e->at + 8 - w->list, 4);
    add (to, e->size, 4);
  }
  end_chunk (to, at);
  add (entry, w->at, 8);
  add (entry, to->len, 4);
  add (entry, w->entries->len, 4);
  return put_array (w, to, error)
         && file_target_correct (w->target, w->super + INDEX_HEAD + (guint64) w->trees * SUPER_ENTRY, entry->data,
                                 entry->len, error);
}

static gboolean
put_old_index (Writer *w, GError **error)
{
  g_autoptr (GByteArray) to = g_byte_array_new ();
  const guint at = begin_chunk (to, "idx1", NULL);
  for (guint i = 0; i < w->entries->len; i++) {
    const Entry *e = &g_array_index (w->entries, Entry, i);
    add_name (to, frame_name (w));
    add (to, KEY_FRAME, 4);
    add (to, e->at - w->list - 8, 4);
    add (to, e->size, 4);
  }
  end_chunk (to, at);
  return put_array (w, to, error);
}

static gboolean
end_tree (Writer *w, GError **error)
{
  if (w->trees == w->room)
    return file_fail (error, FILE_ERROR_WRITE, w->movie.path, "cannot be written: it is too large for AVI.");
  if (!put_index (w, error) || !correct (w, w->list + 4, w->at - w->list - 8, error))
    return FALSE;
  if (!w->trees && (!put_old_index (w, error) || !correct (w, w->count, w->entries->len, error)))
    return FALSE;
  w->trees++;
  return correct (w, w->tree + 4, w->at - w->tree - 8, error) && correct (w, w->super + 4, w->trees, error);
}

/* ---- Frames ---- */

static gboolean
no_memory (const FilesMovie *m, GError **error)
{
  return file_fail (error, FILE_ERROR_WRITE, m->path, "cannot be written: there is not enough memory.");
}

static void
add_raw (const Writer *w, const guint8 *pixels, GByteArray *to)
{
  const FilesMovie *m = &w->movie;
  const gsize row = row_bytes (m), dense = (gsize) m->info->columns * m->channels;
  g_byte_array_set_size (to, (guint) raw_bytes (m));
  for (gint64 y = 0; y < m->info->rows; y++) {
    guint8 *stored = to->data + (gsize) (m->info->rows - 1 - y) * row;
    memcpy (stored, pixels + (gsize) y * dense, dense);
    memset (stored + dense, 0, row - dense);
    for (gsize x = 0; m->channels == 3 && x < dense; x += 3) { /* blue comes first */
      const guint8 red = stored[x];
      stored[x] = stored[x + 2];
      stored[x + 2] = red;
    }
  }
}

static gboolean
make_frame (gpointer data, guint64 frame, GByteArray *bytes, GError **error)
{
  const Writer *w = data;
  const FilesMovie *m = &w->movie;
  const ImageInfo *info = m->info;
  g_autofree guint8 *pixels = g_try_malloc (files_movie_bytes (m));
  if (!pixels)
    return no_memory (m, error);
  if (w->compression == FILES_MOVIE_PNG)
    return files_movie_read (m, (gint64) frame, pixels, error)
           && files_png_encode (m->path, info, pixels, bytes, error);
  if (!files_movie_read_pixels (m, (gint64) frame, pixels, error))
    return FALSE;
  if (w->compression == FILES_MOVIE_JPEG)
    return files_jpeg_encode (pixels, info->rows, info->columns, m->channels, bytes) || no_memory (m, error);
  add_raw (w, pixels, bytes);
  return TRUE;
}

static gboolean
put_frame (gpointer data, guint64 frame, const GByteArray *bytes, GError **error)
{
  Writer *w = data;
  guint8 head[8];
  const guint32 size = GUINT32_TO_LE (bytes->len);
  (void) frame;
  if (w->entries->len && w->at - w->tree + bytes->len > w->tree_bytes
      && (!end_tree (w, error) || !begin_tree (w, error)))
    return FALSE;
  const Entry entry = {w->at, bytes->len};
  g_array_append_val (w->entries, entry);
  w->largest = MAX (w->largest, bytes->len);
  memcpy (head, frame_name (w), 4);
  memcpy (head + 4, &size, sizeof size);
  return put (w, head, sizeof head, error) && put_array (w, bytes, error) && put (w, "", bytes->len % 2, error);
}

/* ---- The whole ---- */

static gboolean
check (const FilesMovie *m, FilesMovieCompression compression, GError **error)
{
  const ImageInfo *info = m->info;
  if (!files_movie_is_8_bit (m, error) || !files_movie_check_interval (m, 1e-6, 4e6, error))
    return FALSE;
  if (compression == FILES_MOVIE_JPEG && info->role == FV_MASK)
    return file_fail (error, FILE_ERROR_WRITE, m->path,
                      "cannot be written: JPEG changes values, and '%s' is a mask; choose another compression.",
                      info->name);
  if (m->frames > G_MAXINT32 || raw_bytes (m) > LARGEST_FRAME
      || (compression == FILES_MOVIE_JPEG && (info->rows > LARGEST_SIDE || info->columns > LARGEST_SIDE)))
    return file_fail (error, FILE_ERROR_WRITE, m->path,
                      "cannot be written: AVI holds frames of at most 1 GiB, and as JPEG of %d×%d pixels; save it as "
                      ".tif.",
                      LARGEST_SIDE, LARGEST_SIDE);
  return TRUE;
}

gboolean
files_avi_save_in_trees (Image *image, const char *path, const FilesMovieChoices *choices, guint64 tree_bytes,
                         GError **error)
{
  Writer w = {.compression = (FilesMovieCompression) choices->compression, .tree_bytes = tree_bytes};
  g_autoptr (FileTarget) target = NULL;
  g_autoptr (GArray) entries = w.entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  const FilesMovie *m = &w.movie;
  if (!files_movie_init (&w.movie, image, path, "AVI", choices->rate, error) || !check (m, w.compression, error)
      || !(target = w.target = file_target_new (path, error)))
    return FALSE;
  /* Pictures of noise can be larger than its pixels. */
  const guint64 most = (2 * (guint64) raw_bytes (m) + 64) * (guint64) m->frames;
  w.room = (guint) MIN (2 * most / tree_bytes + 2, (guint64) m->frames);
  return begin_tree (&w, error) && parallel_make ((guint64) m->frames, make_frame, put_frame, &w, error)
         && end_tree (&w, error) && correct (&w, w.buffer, w.largest, error)
         && file_target_commit (g_steal_pointer (&target), error);
}

gboolean
files_avi_save (Image *image, const char *path, gconstpointer options, GError **error)
{
  return files_avi_save_in_trees (image, path, options, TREE_BYTES, error);
}
