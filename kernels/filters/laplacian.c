/* SPDX-License-Identifier: MIT
 *
 * laplacian on the CPU: row by row, as stencil.c goes.
 */
#include "kernels/filters/laplacian.h"

#define IN_PLANE(Z, Y, X) line[(Y) + 1][i + (X)]
#define IN_VOLUME(Z, Y, X) line[3 * (Z) + (Y) + 4][i + (X)]
#define DEFINE_ROW(NAME, T, LINES, SUM)                                                                                \
  VECTORISED static void NAME (T *restrict to, const void *const *lines, int64_t n)                                    \
  {                                                                                                                    \
    const T *line[LINES];                                                                                              \
    memcpy (line, lines, sizeof line);                                                                                 \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      to[i] = SUM;                                                                                                     \
  }
#define DEFINE_LAPLACIAN(S, T)                                                                                         \
  DEFINE_ROW (plane_##S, T, 3, LAPLACIAN_PLANE (IN_PLANE))                                                             \
  DEFINE_ROW (volume_##S, T, 9, LAPLACIAN_VOLUME (IN_VOLUME))                                                          \
  static void laplacian_##S (void *to, const void *const *lines, int64_t n, const void *rule)                          \
  {                                                                                                                    \
    (((const stencil_args *) rule)->volume ? volume_##S : plane_##S) (to, lines, n);                                   \
  }
DEFINE_LAPLACIAN (f32, float)
DEFINE_LAPLACIAN (f64, double)

static fv_status
laplacian_cpu (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  stencil s = {call,
               call->args,
               laplacian_f32,
               laplacian_f64,
               call->args,
               stencil_working_type (in->grid->type),
               1,
               .progress.total = array_planes (in) * array_rows (in)};
  if (stencil_prepare (&s, error))
    return error->code;
  stencil_pass (&s, in, call->outputs[0]);
  return s.progress.stop ? cancelled (error) : FV_OK;
}

static fv_status
laplacian_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  (void) op, (void) args, (void) error;
  out[0]->type = in[0]->type == FV_F64 ? FV_F64 : FV_F32;
  out[0]->role = FV_IMAGE;
  out[0]->dense = false;
  return FV_OK;
}

static double
laplacian_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op, (void) in;
  return ((const stencil_args *) args)->volume ? 9 : 6;
}

const fv_op fv_op_laplacian = {
  FV_OP (stencil_args),
  .key = "laplacian",
  .menu = "Process/Filters",
  .label = "Laplacian...",
  .search = "second derivative edges sharpen focus",
  .help = "Sums the second differences: negative in bright spots and lines, positive in dark ones.",
  .kind = FV_LOCAL,
  .inputs = stencil_inputs,
  .outputs = (const fv_output[]){{"image", "Laplacian"}, {0}},
  .params = (const fv_param[]){STENCIL_BORDER, STENCIL_VOLUME, {0}},
  .grain = stencil_grain,
  .halo = stencil_halo,
  .infer = laplacian_infer,
  .arithmetic = laplacian_arithmetic,
  .run = {[FV_CPU] = laplacian_cpu, [FV_CUDA] = FV_CUDA_FN (laplacian_cuda)},
};
