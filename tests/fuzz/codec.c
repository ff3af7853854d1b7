/* SPDX-License-Identifier: MIT
 *
 * Decoders that run in processes of their own, without the processes: a start takes longer than a thousand other inputs, and what a library makes of
 * bytes is not believed anyway. Here it is a fault, or the packed bytes, again and again. Linked before core, whose functions these replace.
 */
#include "core/files/codec/process.h"

#include <string.h>

gboolean
files_codec_can (FilesCodec *codec)
{
  (void) codec;
  return TRUE;
}

const char *
files_codec_decode (const FilesCodec *codec, const guint8 *packed, gsize n, const codec_job *wanted, guint8 *to)
{
  const guint64 whole = (guint64) wanted->columns * (guint64) wanted->rows * wanted->bytes * wanted->samples;
  guint sum = 0;
  for (gsize i = 0; i < n; i++)
    sum += packed[i];
  const guint end = n ? sum % 16 : CODEC_NOT;
  if (end != CODEC_DONE && end < CODEC_ENDS)
    return codec->faults[end];
  for (guint64 at = 0; at < whole; at += n)
    memcpy (to + at, packed, MIN (n, whole - at));
  return NULL;
}
