/* SPDX-License-Identifier: MIT
 */
#include "core/files/zarr/store.h"

#include "core/base/file_cloud.h"
#include "core/base/file_fetch.h"
#include "core/base/file_source.h"
#include "core/base/fork.h"
#include "core/files/shared/bytes.h"

#include <string.h>

enum { MOST_FETCHED = 256 /* and were not read, because another thread was faster */ };
#define MOST_WITHOUT_RANGES ((gsize) 1 << 30) /* bytes of a shard that is fetched as a whole */

struct ZarrStore {
  gatomicrefcount references;
  char *path; /* without a slash at its end */
  gboolean is_url;
  GMutex lock;         /* guards what follows */
  GHashTable *fetched; /* keys and GBytes; NULL: nothing has that key */
};

static void
bytes_free (gpointer bytes)
{
  if (bytes)
    g_bytes_unref (bytes);
}

ZarrStore *
zarr_store_new (const char *path)
{
  ZarrStore *store = g_new0 (ZarrStore, 1);
  g_atomic_ref_count_init (&store->references);
  store->path = g_strdup (path);
  for (gsize n = strlen (path); n > 1 && store->path[n - 1] == '/'; n--)
    store->path[n - 1] = 0;
  store->is_url = file_source_is_url (path) && !g_file_test (path, G_FILE_TEST_IS_DIR);
  store->fetched = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, bytes_free);
  g_mutex_init (&store->lock);
  fork_guard (&store->lock, NULL, NULL);
  return store;
}

ZarrStore *
zarr_store_ref (ZarrStore *store)
{
  g_atomic_ref_count_inc (&store->references);
  return store;
}

void
zarr_store_unref (ZarrStore *store)
{
  if (!g_atomic_ref_count_dec (&store->references))
    return;
  fork_unguard (&store->lock);
  g_mutex_clear (&store->lock);
  g_hash_table_unref (store->fetched);
  g_free (store->path);
  g_free (store);
}

const char *
zarr_store_path (const ZarrStore *store)
{
  return store->path;
}

/* ---- Keys ---- */

char *
zarr_store_key (const char *parent, const char *name)
{
  g_autofree char *own = g_strdup (name);
  gsize n = strlen (own);
  while (n && own[n - 1] == '/')
    own[--n] = 0;
  return g_strconcat (parent, *parent && *own ? "/" : "", own, NULL);
}

gboolean
zarr_store_is_name (const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, "/", -1);
  gboolean is_name = *name != 0 && *name != '/';
  for (char **part = parts; *part; part++)
    is_name = is_name && strcmp (*part, "..") && strcmp (*part, ".") && (**part || !part[1]);
  return is_name;
}

char *
zarr_store_path_of (const ZarrStore *store, const char *key)
{
  return g_build_filename (store->path, key, NULL);
}

/* ---- Reading ---- */

/* A file of the folder, which is there itself: else what is missing would be taken for pixels that were never written. */
static FilesBytes *
open_file (const ZarrStore *store, const char *path, GError **error)
{
  g_autoptr (GError) fault = NULL;
  FilesBytes *file = files_bytes_open (path, &fault);
  if (file)
    return file;
  if (g_error_matches (fault, FILE_ERROR, FILE_ERROR_MISSING) && !g_file_test (store->path, G_FILE_TEST_IS_DIR))
    file_fail (error, FILE_ERROR_OPEN, store->path, "cannot be read: the folder does not exist any more.");
  else
    g_propagate_error (error, g_steal_pointer (&fault));
  return NULL;
}

/* NULL with *error. */
static GBytes *
read_bytes (FilesBytes *file, guint64 at, gsize n, GError **error)
{
  g_autofree guint8 *bytes = g_try_malloc (MAX (n, 1));
  if (!bytes) {
    file_fail (error, FILE_ERROR_OPEN, file->path, "cannot be read: it does not fit into memory.");
    return NULL;
  }
  if (!files_bytes_read (file, at, bytes, n)) {
    file_fail (error, FILE_ERROR_OPEN, file->path, "cannot be read.");
    return NULL;
  }
  return g_bytes_new_take (g_steal_pointer (&bytes), n);
}

/* ---- On the web ---- */

static char *
url_of (const ZarrStore *store, const char *key)
{
  g_autofree char *name = file_cloud_is (store->path) ? g_strdup (key) : g_uri_escape_string (key, "/", FALSE);
  return g_strconcat (store->path, "/", name, NULL);
}

static GBytes *
fetch (const ZarrStore *store, const char *key, const char *range, gsize most, gboolean *is_part, GError **error)
{
  g_autofree char *url = url_of (store, key);
  return file_fetch (url, range, most, is_part, error);
}

