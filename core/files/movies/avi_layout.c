/* SPDX-License-Identifier: MIT
 *
 * AVI 1.0 (Microsoft, "AVI RIFF File Reference") and OpenDML 1.02. Indexes are used if all that they say lies within the file; otherwise, as in
 * recordings that were stopped, the chunks of the frames are looked for one behind the other.
 */
#include "core/files/movies/avi_layout.h"

#include "core/base/file_error.h"
#include "core/base/progress.h"
#include "core/files/shared/jpeg.h"
#include "core/files/pictures/png.h"
#include "core/files/shared/little.h"

#include <string.h>

enum {
  HEAD = 8,           /* bytes before those of a chunk */
  STREAM = 36,        /* bytes of strh that are needed */
  BITMAP = 40,        /* bytes of BITMAPINFOHEADER */
  OLD_ENTRY = 16,     /* bytes of an entry of idx1 */
  INDEX_HEAD = 24,    /* bytes before the entries of OpenDML indexes */
  SUPER_ENTRY = 16,   /* bytes of an entry in an index of indexes */
  CHUNK_ENTRY = 8,    /* bytes of an entry in an index of chunks */
  PIECE = 1 << 16,    /* bytes of an index that are read at one go, a multiple of all entries */
  LARGEST = 1 << 30,  /* bytes of a compressed frame */
  JPEG_PIXELS = 1024, /* that one byte of JPEG can make at most */
};

typedef struct {
  char id[5], kind[5]; /* kind: of lists, else "" */
  guint64 at, end;     /* its bytes, without the kind */
  guint64 next;        /* the chunk behind it */
  gboolean cut;        /* it claims more than there is */
} Chunk;

typedef struct {
  FilesAviLayout *l;
  guint streams; /* as far as they were read */
  int video;     /* number of the first video stream; -1: none so far */
  guint32 claimed;
  Chunk super, old; /* indx of this stream, idx1; at 0: none */
  guint64 old_from; /* what offsets in idx1 count from */
  GArray *movies;   /* Chunk; NULL: not wanted */
  gboolean palettes;
} Reader;

/* ---- Chunks ---- */

static gboolean
is_name (const char *id, const char *name)
{
  return !memcmp (id, name, 4);
}

/* The chunk at `at`. FALSE: there is none before the end. Lists of recordings that were stopped have no size, and reach to the end. */
static gboolean
next_chunk (FilesBytes *file, guint64 at, guint64 end, Chunk *c)
{
  guint8 head[HEAD + 4] = {0};
  if (at > end || end - at < HEAD || !files_bytes_read (file, at, head, HEAD))
    return FALSE;
  const guint64 size = files_little (head + 4, 4), left = end - at - HEAD;
  *c = (Chunk){.at = at + HEAD, .cut = size > left};
  memcpy (c->id, head, 4);
  const gboolean list = is_name (c->id, "RIFF") || is_name (c->id, "LIST");
  c->end = c->at + (size > left || (list && size < 4) ? left : size);
  c->next = c->end + (c->end - c->at) % 2;
  if (list && c->end - c->at >= 4 && files_bytes_read (file, c->at, head + HEAD, 4)) {
    memcpy (c->kind, head + HEAD, 4);
    c->at += 4;
  }
  return TRUE;
}

gboolean
files_avi_is (const guint8 *head, gsize n)
{
  return n >= 12 && !memcmp (head, "RIFF", 4) && !memcmp (head + 8, "AVI ", 4);
}

/* ---- Headers ---- */

static void
read_palette (FilesAviLayout *l, const guint8 *colors, guint n)
{
  l->samples = 1;
  for (guint i = 0; i < n; i++)
    for (guint c = 0; c < 3; c++) /* stored as blue, green, red and a byte more */
      l->palette[3 * i + c] = colors[4 * i + 2 - c];
  for (guint i = 0; i < n; i++) {
    const guint8 *p = l->palette + 3 * i;
    l->mapped |= p[0] != i || p[1] != i || p[2] != i;
    if (p[0] != p[1] || p[0] != p[2])
      l->samples = 3;
  }
}

