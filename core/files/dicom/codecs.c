/* SPDX-License-Identifier: MIT
 *
 * RLE: PS3.5, annex G. JPEG: libjpeg, 8 bits. Lossless JPEG, JPEG-LS and JPEG 2000: core/files/shared.
 */
#include "core/files/dicom/codecs.h"

#include "core/files/shared/jpeg.h"
#include "core/files/shared/jpeg2000.h"
#include "core/files/codec/jpeg_ls.h"
#include "core/files/shared/little.h"
#include "core/files/shared/lossless_jpeg.h"

#include <string.h>

#define DAMAGED "is damaged"
#define OTHER_SIZE "has another size or other bits than the file says"

/* ---- RLE ---- */

/* PackBits: n bytes, `step` apart. FALSE: the segment ends before. */
static gboolean
unpack_segment (const guint8 *from, const guint8 *end, guint8 *to, gsize n, gsize step)
{
  gsize done = 0;
  while (done < n) {
    if (end - from < 2)
      return FALSE;
    const gint8 count = (gint8) *from++;
    if (count >= 0) {
      const gsize literal = MIN ((gsize) count + 1, n - done);
      if ((gsize) (end - from) < literal)
        return FALSE;
      for (gsize i = 0; i < literal; i++)
        to[(done + i) * step] = from[i];
      from += MIN ((gsize) count + 1, (gsize) (end - from));
      done += literal;
    } else if (count != -128) {
      const gsize repeated = MIN ((gsize) -count + 1, n - done);
      for (gsize i = 0; i < repeated; i++)
        to[(done + i) * step] = *from;
      from++;
      done += repeated;
    }
  }
  return TRUE;
}

/* A segment for each byte of each sample, the most significant byte first. */
static const char *
decode_rle (const DicomHeader *h, const guint8 *stream, gsize n, guint8 *to)
{
  enum { HEAD = 64, MAX_SEGMENTS = 15 };
  const guint bytes = h->allocated / 8, segments = bytes * h->samples;
  if (n < HEAD || files_little (stream, 4) != segments || segments > MAX_SEGMENTS)
    return DAMAGED;
  for (guint i = 0; i < segments; i++) {
    const gsize from = files_little (stream + 4 + 4 * i, 4),
                end = i + 1 < segments ? files_little (stream + 8 + 4 * i, 4) : n;
    const guint byte = bytes - 1 - i % bytes;
    const guint offset = i / bytes * bytes + (G_BYTE_ORDER == G_BIG_ENDIAN ? bytes - 1 - byte : byte);
    if (from < HEAD || from > end || end > n
        || !unpack_segment (stream + from, stream + end, to + offset, (gsize) h->rows * h->columns, segments))
      return DAMAGED;
  }
  return NULL;
}

/* ---- JPEG ---- */

static const char *
decode_jpeg (const DicomHeader *h, const guint8 *stream, gsize n, guint8 *to)
{
  /* libjpeg knows the colors by markers, which files of DICOM often lack. */
  const FilesJpegWanted wanted = {.rows = h->rows,
                                  .columns = h->columns,
                                  .samples = h->samples,
                                  .bits = h->allocated,
                                  .unmarked_rgb = h->colors == DICOM_RGB};
  switch (files_jpeg_decode (stream, n, &wanted, to)) {
  case FILES_JPEG_DECODED: return NULL;
  case FILES_JPEG_OTHER: return OTHER_SIZE;
  case FILES_JPEG_12_BITS: /* processes 2 and 4 */
    return "has numbers of 12 bits, which libjpeg does not read: convert it with 'gdcmconv --raw' or dcmdjpeg";
  default: return DAMAGED;
  }
}

/* ---- Lossless JPEG ---- */

static const char *
decode_lossless (const DicomHeader *h, const guint8 *stream, gsize n, guint8 *to)
{
  FilesLosslessJpeg header;
  const gsize samples = (gsize) h->rows * h->columns * h->samples;
  if (!files_lossless_jpeg_header (stream, n, &header) || !files_lossless_jpeg_fits (&header, n))
    return DAMAGED;
  if (header.rows != h->rows || header.columns != h->columns || header.components != h->samples
      || header.bits > h->allocated)
    return OTHER_SIZE;
  if (h->allocated == 16)
    return files_lossless_jpeg_decode (NULL, 0, stream, n, &header, (guint16 *) (void *) to);
  g_autofree guint16 *wide = g_try_new (guint16, samples);
  const char *why = wide ? files_lossless_jpeg_decode (NULL, 0, stream, n, &header, wide) : "does not fit into memory";
  for (gsize i = 0; !why && i < samples; i++)
    to[i] = (guint8) wide[i];
  return why;
}

/* ---- JPEG-LS and JPEG 2000 ---- */

static const char *
decode_jpeg_ls (const DicomHeader *h, const guint8 *stream, gsize n, guint8 *to)
{
  const codec_job wanted = {
    .columns = (int32_t) h->columns, .rows = (int32_t) h->rows, .bytes = h->allocated / 8, .samples = h->samples};
  return files_jpeg_ls_decode (stream, n, &wanted, to);
}

static const char *
decode_jpeg_2000 (const DicomHeader *h, const guint8 *stream, gsize n, guint8 *to)
{
  const FilesJpeg2000 wanted = {
    .rows = h->rows, .columns = h->columns, .components = h->samples, .bytes = h->allocated / 8};
  return files_jpeg2000_decode (stream, n, &wanted, to);
}

const char *
dicom_decode (const DicomHeader *header, const guint8 *stream, gsize n, void *to)
{
  switch (header->syntax->codec) {
  case DICOM_RLE: return decode_rle (header, stream, n, to);
  case DICOM_JPEG: return decode_jpeg (header, stream, n, to);
  case DICOM_JPEG_LOSSLESS: return decode_lossless (header, stream, n, to);
  case DICOM_JPEG_LS: return decode_jpeg_ls (header, stream, n, to);
  default: return decode_jpeg_2000 (header, stream, n, to);
  }
}
