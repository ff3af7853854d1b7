/* SPDX-License-Identifier: MIT
 *
 * Whether two runs of a recipe, on different devices, made the same: image by image, number by number, column by column.
 */
#ifndef CORE_RUN_AGREEMENT_H
#define CORE_RUN_AGREEMENT_H

#include "core/run/run.h"

typedef struct Agreement {
  char *result; /* its name; or else what the step is called */
  char *column; /* of a table, or one of the step's numbers; "rows": a table that has not as many; NULL: an image */
  gint64 values, differing; /* that were compared, and those that are not the same; a missing one is like another */
  double difference;        /* the largest; infinite where one alone is missing; 0 of texts */
  double largest;           /* of the first run's values, without their signs */
  gboolean exact;           /* whole numbers, labels and texts, which have to be the same */
  gboolean agrees; /* the same, or numbers that differ by 1e-5 of the largest at most, 1e-3 where they have 16 bits */
} Agreement;

/* Of all that is in both runs, which are done: array of Agreement. NULL with *error when pixels cannot be had, or the work shall stop. */
GArray *agreement_find (const Run *first, const Run *other, Progress *progress, GError **error);

#endif