/* What the name of the compression and the bits of a pixel mean. */
static FilesAviCodec
codec_of (const char *name, guint bits)
{
  static const struct {
    const char *name;
    FilesAviCodec codec;
  } known[] = {
    {"MJPG", FILES_AVI_JPEG}, {"mjpg", FILES_AVI_JPEG}, {"AVRn", FILES_AVI_JPEG}, {"png ", FILES_AVI_PNG},
    {"PNG ", FILES_AVI_PNG},  {"MPNG", FILES_AVI_PNG},  {"PNG1", FILES_AVI_PNG},
  };
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (is_name (name, known[i].name))
      return known[i].codec;
  const gboolean gray = is_name (name, "Y800") || is_name (name, "Y8  ") || is_name (name, "GREY");
  const gboolean plain = is_name (name, "\0\0\0\0") || is_name (name, "DIB ") || is_name (name, "RGB ");
  return (gray && bits <= 8) || (plain && (bits == 8 || bits == 24 || bits == 32)) ? FILES_AVI_RAW : FILES_AVI_FOREIGN;
}

/* BITMAPINFOHEADER and the palette. */
static gboolean
read_format (Reader *r, const Chunk *c, GError **error)
{
  FilesAviLayout *l = r->l;
  guint8 p[BITMAP], colors[4 * 256];
  if (c->end - c->at < BITMAP || !files_bytes_read (l->file, c->at, p, BITMAP))
    return file_fail (error, FILE_ERROR_DAMAGED, l->file->path, "is damaged: the header of its video is too short.");
  const gint64 rows = (gint32) files_little (p + 8, 4);
  const guint64 header = files_little (p, 4), left = c->end - c->at - MIN (header, c->end - c->at),
                n = MIN (files_little (p + 32, 4) ? files_little (p + 32, 4) : 256, MIN (left / 4, 256));
  l->columns = (gint32) files_little (p + 4, 4);
  l->rows = ABS (rows);
  l->bits = (guint) files_little (p + 14, 2);
  l->codec = codec_of ((const char *) p + 16, l->bits);
  const gboolean named = p[16] == 'Y' || p[16] == 'G'; /* rows of gray values, from the first down */
  l->upward = rows > 0 && !named;
  l->samples = l->bits <= 8 ? 1 : 3;
  if (named)
    l->bits = 8;
  else if (l->bits == 8 && files_bytes_read (l->file, c->at + header, colors, n * 4))
    read_palette (l, colors, (guint) n);
  return (l->columns > 0 && l->rows > 0)
         || file_fail (error, FILE_ERROR_DAMAGED, l->file->path,
                       "is damaged: it claims frames of %" G_GINT64_FORMAT "×%" G_GINT64_FORMAT " pixels.", l->columns,
                       rows);
}

/* A list "strl". */
static gboolean
read_stream (Reader *r, const Chunk *list, GError **error)
{
  gboolean video = FALSE;
  guint8 p[STREAM];
  Chunk c;
  for (guint64 at = list->at; next_chunk (r->l->file, at, list->end, &c); at = c.next)
    if (is_name (c.id, "strh") && r->video < 0 && c.end - c.at >= STREAM
        && files_bytes_read (r->l->file, c.at, p, STREAM) && is_name ((const char *) p, "vids")) {
      const double scale = (double) files_little (p + 20, 4), rate = (double) files_little (p + 24, 4);
      video = TRUE;
      r->video = (int) r->streams;
      r->claimed = (guint32) files_little (p + 32, 4);
      if (scale > 0 && rate > 0)
        r->l->interval = scale / rate;
    } else if (video && is_name (c.id, "strf")) {
      if (!read_format (r, &c, error))
        return FALSE;
    } else if (video && is_name (c.id, "indx"))
      r->super = c;
  r->streams++;
  return TRUE;
}

static gboolean
read_header (Reader *r, const Chunk *list, GError **error)
{
  Chunk c;
  guint8 microseconds[4];
  for (guint64 at = list->at; next_chunk (r->l->file, at, list->end, &c); at = c.next)
    if (is_name (c.id, "avih") && c.end - c.at >= 4 && files_bytes_read (r->l->file, c.at, microseconds, 4))
      r->l->interval = (double) files_little (microseconds, 4) / 1e6;
    else if (is_name (c.kind, "strl") && !read_stream (r, &c, error))
      return FALSE;
  return r->l->rows > 0 || file_fail (error, FILE_ERROR_UNSUPPORTED, r->l->file->path, "has no video.");
}

