/* SPDX-License-Identifier: MIT
 *
 * normalize: linear.h in float, from the smallest and largest value, percentiles, or mean and standard deviation.
 */
#include "kernels/contrast/linear.h"

static fv_grain
normalize_grain (const fv_op *op, const void *args)
{
  (void) op;
  return linear_grain_of (((const normalize_args *) args)->over);
}

static fv_status
normalize_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const normalize_args *a = args;
  (void) op;
  if (a->method == LINEAR_PERCENTILE && !(a->low < a->high))
    return fail (error, FV_BAD_ARGUMENT, "low", "The lower percentile, %g, has to be less than the higher one, %g.",
                 a->low, a->high);
  full_grid (out[0], in[0], full_float (in[0]->type));
  return FV_OK;
}

const fv_op fv_op_normalize = {
  FV_OP (normalize_args),
  .key = "normalize",
  .menu = "Process/Contrast",
  .label = "Normalize...",
  .search = "intensity range standardize z-score mean standard deviation",
  .help = "Scales values to floats: the smallest and largest value, or two percentiles, become 0 and 1, or the mean "
          "becomes 0 and the standard deviation 1; NaN stays.",
  .kind = FV_GLOBAL,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Normalized"}, {0}},
  .scalars = LINEAR_SCALARS,
  .params =
    (const fv_param[]){
      {FV_FIELD (normalize_args, method), .label = "Method",
       .choices = (const fv_choice[]){{"range", "Range", "The smallest value becomes 0, the largest 1."},
                                      {"percentile", "Percentiles", "One percentile becomes 0, another one 1."},
                                      {"zscore", "Mean and deviation",
                                       "The mean becomes 0, and the mean plus one standard deviation becomes 1."},
                                      {0}},
       .help = "Which values become 0 and 1."},
      {FV_FIELD (normalize_args, low), .label = "Lower percentile", .unit = "%", .def = 1, .max = 100, .soft_max = 20,
       .enabled = "method=percentile", .help = "Percentage of the pixels below the value that becomes 0."},
      {FV_FIELD (normalize_args, high), .label = "Higher percentile", .unit = "%", .def = 99.8, .max = 100,
       .soft_min = 80, .soft_max = 100, .enabled = "method=percentile",
       .help = "Percentage of the pixels below the value that becomes 1."},
      {FV_FIELD (normalize_args, clip), .label = "Limit to 0 and 1", .enabled = "method=percentile",
       .help = "Values outside become 0 or 1."},
      {FV_FIELD (normalize_args, over), .label = "Limits of", .choices = LINEAR_OVERS,
       .help = "What has limits of its own."},
      {0}},
  .grain = normalize_grain,
  .infer = normalize_infer,
  .scratch = linear_scratch,
  .run = {[FV_CPU] = linear_cpu, [FV_CUDA] = FV_CUDA_FN (linear_cuda)},
  .part = FV_PART_GIVEN,
};
