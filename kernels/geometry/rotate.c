/* SPDX-License-Identifier: MIT
 *
 * rotate: where pixels come from, and how large the result is.
 */
#include "kernels/geometry/rotate.h"

affine_map
rotate_map_of (const rotate_args *a, const fv_grid *in, const fv_grid *out)
{
  double x = (double) (out->shape[2] - 1) / 2 + a->x, y = (double) (out->shape[1] - 1) / 2 + a->y, c, s;
  affine_directions (a->angle, &c, &s);
  return (affine_map){
    .xx = c,
    .xy = s,
    .yx = -s,
    .yy = c,
    .at = {(double) (in->shape[2] - 1) / 2 - (c * x + s * y), (double) (in->shape[1] - 1) / 2 - (c * y - s * x)}};
}

static fv_status
rotate_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const rotate_args *a = args;
  double c, s, rows = (double) in[0]->shape[1], columns = (double) in[0]->shape[2];
  (void) op;
  affine_directions (a->angle, &c, &s);
  if (a->enlarge) {
    out[0]->shape[1] = (int64_t) fmax (floor (fabs (c) * rows + fabs (s) * columns + 0.5), 1);
    out[0]->shape[2] = (int64_t) fmax (floor (fabs (c) * columns + fabs (s) * rows + 0.5), 1);
  }
  return affine_infer (in[0], out[0], a->interpolation, (border) a->border, a->value, error);
}

static void
rotate_transform (const fv_op *op, const void *args, const fv_grid *const *inputs, const fv_grid *output,
                  uint32_t number, fv_place *transform)
{
  const affine_map map = rotate_map_of (args, inputs[0], output);
  (void) op, (void) number;
  affine_to_transform (&map, transform);
}

static fv_status
rotate_cpu (const fv_call *call, fv_error *error)
{
  const affine_map map = rotate_map_of (call->args, call->inputs[0]->grid, call->outputs[0]->grid);
  const affine_rule rule = rotate_rule_of (call->args);
  return affine_cpu (call, &map, &rule, error);
}

static double
rotate_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op, (void) in;
  return affine_arithmetic (((const rotate_args *) args)->interpolation);
}

const fv_op fv_op_rotate = {
  FV_OP (rotate_args),
  .key = "rotate",
  .menu = "Image/Transform",
  .label = "Rotate or Translate...",
  .search = "turn angle degrees shift move offset align straighten",
  .help = "Turns each plane about its center, by any angle, and moves it; Flip or Rotate does right angles, at which "
          "nothing is interpolated.",
  .cite = affine_cite,
  .kind = FV_GLOBAL,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Image"}, {0}},
  .params =
    (const fv_param[]){{FV_FIELD (rotate_args, angle), .label = "Angle", .unit = "°", .min = -360, .max = 360,
                        .soft_min = -180, .soft_max = 180, .help = "Clockwise."},
                       {FV_FIELD (rotate_args, x), .label = "X", .unit = FV_PIXELS, .min = -1e6, .max = 1e6,
                        .soft_min = -100, .soft_max = 100, .help = "How far it moves to the right, once it is turned."},
                       {FV_FIELD (rotate_args, y), .label = "Y", .unit = FV_PIXELS, .min = -1e6, .max = 1e6,
                        .soft_min = -100, .soft_max = 100, .help = "How far it moves down."},
                       {FV_FIELD (rotate_args, enlarge), .label = "Enlarge",
                        .help = "Makes the result so large that the turned image fits in."},
                       AFFINE_PARAMS (rotate_args),
                       {0}},
  .infer = rotate_infer,
  .place = rotate_transform,
  .values = FV_VALUES_SAME,
  .arithmetic = rotate_arithmetic,
  .run = {[FV_CPU] = rotate_cpu, [FV_CUDA] = FV_CUDA_FN (rotate_cuda)},
};
