/* SPDX-License-Identifier: MIT
 *
 * Sums over windows of pixels in memory, in float or double, in the order that convolve.h says.
 */
#ifndef KERNELS_CONVOLVE_CONVOLVE_DIRECT_H
#define KERNELS_CONVOLVE_CONVOLVE_DIRECT_H

#include "kernels/convolve/convolve_args.h"

enum {
  DIRECT_ROWS = 4,   /* sums go over rows and columns in multiples of these, */
  DIRECT_BYTES = 128 /* bytes of them */
};

/* For float or double: memory is of that type. */
typedef struct direct_sums {
  /* out(y, x) = the sum over j < m, i < n of w[j * n + i] in(y + j, x + i), or out += this sum. It covers y < rows and x < columns, both rounded
   * up to the multiples above. The pitch is that of `in` and `out`. */
  void (*correlate) (void *out, const void *in, int64_t pitch, const void *w, int64_t m, int64_t n, int64_t rows,
                     int64_t columns, bool add);
  /* to = w from, or to += w from, as a kernel of one value and one more plane does. */
  void (*add) (void *to, const void *from, double w, int64_t n, bool add);
  /* Whether the n numbers are finite and at most `most` in size. */
  bool (*bounded) (const void *from, int64_t n, double most);
} direct_sums;

/* The one for FV_F32 or FV_F64, with vectors as this processor has them. */
const direct_sums *direct_of (fv_type type);
/* That with vectors of at most so many bytes: 16, 32 or 64. */
const direct_sums *direct_with (fv_type type, int most);

#endif
