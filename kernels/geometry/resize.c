/* SPDX-License-Identifier: MIT
 *
 * resize: sizes, and which way goes along which axis.
 */
#include "kernels/geometry/resize.h"

spline_rule
resize_rule (const resize_args *a)
{
  return (spline_rule){a->order, SPLINE_NEAREST, 0, true, true};
}

bool
resize_reduces (const resize_args *a, const fv_grid *in, const fv_grid *out)
{
  return a->order > 0 && (out->shape[1] < in->shape[1] || out->shape[2] < in->shape[2]);
}

bool
resize_enlarges (const fv_grid *in, const fv_grid *out)
{
  return out->shape[1] > in->shape[1] || out->shape[2] > in->shape[2];
}

fv_type
resize_working_type (const fv_grid *grid)
{
  return grid->type == FV_U8 || grid->type == FV_F32 ? FV_F32 : FV_F64;
}

static void
middle_grid (const fv_grid *in, const fv_grid *out, fv_grid *middle)
{
  *middle = *in;
  middle->type = resize_working_type (in);
  for (int axis = 1; axis < 3; axis++)
    middle->shape[axis] = in->shape[axis] < out->shape[axis] ? in->shape[axis] : out->shape[axis];
}

fv_status
resize_middle_make (const fv_call *call, scratch_image *middle, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  fv_grid grid;
  middle_grid (in->grid, call->outputs[0]->grid, &grid);
  return scratch_image_make (call, in, &grid, middle, error);
}

/* In proportion, where one is 0. */
static fv_status
find_size (const resize_args *a, const fv_grid *in, fv_grid *out, fv_error *error)
{
  const double rows = (double) in->shape[1], columns = (double) in->shape[2];
  if (!a->width && !a->height)
    return fail (error, FV_BAD_ARGUMENT, "width", "Give a width, a height or both.");
  const double height = a->height ? a->height : fmax (nearbyint (rows * a->width / columns), 1),
               width = a->width ? a->width : fmax (nearbyint (columns * a->height / rows), 1);
  if (!((double) in->shape[0] * width * height <= 0x1p40))
    return fail (error, FV_BAD_ARGUMENT, a->width ? "width" : "height",
                 "The result would have %.4g x %.4g pixels, and more than 2^40 in all: make it smaller.", width,
                 height);
  out->shape[1] = (int64_t) height;
  out->shape[2] = (int64_t) width;
  return FV_OK;
}

static fv_status
resize_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const resize_args *a = args;
  (void) op;
  if (in[0]->role == FV_LABELS && a->order > 0)
    return fail (error, FV_BAD_ARGUMENT, "order",
                 "Order %d mixes the numbers of neighboring objects: use order 0 for a label image.", (int) a->order);
  if (find_size (a, in[0], out[0], error))
    return error->code;
  for (int axis = 1; axis < 3; axis++)
    out[0]->spacing[axis] *= (double) in[0]->shape[axis] / (double) out[0]->shape[axis];
  if (in[0]->role == FV_MASK && a->order > 0)
    out[0]->role = FV_IMAGE;
  out[0]->dense = false;
  return FV_OK;
}

static void
resize_transform (const fv_op *op, const void *args, const fv_grid *const *inputs, const fv_grid *output,
                  uint32_t number, fv_place *transform)
{
  (void) op, (void) args, (void) number;
  for (int axis = 1; axis < 3; axis++) {
    transform->matrix[axis][axis] = (double) inputs[0]->shape[axis] / (double) output->shape[axis];
    transform->matrix[axis][3] = (transform->matrix[axis][axis] - 1) / 2;
  }
}

static int64_t
resize_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const resize_args *a = args;
  const spline_rule rule = resize_rule (a);
  fv_grid out = *in[0], middle;
  fv_error error = FV_ERROR_INIT;
  (void) op;
  if (find_size (a, in[0], &out, &error))
    return 0;
  if (!resize_reduces (a, in[0], &out))
    return spline_scratch (&rule, in[0]->shape, out.shape, false, resize_working_type (in[0]));
  if (!resize_enlarges (in[0], &out))
    return area_scratch (in[0]);
  middle_grid (in[0], &out, &middle);
  return area_scratch (in[0]) + scratch_image_bytes (&middle)
         + spline_scratch (&rule, middle.shape, out.shape, false, middle.type);
}

static fv_status
resize_cpu (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const spline_rule rule = resize_rule (call->args);
  scratch_image middle;
  if (!resize_reduces (call->args, in->grid, out->grid))
    return spline_resample (call, &rule, in, out, false, resize_working_type (in->grid), error);
  if (!resize_enlarges (in->grid, out->grid))
    return area_cpu (call, in, out, error);
  if (resize_middle_make (call, &middle, error) || area_cpu (call, in, &middle.array, error))
    return error->code;
  return spline_resample (call, &rule, &middle.array, out, false, middle.grid.type, error);
}

static double
resize_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op, (void) in;
  return 16.0 * (((const resize_args *) args)->order + 1);
}

const fv_op fv_op_resize = {
  FV_OP (resize_args),
  .key = "resize",
  .menu = "Image",
  .label = "Resize...",
  .search = "scale size width height magnify shrink smaller larger interpolation",
  .help = "Resizes each plane to a number of pixels: averages where it gets smaller, interpolates where it gets "
          "larger. Scale takes factors and pixel sizes, also in 3-D, and samples without averaging.",
  .kind = FV_GLOBAL,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Resized"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (resize_args, width), .label = "Width", .unit = FV_PIXELS, .def = 512, .max = 2147483647,
       .soft_max = 8192, .help = "Columns of the result; 0 keeps the proportions."},
      {FV_FIELD (resize_args, height), .label = "Height", .unit = FV_PIXELS, .max = 2147483647, .soft_max = 8192,
       .help = "Rows of the result; 0 keeps the proportions."},
      {FV_FIELD (resize_args, order), .label = "Order", .def = 1, .max = 5,
       .help =
         "Order of the spline where it gets larger: 1 linear, 3 cubic; 0 takes the nearest pixel, also where it gets "
         "smaller."},
      {0}},
  .infer = resize_infer,
  .place = resize_transform,
  .values = FV_VALUES_SAME,
  .scratch = resize_scratch,
  .arithmetic = resize_arithmetic,
  .run = {[FV_CPU] = resize_cpu, [FV_CUDA] = FV_CUDA_FN (resize_cuda)},
};
