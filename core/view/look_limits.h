/* SPDX-License-Identifier: MIT
 *
 * Display limits of a channel: those that are set, else those that follow the image. These are its minimum and maximum, or IRAF's zscale where that
 * would leave nearly everything black.
 */
#ifndef CORE_VIEW_LOOK_LIMITS_H
#define CORE_VIEW_LOOK_LIMITS_H

#include "core/view/look.h"
#include "core/view/range.h"

/* Finds out which float channels are nearly black between the minimum and maximum of their first slice. Also finds which channels of more than 8 bits
 * are labels there, or in the middle slice if it is empty. Keeps the result with the image; at most the first channels. Any thread but the main one.
 * FALSE with *error, when it cannot be read. */
gboolean look_examine (Image *image, GError **error);
/* Whether an image of such a look has one pair of limits for each channel, as of ImageJ's stacks: those of the middle slice of the first
 * frame, which stay with the image. Else each plane has its own. */
gboolean look_limits_are_of_all (const ViewChannel *look, const ImageInfo *info);
/* Automatic limits of a channel of this plane, which the user has not set (look->automatic). Any thread but the main
 * one. FALSE with *error. */
gboolean look_limits (const ViewChannel *look, Image *image, gint64 plane, Range *limits, GError **error);

#endif
