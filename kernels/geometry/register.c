/* SPDX-License-Identifier: MIT
 *
 * register: what is compared with what, and the table.
 */
#include "kernels/geometry/register.h"
#include "kernels/geometry/correlate.h"
#include "kernels/geometry/register_rigid.h"

#include <stdlib.h>

affine_rule
register_rule (const fv_call *call, const register_plan *plan)
{
  const register_args *a = call->args;
  return (affine_rule){affine_count (a->interpolation), (border) a->border, a->value, plan->step, plan->count, false};
}

/* ---- Checks ---- */

static fv_grain
register_grain (const fv_op *op, const void *args)
{
  (void) op;
  return ((const register_args *) args)->axis == REGISTER_FRAMES ? FV_SERIES : FV_FRAME;
}

static fv_status
check_reference (const register_args *a, const fv_grid *in, const fv_grid *reference, fv_error *error)
{
  if (reference->shape[1] != in->shape[1] || reference->shape[2] != in->shape[2])
    return fail (error, FV_BAD_INPUT, "reference",
                 "The reference has %lld x %lld pixels, the image %lld x %lld: they must be alike; crop, pad or resize "
                 "one of them.",
                 (long long) reference->shape[2], (long long) reference->shape[1], (long long) in->shape[2],
                 (long long) in->shape[1]);
  if (reference->type != in->type)
    return fail (error, FV_BAD_INPUT, "reference",
                 "The reference is of the type %s, the image of %s: convert makes them alike.",
                 type_words (reference->type), type_words (in->type));
  if (reference->channels > 1 && a->channel >= reference->channels)
    return fail (error, FV_BAD_ARGUMENT, "channel", "The reference has %lld channels, counted from 0, and no %d.",
                 (long long) reference->channels, (int) a->channel);
  return FV_OK;
}

static fv_status
register_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const register_args *a = args;
  (void) op;
  if (a->channel >= in[0]->channels)
    return fail (error, FV_BAD_ARGUMENT, "channel", "The image has %lld channels, counted from 0, and no %d.",
                 (long long) in[0]->channels, (int) a->channel);
  if (in[1] && check_reference (a, in[0], in[1], error))
    return error->code;
  if (!in[1] && register_plan_of (a, in[0]).count == 1)
    return fail (error, FV_BAD_ARGUMENT, "axis",
                 "The image has a single %s, and no reference is given: give one, or choose %s.",
                 a->axis == REGISTER_FRAMES ? "frame" : "slice",
                 a->axis == REGISTER_FRAMES ? "the slices of a stack, axis=z" : "frames, axis=t");
  return affine_infer (in[0], out[0], a->interpolation, (border) a->border, a->value, error);
}

static void
register_coordinates (const fv_op *op, const void *args, const fv_grid *const *inputs, const fv_grid *output,
                      uint32_t number, fv_place *transform)
{
  (void) op, (void) args, (void) output, (void) number;
  transform->affine = !inputs[1]; /* the first frame stays where it is */
}

/* ---- Results ---- */

static bool
is_rigid (const register_args *a)
{
  return a->transform == REGISTER_RIGID;
}

fv_status
register_table (const fv_call *call, const register_plan *plan, const double *shifts, fv_error *error)
{
  const bool frames = ((const register_args *) call->args)->axis == REGISTER_FRAMES;
  const fv_column columns[] = {
    {frames ? "frame" : "slice", "", frames ? "Time point, counted from 1." : "Slice, counted from 1.",
     FV_COLUMN_INTEGER},
    {"x", "px", "How far it was moved to the right.", FV_COLUMN_FLOAT},
    {"y", "px", "How far it was moved down.", FV_COLUMN_FLOAT},
    {"angle", "°", "How far it was rotated clockwise about its middle, before it was moved.", FV_COLUMN_FLOAT}};
  const int numbers = is_rigid (call->args) ? REGISTER_MOVES : 2;
  double *values;
  if (call->host->table (call, columns, (uint32_t) numbers + 1, sizeof *columns, plan->count, &values, error))
    return error->code;
  for (int64_t i = 0; i < plan->count; i++) {
    values[i] = (double) (i + 1);
    for (int k = 0; k < numbers; k++)
      values[(k + 1) * plan->count + i] = shifts[numbers * i + k];
  }
  return FV_OK;
}

static fv_status
find_shifts (const fv_call *call, const register_plan *plan, double *shifts, fv_error *error)
{
  const register_args *a = call->args;
  const int64_t first = register_first (call), pairs = plan->count - first;
  correlation c;
  fv_status status = correlation_make (call, plan, pairs, &c, error);
  memset (shifts, 0, (size_t) plan->count * 2 * sizeof *shifts);
  for (int64_t k = 0; k < pairs && !status; k++) {
    double *shift = shifts + 2 * (first + k);
    register_view pair[2];
    register_pair (call, plan, k, pair);
    status = correlate (&c, pair, shift, error);
    for (int axis = 0; axis < 2 && a->to == REGISTER_PREVIOUS && !call->inputs[1]; axis++)
      shift[axis] += shift[axis - 2];
  }
  return status;
}

