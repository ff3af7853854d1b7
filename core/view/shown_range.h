/* SPDX-License-Identifier: MIT
 *
 * Which values of a plane are shown darkest and brightest while nobody has set them: the window's rule, and that of `display` where it
 * is given no contrast. As in ImageJ: 0 and 255 of 8 bits; of other types the least and the greatest finite value.
 */
#ifndef CORE_VIEW_SHOWN_RANGE_H
#define CORE_VIEW_SHOWN_RANGE_H

#include "core/view/range.h"
#include "fovea-plugin.h"

#include <glib.h>

/* Whether the type alone says it; then it is in *range. */
gboolean shown_range_known (fv_type type, Range *range);
/* Of a plane of n pixels in host memory; 0, 0 when none is finite. On all cores. */
Range shown_range_of (fv_type type, const void *pixels, gint64 n);

#endif
