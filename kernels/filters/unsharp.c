/* SPDX-License-Identifier: MIT
 *
 * unsharp on the CPU: a blur, and then row by row.
 */
#include "kernels/filters/unsharp.h"

#include "kernels/common/imagej.h"
#include "kernels/common/row.h"
#include "kernels/common/rows.h"
#include "kernels/gaussian/gaussian_imagej.h"

enum { PIECE = 512 }; /* pixels of a row at a time */

gaussian_args
unsharp_blur (const unsharp_args *a)
{
  gaussian_args blur = a->blur;
  blur.output = GAUSSIAN_FLOAT;
  blur.accuracy = 0.01; /* with GAUSSIAN_IMAGEJ */
  return blur;
}

#define DEFINE_SHARPEN(NAME, T)                                                                                        \
  VECTORISED static void NAME (T *restrict to, const T *restrict blurred, T amount, int64_t n)                         \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      to[i] += amount * (to[i] - blurred[i]);                                                                          \
  }
DEFINE_SHARPEN (sharpen_f32, float)
DEFINE_SHARPEN (sharpen_f64, double)

VECTORISED static void
sharpen_imagej (float *restrict to, const float *restrict blurred, float weight, fv_type type, int64_t n)
{
  const float most = type == FV_U8 ? 255 : 65535;
  const bool rounds = type == FV_U8 || type == FV_U16;
  for (int64_t i = 0; i < n; i++) {
    const float v = unsharp_imagej (to[i], blurred[i], weight);
    to[i] = rounds ? gaussian_imagej_rounded (v, most) : v;
  }
}

static void
sharpen_row (const fv_call *call, const void *made, int64_t z, int64_t y)
{
  const fv_array *blurred = made;
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  fv_type from = in->grid->type, between = blurred->grid->type, to = out->grid->type;
  const unsharp_args *a = call->args;
  const double amount = a->amount;
  const bool wide = from == FV_I32 || from == FV_F64;
  union {
    float f32[PIECE];
    double f64[PIECE];
  } pixel, blur;
  for (int64_t x = 0, n; x < array_columns (in); x += n) {
    n = array_columns (in) - x < PIECE ? array_columns (in) - x : PIECE;
    const char *pixels = (const char *) array_row (in, z, y) + x * (int64_t) type_bytes (from);
    const char *blurs = (const char *) array_row (blurred, z, y) + x * (int64_t) type_bytes (between);
    (wide ? row_to_f64 : row_to_f32) (&pixel, pixels, from, n);
    (wide ? row_to_f64 : row_to_f32) (&blur, blurs, between, n);
    if (a->blur.method == GAUSSIAN_IMAGEJ && !wide)
      sharpen_imagej (pixel.f32, blur.f32, unsharp_weight (amount), to, n);
    else if (wide)
      sharpen_f64 (pixel.f64, blur.f64, amount, n);
    else
      sharpen_f32 (pixel.f32, blur.f32, (float) amount, n);
    (wide ? row_from_f64 : row_from_f32) ((char *) array_row (out, z, y) + x * (int64_t) type_bytes (to), to, &pixel,
                                          n);
  }
}

static fv_status
unsharp_cpu (const fv_call *call, fv_error *error)
{
  const gaussian_args blur = unsharp_blur (call->args);
  int64_t planes = array_planes (call->inputs[0]), rows = array_rows (call->inputs[0]);
  scratch_image blurred;
  if (blurs_room (call, &blurred, error) || blurs_make (call, FV_CPU, &blur, &blurred.array, error))
    return error->code;
  rows_each (call, planes, rows, sharpen_row, &blurred.array, NULL);
  return FV_OK;
}

/* ---- Declaration ---- */

static int64_t
unsharp_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  blurs_term term = {unsharp_blur (args), 1};
  (void) op;
  return blurs_scratch (&term, 1, 1, in);
}

static double
unsharp_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  blurs_term term = {unsharp_blur (args), 1};
  (void) op;
  return blurs_arithmetic (&term, 1, in) + 2;
}

const fv_op fv_op_unsharp = {
  FV_OP (unsharp_args),
  .key = "unsharp",
  .menu = "Process/Filters",
  .label = "Unsharp Mask...",
  .search = "sharpen sharper high pass",
  .imagej = (const fv_imagej[]){{.command = "Unsharp Mask...",
                                 .args = "method=imagej output=same",
                                 .needs = "mask=",
                                 IMAGEJ_WORDS ({"radius=", "sigma="}, {"mask=", ""}, IMAGEJ_STACK),
                                 IMAGEJ_FILTER},
                                {0}},
  .help = "Sharpens: adds the difference from a Gaussian blur.",
  .kind = FV_LOCAL,
  .inputs = blurs_inputs,
  .outputs = (const fv_output[]){{"image", "Sharpened"}, {0}},
  .params =
    (const fv_param[]){
      BLURS_SIGMA ("Sigma", "1", 0, "Standard deviation of the Gaussian: one number for all axes, or y,x, or z,y,x."),
      {FV_FIELD (unsharp_args, amount), .label = "Amount", .def = 1, .min = -1000, .max = 1000, .soft_max = 5,
       .help = "How many times the difference is added; ImageJ's mask weight w is an amount of w / (1 - w)."},
      {FV_FIELD (gaussian_args, output), .label = "Output", .advanced = true,
       .choices = (const fv_choice[]){{"float", "32-bit float", "32-bit float, or 64-bit for a 64-bit image."},
                                      {"same", "Like the input", "The input's type, rounded to nearest."},
                                      {0}},
       .help = "Type of the result."},
      GAUSSIAN_METHOD,
      BLURS_MORE,
      {0}},
  .grain = blurs_grain,
  .halo = blurs_halo,
  .infer = blurs_infer,
  .scratch = unsharp_scratch,
  .arithmetic = unsharp_arithmetic,
  .values = FV_VALUES_SAME,
  .run = {[FV_CPU] = unsharp_cpu, [FV_CUDA] = FV_CUDA_FN (unsharp_cuda)},
};
