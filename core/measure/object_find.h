/* SPDX-License-Identifier: MIT
 *
 * Where an object is in an image of labels: the table of the objects says about where, and only there is looked.
 */
#ifndef CORE_MEASURE_OBJECT_FIND_H
#define CORE_MEASURE_OBJECT_FIND_H

#include "core/data/image.h"
#include "core/data/table.h"

typedef struct ObjectWanted {
  Image *labels;
  const Table *table; /* that regionprops made of them, or NULL */
  gint64 slice, frame;
  gint32 label;
  gboolean seek; /* in other slices, too, when it is not in this one */
} ObjectWanted;

/* Its box in its slice; when it is not there and is to be sought, in the slice of the frame where it comes first, and *slice says
 * which. FALSE when it is nowhere, or with *error. */
gboolean object_find (const ObjectWanted *wanted, gint64 *slice, ImageRegion *box, GError **error);

#endif
