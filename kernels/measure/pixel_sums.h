/* SPDX-License-Identifier: MIT
 *
 * What is added up of the pixels of planes and volumes. A pixel counts when it is finite and, where there is a mask, inside it. Sums are in double
 * and in one order, which depends only on the sizes. The lines of a problem are in bands. In a band line after line is added up in lanes by column
 * (lanes.h). Band i goes to slot i modulo SUMS_SLOTS. LANES neighboring slots are joined by halves, and then all.
 */
#ifndef KERNELS_MEASURE_PIXEL_SUMS_H
#define KERNELS_MEASURE_PIXEL_SUMS_H

#include "kernels/common/lanes.h"

#include <float.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Planes of any type that follow each other; strides in pixels. */
typedef struct stack_view {
  const void *pixels; /* NULL: there are none */
  fv_type type;
  int64_t plane_stride, row_stride;
} stack_view;

/* The planes of a channel; a single one counts for all `depth`, and a single channel for all. An array may be NULL. */
static inline stack_view
stack_view_of (const fv_array *a, int64_t channel, int64_t depth)
{
  if (!a)
    return (stack_view){NULL, FV_U8, 0, 0};
  const int64_t own = grid_depth (a->grid), first = a->grid->channels == 1 ? 0 : channel * own;
  return (stack_view){array_row (a, first, 0), a->grid->type, own == 1 && depth > 1 ? 0 : a->tensor.strides[0],
                      a->tensor.strides[1]};
}

INLINE int64_t
stack_offset (const stack_view *s, int64_t z, int64_t y, int64_t x)
{
  return z * s->plane_stride + y * s->row_stride + x;
}

INLINE double
stack_pixel (const stack_view *s, int64_t z, int64_t y, int64_t x)
{
  const int64_t at = stack_offset (s, z, y, x);
  switch (s->type) {
  case FV_U8: return ((const uint8_t *) s->pixels)[at];
  case FV_U16: return ((const uint16_t *) s->pixels)[at];
  case FV_I32: return ((const int32_t *) s->pixels)[at];
  case FV_F32: return (double) ((const float *) s->pixels)[at];
  default: return ((const double *) s->pixels)[at];
  }
}

/* Whether the mask, of u8, lets the pixel count. */
INLINE bool
stack_inside (const stack_view *mask, int64_t z, int64_t y, int64_t x)
{
  return !mask->pixels || ((const uint8_t *) mask->pixels)[stack_offset (mask, z, y, x)];
}

/* n values of a row; those that are not finite become NaN. */
void stack_read (const stack_view *s, int64_t z, int64_t y, int64_t x, int64_t n, double *to);
/* Those outside the mask become NaN. */
void stack_hide (const stack_view *mask, int64_t z, int64_t y, int64_t x, int64_t n, double *v);

/* All planes of an image, channel by channel, and its mask, which may have one plane or one channel for all. */
typedef struct masked_stack {
  stack_view pixels, mask;
  int64_t depth, mask_depth, mask_channels;
} masked_stack;

masked_stack masked_stack_of (const fv_array *image, const fv_array *mask);

INLINE int64_t
masked_plane (const masked_stack *m, int64_t plane)
{
  return (m->mask_channels == 1 ? 0 : plane / m->depth * m->mask_depth) + (m->mask_depth == 1 ? 0 : plane % m->depth);
}

/* False where the pixel does not count. */
INLINE bool
masked_pixel (const masked_stack *m, int64_t plane, int64_t y, int64_t x, double *v)
{
  *v = stack_pixel (&m->pixels, plane, y, x);
  return fabs (*v) <= DBL_MAX && (!m->mask.pixels || stack_inside (&m->mask, masked_plane (m, plane), y, x));
}

/* n values of a row, NaN for those that do not count. */
void masked_read (const masked_stack *m, int64_t plane, int64_t y, int64_t x, int64_t n, double *to);

enum { PIXEL_SUMS = 6 };

typedef struct pixel_sums {
  double v[PIXEL_SUMS];
  double low[2], high[2];
} pixel_sums;

INLINE pixel_sums
pixel_sums_none (void)
{
  const pixel_sums none = {{0, 0, 0, 0, 0, 0}, {INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
  return none;
}

INLINE pixel_sums
pixel_sums_join (pixel_sums a, pixel_sums b)
{
  for (int i = 0; i < PIXEL_SUMS; i++)
    a.v[i] += b.v[i];
  for (int i = 0; i < 2; i++) {
    a.low[i] = b.low[i] < a.low[i] ? b.low[i] : a.low[i];
    a.high[i] = b.high[i] > a.high[i] ? b.high[i] : a.high[i];
  }
  return a;
}

enum { SUMS_SLOTS = 256, SUMS_BANDS = 4096, SUMS_ALL_BANDS = 1 << 16 };

/* Bands of each problem; band i has the lines from lines * i / bands on. */
static inline int64_t
pixel_bands (int64_t problems, int64_t lines)
{
  const int64_t all = SUMS_BANDS, share = SUMS_ALL_BANDS / problems, most = share < 64 ? 64 : share < all ? share : all;
  return lines < most ? lines : most;
}

/* What a band has in its lanes; low and high are of all. */
typedef struct pixel_lanes {
  double v[PIXEL_SUMS][LANES];
  double low[2], high[2];
} pixel_lanes;

void pixel_lanes_clear (pixel_lanes *lanes);
pixel_sums pixel_lanes_join (pixel_lanes *lanes);
/* The sums of n bands. */
pixel_sums pixel_bands_join (const pixel_sums *bands, int64_t n);

#ifdef __cplusplus
}
#endif

#endif
