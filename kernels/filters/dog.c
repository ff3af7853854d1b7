/* SPDX-License-Identifier: MIT
 *
 * dog on the CPU: two blurs.
 */
#include "kernels/filters/dog.h"

void
dog_terms (const dog_args *a, blurs_term terms[2])
{
  terms[0] = (blurs_term){a->blur, 1};
  terms[1] = (blurs_term){a->blur, -1};
  if (a->high_sigma.n > 0)
    terms[1].blur.sigma = a->high_sigma;
  else
    for (int i = 0; i < 3; i++)
      terms[1].blur.sigma.v[i] *= 1.6;
}

static fv_status
dog_cpu (const fv_call *call, fv_error *error)
{
  blurs_term terms[2];
  dog_terms (call->args, terms);
  return blurs_sum_cpu (call, terms, 2, error);
}

/* ---- Declaration ---- */

static fv_status
dog_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  blurs_term terms[2];
  dog_terms (args, terms);
  const char *key = ((const dog_args *) args)->high_sigma.n ? "high_sigma" : "sigma";
  if (blurs_infer (op, &terms[0].blur, in, out, error))
    return error->code;
  if (blurs_infer (op, &terms[1].blur, in, out, error)) {
    snprintf (error->field, sizeof error->field, "%s", key);
    return error->code;
  }
  for (int axis = 0; axis < 3; axis++) {
    double low = gaussian_sigma (&terms[0].blur, in[0], axis), high = gaussian_sigma (&terms[1].blur, in[0], axis);
    if (high < low)
      return fail (error, FV_BAD_ARGUMENT, key, "Along %c it is %.6g pixels: it must be at least sigma, which is %.6g.",
                   "zyx"[axis], high, low);
  }
  return FV_OK;
}

static void
dog_halo (const fv_op *op, const void *args, const fv_grid *input, int64_t halo[3])
{
  blurs_term terms[2];
  dog_terms (args, terms);
  blurs_halo (op, &terms[1].blur, input, halo);
}

static int64_t
dog_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  blurs_term terms[2];
  (void) op;
  dog_terms (args, terms);
  return blurs_scratch (terms, 2, 1, in);
}

static double
dog_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  blurs_term terms[2];
  (void) op;
  dog_terms (args, terms);
  return blurs_arithmetic (terms, 2, in);
}

const fv_op fv_op_dog = {
  FV_OP (dog_args),
  .key = "dog",
  .menu = "Process/Filters",
  .label = "Difference of Gaussians...",
  .search = "band pass spots blobs difference of gaussians",
  .help = "Keeps what has a size between two: a Gaussian blur less a wider one, which makes spots stand out.",
  .cite = "D. Marr, E. Hildreth, Theory of edge detection, Proc. R. Soc. Lond. B 207 (1980) 187",
  .kind = FV_LOCAL,
  .inputs = blurs_inputs,
  .outputs = (const fv_output[]){{"image", "Difference"}, {0}},
  .params =
    (const fv_param[]){
      BLURS_SIGMA ("Sigma", "1", 0,
                   "Standard deviation of the narrower one: one number for all axes, or y,x, or z,y,x."),
      {FV_FIELD (dog_args, high_sigma), .label = "Larger sigma", .unit = FV_PIXELS, .max = 1000, .soft_min = 0.3,
       .soft_max = 50, .scale = FV_LOG,
       .help = "Standard deviation of the wider one, which is subtracted; not given: 1.6 times sigma."},
      BLURS_MORE,
      {0}},
  .grain = blurs_grain,
  .halo = dog_halo,
  .infer = dog_infer,
  .scratch = dog_scratch,
  .arithmetic = dog_arithmetic,
  .values = FV_VALUES_UNIT,
  .run = {[FV_CPU] = dog_cpu, [FV_CUDA] = FV_CUDA_FN (dog_cuda)},
};
