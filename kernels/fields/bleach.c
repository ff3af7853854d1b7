/* SPDX-License-Identifier: MIT
 *
 * bleach: the plan, the fit, and the CPU: rows are added up, and their sums in order; histograms are a thread's own.
 */
#include "kernels/fields/bleach.h"

#include "kernels/common/imagej.h"
#include "kernels/common/row.h"
#include "kernels/measure/pixel_sums.h"

#include <float.h>
#include <stdlib.h>

enum { BLOCK = 1024, LEVELS = 65536 };

bleach_plan
bleach_plan_of (const bleach_args *a, const fv_grid *in)
{
  const int64_t depth = in->shape[0] / (in->channels * in->frames);
  if (a->axis == BLEACH_SLICES)
    return (bleach_plan){depth, 1, 1};
  return (bleach_plan){in->frames, in->channels, depth};
}

/* ---- The factors ---- */

/* What is left of the squares after the best f0 + s (e^(-b t) - 1) through the means above 0 for this b. */
static double
fit_rate (const double *means, int64_t n, double b, double *f0, double *s)
{
  double count = 0, x_mean = 0, y_mean = 0, xx = 0, xy = 0, left = 0;
  for (int64_t t = 0; t < n; t++)
    if (means[t] > 0) {
      count++;
      x_mean += expm1 (-b * (double) t);
      y_mean += means[t];
    }
  x_mean /= count;
  y_mean /= count;
  for (int64_t t = 0; t < n; t++)
    if (means[t] > 0) {
      const double x = expm1 (-b * (double) t) - x_mean;
      xx += x * x;
      xy += x * (means[t] - y_mean);
    }
  *s = xx > 0 ? xy / xx : 0;
  *f0 = y_mean - *s * x_mean;
  for (int64_t t = 0; t < n; t++)
    if (means[t] > 0) {
      const double d = means[t] - *f0 - *s * expm1 (-b * (double) t);
      left += d * d;
    }
  return left;
}

/* The best rate: of steps on a logarithmic scale, then by the golden section about the best of them. */
static double
best_rate (const double *means, int64_t n)
{
  enum { STEPS = 200, SECTIONS = 80 };
  const double low = log (1e-4 / (double) n), step = (log (30) - low) / STEPS, golden = 0.61803398874989485;
  double best = 0, least = INFINITY, f0, s;
  for (int i = 0; i <= STEPS; i++) {
    const double left = fit_rate (means, n, exp (low + i * step), &f0, &s);
    if (left < least) {
      least = left;
      best = low + i * step;
    }
  }
  double from = best - step, to = best + step, p = to - golden * (to - from), q = from + golden * (to - from);
  double at_p = fit_rate (means, n, exp (p), &f0, &s), at_q = fit_rate (means, n, exp (q), &f0, &s);
  for (int i = 0; i < SECTIONS; i++)
    if (at_p <= at_q) {
      to = q, q = p, at_q = at_p;
      p = to - golden * (to - from);
      at_p = fit_rate (means, n, exp (p), &f0, &s);
    } else {
      from = p, p = q, at_p = at_q;
      q = from + golden * (to - from);
      at_q = fit_rate (means, n, exp (q), &f0, &s);
    }
  return exp ((from + to) / 2);
}

static void
fit_means (double *means, int64_t n)
{
  double f0, s;
  const double b = best_rate (means, n);
  fit_rate (means, n, b, &f0, &s);
  for (int64_t t = 0; t < n; t++)
    means[t] = f0 + s * expm1 (-b * (double) t);
}

void
bleach_factors (const bleach_args *a, const bleach_plan *plan, const bleach_sum *sums, double *frames, double *factors)
{
  const int64_t n = plan->frames;
  for (int64_t group = 0; group < plan->groups; group++) {
    double first = 0;
    for (int64_t t = 0; t < n; t++) {
      const bleach_sum *s = &sums[t * plan->groups + group];
      frames[t] = s->count > 0 ? s->sum / s->count - a->background : 0;
    }
    if (a->method == BLEACH_EXPONENTIAL)
      fit_means (frames, n);
    for (int64_t t = 0; t < n; t++) {
      const double factor = frames[t] > 0 && first > 0 ? first / frames[t] : 1;
      first = first > 0 || !(frames[t] > 0) ? first : frames[t];
      factors[t * plan->groups + group] = factor <= DBL_MAX ? factor : 1;
    }
  }
}

