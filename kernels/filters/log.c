/* SPDX-License-Identifier: MIT
 *
 * log on the CPU: a blur for each axis.
 */
#include "kernels/filters/log.h"

int
log_terms (const log_args *a, const fv_grid *in, blurs_term terms[3])
{
  int n = 0;
  for (int axis = a->blur.volume ? 0 : 1; axis < 3; axis++) {
    double sigma = gaussian_sigma (&a->blur, in, axis);
    terms[n] = (blurs_term){a->blur, a->normalize ? sigma * sigma : 1};
    terms[n++].blur.order[axis] = 2;
  }
  return n;
}

static fv_status
log_cpu (const fv_call *call, fv_error *error)
{
  blurs_term terms[3];
  int n = log_terms (call->args, call->inputs[0]->grid, terms);
  return blurs_sum_cpu (call, terms, n, error);
}

/* ---- Declaration ---- */

static fv_status
log_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const log_args *a = args;
  if (a->blur.volume && a->blur.sigma.n == 2)
    return fail (error, FV_BAD_ARGUMENT, "sigma",
                 "Two numbers are y,x, but there are three axes: give z,y,x or one number, or turn 3-D off.");
  return blurs_infer (op, &a->blur, in, out, error);
}

static int64_t
log_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  blurs_term terms[3];
  (void) op;
  return blurs_scratch (terms, log_terms (args, in[0], terms), 1, in);
}

static double
log_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  blurs_term terms[3];
  (void) op;
  return blurs_arithmetic (terms, log_terms (args, in[0], terms), in);
}

const fv_op fv_op_log = {
  FV_OP (log_args),
  .key = "log",
  .menu = "Process/Filters",
  .label = "Laplacian of Gaussian...",
  .search = "laplacian of gaussian spots blobs particles detect mexican hat",
  .help = "Finds spots and lines of a size: the second derivatives of the blurred image, negative where it is bright.",
  .cite = "D. Marr, E. Hildreth, Theory of edge detection, Proc. R. Soc. Lond. B 207 (1980) 187",
  .kind = FV_LOCAL,
  .inputs = blurs_inputs,
  .outputs = (const fv_output[]){{"image", "Laplacian"}, {0}},
  .params =
    (const fv_param[]){
      BLURS_SIGMA ("Sigma", "2", 0.1,
                   "Standard deviation of the Gaussian, the radius of a spot over 1.4: one number, or y,x, or z,y,x."),
      {FV_FIELD (log_args, normalize), .aliases = "normalise", .label = "Same scale for every sigma",
       .help = "Multiplies by sigma squared, so that spots of every size respond equally."},
      BLURS_MORE,
      {0}},
  .grain = blurs_grain,
  .halo = blurs_halo,
  .infer = log_infer,
  .scratch = log_scratch,
  .arithmetic = log_arithmetic,
  .run = {[FV_CPU] = log_cpu, [FV_CUDA] = FV_CUDA_FN (log_cuda)},
};
