/* SPDX-License-Identifier: MIT
 */
#include "core/files/shared/decoded.h"

#include "core/base/fork.h"
#include "core/base/parallel.h"

#define MAX_KEPT ((gsize) 64 << 20) /* bytes, or one part for each thread if that is more */

struct FilesDecodedPart {
  gatomicrefcount references;
  guint8 *bytes; /* NULL: they are being decoded, that failed, or there are none */
  /* Guarded by the lock. */
  gconstpointer part;
  gsize size;
  guint64 left; /* bytes that have not been taken */
  gboolean decoding, failed;
};

struct FilesDecoded {
  FilesDecodedDecode decode;
  gpointer owner;
  GMutex lock; /* guards what follows */
  GCond change;
  GQueue all;        /* FilesDecodedPart, the last ones first */
  GHashTable *links; /* of that, by the part */
  gsize size;        /* bytes of them */
};

void
files_decoded_part_unref (FilesDecodedPart *part)
{
  if (!g_atomic_ref_count_dec (&part->references))
    return;
  g_free (part->bytes);
  g_free (part);
}

const guint8 *
files_decoded_bytes (const FilesDecodedPart *part)
{
  return part->bytes;
}

/* The lock is held. */
static void
drop (FilesDecoded *kept, GList *link)
{
  FilesDecodedPart *part = link->data;
  kept->size -= part->size;
  g_hash_table_remove (kept->links, part->part);
  g_queue_delete_link (&kept->all, link);
  files_decoded_part_unref (part);
}

/* What other threads were decoding is abandoned. */
static void
forked (gpointer data)
{
  FilesDecoded *kept = data;
  for (GList *l = kept->all.head, *next; l; l = next) {
    next = l->next;
    if (((FilesDecodedPart *) l->data)->decoding)
      drop (kept, l);
  }
  g_cond_init (&kept->change);
}

FilesDecoded *
files_decoded_new (FilesDecodedDecode decode, gpointer owner)
{
  FilesDecoded *kept = g_new0 (FilesDecoded, 1);
  kept->decode = decode;
  kept->owner = owner;
  kept->links = g_hash_table_new (NULL, NULL);
  g_mutex_init (&kept->lock);
  g_cond_init (&kept->change);
  fork_guard (&kept->lock, forked, kept);
  return kept;
}

void
files_decoded_free (FilesDecoded *kept)
{
  g_queue_clear_full (&kept->all, (GDestroyNotify) files_decoded_part_unref);
  g_hash_table_unref (kept->links);
  fork_unguard (&kept->lock);
  g_mutex_clear (&kept->lock);
  g_cond_clear (&kept->change);
  g_free (kept);
}

/* The oldest go. The lock is held. */
static void
make_room (FilesDecoded *kept)
{
  for (GList *l = kept->all.tail, *before; l && kept->size > MAX_KEPT && kept->all.length > parallel_threads ();
       l = before) {
    before = l->prev;
    if (!((FilesDecodedPart *) l->data)->decoding)
      drop (kept, l);
  }
}

/* A new one, which the caller decodes. The lock is held. */
static FilesDecodedPart *
begin (FilesDecoded *kept, gconstpointer part, gsize size)
{
  FilesDecodedPart *added = g_new0 (FilesDecodedPart, 1);
  g_atomic_ref_count_init (&added->references);
  added->part = part;
  added->size = size;
  added->left = size;
  added->decoding = TRUE;
  kept->size += size;
  g_queue_push_head (&kept->all, added);
  g_hash_table_insert (kept->links, (gpointer) part, kept->all.head);
  make_room (kept);
  return added;
}

/* Of the queue, those that are there or being decoded; a new reference. The lock is held. */
static FilesDecodedPart *
wait_for (FilesDecoded *kept, gconstpointer part)
{
  GList *l;
  while ((l = g_hash_table_lookup (kept->links, part)) && ((FilesDecodedPart *) l->data)->decoding)
    g_cond_wait (&kept->change, &kept->lock);
  if (!l)
    return NULL;
  g_queue_unlink (&kept->all, l);
  g_queue_push_head_link (&kept->all, l);
  g_atomic_ref_count_inc (&((FilesDecodedPart *) l->data)->references);
  return l->data;
}

gboolean
files_decoded_has (FilesDecoded *kept, gconstpointer part)
{
  g_mutex_lock (&kept->lock);
  const gboolean has = g_hash_table_contains (kept->links, part);
  g_mutex_unlock (&kept->lock);
  return has;
}

FilesDecodedPart *
files_decoded_take (FilesDecoded *kept, gconstpointer part, gsize bytes, guint64 used, GError **error)
{
  g_mutex_lock (&kept->lock);
  FilesDecodedPart *taken = wait_for (kept, part);
  if (!taken) {
    taken = begin (kept, part, bytes);
    g_atomic_ref_count_inc (&taken->references);
    g_mutex_unlock (&kept->lock);
    GError *fault = NULL;
    guint8 *decoded = kept->decode (kept->owner, part, &fault);
    g_mutex_lock (&kept->lock);
    taken->bytes = decoded;
    taken->failed = fault != NULL;
    if (fault)
      g_propagate_error (error, fault);
    taken->decoding = FALSE;
    g_cond_broadcast (&kept->change);
  }
  taken->left -= MIN (taken->left, used);
  GList *link = taken->left && !taken->failed ? NULL : g_hash_table_lookup (kept->links, part);
  if (link && link->data == taken)
    drop (kept, link);
  g_mutex_unlock (&kept->lock);
  if (!taken->failed)
    return taken;
  files_decoded_part_unref (taken);
  return NULL;
}
