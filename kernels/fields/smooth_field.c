/* SPDX-License-Identifier: MIT
 *
 * smooth_field on the CPU: the first plane, which the others are copies of.
 */
#include "kernels/fields/smooth_field.h"

static fv_grain
smooth_field_grain (const fv_op *op, const void *args)
{
  (void) op;
  return ((const smooth_field_args *) args)->volume ? FV_STACK : FV_PLANES;
}

static fv_status
smooth_field_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  static const char *const fields[3] = {"depth", "height", "width"};
  const smooth_field_args *a = args;
  const int32_t sizes[3] = {a->depth, a->height, a->width};
  double pixels = 1;
  (void) op;
  for (int axis = 1; axis < 3 && !in[0]; axis++)
    if (sizes[axis] == 0)
      return fail (error, FV_BAD_ARGUMENT, fields[axis],
                   "No image is given whose size it could take: give the width and the height.");
  if (a->depth > 0 && !a->volume)
    return fail (error, FV_BAD_ARGUMENT, "depth", "The number of planes changes in 3-D only: turn 3-D on, or give 0.");
  for (int axis = 0; axis < 3; axis++) {
    out[0]->shape[axis] = sizes[axis] > 0 ? sizes[axis] : out[0]->shape[axis];
    pixels *= (double) out[0]->shape[axis];
    if (pixels > 0x1p40)
      return fail (error, FV_BAD_ARGUMENT, fields[axis],
                   "The field would have more than 2^40 pixels: make it smaller.");
  }
  out[0]->type = FV_F32;
  out[0]->role = FV_IMAGE;
  out[0]->dense = false;
  return FV_OK;
}

static int64_t
smooth_field_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const smooth_field_args *a = args;
  field_rule f = smooth_field_rule (a);
  fv_grid out = in[0] ? *in[0] : (fv_grid){.shape = {1, 1, 1}};
  fv_error error = FV_ERROR_INIT;
  if (smooth_field_infer (op, args, in, (fv_grid *[]){&out}, &error))
    return 0;
  if (!a->volume)
    out.shape[0] = 1;
  return field_scratch (&f, FV_F32, out.shape);
}

static fv_status
smooth_field_cpu (const fv_call *call, fv_error *error)
{
  const smooth_field_args *a = call->args;
  const fv_array *out = call->outputs[0];
  field_rule f = smooth_field_rule (a);
  int64_t shape[3] = {a->volume ? array_planes (out) : 1, array_rows (out), array_columns (out)};
  fv_array first = *out;
  first.tensor.shape = shape;
  if (field_cpu (call, &f, &first, error))
    return error->code;
  for (int64_t plane = shape[0]; plane < array_planes (out); plane++)
    for (int64_t y = 0; y < shape[1]; y++)
      memcpy (array_row (out, plane, y), array_row (out, 0, y), (size_t) shape[2] * sizeof (float));
  return FV_OK;
}

static double
smooth_field_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const smooth_field_args *a = args;
  (void) op, (void) in;
  return 8.0 * (a->order + 1) * (a->volume ? 3 : 2);
}

const fv_op fv_op_smooth_field = {
  FV_OP (smooth_field_args),
  .key = "smooth_field",
  .menu = "Image",
  .label = "Random Smooth Field...",
  .search = "random noise perlin clouds illumination background augment augmentation generate",
  .help = "Makes an image that varies smoothly at random, the same for the same seed.",
  .cite = "J. Salmon et al., Parallel random numbers: as easy as 1, 2, 3, SC 2011",
  .kind = FV_GLOBAL,
  .inputs =
    (const fv_input[]){
      {"image", "Image", "An image of the size that the field gets where none is given.", FV_ANY_TYPE, true}, {0}},
  .outputs = (const fv_output[]){{"image", "Field"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (smooth_field_args, distance), .label = "Distance", .unit = FV_PIXELS, .def = 64, .min = 1, .max = 1e9,
       .soft_min = 4, .soft_max = 512, .scale = FV_LOG, .help = "Largest distance of neighboring random numbers."},
      {FV_FIELD (smooth_field_args, distribution), .label = "Distribution",
       .choices = (const fv_choice[]){FIELD_DISTRIBUTIONS}, .help = "How the random numbers are distributed."},
      {FV_FIELD (smooth_field_args, mean), .label = "Mean", .min = -1e30, .max = 1e30, .soft_min = -1, .soft_max = 2,
       .help = "Mean of the random numbers."},
      {FV_FIELD (smooth_field_args, amplitude), .label = "Amplitude", .def = 1, .max = 1e30, .soft_max = 2,
       .help = "Standard deviation of normal random numbers, largest difference from the mean of uniform ones."},
      {FV_FIELD (smooth_field_args, seed), .label = "Seed", .def = 1, .max = 2147483647, .soft_max = 1000,
       .help = "Another seed makes another field."},
      {FV_FIELD (smooth_field_args, order), .label = "Order", .advanced = true, .def = 3, .max = 5,
       .help = "Order of the spline between the random numbers: 0 nearest, 1 linear, 3 cubic."},
      {FV_FIELD (smooth_field_args, width), .label = "Width", .unit = FV_PIXELS, .max = 2147483647, .soft_max = 8192,
       .help = "Number of columns; 0: those of the image, which has to be there."},
      {FV_FIELD (smooth_field_args, height), .label = "Height", .unit = FV_PIXELS, .max = 2147483647, .soft_max = 8192,
       .help = "Number of rows; 0: those of the image, which has to be there."},
      {FV_FIELD (smooth_field_args, depth), .label = "Depth", .unit = FV_PIXELS, .max = 2147483647, .soft_max = 1024,
       .help = "Number of planes of a stack; 0: those of the image, or 1."},
      {FV_FIELD (smooth_field_args, volume), .label = "3-D (whole stack)",
       .help = "Varies along z too; otherwise all planes are the same."},
      {0}},
  .grain = smooth_field_grain,
  .infer = smooth_field_infer,
  .scratch = smooth_field_scratch,
  .arithmetic = smooth_field_arithmetic,
  .values = FV_VALUES_SAME,
  .run = {[FV_CPU] = smooth_field_cpu, [FV_CUDA] = FV_CUDA_FN (smooth_field_cuda)},
};