/* ---- Sums and factors on the CPU ---- */

/* Of a block that begins in lane 0. */
VECTORISED static void
add_block (const double *restrict v, int64_t n, pixel_lanes *restrict to){EACH_LANE (n, 0, i, l,
                                                                                     {
                                                                                       const bool counts =
                                                                                         fabs (v[i]) <= DBL_MAX;
                                                                                       to->v[0][l] += counts ? 1 : 0;
                                                                                       to->v[1][l] += counts ? v[i] : 0;
                                                                                     })}

VECTORISED static void scale_block (double *v, int64_t n, double background, double factor)
{
  for (int64_t i = 0; i < n; i++)
    v[i] = (v[i] - background) * factor;
}

static void
add_row (const fv_array *in, int64_t plane, int64_t y, pixel_lanes *to)
{
  const fv_type type = in->grid->type;
  const char *row = array_row (in, plane, y);
  double v[BLOCK];
  for (int64_t x = 0, n; x < array_columns (in); x += n) {
    n = array_columns (in) - x < BLOCK ? array_columns (in) - x : BLOCK;
    row_to_f64 (v, row + x * (int64_t) type_bytes (type), type, n);
    add_block (v, n, to);
  }
}

static void
scale_row (const fv_call *call, int64_t plane, int64_t y, double factor)
{
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const fv_type type = in->grid->type;
  double v[BLOCK];
  for (int64_t x = 0, n; x < array_columns (in); x += n) {
    const int64_t at = x * (int64_t) type_bytes (type);
    n = array_columns (in) - x < BLOCK ? array_columns (in) - x : BLOCK;
    row_to_f64 (v, (const char *) array_row (in, plane, y) + at, type, n);
    scale_block (v, n, ((const bleach_args *) call->args)->background, factor);
    row_from_f64 ((char *) array_row (out, plane, y) + at, type, v, n);
  }
}

/* Of all bands of rows; then, from them, of all parts. False when the work is to stop. */
static bool
add_parts (const fv_array *in, const bleach_plan *plan, pixel_sums *bands, bleach_sum *parts, progress *p)
{
  const int64_t all = plan->frames * plan->groups, height = array_rows (in), lines = plan->depth * height,
                n = pixel_bands (all, lines);
#pragma omp parallel for schedule(static, 16)
  for (int64_t i = 0; i < all * n; i++) {
    const int64_t part = i / n, band = i % n, first = lines * band / n, end = lines * (band + 1) / n;
    pixel_lanes lanes;
    pixel_lanes_clear (&lanes);
    for (int64_t line = first; line < end && !progress_stopped (p); line++)
      add_row (in, part * plan->depth + line / height, line % height, &lanes);
    bands[i] = pixel_lanes_join (&lanes);
    if (!progress_stopped (p))
      progress_step (p, end - first);
  }
  for (int64_t i = 0; i < all && !p->stop; i++) {
    const pixel_sums sums = pixel_bands_join (bands + i * n, n);
    parts[i] = (bleach_sum){sums.v[0], sums.v[1]};
  }
  return !p->stop;
}

static fv_status
bleach_scale (const fv_call *call, const bleach_plan *plan, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  const int64_t planes = array_planes (in), height = array_rows (in), parts = plan->frames * plan->groups;
  const int64_t bands = parts * pixel_bands (parts, plan->depth * height);
  pixel_sums *rows;
  bleach_sum *sums;
  double *frames, *factors;
  progress p = {call, .total = 2 * planes * height};
  if (call->host->scratch (call, (size_t) bands * sizeof *rows, (void **) &rows, error)
      || call->host->scratch (call, (size_t) parts * sizeof *sums, (void **) &sums, error)
      || call->host->scratch (call, (size_t) plan->frames * sizeof *frames, (void **) &frames, error)
      || call->host->scratch (call, (size_t) parts * sizeof *factors, (void **) &factors, error))
    return error->code;
  if (!add_parts (in, plan, rows, sums, &p))
    return cancelled (error);
  bleach_factors (call->args, plan, sums, frames, factors);
#pragma omp parallel for schedule(static, 16)
  for (int64_t i = 0; i < planes * height; i++)
    if (!progress_stopped (&p)) {
      scale_row (call, i / height, i % height, factors[i / height / plan->depth]);
      progress_step (&p, 1);
    }
  return p.stop ? cancelled (error) : FV_OK;
}