static fv_status
register_cpu (const fv_call *call, fv_error *error)
{
  const register_plan plan = register_plan_of (call->args, call->inputs[0]->grid);
  const affine_rule rule = register_rule (call, &plan);
  double *shifts;
  affine_map *maps;
  if (call->host->scratch (call, (size_t) plan.count * REGISTER_MOVES * sizeof *shifts, (void **) &shifts, error)
      || call->host->scratch (call, (size_t) plan.count * sizeof *maps, (void **) &maps, error))
    return error->code;
  if (is_rigid (call->args) ? register_rigid_cpu (call, &plan, shifts, maps, error)
                            : find_shifts (call, &plan, shifts, error))
    return error->code;
  for (int64_t i = 0; i < plan.count && !is_rigid (call->args); i++)
    maps[i] = (affine_map){1, 0, 0, 1, {-shifts[2 * i], -shifts[2 * i + 1]}};
  return affine_cpu (call, maps, &rule, error) ? error->code : register_table (call, &plan, shifts, error);
}

static int64_t
register_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const register_plan plan = register_plan_of (args, in[0]);
  (void) op;
  return (is_rigid (args) ? register_rigid_bytes (in[0]) : correlation_bytes (&plan))
         + plan.count * (int64_t) (REGISTER_MOVES * sizeof (double) + sizeof (affine_map));
}

static double
register_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op, (void) in;
  return 200 + affine_arithmetic (((const register_args *) args)->interpolation);
}

/* ---- The declaration ---- */

static const fv_choice targets[] = {
  {"first", "First", "The first one."},
  {"previous", "Previous", "The one before, for images that change slowly; what is off adds up."},
  {0}};

static const fv_choice axes[] = {
  {"t", "Frames", "The time points; slices are added up to find out how far a stack is moved."},
  {"z", "Slices", "The slices of a stack."},
  {0}};

static const fv_choice transforms[] = {{"translation", "Translation", "It is moved."},
                                       {"rigid", "Rigid", "It is turned and moved, both by fractions of a pixel."},
                                       {0}};

static const fv_choice methods[] = {
  {"phase", "Phase correlation", "All frequencies alike: sharp, and indifferent to uneven light."},
  {"correlation", "Cross-correlation", "As strong as they are: steadier with much noise."},
  {0}};

const fv_op fv_op_register = {
  FV_OP (register_args),
  .key = "register",
  .menu = "Image/Stacks",
  .label = "Register...",
  .search = "align registration stabilize drift shift motion correct stackreg phase correlation",
  .columns = (const fv_column_name[]){{"angle", "Angle"}, {0}},
  .help = "Aligns the frames of a series, the slices of a stack or an image with each other or with a reference, and "
          "lists the shifts and angles in a table.",
  .cite = "M. Guizar-Sicairos et al., Efficient subpixel image registration algorithms, Optics Letters 33 (2008)",
  .kind = FV_TABLE,
  .reads_back = true, /* the shifts, for the table */
  .inputs = (const fv_input[]){{"image", "Image", "The image that is moved.", FV_ANY_TYPE, false},
                               {"reference", "Reference", "The image to align with, instead of one of its own frames.",
                                FV_ANY_TYPE, true},
                               {0}},
  .outputs = (const fv_output[]){{"image", "Registered"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (register_args, transform), .label = "Transformation", .choices = transforms,
       .help = "How one may be moved onto the other."},
      {FV_FIELD (register_args, to), .label = "Onto", .choices = targets,
       .help = "Which frame or slice each is aligned with, without a reference."},
      {FV_FIELD (register_args, axis), .label = "Move", .choices = axes, .help = "The image that is moved."},
      {FV_FIELD (register_args, method), .label = "Method", .enabled = "transform=translation", .choices = methods,
       .help = "How similarity is measured."},
      {FV_FIELD (register_args, channel), .label = "Channel", .max = 1e6, .soft_max = 7, .ordinal = true,
       .help = "The channel by which shifts are found; all channels are moved by them."},
      {FV_FIELD (register_args, upsample), .label = "Steps per pixel", .enabled = "transform=translation", .def = 100,
       .min = 1, .max = 1000, .scale = FV_LOG,
       .help = "Shifts are multiples of a pixel over this; with 1 they are whole pixels, and none is interpolated."},
      {FV_FIELD (register_args, window), .label = "Fade edges", .enabled = "transform=translation", .def = 1,
       .advanced = true, .help = "Fades the image out toward its edges, which would pull the shift toward 0."},
      {FV_FIELD (register_args, interpolation), .label = "Interpolation", .def = AFFINE_LINEAR, .advanced = true,
       .choices = (const fv_choice[]){AFFINE_INTERPOLATIONS, {0}}, .help = "How values between pixels are computed."},
      {FV_FIELD (register_args, border), .label = "Border", .choices = (const fv_choice[]){BORDER_CHOICES, {0}},
       .def = BORDER_CONSTANT, .advanced = true, .help = "Values outside the image."},
      {FV_FIELD (register_args, value), .label = "Value", .min = -INFINITY, .max = INFINITY, .soft_max = 255,
       .enabled = "border=constant", .advanced = true, .help = "The constant, limited to what the type holds."},
      {0}},
  .grain = register_grain,
  .infer = register_infer,
  .place = register_coordinates,
  .values = FV_VALUES_SAME,
  .scratch = register_scratch,
  .arithmetic = register_arithmetic,
  .reproducible = 1e-6,
  .run = {[FV_CPU] = register_cpu, [FV_CUDA] = FV_CUDA_FN (register_cuda)},
};
