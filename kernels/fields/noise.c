/* SPDX-License-Identifier: MIT
 *
 * noise on the CPU: a row for each turn of a loop, some pixels at a time.
 */
#include "kernels/fields/noise.h"

#include "kernels/common/grain.h"
#include "kernels/common/imagej.h"
#include "kernels/common/row.h"
#include "kernels/common/rows.h"

enum { BLOCK = 1024 };

static fv_status
noise_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  (void) op, (void) args, (void) error;
  if (in[0]->role != FV_RGB)
    out[0]->role = FV_IMAGE;
  out[0]->dense = false;
  return FV_OK;
}

static void
noise_row (const fv_call *call, const void *rule, int64_t plane, int64_t y)
{
  const noise_rule r = *(const noise_rule *) rule;
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const fv_type type = out->grid->type;
  const char *from = array_row (in, plane, y);
  char *to = array_row (out, plane, y);
  const int64_t columns = array_columns (out), first = noise_first (call) + (plane * array_rows (out) + y) * columns;
  double values[BLOCK];
  for (int64_t x = 0, n; x < columns; x += n) {
    n = columns - x < BLOCK ? columns - x : BLOCK;
    row_to_f64 (values, from + x * (int64_t) type_bytes (type), type, n);
    for (int64_t i = 0; i < n; i++)
      values[i] = noise_value (&r, first + x + i, values[i]);
    row_from_f64 (to + x * (int64_t) type_bytes (type), type, values, n);
  }
}

static fv_status
noise_cpu (const fv_call *call, fv_error *error)
{
  const noise_rule r = noise_rule_of (call);
  return rows_cpu (call, noise_row, &r, error);
}

static double
noise_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op, (void) in;
  return ((const noise_args *) args)->method == NOISE_POISSON ? 150 : 80;
}

/* How ImageJ's noise differs on other images than floats. */
#define BEYOND "draws another number where a value of 8 or 16 bits would leave its type, which is clamped here"

const fv_op fv_op_noise = {
  FV_OP (noise_args),
  .key = "noise",
  .menu = "Process/Noise",
  .label = "Add Noise...",
  .search = "add specified gaussian poisson shot photons salt and pepper random simulate",
  .imagej = (const fv_imagej[]){{.command = "Add Noise",
                                 IMAGEJ_WORDS (IMAGEJ_STACK),
                                 .images = FV_IMAGEJ_32_BIT,
                                 .area = FV_IMAGEJ_AREA_CHANGED,
                                 .slices = FV_IMAGEJ_SLICES_STACK,
                                 .differs = BEYOND},
                                {.command = "Salt and Pepper",
                                 .args = "method=salt_and_pepper",
                                 IMAGEJ_WORDS (IMAGEJ_STACK),
                                 .images = FV_IMAGEJ_8_BIT,
                                 .area = FV_IMAGEJ_AREA_CHANGED,
                                 .slices = FV_IMAGEJ_SLICES_STACK},
                                {.command = "Add Specified Noise...",
                                 IMAGEJ_WORDS ({"standard=", "sigma="}, IMAGEJ_STACK),
                                 .images = FV_IMAGEJ_32_BIT,
                                 .area = FV_IMAGEJ_AREA_CHANGED,
                                 .slices = FV_IMAGEJ_SLICES_STACK,
                                 .differs = BEYOND},
                                {0}},
  .help = "Adds noise, the same for the same seed: normal, of counted photons, or salt and pepper; NaN and infinities "
          "stay.",
  .cite = "J. Salmon et al., Parallel random numbers: as easy as 1, 2, 3, SC 2011; W. Hoermann, The transformed "
          "rejection method for generating Poisson random variables, Insurance Math. Econom. 12 (1993), 39",
  .kind = FV_GLOBAL,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Image"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (noise_args, method), .label = "Method",
       .choices =
         (const fv_choice[]){{"gaussian", "Gaussian", "Normal numbers are added, as a camera's read-out does."},
                             {"poisson", "Poisson", "Values become counted photons: the noise of light."},
                             {"salt_and_pepper", "Salt and pepper",
                              "Some pixels become black or white: 0 or the largest value of the type, 1 for floats; "
                              "black is the smallest value for 32-bit integers."},
                             {0}},
       .help = "Kind of noise."},
      {FV_FIELD (noise_args, sigma), .label = "Standard deviation", .def = 25, .max = 1e30, .soft_max = 100,
       .enabled = "method=gaussian", .help = "Standard deviation of the added noise, in gray values."},
      {FV_FIELD (noise_args, photons), .label = "Photons", .def = 1, .min = 1e-6, .max = 1e6, .soft_min = 0.01,
       .soft_max = 100, .scale = FV_LOG, .enabled = "method=poisson",
       .help = "Photons per gray value of 1. Fewer are noisier; a negative value has none."},
      {FV_FIELD (noise_args, density), .label = "Density", .unit = "%", .def = 5, .max = 100, .soft_max = 20,
       .enabled = "method=salt_and_pepper", .help = "Share of the pixels, half of which become black, half white."},
      {FV_FIELD (noise_args, seed), .label = "Seed", .def = 1, .max = 2147483647, .soft_max = 1000,
       .help = "Another seed makes other noise."},
      {0}},
  .grain = grain_frame,
  .infer = noise_infer,
  .arithmetic = noise_arithmetic,
  .values = FV_VALUES_SAME,
  .run = {[FV_CPU] = noise_cpu, [FV_CUDA] = FV_CUDA_FN (noise_cuda)},
  .part = FV_PART_ALIKE,
};
