/* SPDX-License-Identifier: MIT
 *
 * Whether the pixels of a plane are numbers of objects, which files seldom say.
 */
#ifndef CORE_VIEW_LABEL_PICTURE_H
#define CORE_VIEW_LABEL_PICTURE_H

#include "fovea-plugin.h"

#include <glib.h>

/* Whole numbers from 0 on, two besides 0 or more; neighbours mostly equal; about one connected region for each number; numbers close together;
 * and regions side by side whose numbers do not just follow each other, as those of a ramp do. A mask is none. Takes the time of some passes
 * over dense pixels, of pictures much less. */
gboolean label_picture_is (fv_type type, const void *pixels, gint64 rows, gint64 columns);

#endif
