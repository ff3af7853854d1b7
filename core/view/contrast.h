/* SPDX-License-Identifier: MIT
 *
 * The default display limits of a slice, and those of Auto.
 */
#ifndef CORE_VIEW_CONTRAST_H
#define CORE_VIEW_CONTRAST_H

#include "core/view/counts.h"

/* What Auto has done so far; all 0: nothing. */
typedef struct ContrastAuto {
  double divisor; /* the last took bins with more than one of so many pixels for the ends */
} ContrastAuto;

/* Limits as ImageJ's Auto. The first call saturates 0.35 % of the pixels, half of them at each end. Each further call takes the first and the last
 * bin with more than a fraction of the pixels, which grows. A bin with more than a tenth of them is background and does not count. The current limits
 * are `set`, or NULL if they are automatic. FALSE leaves *limits unset: no bin qualifies. */
gboolean contrast_auto (ContrastAuto *state, const Counts *counts, const Range *set, Range *limits);

#endif
