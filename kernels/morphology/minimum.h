/* SPDX-License-Identifier: MIT
 *
 * minimum: what a running minimum needs of each pixel type, over long stretches of pixels at a time. Pixels are held
 * as integers of the same order (a mask as one bit a pixel), and complemented for a maximum: one set of loops serves
 * both. A float NaN becomes the least integer of both orders, so that it wins every minimum and every maximum.
 * Positions and lengths are in pixels, in a tile whose memory is one stretch.
 */
#ifndef KERNELS_MORPHOLOGY_MINIMUM_H
#define KERNELS_MORPHOLOGY_MINIMUM_H

#include "kernels/common/common.h"

typedef struct minimum {
  int bits; /* of a pixel in a tile */
  /* n pixels of an image to tile[at ...]; `maximum`: complemented. Bits: `at` is a multiple of 64, and the rest of the
   * last word becomes neutral. */
  void (*load) (void *tile, int64_t at, const void *from, int64_t n, bool maximum);
  void (*store) (void *to, const void *tile, int64_t at, int64_t n, bool maximum);
  /* What no minimum takes, to tile[at ... at + n); bits: to whole words from the first that begins there. */
  void (*clear) (void *tile, int64_t at, int64_t n);
  /* tile[i] = min (tile[i], tile[i + step]) for i < n - step. step > 0 */
  void (*widen) (void *tile, int64_t n, int64_t step);
  /* to[i] = min (to[i], tile[i + offset[0]], tile[i + offset[1]], ...) for i < n. n_offsets > 0, offsets >= 0.
   * Bits: n is a multiple of 64, and one word behind the last pixel is read and ignored. */
  void (*combine) (void *to, const void *tile, const int64_t *offset, int64_t n_offsets, int64_t n);
} minimum;

/* By type, for images. */
const minimum *minimum_of (fv_type type);

/* For masks, one bit a pixel: from and to bytes (non-zero is foreground; 0/255), or words of 64 pixels. */
const minimum *minimum_of_bits (bool from_bytes, bool to_bytes);

#endif
