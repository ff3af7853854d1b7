/* SPDX-License-Identifier: MIT
 *
 * warp_affine: the map and its inverse, and what the result is.
 */
#include "kernels/geometry/warp_affine.h"

/* Where pixels go. */
static affine_map
forward_map (const warp_affine_args *a, const fv_grid *in, const fv_grid *out)
{
  const double *m = a->matrix.v;
  double c, s, shear = tan (a->shear * (acos (-1) / 180));
  if (a->matrix.planes)
    return (affine_map){m[0], m[1], m[3], m[4], {m[2], m[5]}};
  affine_directions (a->angle, &c, &s);
  affine_map map = {
    .xx = c * a->scale_x, .xy = (c * shear - s) * a->scale_y, .yx = s * a->scale_x, .yy = (s * shear + c) * a->scale_y};
  const double x = (double) (in->shape[2] - 1) / 2, y = (double) (in->shape[1] - 1) / 2;
  map.at[0] = (double) (out->shape[2] - 1) / 2 + a->x - (map.xx * x + map.xy * y);
  map.at[1] = (double) (out->shape[1] - 1) / 2 + a->y - (map.yx * x + map.yy * y);
  return map;
}

static double
determinant (const affine_map *m)
{
  return m->xx * m->yy - m->xy * m->yx;
}

affine_map
warp_affine_map (const warp_affine_args *a, const fv_grid *in, const fv_grid *out)
{
  const affine_map m = forward_map (a, in, out);
  const double d = determinant (&m);
  affine_map back = {.xx = m.yy / d, .xy = -m.xy / d, .yx = -m.yx / d, .yy = m.xx / d};
  back.at[0] = -(back.xx * m.at[0] + back.xy * m.at[1]);
  back.at[1] = -(back.yx * m.at[0] + back.yy * m.at[1]);
  return back;
}

affine_rule
warp_affine_rule (const warp_affine_args *a)
{
  return (affine_rule){affine_count (a->interpolation), (border) a->border, a->value, 1, 1, true};
}

/* Whether all pixels of the result come from positions that can be counted. */
static bool
is_near (const affine_map *back, const fv_grid *out)
{
  bool near = true;
  for (int corner = 0; corner < 4; corner++) {
    double u, v;
    affine_position (back, corner & 1 ? out->shape[2] : 0, corner & 2 ? out->shape[1] : 0, &u, &v);
    near = near && fabs (u) < 1e15 && fabs (v) < 1e15;
  }
  return near;
}

/* Whether the matrix is one, and can be undone. */
static fv_status
check_map (const warp_affine_args *a, const fv_grid *in, const fv_grid *out, fv_error *error)
{
  const affine_map back = warp_affine_map (a, in, out);
  const fv_matrix *m = &a->matrix;
  if (m->planes && (m->planes != 1 || m->rows != 2 || m->columns != 3))
    return fail (error, FV_BAD_ARGUMENT, "matrix",
                 "It has %d rows of %d numbers: an affine map is two rows of three, such as 1 0 5; 0 1 -3.",
                 (int) m->rows, (int) m->columns);
  if (!is_near (&back, out))
    return fail (error, FV_BAD_ARGUMENT, m->planes ? "matrix" : "shear",
                 "The map makes a line of the image, or takes it too far away.");
  return FV_OK;
}

static fv_status
warp_affine_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const warp_affine_args *a = args;
  (void) op;
  if (a->height)
    out[0]->shape[1] = a->height;
  if (a->width)
    out[0]->shape[2] = a->width;
  if (check_map (a, in[0], out[0], error))
    return error->code;
  const affine_map map = forward_map (a, in[0], out[0]);
  const double all = sqrt (fabs (determinant (&map)));
  const bool upright = map.xy == 0 && map.yx == 0;
  out[0]->spacing[1] /= upright ? fabs (map.yy) : all;
  out[0]->spacing[2] /= upright ? fabs (map.xx) : all;
  return affine_infer (in[0], out[0], a->interpolation, (border) a->border, a->value, error);
}

static void
warp_affine_transform (const fv_op *op, const void *args, const fv_grid *const *inputs, const fv_grid *output,
                       uint32_t number, fv_place *transform)
{
  const affine_map map = warp_affine_map (args, inputs[0], output);
  (void) op, (void) number;
  affine_to_transform (&map, transform);
}

static fv_status
warp_affine_cpu (const fv_call *call, fv_error *error)
{
  const affine_map map = warp_affine_map (call->args, call->inputs[0]->grid, call->outputs[0]->grid);
  const affine_rule rule = warp_affine_rule (call->args);
  return affine_cpu (call, &map, &rule, error);
}

static double
warp_affine_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op, (void) in;
  return affine_arithmetic (((const warp_affine_args *) args)->interpolation);
}

const fv_op fv_op_warp_affine = {
  FV_OP (warp_affine_args),
  .key = "warp_affine",
  .menu = "Image/Transform",
  .label = "Affine...",
  .search = "transform matrix shear skew rotate scale move",
  .help = "Scales, shears, turns and moves each plane at once, or maps it by a matrix.",
  .cite = affine_cite,
  .kind = FV_GLOBAL,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Image"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (warp_affine_args, scale_x), .label = "Scale X", .def = 1, .min = 1e-4, .max = 1e4, .soft_min = 0.1,
       .soft_max = 10, .scale = FV_LOG, .help = "Factor of the width."},
      {FV_FIELD (warp_affine_args, scale_y), .label = "Scale Y", .def = 1, .min = 1e-4, .max = 1e4, .soft_min = 0.1,
       .soft_max = 10, .scale = FV_LOG, .help = "Factor of the height."},
      {FV_FIELD (warp_affine_args, shear), .label = "Shear", .unit = "°", .min = -89, .max = 89, .soft_min = -45,
       .soft_max = 45, .help = "By which angle columns lean to the right, downward."},
      {FV_FIELD (warp_affine_args, angle), .label = "Angle", .unit = "°", .min = -360, .max = 360, .soft_min = -180,
       .soft_max = 180, .help = "Clockwise."},
      {FV_FIELD (warp_affine_args, x), .label = "X", .unit = FV_PIXELS, .min = -1e6, .max = 1e6, .soft_min = -100,
       .soft_max = 100, .help = "How far it moves to the right at last."},
      {FV_FIELD (warp_affine_args, y), .label = "Y", .unit = FV_PIXELS, .min = -1e6, .max = 1e6, .soft_min = -100,
       .soft_max = 100, .help = "How far it moves down."},
      {FV_FIELD (warp_affine_args, matrix), .label = "Matrix",
       .help =
         "Instead of all these: a b c; d e f takes pixel (x, y) to (a x + b y + c, d x + e y + f), counted from 0."},
      {FV_FIELD (warp_affine_args, width), .label = "Width", .unit = FV_PIXELS, .max = 1e6, .soft_max = 8192,
       .help = "Columns of the result; 0 is as many as the image has."},
      {FV_FIELD (warp_affine_args, height), .label = "Height", .unit = FV_PIXELS, .max = 1e6, .soft_max = 8192,
       .help = "Rows of the result; 0 is as many as the image has."},
      AFFINE_PARAMS (warp_affine_args),
      {0}},
  .infer = warp_affine_infer,
  .place = warp_affine_transform,
  .values = FV_VALUES_SAME,
  .arithmetic = warp_affine_arithmetic,
  .run = {[FV_CPU] = warp_affine_cpu, [FV_CUDA] = FV_CUDA_FN (warp_affine_cuda)},
};
