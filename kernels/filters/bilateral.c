/* SPDX-License-Identifier: MIT
 *
 * bilateral on the CPU: row by row, as stencil.c goes, a neighbor of all pixels of a piece of a row at a time.
 */
#include "kernels/filters/bilateral.h"

enum { PIECE = 512 };

/* Deviations from the pixel itself are summed: they have more digits. */
#define DEFINE_BILATERAL(S, T)                                                                                         \
  VECTORISED static void add_##S (T *restrict sum, T *restrict weights, const T *center, const T *other, T space,      \
                                  T range, int64_t n)                                                                  \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      T d = other[i] - center[i], w = exp_below_0_##S (space + range * d * d);                                         \
      weights[i] += w;                                                                                                 \
      sum[i] += w * d;                                                                                                 \
    }                                                                                                                  \
  }                                                                                                                    \
  static void bilateral_##S (void *result, const void *const *lines, int64_t n, const void *rule)                      \
  {                                                                                                                    \
    const bilateral_rule *r = rule;                                                                                    \
    T *to = result, sum[PIECE], weights[PIECE];                                                                        \
    for (int64_t x = 0; x < n; x += PIECE) {                                                                           \
      const T *center = (const T *) lines[r->reach] + x;                                                               \
      int64_t width = n - x < PIECE ? n - x : PIECE;                                                                   \
      memset (sum, 0, sizeof sum);                                                                                     \
      memset (weights, 0, sizeof weights);                                                                             \
      for (int64_t dy = -r->reach; dy <= r->reach; dy++)                                                               \
        for (int64_t dx = -r->reach; dx <= r->reach; dx++)                                                             \
          add_##S (sum, weights, center, (const T *) lines[r->reach + dy] + x + dx,                                    \
                   (T) (r->space * (double) (dx * dx + dy * dy)), (T) r->range, width);                                \
      for (int64_t i = 0; i < width; i++)                                                                              \
        to[x + i] = center[i] + sum[i] / weights[i];                                                                   \
    }                                                                                                                  \
  }
DEFINE_BILATERAL (f32, float)
DEFINE_BILATERAL (f64, double)

static fv_status
bilateral_cpu (const fv_call *call, fv_error *error)
{
  const bilateral_args *a = call->args;
  const fv_array *in = call->inputs[0];
  bilateral_rule rule = bilateral_make_rule (a);
  stencil s = {call,          &a->around,
               bilateral_f32, bilateral_f64,
               &rule,         stencil_working_type (in->grid->type),
               rule.reach,    .progress.total = array_planes (in) * array_rows (in)};
  if (stencil_prepare (&s, error))
    return error->code;
  stencil_pass (&s, in, call->outputs[0]);
  return s.progress.stop ? cancelled (error) : FV_OK;
}

/* ---- Declaration ---- */

static fv_status
bilateral_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  (void) op, (void) error;
  filter_grid (in[0], filter_type (in[0], ((const bilateral_args *) args)->output == BILATERAL_FLOAT), out[0]);
  return FV_OK;
}

static void
bilateral_halo (const fv_op *op, const void *args, const fv_grid *input, int64_t halo[3])
{
  const bilateral_args *a = args;
  (void) op;
  halo[0] = 0;
  for (int axis = 1; axis < 3; axis++) /* wrapped, the other end is next to this one */
    halo[axis] = a->around.border == BORDER_WRAP ? input->shape[axis] : bilateral_make_rule (a).reach;
}

static double
bilateral_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  double side = 2 * (double) bilateral_make_rule (args).reach + 1;
  (void) op, (void) in;
  return 20 * side * side;
}

const fv_op fv_op_bilateral = {
  FV_OP (bilateral_args),
  .key = "bilateral",
  .menu = "Process/Filters",
  .label = "Bilateral Filter...",
  .search = "smooth denoise noise edge preserving",
  .help = "Smooths and keeps edges: averages the pixels around that have similar intensities.",
  .cite = "C. Tomasi, R. Manduchi, Bilateral filtering for gray and color images, ICCV 1998, 839",
  .kind = FV_LOCAL,
  .inputs = stencil_inputs,
  .outputs = (const fv_output[]){{"image", "Smoothed"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (bilateral_args, sigma), .label = "Sigma", .unit = FV_PIXELS, .def = 2, .min = 0.1, .max = 20,
       .soft_min = 0.5, .soft_max = 10, .scale = FV_LOG,
       .help = "How far away a pixel may be, as a standard deviation."},
      {FV_FIELD (bilateral_args, sigma_range), .label = "Sigma of intensity", .def = 50, .min = 1e-9, .max = 1e9,
       .soft_min = 0.01, .soft_max = 10000, .scale = FV_LOG,
       .help = "How different its intensity may be, as a standard deviation: above the noise, below the edges."},
      {FV_FIELD (bilateral_args, output), .label = "Output", .advanced = true,
       .choices = (const fv_choice[]){{"float", "32-bit float", "32-bit float, or 64-bit for a 64-bit image."},
                                      {"same", "Like the input", "The input's type, rounded to nearest."},
                                      {0}},
       .help = "Type of the result."},
      STENCIL_BORDER,
      {0}},
  .halo = bilateral_halo,
  .infer = bilateral_infer,
  .arithmetic = bilateral_arithmetic,
  .reproducible = 1e-6,
  .values = FV_VALUES_SAME,
  .run = {[FV_CPU] = bilateral_cpu, [FV_CUDA] = FV_CUDA_FN (bilateral_cuda)},
};
