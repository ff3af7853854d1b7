/* SPDX-License-Identifier: MIT
 */
#include "core/files/czi/block.h"

#include "core/base/file_read.h"
#include "core/base/progress.h"
#include "core/data/pixel_type.h"
#include "core/files/czi/codecs.h"
#include "core/files/czi/jpeg_xr.h"

enum {
  SIZES = 16,    /* bytes of the sizes, before the directory's entry */
  SMALLEST = 256 /* bytes before the metadata, at least */
};

static gboolean
lies (const FilesBytes *bytes, const FilesCziBlock *block, const char *what, GError **error)
{
  return file_fail (error, FILE_ERROR_DAMAGED, bytes->path,
                    "is damaged or truncated: the sub-block at byte %" G_GINT64_FORMAT " %s.", block->at, what);
}

gboolean
files_czi_block_find (FilesBytes *bytes, const FilesCziBlock *block, FilesCziData *data, GError **error)
{
  FilesCziSegment segment;
  guint8 head[SIZES + FILES_CZI_ENTRY];
  if (!files_czi_segment (bytes, block->at, "ZISRAWSUBBLOCK", &segment)
      || !files_czi_segment_head (bytes, &segment, head, sizeof head))
    return lies (bytes, block, "is not there", error);
  const gint64 metadata = files_czi_i32 (head), size = files_czi_i64 (head + 8);
  const gint64 axes = files_czi_i32 (head + SIZES + FILES_CZI_ENTRY - 4);
  const gint64 begin = MAX (SMALLEST, SIZES + FILES_CZI_ENTRY + FILES_CZI_AXIS * axes),
               left = (gint64) segment.size - begin;
  if (axes < 0 || metadata < 0 || size < 0 || metadata > left || size > left - metadata)
    return lies (bytes, block, "has sizes that do not fit into it", error);
  data->metadata = segment.at + (guint64) begin;
  data->metadata_bytes = (guint64) metadata;
  data->at = data->metadata + (guint64) metadata;
  data->bytes = (guint64) size;
  return TRUE;
}

gsize
files_czi_block_bytes (const FilesCziBlock *block, const FilesCziPixel *pixel)
{
  return (gsize) block->columns * (gsize) block->rows * pixel_type_bytes (pixel->type) * pixel->samples;
}

gboolean
files_czi_block_known (const FilesBytes *bytes, const FilesCziBlock *block, GError **error)
{
  const char *method = "a method of its camera";
  switch (block->compression) {
  case FILES_CZI_RAW:
  case FILES_CZI_JPEG:
  case FILES_CZI_ZSTD0:
  case FILES_CZI_ZSTD1: return TRUE;
  case FILES_CZI_LZW: method = "LZW"; break;
  case FILES_CZI_JPEG_XR:
    return files_czi_jpeg_xr_can ()
           || file_fail (
             error, FILE_ERROR_UNSUPPORTED, bytes->path,
             "is compressed with JPEG XR, which needs the library libjxrglue: install the package libjxr0.");
  }
  return file_fail (
    error, FILE_ERROR_UNSUPPORTED, bytes->path,
    "is compressed with %s (%d), which cannot be read; save it in ZEN without compression or with Zstandard.", method,
    block->compression);
}

/* What is wrong with the compressed pixels, or NULL. */
static const char *
decode (const FilesCziBlock *block, const FilesCziPixel *pixel, const guint8 *packed, gsize n, guint8 *to)
{
  const gsize size = files_czi_block_bytes (block, pixel);
  switch (block->compression) {
  case FILES_CZI_ZSTD0: return files_czi_zstd0 (packed, n, to, size);
  case FILES_CZI_ZSTD1: return files_czi_zstd1 (packed, n, to, size);
  case FILES_CZI_JPEG: return files_czi_jpeg (packed, n, block, pixel, to);
  default: return files_czi_jpeg_xr (packed, n, block, pixel, to);
  }
}

guint8 *
files_czi_block_decode (FilesBytes *bytes, const FilesCziBlock *block, const FilesCziPixel *pixel, GError **error)
{
  const gsize size = files_czi_block_bytes (block, pixel);
  FilesCziData data;
  if (!files_czi_block_find (bytes, block, &data, error))
    return NULL;
  const gboolean raw = block->compression == FILES_CZI_RAW;
  if (raw ? data.bytes < size : size / FILES_CZI_MAX_RATIO > data.bytes) {
    lies (bytes, block, "has fewer bytes than its pixels need", error);
    return NULL;
  }
  g_autofree guint8 *pixels = g_try_malloc (size), *packed = raw ? NULL : g_try_malloc (data.bytes);
  if (!pixels || (!raw && !packed)) {
    file_fail (error, FILE_ERROR_OPEN, bytes->path, "cannot be read: not enough memory for one of its sub-blocks.");
    return NULL;
  }
  if (!files_bytes_read (bytes, data.at, raw ? pixels : packed, raw ? size : data.bytes)) {
    lies (bytes, block, "cannot be read", error);
    return NULL;
  }
  const char *fault = raw ? NULL : decode (block, pixel, packed, data.bytes, pixels);
  if (fault) {
    if (!progress_stopped (error))
      lies (bytes, block, fault, error);
    return NULL;
  }
  return g_steal_pointer (&pixels);
}
