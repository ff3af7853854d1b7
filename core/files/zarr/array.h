/* SPDX-License-Identifier: MIT
 *
 * An array of a Zarr hierarchy, of version 2 or 3: what its metadata say, which are checked. Sources: zarr-specs, v2 and v3.1, with the codecs blosc,
 * bytes, crc32c, gzip, sharding_indexed, transpose and zstd.
 */
#ifndef CORE_FILES_ZARR_ARRAY_H
#define CORE_FILES_ZARR_ARRAY_H

#include "core/files/shared/numbers.h"
#include "core/files/zarr/codecs.h"
#include "core/files/zarr/store.h"

#include <json-glib/json-glib.h>

enum { ZARR_AXES = 8 /* at most */ };

typedef struct ZarrArray {
  ZarrStore *store;
  char *key;
  guint n; /* axes */
  gint64 shape[ZARR_AXES], stored[ZARR_AXES],
    chunk[ZARR_AXES];       /* pixels: of all, of what has a key, of what is decoded at a time */
  gint64 stride[ZARR_AXES]; /* in pixels of a chunk */
  gint64 pixels;            /* of a chunk */
  FilesNumber number;
  guint8 fill[8];         /* a number as it is stored: of pixels of which no chunk is there */
  char *names[ZARR_AXES]; /* of axes; NULL: not known */
  char separator;         /* in keys of chunks */
  gboolean prefixed;      /* these begin with c */
  ZarrCodecs codecs;
  /* What has a key is a shard: several chunks, and an index of where each of them is. */
  gboolean is_sharded, index_first;
  guint index_sums;
} ZarrArray;

/* The array with that key, whose metadata these are: of zarr.json, or of .zarray. NULL with *error. */
ZarrArray *zarr_array_new (ZarrStore *store, const char *key, guint version, JsonObject *metadata, GError **error);
void zarr_array_free (ZarrArray *array);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ZarrArray, zarr_array_free)

/* How many chunks are along an axis. */
static inline gint64
zarr_array_chunks (const ZarrArray *array, guint axis)
{
  return (array->shape[axis] - 1) / array->chunk[axis] + 1;
}
/* How many chunks a shard has. */
gint64 zarr_array_in_shard (const ZarrArray *array);
/* The key of what is stored at that position, counted along each axis. Free with g_free(). */
char *zarr_array_key_of (const ZarrArray *array, const gint64 at[ZARR_AXES]);

#endif
