/* SPDX-License-Identifier: MIT
 *
 * The inverse of convert.c.
 */
#include "core/files/tiff/narrow.h"

#include "core/data/pixel_type.h"
#include "core/files/shared/numbers.h"

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
  return files_numbers_narrow ((const double *) pixels + first, n, stored->format == SAMPLEFORMAT_INT, samples);
}
