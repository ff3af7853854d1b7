/* SPDX-License-Identifier: MIT
 *
 * The default display limits of a plane: the app's rule, and that of `display` without a contrast. As in ImageJ: 0
 * and 255 for 8 bits; for other types the minimum and maximum of the finite values.
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
