/* SPDX-License-Identifier: MIT
 *
 * rotate: a row of the result at a time, some pixels of it in double.
 */
#include "kernels/geometry/rotate.h"
#include "kernels/common/row.h"

enum { BLOCK = 1024 };

/* Exact at right angles. */
static void
directions_of (double degrees, double *c, double *s)
{
  double quarter = nearbyint (degrees / 90), rest = (degrees - 90 * quarter) * (acos (-1) / 180);
  const double cosine = cos (rest), sine = sin (rest);
  switch (((int64_t) quarter % 4 + 4) % 4) {
  case 0: *c = cosine, *s = sine; break;
  case 1: *c = -sine, *s = cosine; break;
  case 2: *c = -cosine, *s = -sine; break;
  default: *c = sine, *s = -cosine;
  }
}

rotate_map
rotate_map_of (const rotate_args *a, const fv_grid *in, const fv_grid *out)
{
  static const int32_t counts[] = {[ROTATE_NEAREST] = 1, [ROTATE_LINEAR] = 2, [ROTATE_CUBIC] = 4};
  rotate_map m = {.count = counts[a->interpolation], .border = (border) a->border};
  double x = (double) (out->shape[2] - 1) / 2 + a->x, y = (double) (out->shape[1] - 1) / 2 + a->y;
  directions_of (a->angle, &m.cos, &m.sin);
  m.at[0] = (double) (in->shape[2] - 1) / 2 - (m.cos * x + m.sin * y);
  m.at[1] = (double) (in->shape[1] - 1) / 2 - (m.cos * y - m.sin * x);
  return m;
}

static fv_status
rotate_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const rotate_args *a = args;
  double c, s, rows = (double) in[0]->shape[1], columns = (double) in[0]->shape[2];
  (void) op;
  if (in[0]->role == FV_LABELS && a->interpolation != ROTATE_NEAREST)
    return fail (error, FV_BAD_ARGUMENT, "interpolation",
                 "Between the numbers of two objects there is none: use interpolation=nearest for a label image.");
  directions_of (a->angle, &c, &s);
  if (a->enlarge) {
    out[0]->shape[1] = (int64_t) fmax (floor (fabs (c) * rows + fabs (s) * columns + 0.5), 1);
    out[0]->shape[2] = (int64_t) fmax (floor (fabs (c) * columns + fabs (s) * rows + 0.5), 1);
  }
  if ((in[0]->role == FV_MASK && a->interpolation != ROTATE_NEAREST)
      || (in[0]->role != FV_RGB && a->border == BORDER_CONSTANT && a->value != 0))
    out[0]->role = FV_IMAGE;
  out[0]->dense = false;
  return FV_OK;
}

#define DEFINE_ROTATE(NAME, T)                                                                                         \
  INLINE double sample_##NAME (const fv_array *in, int64_t plane, const rotate_taps *h, const rotate_taps *v,          \
                               border b, double constant)                                                              \
  {                                                                                                                    \
    int64_t rows = array_rows (in), columns = array_columns (in);                                                      \
    double sum = 0;                                                                                                    \
    for (int32_t j = 0; j < v->count; j++) {                                                                           \
      int64_t y = border_index (v->first + j, rows, b);                                                                \
      const T *row = y < 0 ? NULL : array_row (in, plane, y);                                                          \
      double line = 0;                                                                                                 \
      for (int32_t i = 0; i < h->count; i++) {                                                                         \
        int64_t x = border_index (h->first + i, columns, b);                                                           \
        line += rotate_times (h->weight[i], row && x >= 0 ? (double) row[x] : constant);                               \
      }                                                                                                                \
      sum += rotate_times (v->weight[j], line);                                                                        \
    }                                                                                                                  \
    return sum;                                                                                                        \
  }                                                                                                                    \
                                                                                                                       \
  VECTORISED static void rotate_##NAME (const fv_array *in, const rotate_map *m, double constant, int64_t plane,       \
                                        int64_t y, int64_t first, int64_t n, double *values)                           \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      rotate_taps h, v;                                                                                                \
      double across, down;                                                                                             \
      rotate_place (m, first + i, y, &across, &down);                                                                  \
      rotate_taps_at (across, m->count, &h);                                                                           \
      rotate_taps_at (down, m->count, &v);                                                                             \
      values[i] = sample_##NAME (in, plane, &h, &v, m->border, constant);                                              \
    }                                                                                                                  \
  }
