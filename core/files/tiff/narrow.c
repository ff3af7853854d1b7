/* SPDX-License-Identifier: MIT
 *
 * The inverse of convert.c.
 */
#include "core/files/tiff/narrow.h"

#include "core/data/pixel_type.h"

#include <math.h>
#include <string.h>
#include <tiffio.h>

/* What has no type of its own here. */
static const FilesTiffStored widened[] = {
  {"int64", FV_F64, 64, SAMPLEFORMAT_INT, FALSE},
  {"uint64", FV_F64, 64, SAMPLEFORMAT_UINT, FALSE},
};

FilesTiffStored
files_tiff_stored (const ImageInfo *info)
{
  const PixelType *own = pixel_type (info->type);
  guint16 format = own->is_float ? SAMPLEFORMAT_IEEEFP : own->is_signed ? SAMPLEFORMAT_INT : SAMPLEFORMAT_UINT;
  for (guint j = 0; info->source_type && j < G_N_ELEMENTS (widened); j++)
    if (widened[j].type == info->type && !strcmp (widened[j].name, info->source_type))
      return widened[j];
  return (FilesTiffStored){own->numpy, info->type, own->dl.bits, format, TRUE};
}

gsize
files_tiff_narrow (const FilesTiffStored *stored, const void *pixels, gsize first, gsize n, void *samples)
{
  gboolean is_signed = stored->format == SAMPLEFORMAT_INT;
  double min = is_signed ? -0x1p63 : 0, end = is_signed ? 0x1p63 : 0x1p64;
  for (gsize i = 0; i < n; i++) {
    double value = ((const double *) pixels)[first + i];
    if (!(value >= min && value < end && value == trunc (value)))
      return i;
    ((guint64 *) samples)[i] = is_signed ? (guint64) (gint64) value : (guint64) value;
  }
  return n;
}
