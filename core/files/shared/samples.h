/* SPDX-License-Identifier: MIT
 *
 * Between the interleaved samples of picture formats (gray, gray + alpha, RGB, RGBA) and the planes of an image.
 */
#ifndef CORE_FILES_SHARED_SAMPLES_H
#define CORE_FILES_SHARED_SAMPLES_H

#include "core/data/image.h"

typedef struct FilesSamples {
  const void *pixels;
  gsize row_bytes;
  guint samples; /* per pixel: 1 gray, 2 gray and alpha, 3 RGB, 4 RGB and alpha */
  gboolean gray; /* red, green and blue are equal everywhere: one channel is enough */
} FilesSamples;

/* Whether red, green and blue of 8-bit samples are equal everywhere. */
gboolean files_samples_are_gray (const FilesSamples *from, gint64 rows, gint64 columns);
/* What files_samples_are_labels() may change, as a clause. */
#define FILES_SAMPLES_LABELS "one channel of indices if its colors are those of labels"
/* Whether pictures of a palette are labels, whose colors only distinguish neighbors. Then index 0 is black, pixels mostly equal their neighbors, and
 * colors of neighboring indices are far from each other. Of pictures whose colors were reduced to a palette no two of that are true. palette: n times
 * red, green, blue. */
gboolean files_samples_are_labels (const FilesSamples *indices, gint64 rows, gint64 columns, const guint8 *palette,
                                   guint n);
/* Names and colors of gray + alpha, RGB or RGB + alpha; an even number of channels ends with alpha. RGB of 8 bits gets the role FV_RGB. One channel has
 * neither. */
void files_samples_name_channels (ImageInfo *info);
/* The image of one plane per channel; info says type (u8 or u16), size, name. Alpha that is opaque everywhere is dropped, else
 * it is the last channel, "alpha". RGB of 8 bits without alpha has the role FV_RGB. */
Image *files_samples_image (const ImageInfo *info, const FilesSamples *from, GError **error);

/* What is known of that image without its pixels: as if alpha were opaque everywhere, and with colors unless `gray`. may_be_gray: colors that
 * are gray everywhere become one channel. Returns what the pixels may change of that, as a clause, or NULL. Clear *full with
 * image_info_clear(). */
const char *files_samples_describe (const ImageInfo *info, const FilesSamples *from, gboolean may_be_gray,
                                    ImageInfo *full);

/* Writes rows first ... first + n - 1 of an image of type u8 with three channels as RGB RGB RGB. planes: red, green, blue. */
void files_samples_interleave (guint8 *to, const guint8 *const planes[3], gint64 columns, gint64 first, gint64 n);

#endif
