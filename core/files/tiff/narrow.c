/* SPDX-License-Identifier: MIT
 *
 * The inverse of convert.c for the types that other programs read, too.
 */
#include "core/files/tiff/narrow.h"

#include <string.h>
#include <tiffio.h>

static const FilesTiffStored widened[] = {
  {"int8", FV_I32, 8, SAMPLEFORMAT_INT, FALSE},     {"int16", FV_I32, 16, SAMPLEFORMAT_INT, FALSE},
  {"uint32", FV_F64, 32, SAMPLEFORMAT_UINT, FALSE}, {"int64", FV_F64, 64, SAMPLEFORMAT_INT, FALSE},
  {"uint64", FV_F64, 64, SAMPLEFORMAT_UINT, FALSE}, {"float16", FV_F32, 16, SAMPLEFORMAT_IEEEFP, FALSE},
};

static const FilesTiffStored own[] = {
  {"uint8", FV_U8, 8, SAMPLEFORMAT_UINT, TRUE},       {"uint16", FV_U16, 16, SAMPLEFORMAT_UINT, TRUE},
  {"int32", FV_I32, 32, SAMPLEFORMAT_INT, TRUE},      {"float32", FV_F32, 32, SAMPLEFORMAT_IEEEFP, TRUE},
  {"float64", FV_F64, 64, SAMPLEFORMAT_IEEEFP, TRUE},
};

FilesTiffStored
files_tiff_stored (const ImageInfo *info)
{
  guint i = 0;
  for (guint j = 0; info->source_type && j < G_N_ELEMENTS (widened); j++)
    if (widened[j].type == info->type && !strcmp (widened[j].name, info->source_type))
      return widened[j];
  while (own[i].type != info->type)
    i++;
  return own[i];
}

/* The sign, then the exponent's bias from 127 to 15 by a multiplication, which makes subnormal numbers, too. FALSE when the
 * value is between two such numbers. */
static gboolean
float_to_half (float value, guint16 *half)
{
  guint32 bits, magnitude;
  float scaled;
  memcpy (&bits, &value, sizeof bits);
  magnitude = bits & 0x7fffffff;
  *half = (guint16) (bits >> 16 & 0x8000);
  if (magnitude >= 0x7f800000) { /* infinities and NaN */
    *half |= (guint16) (0x7c00 | (magnitude >> 13 & 0x3ff));
    return (magnitude & 0x1fff) == 0;
  }
  memcpy (&scaled, &magnitude, sizeof scaled);
  if (scaled > 65504)
    return FALSE;
  scaled *= 0x1p-112f;
  memcpy (&magnitude, &scaled, sizeof magnitude);
  *half |= (guint16) (magnitude >> 13);
  return (magnitude & 0x1fff) == 0 && scaled * 0x1p112f == (value < 0 ? -value : value);
}

/* Whole numbers that a type of so many bits holds, as their low bits. */
static gboolean
to_integer (const FilesTiffStored *stored, double value, guint64 *bits)
{
  gboolean is_signed = stored->format == SAMPLEFORMAT_INT;
  double end = is_signed ? 0x1p-1 : 1;
  for (guint i = 0; i < stored->bits; i++)
    end *= 2;
  if (!(value >= (is_signed ? -end : 0) && value < end))
    return FALSE;
  *bits = is_signed ? (guint64) (gint64) value : (guint64) value;
  return (is_signed ? (double) (gint64) *bits : (double) *bits) == value;
}

/* The low `size` bytes of a number in this machine's byte order. */
static void
store (guint8 *to, guint64 number, gsize size)
{
  const guint8 *bytes = (const guint8 *) &number;
  memcpy (to, G_BYTE_ORDER == G_BIG_ENDIAN ? bytes + sizeof number - size : bytes, size);
}

gsize
files_tiff_narrow (const FilesTiffStored *stored, const void *pixels, gsize first, gsize n, void *samples)
{
  gsize bytes = stored->bits / 8;
  guint8 *to = samples;
  for (gsize i = 0; i < n; i++) {
    guint64 number = 0;
    guint16 half = 0;
    gboolean exact;
    if (stored->type == FV_F32) {
      exact = float_to_half (((const float *) pixels)[first + i], &half);
      number = half;
    } else {
      exact = to_integer (
        stored, stored->type == FV_I32 ? ((const gint32 *) pixels)[first + i] : ((const double *) pixels)[first + i],
        &number);
    }
    if (!exact)
      return i;
    store (to + i * bytes, number, bytes);
  }
  return n;
}
