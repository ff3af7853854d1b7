/* SPDX-License-Identifier: MIT
 *
 * Spline interpolation on a grid of another size, as scipy.ndimage.zoom defines it. It is separable: along each axis
 * samples become spline coefficients (a recursive filter, once forth and once back for each pole), and output sample k
 * is a weighted sum of order + 1 of them. Two things differ from SciPy: without grid_mode the last sample is never
 * taken for one outside (there, rounding puts 4 % of sizes outside, and a border of constants appears), and the border
 * `reflect` interpolates axes of fewer than ten samples too. NaN goes all along the lines it is in, with order > 1.
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
    {"nearest", "Nearest", "The edge pixel goes on: aaa|abcd|ddd."},                                                   \
    {"mirror", "Mirror", "The image is reflected about the edge pixel: dcb|abcd|cba."},                                \
    {"reflect", "Reflect", "The image is reflected about its edge: cba|abcd|dcb."},                                    \
    {"wrap", "Wrap", "The image is repeated so that the first and the last pixel coincide: bcd|abcd|bca."},            \
    {"grid-constant", "Grid constant", "Outside the image is a constant, with a transition to it."},                   \
    {"grid-mirror", "Grid mirror", "Another name of reflect."},                                                        \
  {                                                                                                                    \
    "grid-wrap", "Grid wrap", "The image is repeated: bcd|abcd|abc."                                                   \
  }

enum { SPLINE_MAX_TAPS = 6, SPLINE_PAD = 12, SPLINE_END = 64 };

typedef struct spline_rule {
  int order; /* 0 ... 5 */
  spline_border border;
  double value; /* the constant */
  bool prefilter, grid_mode;
} spline_rule;

/* One axis: n_in samples become n_out. */
typedef struct spline_axis {
  int64_t n_in, n_out;
  int64_t pad;          /* samples added at each end before the filter */
  int64_t n;            /* n_in + 2 pad */
  int64_t inside[2];    /* output samples inside[0] ... inside[1] - 1 are not the constant */
  int poles;            /* number of them; 0: no filter */
  double pole[2], gain; /* the filter leaves samples too small by this factor */
} spline_axis;

/* First value of a recursion: the sum of weight[i] times sample index[i]. index[0] is the place it is written to. */
typedef struct spline_end {
  int count;
  int64_t index[2 * SPLINE_END + 1];
  double weight[2 * SPLINE_END + 1];
} spline_end;

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

/* B-splines of the given order, centred on the order + 1 knots nearest to a point; x: from the middle one to it. */
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

/* Coefficients and weights (SPLINE_MAX_TAPS or fewer: order + 1) of output sample k. Index axis->n is the constant. */
void spline_taps (const spline_rule *rule, const spline_axis *axis, int64_t k, int64_t *index, double *weight);

/* How the recursions with one pole begin at the start and, on the way back, at the end. */
void spline_ends (const spline_rule *rule, int64_t n, double pole, spline_end *start, spline_end *end);

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