/* The trees, down to the lists of frames. header_only: the first list that describes the streams is enough. */
static gboolean
read_trees (Reader *r, gboolean header_only, GError **error)
{
  FilesBytes *file = r->l->file;
  gboolean described = FALSE;
  Chunk tree, c;
  for (guint64 top = 0; next_chunk (file, top, file->size, &tree) && is_name (tree.id, "RIFF"); top = tree.next)
    for (guint64 at = tree.at; next_chunk (file, at, tree.end, &c); at = c.next)
      if (is_name (c.kind, "hdrl") && !described) {
        described = TRUE;
        if (!read_header (r, &c, error))
          return FALSE;
        if (header_only)
          return TRUE;
      } else if (is_name (c.kind, "movi") && r->movies)
        g_array_append_val (r->movies, c);
      else if (is_name (c.id, "idx1"))
        r->old = c;
  return described
         || file_fail (error, FILE_ERROR_DAMAGED, file->path,
                       "is damaged or truncated: it does not say what is in it.");
}

/* ---- Frames ---- */

/* Whether the chunk is of the video. */
static gboolean
is_of_video (const Reader *r, const char *id)
{
  return g_ascii_isdigit (id[0]) && g_ascii_isdigit (id[1]) && 10 * (id[0] - '0') + id[1] - '0' == r->video;
}

/* Without bytes it is the frame before once more. FALSE: it does not lie within the file, or the file is too short for so many. */
static gboolean
add_frame (Reader *r, guint64 at, guint64 size)
{
  GArray *frames = r->l->frames;
  FilesAviFrame frame = {at, (guint32) size};
  if (at > r->l->file->size || size > r->l->file->size - at || frames->len >= r->l->file->size / HEAD)
    return FALSE;
  if (!size && frames->len)
    frame = g_array_index (frames, FilesAviFrame, frames->len - 1);
  if (frame.size)
    g_array_append_val (frames, frame);
  return TRUE;
}

typedef gboolean (*Take) (Reader *r, const guint8 *entry, guint64 from, GError **error);

/* Gives each of n entries to take(). FALSE: one was not taken, or the work was stopped (*error). */
static gboolean
each_entry (Reader *r, guint64 at, guint64 n, gsize bytes, Take take, guint64 from, GError **error)
{
  g_autofree guint8 *entries = g_malloc (PIECE);
  const guint64 together = PIECE / bytes;
  for (guint64 done = 0; done < n; done += together) {
    const gsize some = (gsize) MIN (together, n - done);
    if (progress_stopped (error) || !files_bytes_read (r->l->file, at + done * bytes, entries, some * bytes))
      return FALSE;
    for (gsize i = 0; i < some; i++)
      if (!take (r, entries + i * bytes, from, error))
        return FALSE;
  }
  return TRUE;
}

static gboolean
take_chunk_entry (Reader *r, const guint8 *entry, guint64 from, GError **error)
{
  const guint64 offset = files_little (entry, 4);
  (void) error;
  return offset <= G_MAXUINT64 - from && add_frame (r, from + offset, files_little (entry + 4, 4) & G_MAXINT32);
}

/* An index of chunks, or of others of these. */
static gboolean
read_index (Reader *r, guint64 at, guint64 end, Take take, gsize entry, GError **error)
{
  guint8 p[INDEX_HEAD];
  if (at > end || end - at < INDEX_HEAD || !files_bytes_read (r->l->file, at, p, INDEX_HEAD))
    return FALSE;
  const guint64 n = files_little (p + 4, 4);
  const gboolean of_indexes = p[3] == 0;
  return of_indexes == (entry == SUPER_ENTRY) && files_little (p, 2) * 4 == entry && p[2] == 0
         && n <= (end - at - INDEX_HEAD) / entry
         && each_entry (r, at + INDEX_HEAD, n, entry, take, files_little (p + 12, 8), error);
}

static gboolean
take_super_entry (Reader *r, const guint8 *entry, guint64 from, GError **error)
{
  Chunk c;
  (void) from;
  return next_chunk (r->l->file, files_little (entry, 8), r->l->file->size, &c) && c.id[0] == 'i' && c.id[1] == 'x'
         && read_index (r, c.at, c.end, take_chunk_entry, CHUNK_ENTRY, error);
}

static gboolean
take_old_entry (Reader *r, const guint8 *entry, guint64 from, GError **error)
{
  (void) error;
  if (!is_of_video (r, (const char *) entry))
    return TRUE;
  r->palettes |= entry[2] == 'p';
  return add_frame (r, from + files_little (entry + 8, 4) + HEAD, files_little (entry + 12, 4));
}

