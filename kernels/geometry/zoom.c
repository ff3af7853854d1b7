/* SPDX-License-Identifier: MIT
 *
 * zoom on the CPU: sizes, pixel sizes and checks; spline.c does the rest. Integer results are rounded to
 * nearest, ties to even.
 */
#include "kernels/geometry/zoom.h"

static fv_grain
zoom_grain (const fv_op *op, const void *args)
{
  (void) op;
  return ((const zoom_args *) args)->volume ? FV_STACK : FV_PLANES;
}

/* The number for axis 0 (z), 1 (y) or 2 (x), or `none` where there is none. */
static double
axis_value (const fv_axes *a, int axis, double none)
{
  int at = a->n == 1 ? 0 : axis - 3 + a->n;
  return at < 0 || a->n == 0 ? none : a->v[at];
}

/* Pixels along an axis before rounding. */
static double
wanted_size (const zoom_args *a, const fv_grid *in, int axis)
{
  const int32_t sizes[3] = {a->depth, a->height, a->width};
  double n = (double) in->shape[axis];
  if (axis == 0 && !a->volume)
    return n;
  if (a->by == ZOOM_SPACING)
    return n * in->spacing[axis] / axis_value (&a->spacing, axis, in->spacing[axis]);
  if (a->by == ZOOM_SIZE && sizes[axis] > 0)
    return sizes[axis];
  return n * axis_value (&a->factor, axis, 1);
}

static const char *
field_of (const zoom_args *a, int axis)
{
  static const char *const sizes[3] = {"depth", "height", "width"};
  const int32_t given[3] = {a->depth, a->height, a->width};
  if (a->by == ZOOM_SPACING)
    return "spacing";
  return a->by == ZOOM_SIZE && given[axis] > 0 ? sizes[axis] : "factor";
}

static fv_status
check_args (const zoom_args *a, const fv_grid *in, fv_error *error)
{
  const fv_axes *axes = a->by == ZOOM_SPACING ? &a->spacing : &a->factor;
  const char *field = a->by == ZOOM_SPACING ? "spacing" : "factor";
  double still = a->by == ZOOM_SPACING ? in->spacing[0] : 1;
  if (a->by != ZOOM_SIZE && axes->n < 1)
    return fail (error, FV_BAD_ARGUMENT, field, "Give one number for all axes, or y,x, or z,y,x.");
  if (axes->n == 3 && !a->volume && axes->v[0] != still)
    return fail (error, FV_BAD_ARGUMENT, field,
                 "Three numbers are z,y,x, but planes are scaled one by one: give y,x, or turn 3-D on.");
  if (a->by == ZOOM_SIZE && a->depth > 0 && !a->volume)
    return fail (error, FV_BAD_ARGUMENT, "depth", "The number of planes changes in 3-D only: turn 3-D on, or give 0.");
  if (in->role == FV_LABELS && a->order > 0)
    return fail (error, FV_BAD_ARGUMENT, "order",
                 "Order %d mixes the numbers of neighboring objects: use order 0 for a label image.", a->order);
  return FV_OK;
}

/* The size of a pixel over that before, where n pixels become `size`. */
static double
spacing_ratio (const spline_rule *rule, double n, double size)
{
  return rule->grid_mode || n < 2 || size < 2 ? n / size : (n - 1) / (size - 1);
}

static fv_status
zoom_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  (void) op;
  const zoom_args *a = args;
  const spline_rule rule = zoom_rule (a);
  double pixels = 1;
  if (check_args (a, in[0], error))
    return error->code;
  for (int axis = 0; axis < 3; axis++) {
    double size = fmax (nearbyint (wanted_size (a, in[0], axis)), 1), n = (double) in[0]->shape[axis];
    pixels *= size;
    if (!(pixels <= 0x1p40))
      return fail (error, FV_BAD_ARGUMENT, field_of (a, axis),
                   "The result would have %.4g pixels along %c and more than 2^40 in all: make it smaller.", size,
                   "zyx"[axis]);
    out[0]->shape[axis] = (int64_t) size;
    if (axis > 0 || a->volume)
      out[0]->spacing[axis] *= spacing_ratio (&rule, n, size);
  }
  out[0]->type = filter_type (in[0], a->output == ZOOM_FLOAT);
  if (out[0]->type != in[0]->type || (in[0]->role == FV_MASK && a->order > 0))
    out[0]->role = FV_IMAGE;
  out[0]->dense = false;
  return FV_OK;
}

static void
zoom_transform (const fv_op *op, const void *args, const fv_grid *const *inputs, const fv_grid *output, uint32_t number,
                fv_place *transform)
{
  const spline_rule rule = zoom_rule (args);
  (void) op, (void) number;
  for (int axis = ((const zoom_args *) args)->volume ? 0 : 1; axis < 3; axis++) {
    const double n = (double) inputs[0]->shape[axis], size = (double) output->shape[axis];
    transform->matrix[axis][axis] = spacing_ratio (&rule, n, size);
    transform->matrix[axis][3] =
      rule.grid_mode ? spline_coordinate (&rule, inputs[0]->shape[axis], output->shape[axis], 0) : 0;
  }
}

