/* SPDX-License-Identifier: MIT
 *
 * The runs of objects by rows: from a row of pixels to the objects in it.
 */
#ifndef KERNELS_OBJECTS_OBJECT_ROWS_H
#define KERNELS_OBJECTS_OBJECT_ROWS_H

#include "kernels/regions/regions.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A run of a row: pixels x0 ... x1 - 1 of an object, which is counted as in regions. */
typedef struct row_piece {
  int32_t x0, x1, object;
} row_piece;

typedef struct object_rows {
  row_piece *pieces; /* from left to right in each row */
  int64_t *first;    /* [planes * rows + 1]: piece of each row */
  int64_t planes, rows;
} object_rows;

/* The rows of `labels`, whose objects `found` are, in host memory on any device. */
fv_status object_rows_make (const fv_call *call, const fv_array *labels, const regions *found, object_rows *to,
                            fv_error *error);

INLINE int64_t
object_row (const object_rows *o, int64_t z, int64_t y)
{
  return z * o->rows + y;
}

/* The first piece of a row that does not end before x. */
INLINE int64_t
object_rows_from (const object_rows *o, int64_t row, int64_t x)
{
  int64_t low = o->first[row], high = o->first[row + 1];
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (o->pieces[middle].x1 <= x)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

#ifdef __cplusplus
}
#endif

#endif