/* Offsets in idx1 count from the name of the list, or from the beginning of the file. FALSE: neither is true of the first. */
static gboolean
find_old_offset (const Reader *r, guint64 *from)
{
  const guint64 bases[] = {g_array_index (r->movies, Chunk, 0).at - 4, 0};
  guint8 entry[OLD_ENTRY], id[4];
  if (!files_bytes_read (r->l->file, r->old.at, entry, OLD_ENTRY))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (bases); i++) {
    *from = bases[i];
    if (files_bytes_read (r->l->file, *from + files_little (entry + 8, 4), id, 4) && !memcmp (id, entry, 4))
      return TRUE;
  }
  return FALSE;
}

/* By what indexes say. FALSE: they are missing or wrong. */
static gboolean
find_by_index (Reader *r, GError **error)
{
  guint64 from;
  if (r->super.at)
    return read_index (r, r->super.at, r->super.end, take_super_entry, SUPER_ENTRY, error)
           || (!*error && read_index (r, r->super.at, r->super.end, take_chunk_entry, CHUNK_ENTRY, error));
  return r->movies->len == 1 && r->old.at && r->old.end - r->old.at >= OLD_ENTRY && find_old_offset (r, &from)
         && each_entry (r, r->old.at, (r->old.end - r->old.at) / OLD_ENTRY, OLD_ENTRY, take_old_entry, from, error);
}

/* Chunk after chunk. Frames may be in lists "rec ". FALSE: they end before the list does, as where it was filled with zeros, or the work was
 * stopped (*error). */
static gboolean
scan (Reader *r, const Chunk *list, GError **error)
{
  Chunk c;
  for (guint64 at = list->at; next_chunk (r->l->file, at, list->end, &c); at = c.next) {
    const gboolean record = is_name (list->kind, "movi") && is_name (c.kind, "rec ");
    if (progress_stopped (error) || !c.id[0] || (record && !scan (r, &c, error)))
      return FALSE;
    if (!is_of_video (r, c.id))
      continue;
    r->palettes |= c.id[2] == 'p';
    if (c.cut || !add_frame (r, c.at, c.end - c.at))
      return FALSE;
  }
  return !list->cut;
}

static gboolean
find_frames (Reader *r, GError **error)
{
  FilesAviLayout *l = r->l;
  GError *fault = NULL;
  gboolean whole = find_by_index (r, &fault) && l->frames->len;
  if (!whole && !fault) {
    g_array_set_size (l->frames, 0);
    whole = TRUE;
    for (guint i = 0; i < r->movies->len && whole; i++)
      whole = scan (r, &g_array_index (r->movies, Chunk, i), &fault);
  }
  if (fault) {
    g_propagate_error (error, fault);
    return FALSE;
  }
  if (!l->frames->len)
    return file_fail (error, FILE_ERROR_DAMAGED, l->file->path,
                      "is damaged or truncated: it has none of its %u frames.", r->claimed);
  if (r->palettes)
    return file_fail (error, FILE_ERROR_UNSUPPORTED, l->file->path,
                      "changes its palette from frame to frame; save it as RGB with ffmpeg or VirtualDub.");
  if (!whole && r->claimed > l->frames->len)
    g_string_append_printf (l->left_out, "%u of its %u frames, which are missing or cut off",
                            r->claimed - l->frames->len, r->claimed);
  else if (!whole)
    g_string_append (l->left_out, "the last frame, which is cut off");
  if (r->streams > 1)
    g_string_append_printf (l->left_out, "%s%u other stream%s, such as sound", l->left_out->len ? ", and " : "",
                            r->streams - 1, r->streams > 2 ? "s" : "");
  return TRUE;
}

/* ---- What frames are ---- */

gboolean
files_avi_frame_fail (const FilesAviLayout *l, const FilesAviFrame *frame, const char *why, GError **error)
{
  return file_fail (error, FILE_ERROR_DAMAGED, l->file->path, "is damaged: frame %u of it %s.",
                    (guint) (frame - (const FilesAviFrame *) (gpointer) l->frames->data) + 1, why);
}

guint8 *
files_avi_frame_read (const FilesAviLayout *l, const FilesAviFrame *frame, GError **error)
{
  g_autofree guint8 *bytes = frame->size <= LARGEST ? g_try_malloc (frame->size) : NULL;
  if (bytes && files_bytes_read (l->file, frame->at, bytes, frame->size))
    return g_steal_pointer (&bytes);
  files_avi_frame_fail (l, frame, bytes ? "cannot be read" : "does not fit into the memory", error);
  return NULL;
}

