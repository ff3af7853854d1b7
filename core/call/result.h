/* SPDX-License-Identifier: MIT
 *
 * What a call of an operation has made: images, a table, numbers and times.
 */
#ifndef CORE_CALL_RESULT_H
#define CORE_CALL_RESULT_H

#include "core/data/image.h"
#include "core/data/table.h"

typedef struct CallResult {
  Image **images; /* one for each declared output; NULL: it was freed */
  guint n_images;
  Table *table;    /* NULL when the operation makes none */
  double *scalars; /* [scalar_rows][n_scalars], settled; NULL when there are none */
  gint64 scalar_rows;
  gint64 scalar_shape[3]; /* frames, channels and slices of these rows; 1 where one number is of all */
  double ms; /* on the device, settled: the operation, and the arrival of its input where it begins before that */
  guint64 uploaded, downloaded; /* bytes that this call moved */
  guint64 on_disk;              /* bytes of its images that were made on disk */
  double tolerance;             /* within which another device gives the same; 0: to the bit */
  char *value_unit;             /* NULL, or the unit of the calibrated values that were measured */
  char *left; /* NULL, or what its images could not be given of what the first input has: "overlay, unit of values" */
  /* Until it is settled: */
  Device *device;
  void *events[2];
  double *scalars_on_device, *scalars_on_host; /* on their way to the latter */
  gsize scalar_bytes;
} CallResult;

void call_result_clear (CallResult *result);
/* Gives back the memory in which scalars were on their way; the device's work that uses it is waited for. */
void call_result_give_scalars (CallResult *result);
/* from: settled. Shares images and table. */
void call_result_copy (CallResult *to, const CallResult *from);

#endif
