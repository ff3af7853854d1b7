/* SPDX-License-Identifier: MIT
 *
 * As many regions are kept as there are threads, each of which may be at one.
 */
#include "core/files/shared/kept.h"

#include "core/base/file_error.h"
#include "core/base/fork.h"
#include "core/base/parallel.h"

#include <string.h>

struct FilesKeptPixels {
  gatomicrefcount references;
  FilesKeptRegion of;
  guint left; /* samples that have not been asked for; guarded by the lock */
  guint8 *pixels;
};

struct FilesKept {
  char *path;
  GMutex lock; /* guards what follows */
  GQueue all;  /* FilesKeptPixels, the last ones first */
};

void
files_kept_pixels_unref (FilesKeptPixels *pixels)
{
  if (!g_atomic_ref_count_dec (&pixels->references))
    return;
  g_free (pixels->pixels);
  g_free (pixels);
}

const guint8 *
files_kept_pixels (const FilesKeptPixels *pixels)
{
  return pixels->pixels;
}

FilesKept *
files_kept_new (const char *path)
{
  FilesKept *kept = g_new0 (FilesKept, 1);
  kept->path = g_strdup (path);
  g_mutex_init (&kept->lock);
  fork_guard (&kept->lock, NULL, NULL);
  return kept;
}

void
files_kept_free (FilesKept *kept)
{
  g_queue_clear_full (&kept->all, (GDestroyNotify) files_kept_pixels_unref);
  fork_unguard (&kept->lock);
  g_mutex_clear (&kept->lock);
  g_free (kept->path);
  g_free (kept);
}

/* What is kept of the region, which then needs to be kept for one sample less; NULL: nothing. */
static FilesKeptPixels *
find (FilesKept *kept, const FilesKeptRegion *wanted)
{
  FilesKeptPixels *found = NULL;
  g_mutex_lock (&kept->lock);
  for (GList *l = kept->all.head; l && !found; l = l->next) {
    FilesKeptPixels *p = l->data;
    if (p->of.level != wanted->level || p->of.page != wanted->page
        || memcmp (&p->of.region, &wanted->region, sizeof wanted->region))
      continue;
    found = p;
    g_atomic_ref_count_inc (&p->references);
    if (--p->left == 0) {
      g_queue_delete_link (&kept->all, l);
      files_kept_pixels_unref (p);
      break;
    }
  }
  g_mutex_unlock (&kept->lock);
  return found;
}

static void
keep (FilesKept *kept, FilesKeptPixels *pixels)
{
  g_atomic_ref_count_inc (&pixels->references);
  g_mutex_lock (&kept->lock);
  g_queue_push_head (&kept->all, pixels);
  if (kept->all.length > parallel_threads ())
    files_kept_pixels_unref (g_queue_pop_tail (&kept->all));
  g_mutex_unlock (&kept->lock);
}

FilesKeptPixels *
files_kept_take (FilesKept *kept, const FilesKeptRegion *wanted, FilesKeptDecode decode, gpointer data, GError **error)
{
  g_autoptr (FilesKeptPixels) pixels = find (kept, wanted);
  if (pixels)
    return g_steal_pointer (&pixels);
  pixels = g_new (FilesKeptPixels, 1);
  *pixels = (FilesKeptPixels){.of = *wanted, .left = wanted->others, .pixels = g_try_malloc (wanted->bytes)};
  g_atomic_ref_count_init (&pixels->references);
  if (!pixels->pixels) {
    file_fail (error, FILE_ERROR_OPEN, kept->path, "cannot be read: there is not enough memory for one of its pages.");
    return NULL;
  }
  if (!decode (data, pixels->pixels, error))
    return NULL;
  if (wanted->others > 0)
    keep (kept, pixels);
  return g_steal_pointer (&pixels);
}