DEFINE_ROTATE (u8, uint8_t)
DEFINE_ROTATE (u16, uint16_t)
DEFINE_ROTATE (i32, int32_t)
DEFINE_ROTATE (f32, float)
DEFINE_ROTATE (f64, double)

static fv_status
rotate_cpu (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const rotate_args *a = call->args;
  const rotate_map m = rotate_map_of (a, in->grid, out->grid);
  const fv_type type = in->grid->type;
  int64_t planes = array_planes (out), rows = array_rows (out), columns = array_columns (out);
  progress p = {call, .total = planes * rows};

#pragma omp parallel for collapse(2) schedule(dynamic, 16)
  for (int64_t plane = 0; plane < planes; plane++)
    for (int64_t y = 0; y < rows; y++) {
      double values[BLOCK];
      if (progress_stopped (&p))
        continue;
      for (int64_t x = 0, n; x < columns; x += n) {
        n = columns - x < BLOCK ? columns - x : BLOCK;
        WITH_TYPE (type, rotate, in, &m, a->value, plane, y, x, n, values)
        row_from_f64 ((char *) array_row (out, plane, y) + x * (int64_t) type_bytes (type), type, values, n);
      }
      progress_step (&p, 1);
    }
  return p.stop ? cancelled (error) : FV_OK;
}

static double
rotate_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  static const double sums[] = {[ROTATE_NEAREST] = 10, [ROTATE_LINEAR] = 25, [ROTATE_CUBIC] = 70};
  (void) op, (void) in;
  return sums[((const rotate_args *) args)->interpolation];
}

static const fv_choice interpolations[] = {{"nearest", "None", "The nearest pixel."},
                                           {"linear", "Bilinear", "Between the four around the place."},
                                           {"cubic", "Bicubic", "Between the sixteen around it, by Catmull and Rom."},
                                           {0}};

const fv_op fv_op_rotate = {
  FV_OP (rotate_args),
  .key = "rotate",
  .menu = "Image/Transform",
  .label = "Rotate or Translate...",
  .help = "Turns each plane about its centre, by any angle, and moves it; Flip or Rotate does right angles, at which "
          "nothing is interpolated.",
  .cite =
    "R. Keys, Cubic convolution interpolation for digital image processing, IEEE Transactions on Acoustics, Speech, "
    "and Signal Processing 29 (1981)",
  .kind = FV_GLOBAL,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Image"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (rotate_args, angle), .label = "Angle", .unit = "°", .min = -360, .max = 360, .soft_min = -180,
       .soft_max = 180, .help = "Clockwise."},
      {FV_FIELD (rotate_args, x), .label = "X", .unit = FV_PIXELS, .min = -1e6, .max = 1e6, .soft_min = -100,
       .soft_max = 100, .help = "How far it moves to the right, once it is turned."},
      {FV_FIELD (rotate_args, y), .label = "Y", .unit = FV_PIXELS, .min = -1e6, .max = 1e6, .soft_min = -100,
       .soft_max = 100, .help = "How far it moves down."},
      {FV_FIELD (rotate_args, interpolation), .label = "Interpolation", .choices = interpolations, .def = ROTATE_LINEAR,
       .help = "What stands between pixels."},
      {FV_FIELD (rotate_args, enlarge), .label = "Enlarge",
       .help = "Makes the result so large that the turned image fits in."},
      {FV_FIELD (rotate_args, border), .label = "Border", .choices = (const fv_choice[]){BORDER_CHOICES, {0}},
       .def = BORDER_CONSTANT, .help = "What stands outside the image."},
      {FV_FIELD (rotate_args, value), .label = "Value", .min = -INFINITY, .max = INFINITY, .soft_max = 255,
       .enabled = "border=constant", .help = "The constant, limited to what the type holds."},
      {0}},
  .infer = rotate_infer,
  .arithmetic = rotate_arithmetic,
  .run = {[FV_CPU] = rotate_cpu, [FV_CUDA] = FV_CUDA_FN (rotate_cuda)},
};
