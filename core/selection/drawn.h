/* SPDX-License-Identifier: MIT
 *
 * Selections as pixels of an image.
 */
#ifndef CORE_SELECTION_DRAWN_H
#define CORE_SELECTION_DRAWN_H

#include "core/selection/selection.h"

/* What selections_drawn() makes: labels (FV_I32) or a mask (FV_U8) with the rows, columns and calibration of `like`. Labels have all of its slices and
 * frames. A mask has those only if a selection belongs to one of them. The strings are those of `like`.
 * (element-type Selection) */
ImageInfo selections_drawn_info (const GPtrArray *selections, const ImageInfo *like, gboolean labels);
/* A mask of all selections, or labels: 1 for the first. Where selections overlap the later one counts. Those of one slice or frame are drawn there
 * alone, those of a channel for all channels. (element-type Selection) NULL with *error when memory is short. */
Image *selections_drawn (const GPtrArray *selections, const ImageInfo *like, gboolean labels, GError **error);

#endif
