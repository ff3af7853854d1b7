/* SPDX-License-Identifier: MIT
 *
 * zoom: spline interpolation to another size. With f the spline through the pixels, out(k) = f(k (n - 1) / (m - 1)) along an axis where n pixels
 * become m, so that the first and the last pixel stay where they are. With grid_mode it is f((k + 1/2) n / m - 1/2), so that the outer edges of the
 * image stay. The new pixel size follows: it is the old one times (n - 1) / (m - 1), or n / m with grid_mode (and where n or m is 1). By spacing it
 * should be what is asked for: grid_mode is then the default, and off by no more than the rounding of m. With grid_mode the outermost samples may lie
 * outside the outermost pixels, where a constant would draw a frame: the default border is then the nearest pixel. Border, NaN, reference: spline.h.
 */
#ifndef KERNELS_GEOMETRY_ZOOM_H
#define KERNELS_GEOMETRY_ZOOM_H

#include "kernels/geometry/spline.h"

typedef enum zoom_by { ZOOM_FACTOR, ZOOM_SIZE, ZOOM_SPACING } zoom_by;
typedef enum zoom_grid_mode { ZOOM_CENTERS, ZOOM_EDGES, ZOOM_AUTO } zoom_grid_mode;
enum { ZOOM_BORDER_AUTO = SPLINE_GRID_WRAP + 1 };
typedef enum zoom_output { ZOOM_SAME, ZOOM_FLOAT } zoom_output;

typedef struct zoom_args {
  int32_t by;
  fv_axes factor;
  int32_t width, height, depth; /* 0: from factor */
  fv_axes spacing;
  int32_t order;
  int32_t border; /* spline_border, or ZOOM_BORDER_AUTO */
  double value;
  bool prefilter;
  int32_t grid_mode; /* zoom_grid_mode */
  int32_t output;
  bool volume;
} zoom_args;

static inline spline_rule
zoom_rule (const zoom_args *a)
{
  bool edges = a->grid_mode == ZOOM_AUTO ? a->by == ZOOM_SPACING : a->grid_mode == ZOOM_EDGES;
  spline_border own = edges ? SPLINE_NEAREST : SPLINE_CONSTANT;
  spline_border border = a->border == ZOOM_BORDER_AUTO ? own : (spline_border) a->border;
  spline_rule rule = {a->order, border, a->value, a->prefilter, edges};
  return rule;
}

/* Float, or double where float would lose digits of the result. */
static inline fv_type
zoom_working_type (const fv_grid *in, const fv_grid *out)
{
  return in->type == FV_I32 || in->type == FV_F64 || out->type == FV_U16 ? FV_F64 : FV_F32;
}

#ifdef __cplusplus
extern "C" {
#endif

fv_status zoom_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
