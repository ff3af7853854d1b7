/* SPDX-License-Identifier: MIT
 *
 * bin: some blocks of a row at a time; their rows are joined to one first, then its pixels.
 */
#include "kernels/geometry/bin.h"
#include "kernels/common/row.h"
#include "kernels/common/rows.h"

enum { LARGEST = 1000, BLOCK = 1024 };

static fv_grain
bin_grain (const fv_op *op, const void *args)
{
  (void) op;
  return ((const bin_args *) args)->z > 1 ? FV_STACK : FV_PLANES;
}

bin_args
bin_args_of (const bin_args *args, const fv_grid *in)
{
  bin_args a = *args;
  a.x = a.x < in->shape[2] ? a.x : (int32_t) in->shape[2];
  a.y = a.y < in->shape[1] ? a.y : (int32_t) in->shape[1];
  a.z = a.z < in->shape[0] ? a.z : (int32_t) in->shape[0];
  return a;
}

static fv_status
bin_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const bin_args *a = args, blocks = bin_args_of (a, in[0]);
  const int32_t factors[] = {blocks.z, blocks.y, blocks.x};
  const bool chosen = a->method == BIN_MAX || a->method == BIN_MIN;
  (void) op, (void) error;
  for (int axis = 0; axis < 3; axis++) {
    out[0]->shape[axis] = in[0]->shape[axis] / factors[axis];
    out[0]->spacing[axis] *= factors[axis];
  }
  if (!chosen && a->output == BIN_FLOAT)
    out[0]->type = in[0]->type == FV_I32 || in[0]->type == FV_F64 ? FV_F64 : FV_F32;
  if (out[0]->type != in[0]->type || (in[0]->role != FV_RGB && !chosen))
    out[0]->role = FV_IMAGE;
  out[0]->dense = false;
  return FV_OK;
}

static void
bin_transform (const fv_op *op, const void *args, const fv_grid *const *inputs, const fv_grid *output, uint32_t number,
               fv_place *transform)
{
  const bin_args blocks = bin_args_of (args, inputs[0]);
  const int32_t factors[] = {blocks.z, blocks.y, blocks.x};
  (void) op, (void) output, (void) number;
  if (blocks.method == BIN_SUM)
    transform->values = FV_VALUES_UNIT;
  for (int axis = 0; axis < 3; axis++) {
    transform->matrix[axis][axis] = factors[axis];
    transform->matrix[axis][3] = (factors[axis] - 1) / 2.0;
  }
}

VECTORISED static void
join_rows (double *restrict to, const double *restrict from, int64_t n, int32_t method)
{
  if (method == BIN_MAX)
    for (int64_t i = 0; i < n; i++)
      to[i] = bin_join (to[i], from[i], BIN_MAX);
  else if (method == BIN_MIN)
    for (int64_t i = 0; i < n; i++)
      to[i] = bin_join (to[i], from[i], BIN_MIN);
  else
    for (int64_t i = 0; i < n; i++)
      to[i] += from[i];
}

/* n pixels of a row of the result, from x on. */
static void
bin_part (const fv_array *in, const fv_array *out, const bin_args *a, int64_t plane, int64_t y, int64_t x, int64_t n)
{
  fv_type from = in->grid->type, to = out->grid->type;
  double line[BLOCK], next[BLOCK], pixels = (double) a->x * a->y * a->z;
  for (int64_t k = 0; k < (int64_t) a->z * a->y; k++) {
    const char *row = array_row (in, plane * a->z + k / a->y, y * a->y + k % a->y);
    row_to_f64 (k ? next : line, row + x * a->x * (int64_t) type_bytes (from), from, n * a->x);
    if (k)
      join_rows (line, next, n * a->x, a->method);
  }
  for (int64_t i = 0; i < n; i++) {
    double v = line[i * a->x];
    for (int64_t k = 1; k < a->x; k++)
      v = bin_join (v, line[i * a->x + k], a->method);
    next[i] = a->method == BIN_MEAN ? v / pixels : v;
  }
  row_from_f64 ((char *) array_row (out, plane, y) + x * (int64_t) type_bytes (to), to, next, n);
}

static void
bin_row (const fv_call *call, const void *args, int64_t plane, int64_t y)
{
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const bin_args *a = args;
  const int64_t columns = array_columns (out), most = BLOCK / a->x;
  for (int64_t x = 0; x < columns; x += most)
    bin_part (in, out, a, plane, y, x, columns - x < most ? columns - x : most);
}

static fv_status
bin_cpu (const fv_call *call, fv_error *error)
{
  const bin_args a = bin_args_of (call->args, call->inputs[0]->grid);
  return rows_cpu (call, bin_row, &a, error);
}

static double
bin_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const bin_args *a = args;
  (void) op, (void) in;
  return (double) a->x * a->y * a->z;
}

static const fv_choice methods[] = {{"mean", "Average", "The mean."},
                                    {"sum", "Sum", "The sum."},
                                    {"max", "Max", "The largest value."},
                                    {"min", "Min", "The smallest value."},
                                    {0}};

static const fv_choice outputs[] = {
  {"float", "Float", "32-bit float, or 64-bit for an image of 64-bit float or 32-bit integers."},
  {"same", "Like input", "The input's type, rounded to nearest and limited to what it holds."},
  {0}};

const fv_op fv_op_bin = {
  FV_OP (bin_args),
  .key = "bin",
  .menu = "Image/Transform",
  .label = "Bin...",
  .search = "shrink smaller reduce downsample block average",
  .help = "Makes the image smaller: blocks of pixels become one pixel each; what fills no block is dropped.",
  .kind = FV_GLOBAL,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Image"}, {0}},
  .params = (const fv_param[]){{FV_FIELD (bin_args, x), .label = "X", .def = 2, .min = 1, .max = LARGEST, .soft_min = 1,
                                .soft_max = 16, .help = "Columns of a block."},
                               {FV_FIELD (bin_args, y), .label = "Y", .def = 2, .min = 1, .max = LARGEST, .soft_min = 1,
                                .soft_max = 16, .help = "Rows of a block."},
                               {FV_FIELD (bin_args, z), .label = "Z", .def = 1, .min = 1, .max = LARGEST, .soft_min = 1,
                                .soft_max = 16, .help = "Slices of a block."},
                               {FV_FIELD (bin_args, method), .label = "Method", .choices = methods,
                                .help = "What becomes of the values of a block."},
                               {FV_FIELD (bin_args, output), .label = "Output", .choices = outputs,
                                .enabled = "method=mean|sum",
                                .help = "Type of the result; a maximum or minimum always has the input's."},
                               {0}},
  .grain = bin_grain,
  .infer = bin_infer,
  .place = bin_transform,
  .values = FV_VALUES_SAME,
  .arithmetic = bin_arithmetic,
  .run = {[FV_CPU] = bin_cpu, [FV_CUDA] = FV_CUDA_FN (bin_cuda)},
};
