/* SPDX-License-Identifier: MIT
 *
 * Oracles: zarr-python, tensorstore and ome-zarr-py.
 */
#include "core/files/zarr/format.h"

#include "core/base/error.h"
#include "core/base/file_cloud.h"
#include "core/files/zarr/choices.h"
#include "core/files/zarr/layout.h"
#include "core/files/zarr/pixels.h"
#include "core/files/zarr/save.h"

#include <string.h>

enum { USUAL_TILE = 512, LARGEST_TILE = 8192, LARGEST_SHARD = 64, DEFLATE_LEVELS = 9, ZSTD_LEVELS = 19 };

static gboolean
is (const FileFormat *self, const char *path, const guint8 *head, gsize n)
{
  static const char *const marks[] = {"zarr.json", ".zgroup", ".zarray"};
  gboolean is = FALSE;
  (void) self, (void) head;
  for (guint i = 0; i < G_N_ELEMENTS (marks) && !n && !is; i++) {
    g_autofree char *mark = g_build_filename (path, marks[i], NULL);
    is = g_file_test (mark, G_FILE_TEST_IS_REGULAR);
  }
  return is;
}

/* A folder on the web. It cannot be listed, so that its name has to say what it is. */
static gboolean
is_url (const FileFormat *self, const char *url)
{
  const char *scheme = g_uri_peek_scheme (url);
  g_auto (GStrv) parts = g_strsplit (url, "/", -1);
  gboolean is = FALSE;
  (void) self;
  for (char **part = parts; *part; part++)
    is = is || g_str_has_suffix (*part, ".zarr");
  return is && (!strcmp (scheme, "http") || !strcmp (scheme, "https") || file_cloud_is (url)) && !strpbrk (url, "?#");
}

static gpointer
layout_new (const FileFormat *self, const char *path, GError **error)
{
  (void) self;
  return zarr_layout_new (path, error);
}

static guint
count (gconstpointer layout)
{
  return ((const ZarrLayout *) layout)->entries->len;
}

/* The folder of the image, which has all its arrays. */
static GPtrArray *
paths (gconstpointer data, guint n)
{
  const ZarrLayout *layout = data;
  const ZarrEntry *entry = &g_array_index (layout->entries, ZarrEntry, n);
  if (zarr_store_is_url (layout->store))
    return NULL;
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (paths, zarr_store_path_of (layout->store, entry->key));
  return paths;
}

static const char *
left_out (gconstpointer layout)
{
  return ((const ZarrLayout *) layout)->left_out->str;
}

static gboolean
describe (gpointer layout, guint n, ImageInfo *info, const char **depends, GError **error)
{
  g_autoptr (ZarrImage) image = zarr_layout_image (layout, n, error);
  (void) depends;
  if (image)
    image_info_copy (info, &image->info);
  return image != NULL;
}

static Image *
open_image (gpointer layout, guint n, GError **error)
{
  ZarrImage *image = zarr_layout_image (layout, n, error);
  return image ? zarr_pixels_image (image, error) : NULL;
}

/* ---- Options ---- */

static gboolean
check (gconstpointer options, GError **error)
{
  const ZarrChoices *choices = options;
  if (choices->tile % 16)
    step_error_set (error, FV_BAD_ARGUMENT, "tile", "tile is a multiple of 16 up to %d, not %d.", LARGEST_TILE,
                    choices->tile);
  else if (choices->sharding && choices->zarr == ZARR_WRITE_04)
    step_error_set (error, FV_BAD_ARGUMENT, "sharding", "sharding needs OME-Zarr 0.5: zarr=0.5.");
  else if (choices->compression == ZARR_WRITE_DEFLATE && choices->level > DEFLATE_LEVELS)
    step_error_set (error, FV_BAD_ARGUMENT, "level", "level is at most %d with Deflate, not %d.", DEFLATE_LEVELS,
                    choices->level);
  else
    return TRUE;
  return FALSE;
}

/* As ZarrVersion and ZarrCompression. */
static const fv_choice versions[] = {
  {"0.5", "0.5", "in Zarr 3"},
  {"0.4", "0.4", "in Zarr 2, which older programs read"},
  {0},
};
static const fv_choice compressions[] = {
  {"zstd", "Zstandard", "smaller and faster than Deflate"},
  {"deflate", "Deflate", "as gzip"},
  {"none", "Not compressed", "chunks as they are"},
  {0},
};

static const fv_param options[] = {
  {FV_FIELD (ZarrChoices, zarr), .label = "Version", .help = "Of OME-Zarr.", .choices = versions},
  {FV_FIELD (ZarrChoices, compression), .label = "Compression", .help = "Of each chunk, lossless.",
   .choices = compressions},
  {FV_FIELD (ZarrChoices, level), .label = "Level", .max = ZSTD_LEVELS, .advanced = true,
   .help = "Of the compression: more is smaller and slower; 0: 3 of Zstandard, 6 of Deflate."},
  {FV_FIELD (ZarrChoices, tile), .label = "Chunk", .def = USUAL_TILE, .min = 16, .max = LARGEST_TILE,
   .soft_min = USUAL_TILE, .soft_max = USUAL_TILE, .unit = "px",
   .help = "Rows and columns of a chunk, a multiple of 16."},
  {FV_FIELD (ZarrChoices, pyramid), .label = "Pyramid", .def = 1,
   .help = "With levels of half the size each, down to one chunk: the means of 2 × 2 pixels, of labels the first."},
  {FV_FIELD (ZarrChoices, sharding), .label = "Shards", .max = LARGEST_SHARD, .advanced = true,
   .help = "So many chunks in each direction are one file, a shard; 0: each chunk is a file."},
  {0},
};

const FileFormat format_zarr = {
  .key = "zarr",
  .label = "OME-Zarr",
  .endings = (const char *const[]){"zarr", NULL},
  .mime = (const char *const[]){"application/x-zarr", NULL},
  .is = is,
  .layout = layout_new,
  .is_url = is_url,
  .free = (GDestroyNotify) zarr_layout_free,
  .count = count,
  .left_out = left_out,
  .paths = paths,
  .describe = describe,
  .open = open_image,
  .n_written = 1,
  .macro = "Zarr",
  .options = options,
  .options_size = sizeof (ZarrChoices),
  .check = check,
  .save = zarr_save,
};
