/* SPDX-License-Identifier: MIT
 *
 * Between which values a person chooses who chooses a value of an image, such as a threshold.
 */
#ifndef CORE_VIEW_VALUE_RANGE_H
#define CORE_VIEW_VALUE_RANGE_H

#include "core/data/image.h"

/* From the least to the greatest value, by a look at some of the pixels of a middle plane; of 8 bit images 0 ... 255. FALSE when no
 * pixels are at hand. */
gboolean value_range (Image *image, double *low, double *high);

#endif
