/* SPDX-License-Identifier: MIT
 *
 * convert: another type of pixels, by way of double, some of a row at a time.
 */
#include "kernels/image/convert.h"
#include "kernels/common/rows.h"

static const fv_type types[] = {
  [CONVERT_U8] = FV_U8, [CONVERT_U16] = FV_U16, [CONVERT_I32] = FV_I32, [CONVERT_F32] = FV_F32, [CONVERT_F64] = FV_F64};

static fv_grain
convert_grain (const fv_op *op, const void *args)
{
  (void) op;
  return convert_by_channel (args) ? FV_FRAME : FV_PLANES;
}

static fv_status
check_range (const convert_args *a, const char *param, double low, double high, fv_error *error)
{
  return high > low || (a->scale == CONVERT_IMAGEJ && high == low)
           ? FV_OK
           : fail (error, FV_BAD_ARGUMENT, param, "The high value, %g, has to be larger than the low one, %g.", high,
                   low);
}

static fv_status
check_ranges (const convert_args *a, int64_t channels, fv_error *error)
{
  const fv_matrix *m = &a->limits;
  fv_status status = FV_OK;
  if (!m->planes)
    return check_range (a, "high", a->low, a->high, error);
  if (m->planes != 1 || m->columns != 2 || (m->rows != 1 && m->rows != channels))
    return fail (
      error, FV_BAD_ARGUMENT, "limits",
      "The limits must be 'low high', in one row for all channels or in one for each, of which the image has %lld.",
      (long long) channels);
  for (int i = 0; i < m->rows && !status; i++)
    status = check_range (a, "limits", m->v[2 * i], m->v[2 * i + 1], error);
  return status;
}

/* A role stays while the values do and the type goes with it. */
static fv_status
convert_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const convert_args *a = args;
  (void) op;
  if (a->scale == CONVERT_IMAGEJ && a->type != CONVERT_U8 && a->type != CONVERT_U16)
    return fail (error, FV_BAD_ARGUMENT, "scale", "ImageJ's scaling is to 8 and to 16 bits.");
  const fv_status status = a->scale != CONVERT_KEPT ? check_ranges (a, in[0]->channels, error) : FV_OK;
  if (status)
    return status;
  out[0]->type = types[a->type];
  if (out[0]->type != in[0]->type || (a->scale != CONVERT_KEPT && in[0]->role != FV_RGB)) {
    out[0]->role = FV_IMAGE;
    out[0]->dense = false;
  }
  return FV_OK;
}

static void
convert_transform (const fv_op *op, const void *args, const fv_grid *const *inputs, const fv_grid *output,
                   uint32_t number, fv_place *transform)
{
  (void) op, (void) inputs, (void) output, (void) number;
  if (((const convert_args *) args)->scale != CONVERT_KEPT)
    transform->values = FV_VALUES_OTHER;
}

DEFINE_POINT_MAP (scale_values, convert_range, convert_value)

static void
convert_row (const fv_call *call, const void *rule, int64_t plane, int64_t y)
{
  const fv_array *in = call->inputs[0];
  const convert_range range = convert_range_of (call->args, in->grid->type, plane / grid_depth (in->grid));
  (void) rule;
  point_row (call->outputs[0], in, plane, y, range.scaled ? scale_values : NULL, &range);
}

static fv_status
convert_cpu (const fv_call *call, fv_error *error)
{
  return rows_cpu (call, convert_row, NULL, error);
}

static const fv_choice type_choices[] = {{"u8", "8-bit", "Integers from 0 to 255."},
                                         {"u16", "16-bit", "Integers from 0 to 65535."},
                                         {"i32", "32-bit integers", "Integers from -2147483648 to 2147483647."},
                                         {"f32", "32-bit float", "Numbers of 7 digits, as ImageJ's 32-bit."},
                                         {"f64", "64-bit float", "Numbers of 16 digits."},
                                         {0}};

static const fv_choice scale_choices[] = {
  {"none", "Keep values", "Values stay, rounded to integers and limited to the range of the type."},
  {"range", "From a range", "What lies from low to high is spread over all of the type, or over 0 to 1 of a float."},
  {"imagej", "As in ImageJ", "The same to 8 or 16 bits, with ImageJ's rounding."},
  {0}};

const fv_op fv_op_convert = {
  FV_OP (convert_args),
  .key = "convert",
  .menu = "Image",
  .label = "Convert Type...",
  .search = "type 8-bit 16-bit 32-bit float bit depth",
  .help = "Makes pixels of another type, with the same values or a range of them spread over the type; NaN becomes 0 "
          "in integers.",
  .kind = FV_POINT,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Image"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (convert_args, type), .label = "Type", .choices = type_choices, .def = CONVERT_F32,
       .help = "Type of the pixels."},
      {FV_FIELD (convert_args, scale), .label = "Scale", .choices = scale_choices,
       .help = "What becomes of the values."},
      {FV_FIELD (convert_args, low), .label = "Low", .min = -INFINITY, .max = INFINITY, .soft_max = 65535,
       .enabled = "scale=range|imagej", .help = "The value that becomes 0."},
      {FV_FIELD (convert_args, high), .label = "High", .def = 255, .min = -INFINITY, .max = INFINITY, .soft_max = 65535,
       .enabled = "scale=range|imagej", .help = "The value that becomes the largest of the type, or 1 of a float."},
      {FV_FIELD (convert_args, limits), .label = "Limits", .advanced = true, .enabled = "scale=range|imagej",
       .help = "A row of low and high for each channel, instead of both limits."},
      {0}},
  .grain = convert_grain,
  .infer = convert_infer,
  .place = convert_transform,
  .values = FV_VALUES_SAME,
  .run = {[FV_CPU] = convert_cpu, [FV_CUDA] = FV_CUDA_FN (convert_cuda)},
};