gboolean
zarr_store_is_url (const ZarrStore *store)
{
  return store->is_url;
}

void
zarr_store_prefetch (ZarrStore *store, const GPtrArray *keys, gsize most)
{
  g_autofree FileFetched *all = g_new0 (FileFetched, keys->len);
  for (guint i = 0; i < keys->len; i++)
    all[i].url = url_of (store, keys->pdata[i]);
  file_fetch_many (all, keys->len, most);
  g_mutex_lock (&store->lock);
  if (g_hash_table_size (store->fetched) > MOST_FETCHED)
    g_hash_table_remove_all (store->fetched);
  for (guint i = 0; i < keys->len; i++) {
    if (all[i].bytes || all[i].is_missing)
      g_hash_table_insert (store->fetched, g_strdup (keys->pdata[i]), all[i].bytes);
    g_free (all[i].url);
  }
  g_mutex_unlock (&store->lock);
}

/* What was fetched already, which then is kept no longer; else it is fetched. */
static GBytes *
take_or_fetch (ZarrStore *store, const char *key, gsize most, GError **error)
{
  gpointer own = NULL, bytes = NULL;
  gboolean is_part;
  g_mutex_lock (&store->lock);
  const gboolean found = g_hash_table_steal_extended (store->fetched, key, &own, &bytes);
  g_mutex_unlock (&store->lock);
  g_free (own);
  if (!found)
    return fetch (store, key, NULL, most, &is_part, error);
  if (!bytes) {
    g_autofree char *url = url_of (store, key);
    file_fail (error, FILE_ERROR_MISSING, url, "does not exist.");
  }
  return bytes;
}

static gboolean
behind_end (const char *path, GError **error)
{
  return file_fail (error, FILE_ERROR_DAMAGED, path, "is damaged or truncated: a part of it lies behind its end.");
}

/* Where a range begins in so many bytes. FALSE when it does not lie within them. */
static gboolean
find_range (const ZarrRange *range, guint64 size, guint64 *at)
{
  const guint64 back = range->at < 0 ? (guint64) -range->at : 0;
  *at = back ? size - MIN (back, size) : (guint64) range->at;
  return back <= size && *at <= size && range->n <= size - *at;
}

/* A server that does not know ranges sends all. */
static GBytes *
fetch_range (const ZarrStore *store, const char *key, const ZarrRange *range, GError **error)
{
  g_autofree char *path = zarr_store_path_of (store, key),
                  *text = range->at < 0 ? g_strdup_printf ("%" G_GINT64_FORMAT, range->at)
                                        : g_strdup_printf ("%" G_GINT64_FORMAT "-%" G_GINT64_FORMAT, range->at,
                                                           range->at + (gint64) range->n - 1);
  gboolean is_part;
  guint64 at = 0;
  if (!range->n)
    return g_bytes_new (NULL, 0);
  g_autoptr (GBytes) bytes = fetch (store, key, text, MOST_WITHOUT_RANGES, &is_part, error);
  if (!bytes)
    return NULL;
  if (is_part ? g_bytes_get_size (bytes) == range->n : find_range (range, g_bytes_get_size (bytes), &at))
    return g_bytes_new_from_bytes (bytes, (gsize) at, range->n);
  behind_end (path, error);
  return NULL;
}

/* ---- Both ---- */

GBytes *
zarr_store_read (ZarrStore *store, const char *key, gsize most, GError **error)
{
  if (store->is_url)
    return take_or_fetch (store, key, most, error);
  g_autofree char *path = zarr_store_path_of (store, key), *limit = NULL;
  g_autoptr (FilesBytes) file = open_file (store, path, error);
  if (!file)
    return NULL;
  if (file->size <= most)
    return read_bytes (file, 0, (gsize) file->size, error);
  limit = g_format_size_full (most, G_FORMAT_SIZE_IEC_UNITS);
  file_fail (error, FILE_ERROR_DAMAGED, path, "is damaged: it has more than %s, which is too much for such a file.",
             limit);
  return NULL;
}

GBytes *
zarr_store_read_range (const ZarrStore *store, const char *key, const ZarrRange *range, GError **error)
{
  guint64 at;
  if (store->is_url)
    return fetch_range (store, key, range, error);
  g_autofree char *path = zarr_store_path_of (store, key);
  g_autoptr (FilesBytes) file = open_file (store, path, error);
  if (!file)
    return NULL;
  if (find_range (range, file->size, &at))
    return read_bytes (file, at, range->n, error);
  behind_end (path, error);
  return NULL;
}