/* Rows are filled up to 4 bytes, unless the first frame is too short for that. */
static gboolean
check_raw (FilesAviLayout *l, GError **error)
{
  const gint64 dense = l->columns * l->bits / 8, full = (dense + 3) / 4 * 4;
  const FilesAviFrame *frames = (const FilesAviFrame *) (gpointer) l->frames->data;
  l->row_bytes = (gint64) frames[0].size >= full * l->rows ? full : dense;
  for (guint i = 0; i < l->frames->len; i++)
    if ((gint64) frames[i].size < l->row_bytes * l->rows) {
      g_autofree char *why =
        g_strdup_printf ("has %u bytes, fewer than its %" G_GINT64_FORMAT "×%" G_GINT64_FORMAT " pixels need",
                         frames[i].size, l->columns, l->rows);
      return files_avi_frame_fail (l, &frames[i], why, error);
    }
  return TRUE;
}

/* Gray or colors, by the first frame. */
static gboolean
check_compressed (FilesAviLayout *l, GError **error)
{
  const FilesAviFrame *first = (const FilesAviFrame *) (gpointer) l->frames->data;
  g_autofree guint8 *bytes = files_avi_frame_read (l, first, error);
  FilesPng png;
  if (!bytes)
    return FALSE;
  if (l->codec == FILES_AVI_JPEG) {
    l->samples = files_jpeg_components (bytes, first->size) == 1 ? 1 : 3;
    return l->rows * l->columns / JPEG_PIXELS <= first->size
           || files_avi_frame_fail (l, first, "is shorter than its size needs", error);
  }
  const gboolean read = files_png_read (l->file->path, bytes, first->size, FALSE, &png, error);
  l->samples = png.samples.samples < 3 || png.samples.gray ? 1 : 3;
  files_png_clear (&png);
  return read;
}

static gboolean
check_frames (FilesAviLayout *l, GError **error)
{
  switch (l->codec) {
  case FILES_AVI_RAW: return check_raw (l, error);
  case FILES_AVI_FOREIGN:
    return file_fail (error, FILE_ERROR_UNSUPPORTED, l->file->path, "is compressed in a way that is not known.");
  default: return check_compressed (l, error);
  }
}

static gboolean
check_size (const FilesAviLayout *l, GError **error)
{
  const ImageInfo info = {
    .frames = l->frames->len, .channels = 4, .depth = 1, .rows = l->rows, .columns = l->columns, .name = l->file->path};
  return image_info_check (&info, error);
}

/* ---- The whole ---- */

/* Of a file that is open. */
static FilesAviLayout *
layout_of (FilesBytes *file)
{
  FilesAviLayout *l = g_new0 (FilesAviLayout, 1);
  g_atomic_ref_count_init (&l->references);
  l->file = file;
  l->frames = g_array_new (FALSE, FALSE, sizeof (FilesAviFrame));
  l->left_out = g_string_new (NULL);
  return l;
}

FilesAviLayout *
files_avi_layout_ref (FilesAviLayout *l)
{
  g_atomic_ref_count_inc (&l->references);
  return l;
}

void
files_avi_layout_unref (FilesAviLayout *l)
{
  if (!g_atomic_ref_count_dec (&l->references))
    return;
  files_bytes_unref (l->file);
  g_array_unref (l->frames);
  g_string_free (l->left_out, TRUE);
  g_free (l);
}

gboolean
files_avi_is_foreign (const char *path)
{
  FilesBytes *file = files_bytes_open (path, NULL);
  g_autoptr (FilesAviLayout) l = file ? layout_of (file) : NULL;
  Reader r = {.l = l, .video = -1};
  return l && read_trees (&r, TRUE, NULL) && l->codec == FILES_AVI_FOREIGN;
}

FilesAviLayout *
files_avi_layout_new (const char *path, GError **error)
{
  FilesBytes *file = files_bytes_open (path, error);
  g_autoptr (FilesAviLayout) l = file ? layout_of (file) : NULL;
  g_autoptr (GArray) movies = g_array_new (FALSE, FALSE, sizeof (Chunk));
  Reader r = {.l = l, .video = -1, .movies = movies};
  return l && read_trees (&r, FALSE, error) && find_frames (&r, error) && check_size (l, error)
             && check_frames (l, error)
           ? g_steal_pointer (&l)
           : NULL;
}