static int64_t
zoom_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op;
  const zoom_args *a = args;
  spline_rule rule = zoom_rule (a);
  fv_grid out = *in[0];
  fv_error error = FV_ERROR_INIT;
  if (zoom_infer (op, args, in, (fv_grid *[]){&out}, &error))
    return 0;
  return spline_scratch (&rule, in[0]->shape, out.shape, a->volume, zoom_working_type (in[0], &out));
}

static fv_status
zoom_cpu (const fv_call *call, fv_error *error)
{
  const zoom_args *a = call->args;
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  spline_rule rule = zoom_rule (a);
  return spline_resample (call, &rule, in, out, a->volume, zoom_working_type (in->grid, out->grid), error);
}

/* Along each axis a sample for each of the spline's weights, which are polynomials. */
static double
zoom_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const zoom_args *a = args;
  (void) op, (void) in;
  return 8.0 * (a->order + 1) * (a->volume ? 3 : 2);
}

const fv_op fv_op_zoom = {
  FV_OP (zoom_args),
  .key = "zoom",
  .menu = "Image",
  .label = "Scale...",
  .search = "rescale resize scale size resample interpolate bin shrink enlarge",
  .help = "Scales the image to another size or pixel spacing by spline interpolation.",
  .cite = "M. Unser, Splines: a perfect fit for signal and image processing, IEEE Signal Processing Magazine 16 (1999)",
  .kind = FV_GLOBAL,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Scaled"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (zoom_args, by), .label = "Scale by",
       .choices = (const fv_choice[]){{"factor", "Factor", "By a factor, rounded to whole pixels."},
                                      {"size", "Size", "To a number of pixels."},
                                      {"spacing", "Pixel spacing", "To a pixel size in the image's unit."},
                                      {0}},
       .help = "What sets the size of the result."},
      {FV_FIELD (zoom_args, factor), .label = "Factor", .def_text = "2", .min = 1e-4, .max = 1e4, .soft_min = 0.1,
       .soft_max = 10, .scale = FV_LOG, .enabled = "by=factor|size",
       .help = "New size over old size: one number for all axes, or y,x, or z,y,x."},
      {FV_FIELD (zoom_args, width), .label = "Width", .unit = FV_PIXELS, .max = 2147483647, .soft_max = 8192,
       .enabled = "by=size", .help = "New number of columns, or 0 to use the factor."},
      {FV_FIELD (zoom_args, height), .label = "Height", .unit = FV_PIXELS, .max = 2147483647, .soft_max = 8192,
       .enabled = "by=size", .help = "New number of rows, or 0 to use the factor."},
      {FV_FIELD (zoom_args, depth), .label = "Depth", .unit = FV_PIXELS, .max = 2147483647, .soft_max = 1024,
       .enabled = "by=size", .help = "New number of planes of a stack, or 0 to use the factor."},
      {FV_FIELD (zoom_args, spacing), .label = "Spacing", .min = 1e-9, .max = 1e9, .soft_min = 0.01, .soft_max = 10,
       .scale = FV_LOG, .enabled = "by=spacing",
       .help = "New distance of pixels in the image's unit: one number for all axes, or y,x, or z,y,x."},
      {FV_FIELD (zoom_args, order), .label = "Order", .def = 3, .max = 5,
       .help = "Order of the spline: 0 nearest pixel, 1 linear, 3 cubic."},
      {FV_FIELD (zoom_args, border), .label = "Border", .advanced = true, .def = ZOOM_BORDER_AUTO,
       .choices = (const fv_choice[]){SPLINE_BORDER_CHOICES,
                                      {"auto", "Automatic", "Nearest where outer edges are kept, else constant."},
                                      {0}},
       .help = "Values outside the image. The last row and column never count as outside, as they do by SciPy's "
               "rounding at some sizes."},
      {FV_FIELD (zoom_args, value), .label = "Value outside", .advanced = true,
       .enabled = "border=constant|grid-constant|auto", .help = "The constant outside the image."},
      {FV_FIELD (zoom_args, prefilter), .label = "Prefilter", .advanced = true, .def = 1,
       .help = "Makes splines of order 2 and higher go through the pixels; without it they smooth."},
      {FV_FIELD (zoom_args, grid_mode), .label = "Keep in place", .advanced = true, .def = ZOOM_AUTO,
       .choices =
         (const fv_choice[]){
           {"no", "Outermost pixels", "The centers of the first and the last pixel stay where they are."},
           {"yes", "Outer edges", "The outer edges of the image stay where they are."},
           {"auto", "Automatic", "The outer edges when scaling to a pixel spacing, else the pixels."},
           {0}},
       .help = "What of the image stays in place, which decides the pixel spacing of the result."},
      {FV_FIELD (zoom_args, output), .label = "Output", .advanced = true,
       .choices = (const fv_choice[]){{"same", "Like the input", "The input's type, rounded to nearest."},
                                      {"float", "32-bit float", "32-bit float, or 64-bit for a 64-bit image."},
                                      {0}},
       .help = "Type of the result."},
      {FV_FIELD (zoom_args, volume), .label = "3-D (whole stack)",
       .help = "Scales along z too, taking the planes as one volume."},
      {0}},
  .grain = zoom_grain,
  .infer = zoom_infer,
  .place = zoom_transform,
  .values = FV_VALUES_SAME,
  .scratch = zoom_scratch,
  .arithmetic = zoom_arithmetic,
  .run = {[FV_CPU] = zoom_cpu, [FV_CUDA] = FV_CUDA_FN (zoom_cuda)},
};
