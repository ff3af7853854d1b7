/* SPDX-License-Identifier: MIT
 *
 * Spline interpolation on a grid of another size, as scipy.ndimage.zoom defines it. It is separable: along each axis samples become spline
 * coefficients (a recursive filter, once forth and once back for each pole), and output sample k is a weighted sum of order + 1 of them. Two things
 * differ from SciPy. Without grid_mode the last sample never counts as outside; in SciPy rounding puts 4 % of sizes outside, and a border of
 * constants appears. The border `reflect` interpolates axes of fewer than ten samples, too. A line with a sample that is not finite becomes NaN, with
 * order > 1.
 *
 * All devices do the same operations in the same order. Along an axis the filter goes in chunks: spline_chunks_of() says how many samples a
 * chunk answers for, and how many at both ends it filters with them. In these a recursion that began with a wrong value forgets it:
 * |pole|^margin is below 1e-9 in float and 1e-17 in double. Beyond the ends of a line stands the line continued by its border's symmetry,
 * which is what the exact first values of a recursion sum up. A chunk goes forth and back with each pole, forth with fma, and an output
 * sample is summed tap by tap with fma. Axes come one after the other, those first that shrink the image most, but y last with order 0 and 1;
 * among equals x, z, y. What stands between two axes is rounded to the working type.
 * Reference: M. Unser, Splines: a perfect fit for signal and image processing, IEEE Signal Processing Mag. 16 (1999).
 */
#ifndef KERNELS_GEOMETRY_SPLINE_H
#define KERNELS_GEOMETRY_SPLINE_H

#include "kernels/common/common.h"

typedef enum spline_border {
  SPLINE_CONSTANT,      /* kkkk|abcd|kkkk and nothing between the edge sample and the constant */
  SPLINE_NEAREST,       /* aaaa|abcd|dddd */
  SPLINE_MIRROR,        /* _dcb|abcd|cba_ */
  SPLINE_REFLECT,       /* dcba|abcd|dcba */
  SPLINE_WRAP,          /* first and last sample coincide: dbcd|abcd|bcab */
  SPLINE_GRID_CONSTANT, /* kkkk|abcd|kkkk, interpolated in between */
  SPLINE_GRID_MIRROR,   /* another name of reflect */
  SPLINE_GRID_WRAP,     /* abcd|abcd|abcd */
} spline_border;

#define SPLINE_BORDER_CHOICES                                                                                          \
  {"constant", "Constant", "Outside the image is a constant, without a transition to it."},                            \
    {"nearest", "Nearest", "The edge pixel repeats: aaa|abcd|ddd."},                                                   \
    {"mirror", "Mirror", "The image is reflected about the edge pixel: dcb|abcd|cba."},                                \
    {"reflect", "Reflect", "The image is reflected about its edge: cba|abcd|dcb."},                                    \
    {"wrap", "Wrap", "The image is repeated so that the first and the last pixel coincide: bcd|abcd|bca."},            \
    {"grid-constant", "Grid constant", "Outside the image is a constant, with a transition to it."},                   \
    {"grid-mirror", "Grid mirror", "Another name of reflect."},                                                        \
  {                                                                                                                    \
    "grid-wrap", "Grid wrap", "The image is repeated: bcd|abcd|abc."                                                   \
  }

enum { SPLINE_MAX_TAPS = 6, SPLINE_PAD = 12, SPLINE_REACH = 4 }; /* REACH: taps of a sample are not further from it */

typedef struct spline_rule {
  int order; /* 0 ... 5 */
  spline_border border;
  double value; /* the constant */
  bool prefilter, grid_mode;
} spline_rule;

/* Of the chunks in float, and what a chunk in double answers for. */
#define SPLINE_BEFORE(ORDER) (((ORDER) == 2 ? 12 : (ORDER) == 3 ? 16 : (ORDER) == 4 ? 26 : 32) + SPLINE_REACH)
#define SPLINE_COUNT(ORDER) ((ORDER) < 4 ? 96 : 128)
#define SPLINE_ANSWERED 128

/* One axis: n_in samples become n_out. */
typedef struct spline_axis {
  int64_t n_in, n_out;
  int64_t pad;          /* samples added at each end before the line is reflected */
  int64_t inside[2];    /* output samples inside[0] ... inside[1] - 1 are not the constant */
  int poles;            /* number of them; 0: no filter */
  double pole[2], gain; /* the filter leaves samples too small by this factor */
} spline_axis;

/* How the filter goes along a line of n samples: chunk c filters the samples from c * answered - before on, `count` of them. */
typedef struct spline_chunks {
  int64_t answered, before, count, n;
} spline_chunks;

static inline bool
spline_same (const spline_rule *rule, int64_t n_in, int64_t n_out)
{
  return n_in == n_out && (rule->order < 2 || rule->prefilter);
}