/* ---- Histograms on the CPU ---- */

#define DEFINE_LOOKS(NAME, T)                                                                                          \
  static void count_##NAME (const T *v, int64_t n, int64_t *counts)                                                    \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      counts[v[i]]++;                                                                                                  \
  }                                                                                                                    \
                                                                                                                       \
  static void look_##NAME (const T *v, int64_t n, const uint16_t *table, T *to)                                        \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      to[i] = (T) table[v[i]];                                                                                         \
  }
DEFINE_LOOKS (u8, uint8_t)
DEFINE_LOOKS (u16, uint16_t)

/* How many pixels of a part are at or below each value. */
static void
count_part (const fv_array *in, int64_t part, int64_t depth, int64_t *upto, progress *p)
{
  memset (upto, 0, LEVELS * sizeof *upto);
  for (int64_t z = part * depth; z < (part + 1) * depth && !progress_stopped (p); z++)
    for (int64_t y = 0; y < array_rows (in); y++) {
      if (in->grid->type == FV_U8)
        count_u8 (array_row (in, z, y), array_columns (in), upto);
      else
        count_u16 (array_row (in, z, y), array_columns (in), upto);
      progress_step (p, 1);
    }
  for (int64_t v = 1; v < LEVELS; v++)
    upto[v] += upto[v - 1];
}

static void
match_part (const fv_call *call, int64_t part, int64_t depth, const int64_t *first, const int64_t *upto, progress *p)
{
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const int64_t levels = in->grid->type == FV_U8 ? 256 : LEVELS;
  uint16_t table[LEVELS];
  for (int64_t v = 0; v < levels; v++)
    table[v] = (uint16_t) rint (bleach_matched (first, levels, upto[v]));
  for (int64_t z = part * depth; z < (part + 1) * depth && !progress_stopped (p); z++)
    for (int64_t y = 0; y < array_rows (in); y++) {
      if (in->grid->type == FV_U8)
        look_u8 (array_row (in, z, y), array_columns (in), table, array_row (out, z, y));
      else
        look_u16 (array_row (in, z, y), array_columns (in), table, array_row (out, z, y));
      progress_step (p, 1);
    }
}

static int64_t
threads_for (const bleach_plan *plan)
{
  const int64_t parts = plan->frames * plan->groups;
  return parts < threads_at_most () ? parts : threads_at_most ();
}

static fv_status
bleach_match (const fv_call *call, const bleach_plan *plan, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  const int64_t parts = plan->frames * plan->groups, threads = threads_for (plan);
  int64_t *first, *own;
  progress p = {call, .total = (2 * parts + plan->groups) * plan->depth * array_rows (in)};
  if (call->host->scratch (call, (size_t) (plan->groups * LEVELS) * sizeof *first, (void **) &first, error)
      || call->host->scratch (call, (size_t) (threads * LEVELS) * sizeof *own, (void **) &own, error))
    return error->code;
#pragma omp parallel for schedule(dynamic) num_threads((int) threads)
  for (int64_t group = 0; group < plan->groups; group++)
    count_part (in, group, plan->depth, first + group * LEVELS, &p);
#pragma omp parallel for schedule(dynamic) num_threads((int) threads)
  for (int64_t part = 0; part < parts; part++) {
    int64_t *upto = own + thread_index () * LEVELS;
    count_part (in, part, plan->depth, upto, &p);
    match_part (call, part, plan->depth, first + part % plan->groups * LEVELS, upto, &p);
  }
  return p.stop ? cancelled (error) : FV_OK;
}

static fv_status
bleach_cpu (const fv_call *call, fv_error *error)
{
  const bleach_args *a = call->args;
  const bleach_plan plan = bleach_plan_of (a, call->inputs[0]->grid);
  return a->method == BLEACH_HISTOGRAM ? bleach_match (call, &plan, error) : bleach_scale (call, &plan, error);
}

/* ---- The operation ---- */

static fv_grain
bleach_grain (const fv_op *op, const void *args)
{
  (void) op;
  return ((const bleach_args *) args)->axis == BLEACH_FRAMES ? FV_SERIES : FV_STACK;
}

