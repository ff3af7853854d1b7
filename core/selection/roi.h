/* SPDX-License-Identifier: MIT
 *
 * One selection as the bytes of ImageJ's .roi format.
 */
#ifndef CORE_SELECTION_ROI_H
#define CORE_SELECTION_ROI_H

#include "core/selection/selection.h"

/* NULL with *fault, the end of a sentence about the file: "is damaged: …"; free it. Of one that is read *fault is what it lost, "loses its arrow
 * head.", or NULL. */
Selection *selection_from_roi (const guint8 *bytes, gsize size, char **fault);
GBytes *selection_to_roi (const Selection *selection);

#endif
