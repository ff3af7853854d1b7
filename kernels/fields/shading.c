/* SPDX-License-Identifier: MIT
 *
 * shading on the CPU: the field first, then row by row.
 */
#include "kernels/fields/shading.h"

#include "kernels/common/row.h"
#include "kernels/common/rows.h"

enum { PIECE = 256 }; /* pixels of a row at a time */

static fv_grain
shading_grain (const fv_op *op, const void *args)
{
  (void) op;
  return ((const shading_args *) args)->volume ? FV_STACK : FV_PLANES;
}

static fv_status
shading_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  (void) op, (void) args, (void) error;
  if (in[0]->role != FV_RGB)
    out[0]->role = FV_IMAGE;
  out[0]->dense = false;
  return FV_OK;
}

static int64_t
shading_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const shading_args *a = args;
  field_rule f = shading_rule (a);
  fv_type type = shading_field_type (in[0]->type);
  int64_t shape[3];
  (void) op;
  shading_shape (a, in[0]->shape, shape);
  return shape[0] * shape[1] * shape[2] * (int64_t) type_bytes (type) + field_scratch (&f, type, shape);
}

VECTORISED static void
shade (double *restrict v, const double *restrict field, int64_t n, bool divide)
{
  for (int64_t i = 0; i < n; i++)
    v[i] = divide ? v[i] / field[i] : v[i] * field[i];
}

static void
shade_row (const fv_call *call, const void *field, int64_t plane, int64_t y)
{
  const shading_args *a = call->args;
  const fv_array *in = call->inputs[0], *of = field;
  const fv_type type = in->grid->type, field_type = of->grid->type;
  const char *from = array_row (in, plane, y), *by = array_row (of, a->volume ? plane : 0, y);
  char *to = array_row (call->outputs[0], plane, y);
  double piece[PIECE], factors[PIECE];
  for (int64_t x = 0; x < array_columns (in); x += PIECE) {
    const int64_t n = array_columns (in) - x < PIECE ? array_columns (in) - x : PIECE;
    row_to_f64 (piece, from + x * (int64_t) type_bytes (type), type, n);
    row_to_f64 (factors, by + x * (int64_t) type_bytes (field_type), field_type, n);
    shade (piece, factors, n, a->method == SHADING_DIVIDE);
    row_from_f64 (to + x * (int64_t) type_bytes (type), type, piece, n);
  }
}

static fv_status
shading_cpu (const fv_call *call, fv_error *error)
{
  const shading_args *a = call->args;
  const fv_array *in = call->inputs[0];
  field_rule f = shading_rule (a);
  fv_type type = shading_field_type (in->grid->type);
  int64_t shape[3];
  field_array field;
  void *memory;
  shading_shape (a, in->tensor.shape, shape);
  if (call->host->scratch (call, (size_t) (shape[0] * shape[1] * shape[2]) * type_bytes (type), &memory, error))
    return error->code;
  field_array_init (&field, call, type, shape, memory);
  if (field_cpu (call, &f, &field.array, error))
    return error->code;
  return rows_cpu (call, shade_row, &field.array, error);
}

/* The field, and a product. */
static double
shading_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const shading_args *a = args;
  (void) op, (void) in;
  return 8.0 * (a->order + 1) * (a->volume ? 3 : 2) + 1;
}

const fv_op fv_op_shading = {
  FV_OP (shading_args),
  .key = "shading",
  .menu = "Process",
  .label = "Random Shading...",
  .search = "illumination vignetting flat field uneven background augment augmentation random",
  .help = "Multiplies the image by a random smooth field around 1, or divides by it, as uneven light does.",
  .cite = "J. Salmon et al., Parallel random numbers: as easy as 1, 2, 3, SC 2011",
  .kind = FV_GLOBAL,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Shaded"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (shading_args, method), .label = "Method",
       .choices = (const fv_choice[]){{"multiply", "Multiply", "The image times the field."},
                                      {"divide", "Divide", "The image over the field."},
                                      {0}},
       .help = "What is done with the field."},
      {FV_FIELD (shading_args, amplitude), .label = "Amplitude", .def = 0.3, .max = 1e30, .soft_max = 1,
       .help =
         "How far the random numbers are from 1: the standard deviation of normal ones, the maximum of uniform ones."},
      {FV_FIELD (shading_args, distance), .label = "Distance", .unit = FV_PIXELS, .def = 128, .min = 1, .max = 1e9,
       .soft_min = 4, .soft_max = 1024, .scale = FV_LOG, .help = "Largest distance of neighboring random numbers."},
      {FV_FIELD (shading_args, distribution), .label = "Distribution", .def = FIELD_UNIFORM,
       .choices = (const fv_choice[]){FIELD_DISTRIBUTIONS}, .help = "How the random numbers are distributed."},
      {FV_FIELD (shading_args, seed), .label = "Seed", .def = 1, .max = 2147483647, .soft_max = 1000,
       .help = "Another seed makes another field."},
      {FV_FIELD (shading_args, order), .label = "Order", .advanced = true, .def = 3, .max = 5,
       .help = "Order of the spline between the random numbers: 0 nearest, 1 linear, 3 cubic."},
      {FV_FIELD (shading_args, volume), .label = "3-D (whole stack)",
       .help = "The field varies along z too; otherwise it is the same for all planes."},
      {0}},
  .grain = shading_grain,
  .infer = shading_infer,
  .scratch = shading_scratch,
  .arithmetic = shading_arithmetic,
  .values = FV_VALUES_SAME,
  .run = {[FV_CPU] = shading_cpu, [FV_CUDA] = FV_CUDA_FN (shading_cuda)},
};
