/* SPDX-License-Identifier: MIT
 */
#include "core/files/czi/kept.h"

#include "core/base/fork.h"
#include "core/base/parallel.h"

#define MAX_KEPT ((gsize) 64 << 20) /* bytes, or one sub-block for each thread if that is more */

struct FilesCziPixels {
  gatomicrefcount references;
  guint8 *pixels; /* NULL: they are being decoded, or that failed */
  /* Guarded by the lock. */
  const FilesCziBlock *block;
  gsize bytes;
  guint64 left; /* samples that have not been taken */
  gboolean decoding;
};

struct FilesCziKept {
  FilesBytes *bytes;
  const FilesCziPixel *pixel;
  GMutex lock; /* guards what follows */
  GCond change;
  GQueue all; /* FilesCziPixels, the last ones first */
  gsize size; /* bytes of them */
};

void
files_czi_pixels_unref (FilesCziPixels *pixels)
{
  if (!g_atomic_ref_count_dec (&pixels->references))
    return;
  g_free (pixels->pixels);
  g_free (pixels);
}

const guint8 *
files_czi_pixels (const FilesCziPixels *pixels)
{
  return pixels->pixels;
}

/* The lock is held. */
static void
drop (FilesCziKept *kept, GList *link)
{
  FilesCziPixels *pixels = link->data;
  kept->size -= pixels->bytes;
  g_queue_delete_link (&kept->all, link);
  files_czi_pixels_unref (pixels);
}

/* What other threads were decoding is abandoned. */
static void
forked (gpointer data)
{
  FilesCziKept *kept = data;
  for (GList *l = kept->all.head, *next; l; l = next) {
    next = l->next;
    if (((FilesCziPixels *) l->data)->decoding)
      drop (kept, l);
  }
  g_cond_init (&kept->change);
}

FilesCziKept *
files_czi_kept_new (FilesBytes *bytes, const FilesCziPixel *pixel)
{
  FilesCziKept *kept = g_new0 (FilesCziKept, 1);
  kept->bytes = files_bytes_ref (bytes);
  kept->pixel = pixel;
  g_mutex_init (&kept->lock);
  g_cond_init (&kept->change);
  fork_guard (&kept->lock, forked, kept);
  return kept;
}

void
files_czi_kept_free (FilesCziKept *kept)
{
  g_queue_clear_full (&kept->all, (GDestroyNotify) files_czi_pixels_unref);
  fork_unguard (&kept->lock);
  g_mutex_clear (&kept->lock);
  g_cond_clear (&kept->change);
  files_bytes_unref (kept->bytes);
  g_free (kept);
}

static GList *
find (FilesCziKept *kept, const FilesCziBlock *block)
{
  GList *l = kept->all.head;
  while (l && ((FilesCziPixels *) l->data)->block != block)
    l = l->next;
  return l;
}

/* The oldest go. The lock is held. */
static void
make_room (FilesCziKept *kept)
{
  for (GList *l = kept->all.tail, *before; l && kept->size > MAX_KEPT && kept->all.length > parallel_threads ();
       l = before) {
    before = l->prev;
    if (!((FilesCziPixels *) l->data)->decoding)
      drop (kept, l);
  }
}

/* A new one, which the caller decodes. The lock is held. */
static FilesCziPixels *
begin (FilesCziKept *kept, const FilesCziBlock *block)
{
  FilesCziPixels *pixels = g_new0 (FilesCziPixels, 1);
  g_atomic_ref_count_init (&pixels->references);
  pixels->block = block;
  pixels->bytes = files_czi_block_bytes (block, kept->pixel);
  pixels->left = (guint64) block->columns * (guint64) block->rows * kept->pixel->samples;
  pixels->decoding = TRUE;
  kept->size += pixels->bytes;
  g_queue_push_head (&kept->all, pixels);
  make_room (kept);
  return pixels;
}

/* Of the queue, those that are there or being decoded; a new reference. The lock is held. */
static FilesCziPixels *
wait_for (FilesCziKept *kept, const FilesCziBlock *block)
{
  GList *l;
  while ((l = find (kept, block)) && ((FilesCziPixels *) l->data)->decoding)
    g_cond_wait (&kept->change, &kept->lock);
  if (!l)
    return NULL;
  g_queue_unlink (&kept->all, l);
  g_queue_push_head_link (&kept->all, l);
  g_atomic_ref_count_inc (&((FilesCziPixels *) l->data)->references);
  return l->data;
}

FilesCziPixels *
files_czi_kept_take (FilesCziKept *kept, const FilesCziBlock *block, guint64 used, GError **error)
{
  g_mutex_lock (&kept->lock);
  FilesCziPixels *pixels = wait_for (kept, block);
  if (!pixels) {
    pixels = begin (kept, block);
    g_atomic_ref_count_inc (&pixels->references);
    g_mutex_unlock (&kept->lock);
    guint8 *decoded = files_czi_block_decode (kept->bytes, block, kept->pixel, error);
    g_mutex_lock (&kept->lock);
    pixels->pixels = decoded;
    pixels->decoding = FALSE;
    g_cond_broadcast (&kept->change);
  }
  pixels->left -= MIN (pixels->left, used);
  GList *link = pixels->left && pixels->pixels ? NULL : find (kept, block);
  if (link)
    drop (kept, link);
  g_mutex_unlock (&kept->lock);
  if (pixels->pixels)
    return pixels;
  files_czi_pixels_unref (pixels);
  return NULL;
}
