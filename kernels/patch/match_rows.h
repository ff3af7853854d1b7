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

/* Where the first row begins, and how many pixels on the next row and the next channel do. */
typedef struct match_pixels {
  const void *data;
  int64_t stride, channel_stride;
} match_pixels;

/* Rows of sums, least[] and which[] are MATCH_COLUMNS apart. */
typedef struct match_rows {
  int64_t value_size, id_size;
  /* to[y][x], x < n: the squares of a - b summed over channels and over columns x ... x + 2 radius; from there up to the next multiple
   * of MATCH_LANES infinity. Less than two MATCH_LANES more pixels of a and b are read. */
  void (*sum) (void *to, match_pixels a, match_pixels b, int64_t rows, int64_t n, int64_t channels, int64_t radius);
  /* Where the sum of rows y ... y + 2 radius is smaller than least[y][x], it and the id go there. Up to the next multiple of
   * MATCH_LANES all is read, and written as it was. */
  void (*keep) (void *least, void *which, int64_t id, const void *sums, int64_t rows, int64_t n, int64_t radius);
} match_rows;

extern const match_rows match_rows_f32, match_rows_f64;

#endif
