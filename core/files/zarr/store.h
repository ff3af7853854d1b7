/* SPDX-License-Identifier: MIT
 *
 * Where the bytes of a Zarr hierarchy are: a folder, in which a key such as "0/c/0/1" is a path, or a URL. Any thread.
 */
#ifndef CORE_FILES_ZARR_STORE_H
#define CORE_FILES_ZARR_STORE_H

#include "core/base/file_error.h"

typedef struct ZarrStore ZarrStore;

/* Of a folder or, where there is none of that name, a URL of http or https. Nothing is read. */
ZarrStore *zarr_store_new (const char *path);
ZarrStore *zarr_store_ref (ZarrStore *store);
void zarr_store_unref (ZarrStore *store);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ZarrStore, zarr_store_unref)
/* The folder or URL, for errors and names. */
const char *zarr_store_path (const ZarrStore *store);

/* "a/b", or one of them when the other is "". Free with g_free(). */
char *zarr_store_key (const char *parent, const char *name);
/* Whether metadata may name it: it leads down, without "..". A slash at the end is allowed. */
gboolean zarr_store_is_name (const char *name);
/* The path of a key, for errors. Free with g_free(). */
char *zarr_store_path_of (const ZarrStore *store, const char *key);

/* Part of what a key has. */
typedef struct ZarrRange {
  gint64 at; /* negative: from its end */
  gsize n;
} ZarrRange;

/* All bytes of a key, which are at most `most`, or those of a range. NULL with *error, FILE_ERROR_MISSING when nothing has that key. Free with
 * g_bytes_unref(). */
GBytes *zarr_store_read (ZarrStore *store, const char *key, gsize most, GError **error);
GBytes *zarr_store_read_range (const ZarrStore *store, const char *key, const ZarrRange *range, GError **error);
/* Whether it is on the web, where what is read one by one takes long. */
gboolean zarr_store_is_url (const ZarrStore *store);
/* Then fetches what has these keys, several at a time, for zarr_store_read() of each, which comes next. keys: (element-type utf8) */
void zarr_store_prefetch (ZarrStore *store, const GPtrArray *keys, gsize most);

#endif
