/* SPDX-License-Identifier: MIT
 *
 * anisotropic on the CPU: step by step, each row by row as stencil.c goes.
 */
#include "kernels/filters/anisotropic.h"

#include "kernels/common/scratch_image.h"

/* Adds to the row what flows from both neighbors. */
#define DEFINE_ANISOTROPIC(S, T)                                                                                       \
  VECTORISED static void flow_##S (T *restrict to, const T *center, const T *one, const T *other, int64_t n, T factor, \
                                   T step, bool exponential)                                                           \
  {                                                                                                                    \
    if (exponential)                                                                                                   \
      for (int64_t i = 0; i < n; i++)                                                                                  \
        to[i] += step                                                                                                  \
                 * (anisotropic_flow_##S (one[i] - center[i], factor, true)                                            \
                    + anisotropic_flow_##S (other[i] - center[i], factor, true));                                      \
    else                                                                                                               \
      for (int64_t i = 0; i < n; i++)                                                                                  \
        to[i] += step                                                                                                  \
                 * (anisotropic_flow_##S (one[i] - center[i], factor, false)                                           \
                    + anisotropic_flow_##S (other[i] - center[i], factor, false));                                     \
  }                                                                                                                    \
  static void anisotropic_##S (void *to, const void *const *lines, int64_t n, const void *rule)                        \
  {                                                                                                                    \
    const anisotropic_args *a = rule;                                                                                  \
    const int middle = a->around.volume ? 4 : 1;                                                                       \
    const T *line = lines[middle], factor = (T) (-1 / (a->contrast * a->contrast)), step = (T) a->step;                \
    const bool exponential = a->conductance == ANISOTROPIC_EXPONENTIAL;                                                \
    memcpy (to, line, (size_t) n * sizeof (T));                                                                        \
    flow_##S (to, line, line - 1, line + 1, n, factor, step, exponential);                                             \
    flow_##S (to, line, lines[middle - 1], lines[middle + 1], n, factor, step, exponential);                           \
    if (a->around.volume)                                                                                              \
      flow_##S (to, line, lines[middle - 3], lines[middle + 3], n, factor, step, exponential);                         \
  }
DEFINE_ANISOTROPIC (f32, float)
DEFINE_ANISOTROPIC (f64, double)

/* Images between the steps: the last one writes the output. */
static int
between (const anisotropic_args *a)
{
  return a->iterations > 2 ? 2 : a->iterations - 1;
}

static fv_status
anisotropic_cpu (const fv_call *call, fv_error *error)
{
  const anisotropic_args *a = call->args;
  const fv_array *from = call->inputs[0];
  scratch_image image[2];
  stencil s = {call,
               &a->around,
               anisotropic_f32,
               anisotropic_f64,
               a,
               anisotropic_working_type (a, from->grid->type),
               1,
               .progress.total = a->iterations * array_planes (from) * array_rows (from)};
  if (stencil_prepare (&s, error))
    return error->code;
  for (int i = 0; i < between (a); i++)
    if (scratch_image_take (call, call->inputs[0], s.type, FV_IMAGE, &image[i], error))
      return error->code;
  for (int32_t i = 1; i <= a->iterations && !s.progress.stop; i++) {
    const fv_array *to = i == a->iterations ? call->outputs[0] : &image[(i - 1) % 2].array;
    stencil_pass (&s, from, to);
    from = to;
  }
  return s.progress.stop ? cancelled (error) : FV_OK;
}

/* ---- Declaration ---- */

static fv_status
anisotropic_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const anisotropic_args *a = args;
  (void) op;
  if (a->around.volume && a->step > 1 / 6.)
    return fail (error, FV_BAD_ARGUMENT, "step", "In 3-D steps of more than 1/6 are not stable: give 0.16 or less.");
  filter_grid (in[0], filter_type (in[0], a->output == ANISOTROPIC_FLOAT), out[0]);
  return FV_OK;
}

static void
anisotropic_halo (const fv_op *op, const void *args, const fv_grid *input, int64_t halo[3])
{
  const anisotropic_args *a = args;
  (void) op, (void) input;
  halo[0] = a->around.volume ? a->iterations : 0;
  halo[1] = halo[2] = a->iterations;
}

static int64_t
anisotropic_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  int64_t pixels = in[0]->shape[0] * in[0]->shape[1] * in[0]->shape[2];
  (void) op;
  return between (args) * pixels * (int64_t) type_bytes (anisotropic_working_type (args, in[0]->type));
}

static double
anisotropic_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const anisotropic_args *a = args;
  (void) op, (void) in;
  return a->iterations * (a->around.volume ? 120.0 : 80.0);
}

const fv_op fv_op_anisotropic = {
  FV_OP (anisotropic_args),
  .key = "anisotropic",
  .menu = "Process/Filters",
  .label = "Anisotropic Diffusion...",
  .search = "perona malik diffusion smooth denoise noise edge preserving",
  .help = "Smooths and keeps edges: intensity flows between neighbors, the less the more they differ.",
  .cite = "P. Perona, J. Malik, Scale-space and edge detection using anisotropic diffusion, IEEE PAMI 12 (1990) 629",
  .kind = FV_LOCAL,
  .inputs = stencil_inputs,
  .outputs = (const fv_output[]){{"image", "Smoothed"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (anisotropic_args, iterations), .label = "Iterations", .def = 10, .min = 1, .max = 1000, .soft_max = 50,
       .soft_min = 1, .help = "Number of steps."},
      {FV_FIELD (anisotropic_args, contrast), .label = "Contrast", .def = 20, .min = 1e-9, .max = 1e9, .soft_min = 0.01,
       .soft_max = 10000, .scale = FV_LOG, .help = "Differences above it are edges: above the noise, below the edges."},
      {FV_FIELD (anisotropic_args, conductance), .label = "Conductance",
       .choices = (const fv_choice[]){{"exponential", "Exponential", "Prefers edges of high contrast."},
                                      {"inverse", "Inverse square", "Prefers wide regions over small ones."},
                                      {0}},
       .help = "How the flow falls with the difference."},
      {FV_FIELD (anisotropic_args, step), .label = "Step", .advanced = true, .def = 0.15, .min = 0.001, .max = 0.25,
       .help = "Part of each difference that flows in a step, at most 1/4, in 3-D 1/6."},
      {FV_FIELD (anisotropic_args, output), .label = "Output", .advanced = true,
       .choices = (const fv_choice[]){{"float", "32-bit float", "32-bit float, or 64-bit for a 64-bit image."},
                                      {"same", "Like the input", "The input's type, rounded to nearest."},
                                      {0}},
       .help = "Type of the result."},
      STENCIL_VOLUME,
      {0}},
  .grain = stencil_grain,
  .halo = anisotropic_halo,
  .infer = anisotropic_infer,
  .scratch = anisotropic_scratch,
  .arithmetic = anisotropic_arithmetic,
  .values = FV_VALUES_SAME,
  .run = {[FV_CPU] = anisotropic_cpu, [FV_CUDA] = FV_CUDA_FN (anisotropic_cuda)},
};
