/* SPDX-License-Identifier: MIT
 */
#include "core/files/codec/jpeg_ls.h"

#include "core/files/codec/process.h"

static FilesCodec codec = {
  .program = "fovea-jpeg-ls",
  .faults =
    {
      [CODEC_NO_LIBRARY] = "cannot be decoded: libcharls is not there",
      [CODEC_NOT] = "is not JPEG-LS",
      [CODEC_OTHER] = "is JPEG-LS of another size or pixel type",
      [CODEC_DAMAGED] = "cannot be decoded by libcharls",
      [CODEC_LOST] = "cannot be decoded: no process can be started for JPEG-LS",
      [CODEC_LATE] = "is not decoded after " G_STRINGIFY (CODEC_SECONDS) " s, so that decoding it was ended",
    },
};

gboolean
files_jpeg_ls_can (void)
{
  return files_codec_can (&codec);
}

const char *
files_jpeg_ls_decode (const guint8 *packed, gsize n, const codec_job *wanted, guint8 *to)
{
  return files_codec_decode (&codec, packed, n, wanted, to);
}
