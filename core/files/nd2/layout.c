/* SPDX-License-Identifier: MIT
 */
#include "core/files/nd2/layout.h"

#include <string.h>

enum {
  MAX_LEVELS = 32,    /* of loops in loops, those without frames included */
  MAX_SIDE = 1 << 30, /* pixels and components */
  TIME_BYTES = 8,     /* before the pixels of a frame */
  LOSSLESS = 0,       /* eCompression */
  LOSSY = 1,
  MAX_RATIO = 1032, /* of Deflate */
};

static gboolean fail (const FilesNd2Layout *l, FileError code, GError **error, const char *format, ...)
  G_GNUC_PRINTF (4, 5);
static gboolean
fail (const FilesNd2Layout *l, FileError code, GError **error, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;
  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  return file_fail (error, code, l->file->bytes->path, "%s", text);
}

/* ---- Loops ---- */

gboolean
files_nd2_is_used (const FilesNd2Node *valid, guint i)
{
  gsize n = 0;
  const guint8 *bytes = valid && valid->bytes ? g_bytes_get_data (valid->bytes, &n) : NULL;
  const FilesNd2Node *item = files_nd2_nth (valid, i);
  if (bytes)
    return i < n && bytes[i];
  return !files_nd2_count (valid) || (item && item->number != 0);
}

static gint64
count_positions (const FilesNd2Node *experiment, const FilesNd2Node *points)
{
  const FilesNd2Node *valid = files_nd2_child (experiment, "pItemValid");
  gint64 used = 0;
  for (guint i = 0; i < files_nd2_count (points); i++)
    used += files_nd2_is_used (valid, i);
  return used;
}

/* All frames of a time loop in several periods. */
static gint64
count_periods (const FilesNd2Node *loop)
{
  const FilesNd2Node *periods = files_nd2_child (loop, "pPeriod"), *valid = files_nd2_child (loop, "pPeriodValid");
  gint64 frames = 0;
  for (guint i = 0; i < files_nd2_count (periods); i++)
    if (files_nd2_is_used (valid, i))
      frames += CLAMP (files_nd2_integer (files_nd2_nth (periods, i), "uiCount"), 0, G_MAXINT32);
  return frames;
}

/* What a level of the experiment repeats; `n` is 0 where it repeats nothing. */
static FilesNd2Loop
loop_of (const FilesNd2Node *experiment)
{
  const FilesNd2Node *at = files_nd2_child (experiment, "uLoopPars");
  FilesNd2Loop loop = {.type = (FilesNd2Type) MAX (files_nd2_integer (experiment, "eType"), 0),
                       .experiment = experiment};
  if (files_nd2_count (at) == 1 && files_nd2_count (files_nd2_nth (at, 0))) /* in version 2 there is a list around it */
    at = files_nd2_nth (at, 0);
  loop.at = at;
  const FilesNd2Node *points = files_nd2_child (at, "Points");
  points = points ? points : files_nd2_child (at, "dPosX");
  if (loop.type == FILES_ND2_POSITIONS)
    loop.n = count_positions (experiment, points);
  else if (loop.type == FILES_ND2_TIMES)
    loop.n = count_periods (at);
  else if (loop.type == FILES_ND2_TIME || loop.type == FILES_ND2_SLICES || loop.type == FILES_ND2_CUSTOM)
    loop.n = MAX (files_nd2_integer (at, "uiCount"), 0);
  return loop;
}

/* The loops from a level of the experiment on. Where a level has several of a type, all are done with the longest. */
static void
add_loops (FilesNd2Layout *l, const FilesNd2Node *experiment)
{
  for (guint level = 0; experiment && level < MAX_LEVELS; level++) {
    const FilesNd2Loop loop = loop_of (experiment);
    if (loop.n > 1 && l->n_loops < FILES_ND2_LOOPS)
      l->loops[l->n_loops++] = loop;
    const FilesNd2Node *inner = files_nd2_child (experiment, "ppNextLevelEx");
    experiment = files_nd2_nth (inner, 0);
    for (guint i = 1; i < files_nd2_count (inner); i++)
      if (loop_of (files_nd2_nth (inner, i)).n > loop_of (experiment).n)
        experiment = files_nd2_nth (inner, i);
  }
}

