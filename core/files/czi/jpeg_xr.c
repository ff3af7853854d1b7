/* SPDX-License-Identifier: MIT
 */
#include "core/files/czi/jpeg_xr.h"

#include "core/data/pixel_type.h"
#include "core/files/codec/process.h"

static FilesCodec codec = {
  .program = "fovea-jpeg-xr",
  .faults =
    {
      [CODEC_NO_LIBRARY] = "cannot be decoded: libjxrglue is not there",
      [CODEC_NOT] = "is not JPEG XR",
      [CODEC_OTHER] = "is JPEG XR of another size or pixel type",
      [CODEC_DAMAGED] = "cannot be decoded by libjxrglue",
      [CODEC_LOST] = "cannot be decoded: no process can be started for JPEG XR",
      [CODEC_LATE] = "is not decoded after " G_STRINGIFY (CODEC_SECONDS) " s, so that decoding it was ended",
    },
};

gboolean
files_czi_jpeg_xr_can (void)
{
  return files_codec_can (&codec);
}

const char *
files_czi_jpeg_xr (const guint8 *packed, gsize n, const FilesCziBlock *block, const FilesCziPixel *pixel, guint8 *to)
{
  const codec_job wanted = {.columns = block->columns,
                            .rows = block->rows,
                            .bytes = (guint32) pixel_type_bytes (pixel->type),
                            .samples = pixel->samples};
  return files_codec_decode (&codec, packed, n, &wanted, to);
}
