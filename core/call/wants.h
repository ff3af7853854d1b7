/* SPDX-License-Identifier: MIT
 *
 * What an input wants to be given, and whether an image has to become another one for it: known without its pixels.
 */
#ifndef CORE_CALL_WANTS_H
#define CORE_CALL_WANTS_H

#include "core/data/image.h"

/* FV_LABELS, FV_MASK, or FV_IMAGE when it takes images as they are. */
fv_role wants_role (const fv_input *input);
/* Whether it gets calibrated values instead of those that the image stores. */
gboolean wants_calibrated (const fv_input *input, const ImageInfo *info);
/* The unit of the calibrated values that it gets, also of an image that take_image() has made; NULL: it gets none. */
const char *wants_unit (const fv_input *input, const ImageInfo *info);
/* The type in which it gets such an image; 0: it cannot be given one. */
fv_type wants_type (const fv_input *input, const ImageInfo *info);
/* Whether such an image becomes another one, and whether its values have to be looked at first. */
gboolean wants_made (const fv_input *input, const ImageInfo *info);
gboolean wants_checked (const fv_input *input, const ImageInfo *info);
/* Which of the images that are kept with the image that is. */
ImageTaken wants_taken (const fv_input *input, const ImageInfo *info);
/* What take_image() makes of the grid of such an image. */
void wants_grid (const fv_input *input, const ImageInfo *info, fv_grid *grid);
/* Bytes of the image that take_image() would make and keep; 0 when it makes none. */
gsize wants_bytes (const fv_input *input, Image *image);

#endif