/* How many frames there should be. FALSE with *error. */
static gboolean
read_loops (FilesNd2Layout *l, gint64 *frames, GError **error)
{
  const gint64 said = files_nd2_integer (l->attributes, "uiSequenceCount");
  add_loops (l, l->experiment);
  if (!l->n_loops && said > 1)
    l->loops[l->n_loops++] = (FilesNd2Loop){.type = FILES_ND2_TIME, .n = said};
  *frames = 1;
  for (guint i = l->n_loops; i > 0; i--) {
    l->loops[i - 1].step = *frames;
    if (__builtin_mul_overflow (*frames, l->loops[i - 1].n, frames))
      return fail (l, FILE_ERROR_DAMAGED, error, "is damaged: its loops have too many frames.");
  }
  return TRUE;
}

/* ---- Frames ---- */

gint64
files_nd2_frame_bytes (const FilesNd2Layout *l)
{
  return (l->rows - 1) * l->row_bytes + l->columns * l->components * l->number.bytes;
}

static gboolean
has_pixels (const FilesNd2Layout *l, const FilesNd2Chunk *chunk)
{
  const guint64 bytes = (guint64) files_nd2_frame_bytes (l);
  if (chunk->size < TIME_BYTES)
    return FALSE;
  return l->deflated ? chunk->size - TIME_BYTES >= bytes / MAX_RATIO : chunk->size - TIME_BYTES >= bytes;
}

/* "frames 8 to 10" */
static void
append_cut (const FilesNd2Layout *l, const FilesNd2Loop *loop, gint64 n)
{
  const char *what = loop->type == FILES_ND2_SLICES      ? "slice"
                     : loop->type == FILES_ND2_POSITIONS ? "position"
                     : loop->type == FILES_ND2_CUSTOM    ? "part"
                                                         : "frame";
  if (n + 1 == loop->n)
    g_string_append_printf (l->left_out, "%s %" G_GINT64_FORMAT " (not in the file)", what, loop->n);
  else
    g_string_append_printf (l->left_out, "%ss %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT " (not in the file)", what,
                            n + 1, loop->n);
}

/* The frames that are there, from the first on; of the outermost loop those elements stay that are complete. */
static gboolean
find_frames (FilesNd2Layout *l, gint64 frames, GError **error)
{
  FilesNd2Chunk chunk;
  for (gint64 i = 0; i < frames && files_nd2_frame (l->file, i, &chunk) && has_pixels (l, &chunk); i++) {
    chunk.at += TIME_BYTES;
    chunk.size -= TIME_BYTES;
    g_array_append_val (l->chunks, chunk);
  }
  const gint64 there = l->chunks->len;
  FilesNd2Loop *outer = l->n_loops ? &l->loops[0] : NULL;
  const gint64 whole = outer ? there / outer->step : there;
  if (whole == 0)
    return fail (l, FILE_ERROR_DAMAGED, error,
                 "is damaged or truncated: of the %" G_GINT64_FORMAT " frames of its first image %" G_GINT64_FORMAT
                 " are in the file.",
                 outer ? outer->step : 1, there);
  if (there < frames) {
    append_cut (l, outer, whole);
    outer->n = whole;
    g_array_set_size (l->chunks, (guint) (whole * outer->step));
  } else if (g_hash_table_size (l->file->frames) > frames)
    g_string_append_printf (l->left_out, "%" G_GINT64_FORMAT " frames behind those of its loops",
                            g_hash_table_size (l->file->frames) - frames);
  return TRUE;
}

/* ---- Pixels ---- */

static gboolean
read_attributes (FilesNd2Layout *l, GError **error)
{
  const FilesNd2Node *a = l->attributes;
  const gint64 bits = files_nd2_integer (a, "uiBpcInMemory"), tile = files_nd2_integer (a, "uiTileWidth"),
               tile_rows = files_nd2_integer (a, "uiTileHeight"), compression = files_nd2_integer (a, "eCompression");
  l->columns = files_nd2_integer (a, "uiWidth");
  l->rows = files_nd2_integer (a, "uiHeight");
  l->components = files_nd2_integer (a, "uiComp");
  l->row_bytes = files_nd2_integer (a, "uiWidthBytes");
  l->number =
    (FilesNumber){.bytes = (guint) (bits / 8), .is_float = bits == 32, .swapped = G_BYTE_ORDER == G_BIG_ENDIAN};
  if (bits != 8 && bits != 16 && bits != 32)
    return fail (l, FILE_ERROR_UNSUPPORTED, error,
                 "has values of %" G_GINT64_FORMAT " bits, which cannot be opened; those of 8, 16 and 32 can.", bits);
  if (compression == LOSSY)
    return fail (l, FILE_ERROR_UNSUPPORTED, error,
                 "is compressed with losses, which cannot be opened: save it as TIFF with NIS-Elements.");
  if (l->columns < 1 || l->rows < 1 || l->components < 1 || MAX (l->columns, l->rows) > MAX_SIDE
      || l->components > G_MAXUINT16 || l->row_bytes > G_MAXINT64 / MAX_SIDE
      || l->row_bytes < l->columns * l->components * l->number.bytes)
    return fail (l, FILE_ERROR_DAMAGED, error,
                 "is damaged: it says frames of %" G_GINT64_FORMAT " × %" G_GINT64_FORMAT
                 " pixels with %" G_GINT64_FORMAT " values in rows of %" G_GINT64_FORMAT " bytes.",
                 l->columns, l->rows, l->components, l->row_bytes);
  if ((tile > 0 && tile < l->columns) || (tile_rows > 0 && tile_rows < l->rows))
    return fail (l, FILE_ERROR_UNSUPPORTED, error,
                 "is stored in tiles, which cannot be opened: save it as TIFF with NIS-Elements.");
  l->deflated = compression == LOSSLESS;
  return TRUE;
}

