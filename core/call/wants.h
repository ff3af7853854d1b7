/* SPDX-License-Identifier: MIT
 *
 * What an input wants to be given, and whether an image has to become another one for it: known without its pixels.
 */
#ifndef CORE_CALL_WANTS_H
#define CORE_CALL_WANTS_H

#include "core/data/image.h"

/* FV_LABELS, FV_MASK, or FV_IMAGE when it takes images as they are. */
fv_role wants_role (const fv_input *input);
/* The type in which it gets an image of that type and role; 0: it cannot be given one. */
fv_type wants_type (const fv_input *input, fv_type type, fv_role role);
/* Whether such an image becomes another one, and whether its values have to be looked at first. */
gboolean wants_made (const fv_input *input, fv_type type, fv_role role);
gboolean wants_checked (const fv_input *input, fv_type type, fv_role role);
/* What take_image() makes of the type and role of a grid. */
void wants_grid (const fv_input *input, fv_grid *grid);
/* Bytes of the image that take_image() would make and keep; 0 when it makes none. */
gsize wants_bytes (const fv_input *input, Image *image);

#endif