static fv_status
bleach_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const bleach_args *a = args;
  const int64_t n = bleach_plan_of (a, in[0]).frames;
  (void) op;
  if (a->method == BLEACH_EXPONENTIAL && n < 3)
    return fail (error, FV_BAD_ARGUMENT, "method",
                 "A curve needs three %s, and the image has %lld: choose another method, or another axis.",
                 a->axis == BLEACH_FRAMES ? "frames" : "slices", (long long) n);
  if (a->method == BLEACH_HISTOGRAM && in[0]->type != FV_U8 && in[0]->type != FV_U16)
    return fail (error, FV_BAD_ARGUMENT, "method",
                 "Histograms are matched of 8- and 16-bit images, and this one is of %s: choose another method, or "
                 "convert it.",
                 type_words (in[0]->type));
  if (in[0]->role != FV_RGB)
    out[0]->role = FV_IMAGE;
  out[0]->dense = false;
  return FV_OK;
}

static int64_t
bleach_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const bleach_args *a = args;
  const bleach_plan plan = bleach_plan_of (a, in[0]);
  (void) op;
  if (a->method == BLEACH_HISTOGRAM)
    return (plan.groups + threads_for (&plan)) * LEVELS * (int64_t) sizeof (int64_t);
  const int64_t parts = plan.frames * plan.groups;
  return parts * pixel_bands (parts, plan.depth * in[0]->shape[1]) * (int64_t) sizeof (pixel_sums)
         + plan.frames * (plan.groups * (int64_t) (sizeof (bleach_sum) + sizeof (double)) + (int64_t) sizeof (double));
}

static double
bleach_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op, (void) args, (void) in;
  return 4;
}

const fv_op fv_op_bleach = {
  FV_OP (bleach_args),
  .key = "bleach",
  .menu = "Image/Adjust",
  .label = "Bleach Correction...",
  .search = "photobleaching fading correct decay time series matching",
  .imagej =
    (const fv_imagej[]){{.command = "Bleach Correction",
                         .needs = "correction=",
                         IMAGEJ_WORDS ({"correction=Simple Ratio", ""}, {"background=0", ""}, {"background=0.0", ""}),
                         .images = FV_IMAGEJ_8_BIT | FV_IMAGEJ_16_BIT,
                         .area = FV_IMAGEJ_AREA_OTHER,
                         .range = FV_IMAGEJ_RANGE_OTHER,
                         .differs = "takes 8-bit and 16-bit images alone"},
                        {0}},
  .help =
    "Brings the frames of a series, or the slices of a stack, to the brightness of the first one, each channel on "
    "its own; NaN stays.",
  .cite = "K. Miura, Bleach correction ImageJ plugin for compensating the photobleaching of time-lapse sequences, "
          "F1000Research 9 (2020), 1494",
  .kind = FV_GLOBAL,
  .reads_back = true, /* the sums, for the fit */
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Corrected"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (bleach_args, method), .label = "Method",
       .choices =
         (const fv_choice[]){
           {"ratio", "Simple Ratio", "Each gets the mean of the first one that has any brightness."},
           {"exponential", "Exponential Fit",
            "Each is divided by the curve a e^(-b t) + c through the means, which is 1 at the first."},
           {"histogram", "Histogram Matching",
            "Each gets the histogram of the first one: good for segmentation, not for measuring "
            "intensities; 8- and 16-bit."},
           {0}},
       .help = "How the brightness is restored."},
      {FV_FIELD (bleach_args, axis), .label = "Along",
       .choices =
         (const fv_choice[]){{"t", "Frames", "The time points."}, {"z", "Slices", "The slices of a stack."}, {0}},
       .help = "Axis along which the image darkens."},
      {FV_FIELD (bleach_args, background), .label = "Background", .min = -1e30, .max = 1e30, .soft_max = 1000,
       .enabled = "method=ratio|exponential", .help = "Brightness of the background, which is subtracted."},
      {0}},
  .grain = bleach_grain,
  .infer = bleach_infer,
  .scratch = bleach_scratch,
  .arithmetic = bleach_arithmetic,
  .values = FV_VALUES_SAME,
  .run = {[FV_CPU] = bleach_cpu, [FV_CUDA] = FV_CUDA_FN (bleach_cuda)},
};