/* ---- The whole ---- */

FilesNd2Layout *
files_nd2_layout_new (const char *path, GError **error)
{
  g_autoptr (FilesNd2Layout) l = g_new0 (FilesNd2Layout, 1);
  gint64 frames;
  l->references = 1;
  l->left_out = g_string_new (NULL);
  l->chunks = g_array_new (FALSE, FALSE, sizeof (FilesNd2Chunk));
  if (!(l->file = files_nd2_file_open (path, error)))
    return NULL;
  l->attributes = files_nd2_metadata (l->file, "ImageAttributes");
  l->experiment = files_nd2_metadata (l->file, "ImageMetadata");
  l->picture = files_nd2_metadata (l->file, "ImageMetadataSeq|0");
  l->texts = files_nd2_metadata (l->file, "ImageTextInfo");
  l->calibration = files_nd2_metadata (l->file, "ImageCalibration|0");
  if (!l->attributes) {
    fail (l, FILE_ERROR_DAMAGED, error, "is damaged or truncated: its attributes are missing.");
    return NULL;
  }
  if (!read_attributes (l, error) || !read_loops (l, &frames, error) || !find_frames (l, frames, error))
    return NULL;
  for (guint i = 0; i < l->n_loops; i++) {
    const FilesNd2Loop *loop = &l->loops[i];
    if (!l->frames && (loop->type == FILES_ND2_TIME || loop->type == FILES_ND2_TIMES))
      l->frames = loop;
    else if (!l->slices && loop->type == FILES_ND2_SLICES)
      l->slices = loop;
  }
  return g_steal_pointer (&l);
}

FilesNd2Layout *
files_nd2_layout_ref (FilesNd2Layout *layout)
{
  g_atomic_int_inc (&layout->references);
  return layout;
}

void
files_nd2_layout_unref (FilesNd2Layout *l)
{
  if (!g_atomic_int_dec_and_test (&l->references))
    return;
  FilesNd2Node *const nodes[] = {l->attributes, l->experiment, l->picture, l->texts, l->calibration};
  for (guint i = 0; i < G_N_ELEMENTS (nodes); i++)
    if (nodes[i])
      files_nd2_node_free (nodes[i]);
  g_clear_pointer (&l->file, files_nd2_file_free);
  g_array_unref (l->chunks);
  g_string_free (l->left_out, TRUE);
  g_free (l);
}

static gboolean
is_of_images (const FilesNd2Layout *l, const FilesNd2Loop *loop)
{
  return loop != l->frames && loop != l->slices;
}

guint
files_nd2_layout_count (const FilesNd2Layout *l)
{
  gint64 n = 1;
  for (guint i = 0; i < l->n_loops; i++)
    if (is_of_images (l, &l->loops[i]))
      n *= l->loops[i].n;
  return (guint) n;
}

gint64
files_nd2_layout_element (const FilesNd2Layout *l, const FilesNd2Loop *loop, guint n)
{
  gint64 rest = n;
  for (guint i = l->n_loops; i > 0; i--) {
    const FilesNd2Loop *one = &l->loops[i - 1];
    const gint64 length = is_of_images (l, one) ? one->n : 1;
    if (one == loop)
      return rest % length;
    rest /= length;
  }
  return 0;
}

gint64
files_nd2_layout_frame (const FilesNd2Layout *l, guint n, gint64 frame, gint64 slice)
{
  gint64 number = 0;
  for (guint i = 0; i < l->n_loops; i++) {
    const FilesNd2Loop *loop = &l->loops[i];
    const gint64 element = loop == l->frames   ? frame
                           : loop == l->slices ? slice
                                               : files_nd2_layout_element (l, loop, n);
    number += element * loop->step;
  }
  return number;
}
