/* SPDX-License-Identifier: MIT
 */
#include "core/files/tiff/format.h"

#include "core/base/error.h"
#include "core/files/tiff/tiff.h"
#include "core/files/tiff/write.h"

#include <string.h>

#define LARGE_PLANE ((gsize) 256 << 20)
enum { LARGEST_TILE = 8192 };
/* Both ends of its soft range, so that forms have no slider: that would rarely stop at a multiple of 16. */
enum { USUAL_TILE = 256 };

static gboolean
is (const FileFormat *self, const char *path, const guint8 *head, gsize n)
{
  (void) self, (void) path;
  /* DICOM files may begin as TIFF (PS3.10, 7.1). */
  return files_tiff_is (head, n) && !(n >= 132 && !memcmp (head + 128, "DICM", 4));
}

static gpointer
layout_new (const FileFormat *self, const char *path, GError **error)
{
  (void) self;
  return files_tiff_layout_new (path, error);
}

static FileHash **
hash (gpointer layout, int *fd)
{
  FilesTiffFile *file = ((FilesTiffLayout *) layout)->file;
  *fd = file->fd;
  return &file->hash;
}

static gboolean
check (gconstpointer options, GError **error)
{
  const FilesTiffChoices *choices = options;
  if (choices->tile % 16 == 0)
    return TRUE;
  step_error_set (error, FV_BAD_ARGUMENT, "tile", "tile is a multiple of 16 up to %d, not %d.", LARGEST_TILE,
                  choices->tile);
  return FALSE;
}

/* A large plane can then be shown without reading all of it. */
static void
propose (gpointer options, const ImageInfo *info)
{
  ((FilesTiffChoices *) options)->pyramid = image_info_plane_bytes (info) > LARGE_PLANE;
}

/* As FilesTiffCompression. */
static const fv_choice compressions[] = {
  {"none", "Not compressed", "every program reads it"},
  {"deflate", "Deflate", "smaller"},
  {"zstd", "Zstandard", "smaller and faster, and fewer programs read it"},
  {0},
};

static const fv_param options[] = {
  {FV_FIELD (FilesTiffChoices, compression), .label = "Compression",
   .help = "Lossless. Zstandard is smaller and faster than Deflate, but fewer programs read it.",
   .choices = compressions},
  {FV_FIELD (FilesTiffChoices, tile), .label = "Tile", .max = LARGEST_TILE, .soft_min = USUAL_TILE,
   .soft_max = USUAL_TILE, .unit = "px",
   .help = "Rows and columns of a tile, a multiple of 16; 0: strips, or with a pyramid 256."},
  {FV_FIELD (FilesTiffChoices, pyramid), .label = "Pyramid",
   .help = "With levels of half the size each, as sub-images, down to one tile."},
  {0},
};

const FileFormat format_tiff = {
  .key = "tiff",
  .label = "TIFF",
  .endings = (const char *const[]){"tif", "tiff", "svs", NULL},
  .mime = (const char *const[]){"image/tiff", "image/x-aperio-svs", NULL},
  .is = is,
  .layout = layout_new,
  .free = (GDestroyNotify) files_tiff_layout_unref,
  .count = files_tiff_layout_count,
  .left_out = files_tiff_layout_left_out,
  .others = files_tiff_layout_others,
  .open = files_tiff_open,
  .hash = hash,
  .n_written = 2,
  .macro = "Tiff",
  .options = options,
  .options_size = sizeof (FilesTiffChoices),
  .check = check,
  .propose = propose,
  .save = files_tiff_save,
};
