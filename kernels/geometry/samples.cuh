/* SPDX-License-Identifier: MIT
 *
 * Where samples lie, along lines that go on for ever, and pixels of any type.
 */
#ifndef KERNELS_GEOMETRY_SAMPLES_CUH
#define KERNELS_GEOMETRY_SAMPLES_CUH

#include "kernels/common/row.cuh"
#include "kernels/geometry/spline.h"

enum {
  SAMPLES_CHUNK = SPLINE_ANSWERED,
  SAMPLES_REACH = SPLINE_REACH,
  SAMPLES_LANES = 32,
  SAMPLES_PITCH = SAMPLES_LANES + 1,
  SAMPLES_GROUP = 32,
  SAMPLES_THREADS = 256
};

/* ---- Pixels of any type ---- */

struct any_pixels {
  char *data;
  fv_type type;
  int64_t shape[3], stride[3]; /* z, y, x, in elements */
};

static any_pixels
any_pixels_of (const fv_array *a)
{
  const DLTensor *t = &a->tensor;
  return {(char *) t->data, a->grid->type, {t->shape[0], t->shape[1], t->shape[2]}, {t->strides[0], t->strides[1], 1}};
}

template <typename W>
__device__ __forceinline__ W
load (const any_pixels &p, int64_t i)
{
  switch (p.type) {
  case FV_U8: return (W) ((const uint8_t *) p.data)[i];
  case FV_U16: return (W) ((const uint16_t *) p.data)[i];
  case FV_I32: return (W) ((const int32_t *) p.data)[i];
  case FV_F32: return (W) ((const float *) p.data)[i];
  default: return (W) ((const double *) p.data)[i];
  }
}

template <typename W>
__device__ __forceinline__ void
store (const any_pixels &p, int64_t i, W v)
{
  switch (p.type) {
  case FV_U8: ((uint8_t *) p.data)[i] = pixel_from<uint8_t> (v); break;
  case FV_U16: ((uint16_t *) p.data)[i] = pixel_from<uint16_t> (v); break;
  case FV_I32: ((int32_t *) p.data)[i] = pixel_from<int32_t> (v); break;
  case FV_F32: ((float *) p.data)[i] = (float) v; break;
  default: ((double *) p.data)[i] = (double) v;
  }
}

/* ---- Lines ---- */

struct resampling {
  any_pixels in, out;
  spline_rule rule;
  spline_axis line;
  int axis;               /* 0 z, 1 y, 2 x */
  int margin;             /* of the recursion, where it is not known from the order */
  int64_t across, others; /* lines: `across` side by side, `others` times */
  int64_t tiles, chunks;  /* of 32 lines; of SAMPLES_CHUNK samples */
  double ratio;           /* of input to output steps */
  int32_t *broken;        /* per line: has a value that is not finite; NULL: nothing to do */
};

/* The first element of a line. */
__device__ __forceinline__ int64_t
line_start (const any_pixels &p, int axis, int64_t other, int64_t across)
{
  if (axis == 2) /* across: rows through all planes */
    return across / p.shape[1] * p.stride[0] + across % p.shape[1] * p.stride[1];
  return other * p.stride[axis == 1 ? 0 : 1] + across;
}

/* The input sample at index i of the endless line, or -1: the constant. */
__device__ static int64_t
sample_at (const resampling &r, int64_t i)
{
  return spline_sample (r.rule.border, r.line.n_in, r.line.pad, i);
}

/* As spline_coordinate() does. */
static double
ratio_of (const spline_rule &rule, int64_t n_in, int64_t n_out)
{
  if (rule.grid_mode)
    return (double) n_in / (double) n_out;
  return n_out == 1 ? 0 : (double) (n_in - 1) / (double) (n_out - 1);
}

/* As spline_coordinate() and spline_position() do. */
__device__ static double
coordinate (const resampling &r, int64_t k)
{
  const double x = r.rule.grid_mode ? ((double) k + 0.5) * r.ratio - 0.5 : (double) k * r.ratio;
  return spline_position (&r.rule, r.line.n_in, r.rule.grid_mode ? x : fmin (x, (double) (r.line.n_in - 1)));
}

__device__ static double
knot_of (const resampling &r, double x)
{
  return spline_knot (r.rule.order, x);
}

/* The first output sample whose knot is at or after s. Where the border wraps, those at most half a pixel outside come first
 * and last out of turn; they are told by their knots. */
__device__ static int64_t
first_output (const resampling &r, int64_t s, int64_t low, int64_t high)
{
  while (low < high) {
    int64_t middle = (low + high) / 2;
    if (knot_of (r, coordinate (r, middle)) >= (double) s)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

#endif
