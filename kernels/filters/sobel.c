/* SPDX-License-Identifier: MIT
 *
 * sobel on the CPU: row by row, as stencil.c goes.
 */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-math-errno")
#endif
#include "kernels/filters/sobel.h"

#include "kernels/common/imagej.h"

/* ---- Rows ---- */

#define IN_PLANE(Z, Y, X) line[(Y) + 1][i + (X)]
#define IN_VOLUME(Z, Y, X) line[3 * (Z) + (Y) + 4][i + (X)]
#define DEFINE_ROW(NAME, T, LINES, SUM)                                                                                \
  VECTORISED static void NAME (T *restrict to, const void *const *lines, int64_t n, T scale)                           \
  {                                                                                                                    \
    const T *line[LINES];                                                                                              \
    memcpy (line, lines, sizeof line);                                                                                 \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      to[i] = scale * (SUM);                                                                                           \
  }
#define DEFINE_MAGNITUDE(NAME, T, LINES, SQRT, GX, GY, GZ)                                                             \
  VECTORISED static void NAME (T *restrict to, const void *const *lines, int64_t n, T scale)                           \
  {                                                                                                                    \
    const T *line[LINES];                                                                                              \
    memcpy (line, lines, sizeof line);                                                                                 \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      T x = GX, y = GY, z = GZ;                                                                                        \
      to[i] = scale * SQRT (x * x + y * y + z * z);                                                                    \
    }                                                                                                                  \
  }

#define DEFINE_SOBEL(S, T, SQRT, FLOOR)                                                                                \
  DEFINE_ROW (x_##S, T, 3, SOBEL_GX (0, IN_PLANE))                                                                     \
  DEFINE_ROW (y_##S, T, 3, SOBEL_GY (0, IN_PLANE))                                                                     \
  DEFINE_MAGNITUDE (magnitude_##S, T, 3, SQRT, SOBEL_GX (0, IN_PLANE), SOBEL_GY (0, IN_PLANE), 0)                      \
  DEFINE_ROW (solid_x_##S, T, 9, SOBEL_OVER (SOBEL_GX, IN_VOLUME))                                                     \
  DEFINE_ROW (solid_y_##S, T, 9, SOBEL_OVER (SOBEL_GY, IN_VOLUME))                                                     \
  DEFINE_ROW (solid_z_##S, T, 9, SOBEL_OVER (SOBEL_GZ, IN_VOLUME))                                                     \
  DEFINE_MAGNITUDE (solid_magnitude_##S, T, 9, SQRT, SOBEL_OVER (SOBEL_GX, IN_VOLUME),                                 \
                    SOBEL_OVER (SOBEL_GY, IN_VOLUME), SOBEL_OVER (SOBEL_GZ, IN_VOLUME))                                \
  static void sobel_##S (void *to, const void *const *lines, int64_t n, const void *rule)                              \
  {                                                                                                                    \
    static void (*const rows[2][4]) (T *restrict, const void *const *, int64_t, T) = {                                 \
      {magnitude_##S, x_##S, y_##S, NULL}, {solid_magnitude_##S, solid_x_##S, solid_y_##S, solid_z_##S}};              \
    const sobel_rule *r = rule;                                                                                        \
    rows[r->volume][r->direction](to, lines, n, (T) r->scale);                                                         \
    for (int64_t i = 0; i < n && r->down; i++)                                                                         \
      ((T *) to)[i] = FLOOR (((T *) to)[i]);                                                                           \
  }
DEFINE_SOBEL (f32, float, sqrtf, floorf)
DEFINE_SOBEL (f64, double, sqrt, floor)

static fv_status
sobel_cpu (const fv_call *call, fv_error *error)
{
  const sobel_args *a = call->args;
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  stencil_args around = sobel_around (a);
  sobel_rule rule = sobel_make_rule (a, in->grid->type);
  stencil s = {call,      &around,
               sobel_f32, sobel_f64,
               &rule,     sobel_working_type (a, in->grid->type),
               1,         .progress.total = array_planes (in) * array_rows (in)};
  if (stencil_prepare (&s, error))
    return error->code;
  stencil_pass (&s, in, out);
  return s.progress.stop ? cancelled (error) : FV_OK;
}

/* ---- Declaration ---- */

static fv_status
sobel_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const sobel_args *a = args;
  (void) op;
  if (a->method != SOBEL_IMAGEJ && a->direction == SOBEL_Z && !a->around.volume)
    return fail (error, FV_BAD_ARGUMENT, "direction", "Planes have no slope along z: turn 3-D on, or choose x or y.");
  filter_grid (in[0], filter_type (in[0], a->method != SOBEL_IMAGEJ && a->output != SOBEL_SAME), out[0]);
  return FV_OK;
}

static fv_grain
sobel_grain (const fv_op *op, const void *args)
{
  stencil_args around = sobel_around (args);
  return stencil_grain (op, &around);
}

static void
sobel_halo (const fv_op *op, const void *args, const fv_grid *input, int64_t halo[3])
{
  stencil_args around = sobel_around (args);
  stencil_halo (op, &around, input, halo);
}

static double
sobel_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op, (void) in;
  return sobel_around (args).volume ? 60 : 16;
}

const fv_op fv_op_sobel = {
  FV_OP (sobel_args),
  .key = "sobel",
  .menu = "Process/Filters",
  .label = "Find Edges...",
  .search = "edges edge gradient magnitude slope derivative",
  .imagej =
    (const fv_imagej[]){{.command = "Find Edges", .args = "method=imagej", IMAGEJ_WORDS (IMAGEJ_STACK), IMAGEJ_FILTER},
                        {0}},
  .help = "Makes edges bright: how steep the image is at each pixel, or its slope along one axis.",
  .cite = "I. Sobel, G. Feldman, A 3 x 3 isotropic gradient operator for image processing, 1968",
  .kind = FV_LOCAL,
  .inputs = stencil_inputs,
  .outputs = (const fv_output[]){{"image", "Edges"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (sobel_args, direction), .label = "Direction", .enabled = "method=skimage|scipy",
       .choices = (const fv_choice[]){{"all", "All (magnitude)", "How steep the image is, in any direction."},
                                      {"x", "Along x", "Positive where the image gets brighter to the right."},
                                      {"y", "Along y", "Positive where the image gets brighter downward."},
                                      {"z", "Along z", "Positive where the image gets brighter with the slices."},
                                      {0}},
       .help = "Along which axis the slope is."},
      {FV_FIELD (sobel_args, method), .label = "Scale",
       .choices =
         (const fv_choice[]){{"skimage", "As in scikit-image", "Weights with the sum 1, and the mean of the squares."},
                             {"scipy", "As in SciPy", "Weights 1, 2, 1, and the sum of the squares."},
                             {"imagej", "As in ImageJ", "ImageJ's Find Edges, in the type of the image."},
                             {0}},
       .help = "What the numbers of the result are."},
      {FV_FIELD (sobel_args, output), .label = "Output", .advanced = true, .enabled = "method=skimage|scipy",
       .choices = (const fv_choice[]){{"float", "32-bit float", "32-bit float, or 64-bit for a 64-bit image."},
                                      {"same", "Like the input", "The input's type, rounded to nearest."},
                                      {0}},
       .help = "Type of the result."},
      STENCIL_BORDER,
      STENCIL_VOLUME,
      {0}},
  .grain = sobel_grain,
  .halo = sobel_halo,
  .infer = sobel_infer,
  .arithmetic = sobel_arithmetic,
  .run = {[FV_CPU] = sobel_cpu, [FV_CUDA] = FV_CUDA_FN (sobel_cuda)},
};
