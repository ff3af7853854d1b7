/* SPDX-License-Identifier: MIT
 *
 * hessian on the CPU: a blur for each derivative, and then row by row.
 */
#include "kernels/filters/hessian.h"

#include "kernels/common/row.h"
#include "kernels/common/rows.h"

enum { PIECE = 256 }; /* pixels of a row at a time */

int
hessian_terms (const hessian_args *a, blurs_term terms[HESSIAN_MOST])
{
  int n = 0;
  for (int other = 2; other >= (a->blur.volume ? 0 : 1); other--)
    for (int axis = 2; axis >= other; axis--) {
      terms[n] = (blurs_term){a->blur, 1};
      terms[n].blur.order[axis]++;
      terms[n++].blur.order[other]++;
    }
  return n;
}

fv_status
hessian_derivatives (const fv_call *call, fv_device_kind kind, scratch_image images[HESSIAN_MOST], fv_error *error)
{
  blurs_term terms[HESSIAN_MOST];
  int n = hessian_terms (call->args, terms);
  for (int i = 0; i < n; i++)
    if (blurs_room (call, &images[i], error) || blurs_make (call, kind, &terms[i].blur, &images[i].array, error))
      return error->code;
  return FV_OK;
}

static void
eigenvalues (const hessian_args *a, double *to, double derivatives[HESSIAN_MOST][PIECE], int64_t n)
{
  int most = a->blur.volume ? 6 : 3;
  for (int64_t x = 0; x < n; x++) {
    double d[HESSIAN_MOST];
    for (int i = 0; i < most; i++)
      d[i] = derivatives[i][x];
    to[x] = (a->blur.volume ? hessian_of_volume : hessian_of_plane) (d, (hessian_value) a->value_of);
  }
}

static void
run_row (const fv_call *call, const void *made, int64_t z, int64_t y)
{
  const scratch_image *images = made;
  const hessian_args *a = call->args;
  const fv_array *out = call->outputs[0];
  fv_type type = out->grid->type;
  double derivatives[HESSIAN_MOST][PIECE], result[PIECE];
  for (int64_t x = 0, n; x < array_columns (out); x += n) {
    int64_t offset = x * (int64_t) type_bytes (type);
    n = array_columns (out) - x < PIECE ? array_columns (out) - x : PIECE;
    for (int i = 0; i < (a->blur.volume ? 6 : 3); i++)
      row_to_f64 (derivatives[i], (const char *) array_row (&images[i].array, z, y) + offset, type, n);
    eigenvalues (a, result, derivatives, n);
    row_from_f64 ((char *) array_row (out, z, y) + offset, type, result, n);
  }
}

static fv_status
hessian_cpu (const fv_call *call, fv_error *error)
{
  int64_t planes = array_planes (call->inputs[0]), rows = array_rows (call->inputs[0]);
  scratch_image images[HESSIAN_MOST];
  if (hessian_derivatives (call, FV_CPU, images, error))
    return error->code;
  rows_each (call, planes, rows, run_row, images, NULL);
  return FV_OK;
}

/* ---- Declaration ---- */

static fv_status
hessian_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const hessian_args *a = args;
  if (a->blur.volume && a->blur.sigma.n == 2)
    return fail (error, FV_BAD_ARGUMENT, "sigma",
                 "Two numbers are y,x, but there are three axes: give z,y,x or one number, or turn 3-D off.");
  if (!a->blur.volume && a->value_of == HESSIAN_MIDDLE)
    return fail (error, FV_BAD_ARGUMENT, "value_of",
                 "Planes have two eigenvalues: choose the largest or the smallest, or turn 3-D on.");
  return blurs_infer (op, &a->blur, in, out, error);
}

static int64_t
hessian_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  blurs_term terms[HESSIAN_MOST];
  int n = hessian_terms (args, terms);
  (void) op;
  return blurs_scratch (terms, n, n, in);
}

static double
hessian_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  blurs_term terms[HESSIAN_MOST];
  (void) op;
  return blurs_arithmetic (terms, hessian_terms (args, terms), in) + 50;
}

const fv_op fv_op_hessian = {
  FV_OP (hessian_args),
  .key = "hessian",
  .menu = "Process/Filters",
  .label = "Hessian (ridges and spots)...",
  .search = "ridges tubes vessels filaments lines blobs eigenvalues tubeness",
  .help =
    "Finds lines and spots of a size: how strongly the blurred image bends, in the direction where it bends most.",
  .kind = FV_LOCAL,
  .inputs = blurs_inputs,
  .outputs = (const fv_output[]){{"image", "Eigenvalue"}, {0}},
  .params =
    (const fv_param[]){
      BLURS_SIGMA ("Sigma", "2", 0.1,
                   "Standard deviation of the Gaussian, about the radius of a line: one number, or y,x, or z,y,x."),
      {FV_FIELD (hessian_args, value_of), .label = "Eigenvalue",
       .choices = (const fv_choice[]){{"largest", "Largest", "Large in dark lines and spots."},
                                      {"middle", "Middle", "Of the three of a volume."},
                                      {"smallest", "Smallest", "Far below 0 in bright lines and spots."},
                                      {0}},
       .def = HESSIAN_SMALLEST, .help = "Which eigenvalue of the matrix of second derivatives."},
      BLURS_MORE,
      {0}},
  .grain = blurs_grain,
  .halo = blurs_halo,
  .infer = hessian_infer,
  .scratch = hessian_scratch,
  .arithmetic = hessian_arithmetic,
  .run = {[FV_CPU] = hessian_cpu, [FV_CUDA] = FV_CUDA_FN (hessian_cuda)},
};
