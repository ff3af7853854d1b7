/* SPDX-License-Identifier: MIT
 *
 * From pixels to samples of the type that a TIFF file shall have: that of the file which the image came from, where that
 * had to be widened, else the pixels' own.
 */
#ifndef CORE_FILES_TIFF_NARROW_H
#define CORE_FILES_TIFF_NARROW_H

#include "core/data/image.h"

typedef struct FilesTiffStored {
  const char *name; /* "int16" */
  fv_type type;     /* of the pixels */
  guint bits;       /* of a sample */
  guint16 format;   /* SampleFormat */
  gboolean copied;  /* the pixels are the samples */
} FilesTiffStored;

FilesTiffStored files_tiff_stored (const ImageInfo *info);
/* Makes n samples of pixels first, first + 1, ...; the number of those before the first that has no such form. */
gsize files_tiff_narrow (const FilesTiffStored *stored, const void *pixels, gsize first, gsize n, void *samples);

#endif
