/* SPDX-License-Identifier: MIT
 */
#include "core/files/nd2/pixels.h"

#include "core/base/fork.h"
#include "core/base/parallel.h"
#include "core/files/nd2/info.h"

#include <libdeflate.h>
#include <string.h>

typedef struct {
  gatomicrefcount references;
  gint64 number;
  guint8 *pixels;
} Frame;

typedef struct {
  FilesNd2Layout *layout;
  guint n;
  gint64 depth;
  gboolean is_rgb;
  GMutex lock; /* guards what follows */
  GQueue kept; /* Frame, the last one first, no more than there are threads */
} Source;

static void
frame_unref (Frame *frame)
{
  if (!g_atomic_ref_count_dec (&frame->references))
    return;
  g_free (frame->pixels);
  g_free (frame);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Frame, frame_unref)

/* ---- Frames ---- */

/* A new reference; NULL: it is not kept. */
static Frame *
find_kept (Source *s, gint64 number)
{
  Frame *found = NULL;
  g_mutex_lock (&s->lock);
  for (GList *l = s->kept.head; l && !found; l = l->next)
    if (((Frame *) l->data)->number == number)
      found = l->data;
  if (found)
    g_atomic_ref_count_inc (&found->references);
  g_mutex_unlock (&s->lock);
  return found;
}

static void
keep (Source *s, Frame *frame)
{
  g_atomic_ref_count_inc (&frame->references);
  g_mutex_lock (&s->lock);
  g_queue_push_head (&s->kept, frame);
  if (s->kept.length > parallel_threads ())
    frame_unref (g_queue_pop_tail (&s->kept));
  g_mutex_unlock (&s->lock);
}

static gboolean
inflate_frame (const FilesNd2Layout *l, const FilesNd2Chunk *chunk, guint8 *to, gsize n)
{
  g_autofree guint8 *packed = g_try_malloc (chunk->size + 1);
  struct libdeflate_decompressor *z = libdeflate_alloc_decompressor ();
  gsize got = 0;
  const gboolean done = packed && z && files_bytes_read (l->file->bytes, chunk->at, packed, chunk->size)
                        && !libdeflate_zlib_decompress (z, packed, chunk->size, to, n, &got)
                        && (gint64) got >= files_nd2_frame_bytes (l);
  if (z)
    libdeflate_free_decompressor (z);
  return done;
}

static Frame *
read_frame (Source *s, gint64 number, GError **error)
{
  const FilesNd2Layout *l = s->layout;
  const gsize n = (gsize) l->rows * (gsize) l->row_bytes;
  g_autoptr (Frame) frame = find_kept (s, number);
  if (frame)
    return g_steal_pointer (&frame);
  frame = g_new0 (Frame, 1);
  g_atomic_ref_count_init (&frame->references);
  frame->number = number;
  frame->pixels = g_try_malloc (n);
  if (!frame->pixels || !inflate_frame (l, &g_array_index (l->chunks, FilesNd2Chunk, number), frame->pixels, n)) {
    file_fail (error, FILE_ERROR_DAMAGED, l->file->bytes->path,
               "is damaged, or does not fit into the memory: frame %" G_GINT64_FORMAT " of it cannot be decompressed.",
               number + 1);
    return NULL;
  }
  if (l->components > 1)
    keep (s, frame);
  return g_steal_pointer (&frame);
}

/* ---- The source ---- */

static gboolean
source_read (gpointer self, guint level, gint64 plane, const ImageRegion *region, void *to, gsize stride,
             GError **error)
{
  Source *s = self;
  const FilesNd2Layout *l = s->layout;
  const gint64 c = plane / s->depth % l->components;
  const guint bytes = l->number.bytes;
  const gsize step = (gsize) l->components * bytes;
  (void) level;
  g_autoptr (Frame) frame =
    read_frame (s, files_nd2_layout_frame (l, s->n, plane / s->depth / l->components, plane % s->depth), error);
  if (!frame)
    return FALSE;
  for (gint64 y = 0; y < region->rows; y++) {
    const guint8 *from = frame->pixels + (region->row + y) * l->row_bytes + (gsize) region->column * step
                         + (gsize) (s->is_rgb ? 2 - c : c) * bytes;
    guint8 *row = (guint8 *) to + (gsize) y * stride;
    for (gint64 x = 0; x < region->columns; x++)
      memcpy (row + (gsize) x * bytes, from + (gsize) x * step, bytes);
    if (l->number.swapped)
      files_numbers_swap (row, bytes, (gsize) region->columns);
  }
  return TRUE;
}

static gboolean
source_level (gpointer self, guint n, ImageLevel *level)
{
  const FilesNd2Layout *l = ((Source *) self)->layout;
  *level = (ImageLevel){l->rows, l->columns, l->rows, l->columns, FALSE};
  return n == 0;
}

static void
source_free (gpointer self)
{
  Source *s = self;
  g_queue_clear_full (&s->kept, (GDestroyNotify) frame_unref);
  files_nd2_layout_unref (s->layout);
  fork_unguard (&s->lock);
  g_mutex_clear (&s->lock);
  g_free (s);
}

Image *
files_nd2_deflated_image (FilesNd2Layout *layout, guint n, const ImageInfo *info, GError **error)
{
  static const ImageSource functions = {source_level, source_read, source_free};
  if (!image_info_check (info, error))
    return NULL;
  Source *s = g_new0 (Source, 1);
  s->layout = files_nd2_layout_ref (layout);
  s->n = n;
  s->depth = info->depth;
  s->is_rgb = files_nd2_is_rgb (layout);
  g_mutex_init (&s->lock);
  fork_guard (&s->lock, NULL, NULL);
  return image_new_from_source (info, &functions, s, error);
}
