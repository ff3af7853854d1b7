/* SPDX-License-Identifier: MIT
 *
 * Whether the pixels of a plane are numbers of objects, which files seldom say.
 */
#ifndef CORE_VIEW_LABEL_PICTURE_H
#define CORE_VIEW_LABEL_PICTURE_H

#include "fovea-plugin.h"

#include <glib.h>

/* Whether pixels look like labels: integers from 0, with at least two that are nonzero. Neighbors are mostly equal.
 * Each number has about one connected region, and numbers are close together. Numbers of adjacent regions are not
 * merely consecutive, as in a ramp. A mask does not qualify. Takes a few passes over dense pixels, much less for photographs. */
gboolean label_picture_is (fv_type type, const void *pixels, gint64 rows, gint64 columns);

#endif