/* Where output sample k lies among the input samples. */
static inline double
spline_coordinate (const spline_rule *rule, int64_t n_in, int64_t n_out, int64_t k)
{
  if (rule->grid_mode)
    return ((double) k + 0.5) * ((double) n_in / (double) n_out) - 0.5;
  return n_out == 1 ? 0 : fmin ((double) k * ((double) (n_in - 1) / (double) (n_out - 1)), (double) (n_in - 1));
}

/* The type that is worked in: with knots that do not rise from one output sample to the next, double. */
static inline fv_type
spline_type (const spline_rule *rule, fv_type work)
{
  return rule->border == SPLINE_WRAP && rule->grid_mode ? FV_F64 : work;
}

/* The same, turned round where the border wraps, and at most half a pixel outside. */
INLINE double
spline_position (const spline_rule *rule, int64_t n_in, double x)
{
  const double last = (double) (n_in - 1);
  if (rule->border == SPLINE_WRAP && (x < 0 || x > last))
    return last == 0 ? 0 : x < 0 ? x + last : x - last;
  return x;
}

INLINE double
spline_knot (int order, double x)
{
  return floor (order & 1 ? x : x + 0.5);
}

/* The input sample at index i of the endless line, or -1: the constant. pad: samples at each end that repeat the edge, or the constant, before the
 * line is reflected. */
INLINE int64_t
spline_sample (spline_border border, int64_t n, int64_t pad, int64_t i)
{
  const bool nearest = border == SPLINE_NEAREST;
  if (i >= 0 && i < n)
    return i;
  switch (border) {
  case SPLINE_NEAREST:
  case SPLINE_GRID_CONSTANT:
    if (pad)
      i = border_index (i + pad, n + 2 * pad, nearest ? BORDER_REFLECT : BORDER_MIRROR) - pad;
    return i >= 0 && i < n ? i : nearest ? border_index (i, n, BORDER_NEAREST) : -1;
  case SPLINE_REFLECT:
  case SPLINE_GRID_MIRROR: return border_index (i, n, BORDER_REFLECT);
  case SPLINE_GRID_WRAP: return border_index (i, n, BORDER_WRAP);
  default: return border_index (i, n, BORDER_MIRROR);
  }
}

/* B-splines of the given order, centered on the order + 1 knots nearest to a point; x: from the middle one to it. */
INLINE void
spline_weights (double x, int order, double *w)
{
  double y = 1 - x, t = x * x, u = y * y, h = 0.5 - x, last = 1;
  switch (order) {
  case 1: w[0] = y; break;
  case 2:
    w[0] = 0.5 * h * h;
    w[1] = 0.75 - t;
    break;
  case 3:
    w[0] = u * y / 6;
    w[1] = (t * (x - 2) * 3 + 4) / 6;
    w[2] = (u * (y - 2) * 3 + 4) / 6;
    break;
  case 4:
    w[0] = h * h * h * h / 24;
    w[2] = t * (t * 0.25 - 0.625) + 115 / 192.0;
    w[3] = y * (y * (y * (5 - y) / 6 - 1.25) + 5 / 24.0) + 55 / 96.0;
    y = 1 + x;
    w[1] = y * (y * (y * (5 - y) / 6 - 1.25) + 5 / 24.0) + 55 / 96.0;
    break;
  case 5:
    w[0] = u * u * y / 120;
    w[2] = t * (t * (0.25 - x / 12) - 0.5) + 0.55;
    w[3] = u * (u * (0.25 - y / 12) - 0.5) + 0.55;
    x += 1;
    y += 1;
    w[1] = x * (x * (x * (x * (x / 24 - 0.375) + 1.25) - 1.75) + 0.625) + 0.425;
    w[4] = y * (y * (y * (y * (y / 24 - 0.375) + 1.25) - 1.75) + 0.625) + 0.425;
    break;
  }
  for (int i = 0; i < order; i++)
    last -= w[i];
  w[order] = last;
}

#ifdef __cplusplus
extern "C" {
#endif

spline_axis spline_axis_make (const spline_rule *rule, int64_t n_in, int64_t n_out);

/* The chunks of an axis with a filter, for FV_F32 or FV_F64. */
spline_chunks spline_chunks_of (const spline_rule *rule, const spline_axis *axis, fv_type work);

/* Bytes of scratch that spline_resample() takes for images of these shapes, but for tables and lines. */
int64_t spline_scratch (const spline_rule *rule, const int64_t in[3], const int64_t out[3], bool volume, fv_type work);
/* The CPU version: `in` to the size and type of `out`, along y and x, with `volume` also along z. `work` is FV_F32 or
 * FV_F64. */
fv_status spline_resample (const fv_call *call, const spline_rule *rule, const fv_array *in, const fv_array *out,
                           bool volume, fv_type work, fv_error *error);
/* The same on the GPU (zoom.cu). */
fv_status spline_resample_cuda (const fv_call *call, const spline_rule *rule, const fv_array *in, const fv_array *out,
                                bool volume, fv_type work, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
