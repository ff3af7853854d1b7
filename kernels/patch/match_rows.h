/* SPDX-License-Identifier: MIT
 *
 * Rows of patch_match on the CPU, in float with numbers of displacements in 32 bits, or in double with 64.
 */
#ifndef KERNELS_PATCH_MATCH_ROWS_H
#define KERNELS_PATCH_MATCH_ROWS_H

#include "kernels/common/common.h"

enum {
  MATCH_COLUMNS = 128, /* at most */
  MATCH_RADIUS = 7,    /* at most */
  MATCH_LANES = 8,     /* pixels that are worked on together */
};

typedef struct match_rows {
  int64_t value_size, id_size;
  /* to[x], x < n: the squares of a - b summed over channels, which lie a_stride and b_stride pixels apart, and over columns
   * x ... x + 2 radius. Less than two
   * MATCH_LANES more pixels of a and b are read, and values of `to` are written up to the next multiple of it. */
  void (*sum) (void *to, const void *a, int64_t a_stride, const void *b, int64_t b_stride, int64_t n, int64_t channels,
               int64_t radius);
  /* Where the sum of 2 radius + 1 rows is smaller than least[x], it and the id go there. */
  void (*keep) (void *least, void *which, int64_t id, const void *const *rows, int64_t n, int64_t radius);
} match_rows;

extern const match_rows match_rows_f32, match_rows_f64;

#endif
