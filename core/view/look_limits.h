/* SPDX-License-Identifier: MIT
 *
 * What a channel shows darkest and brightest: the limits that are set, else those that follow the image, which are the least and the
 * greatest value, or IRAF's zscale where these would leave nearly everything black.
 */
#ifndef CORE_VIEW_LOOK_LIMITS_H
#define CORE_VIEW_LOOK_LIMITS_H

#include "core/view/look.h"
#include "core/view/range.h"

/* Finds out which channels of real numbers are nearly black between the least and the greatest value of their first slice, and which channels
 * of more than 8 bits are labels there, or in the middle where there is nothing, and keeps that with the image; at most the first channels.
 * Any thread but the main one. FALSE with *error, when it cannot be read. */
gboolean look_examine (Image *image, GError **error);
/* Of which plane the limits of all are, as of ImageJ's stacks: the middle slice of the first frame, in the channel of this one. */
gint64 look_limits_plane (const ImageInfo *info, gint64 plane);
/* Limits of a channel, which look->automatic says nobody has set: those of that plane, or of this one (look->by_plane). Any thread but the
 * main one. FALSE with *error. */
gboolean look_limits (const ViewChannel *look, Image *image, gint64 plane, Range *limits, GError **error);

#endif
