/* SPDX-License-Identifier: MIT
 *
 * project: some pixels of a row at a time, through all planes that make them.
 */
#include "kernels/image/project.h"

#include "kernels/common/imagej.h"
#include "kernels/common/row.h"
#include "kernels/common/rows.h"

enum { BLOCK = 1024 };

/* ---- What comes out ---- */

project_planes
project_planes_of (const project_args *a, const fv_grid *in)
{
  int64_t frames = in->frames, channels = in->channels, depth = in->shape[0] / (channels * frames);
  project_planes s = {.step = a->axis == PROJECT_Z   ? 1
                              : a->axis == PROJECT_C ? depth
                                                     : channels * depth,
                      .length = a->axis == PROJECT_Z   ? depth
                                : a->axis == PROJECT_C ? channels
                                                       : frames,
                      .first = a->first};
  s.count = a->count ? a->count : s.length - s.first;
  return s;
}

/* The planes that are needed together, and no more. */
static fv_grain
project_grain (const fv_op *op, const void *args)
{
  static const fv_grain grains[] = {[PROJECT_Z] = FV_STACK, [PROJECT_T] = FV_SERIES, [PROJECT_C] = FV_FRAME};
  (void) op;
  return grains[((const project_args *) args)->axis];
}

static fv_type
output_type (const project_args *a, fv_type in)
{
  if (a->method == PROJECT_MAX || a->method == PROJECT_MIN || a->output == PROJECT_SAME)
    return in;
  return in == FV_I32 || in == FV_F64 ? FV_F64 : FV_F32;
}

static fv_status
project_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  static const char *const names[] = {[PROJECT_Z] = "slice", [PROJECT_T] = "frame", [PROJECT_C] = "channel"};
  const project_args *a = args;
  project_planes s = project_planes_of (a, in[0]);
  bool chosen = a->method == PROJECT_MAX || a->method == PROJECT_MIN;
  (void) op;
  if (s.first >= s.length)
    return fail (error, FV_BAD_ARGUMENT, "first", "The image has no %s %lld: it has %lld, counted from 0.",
                 names[a->axis], (long long) s.first, (long long) s.length);
  if (s.first + s.count > s.length)
    return fail (error, FV_BAD_ARGUMENT, "count", "From %s %lld on there are %lld, not %lld; 0 takes all.",
                 names[a->axis], (long long) s.first, (long long) (s.length - s.first), (long long) s.count);
  out[0]->type = output_type (a, in[0]->type);
  out[0]->shape[0] = in[0]->shape[0] / s.length;
  if (a->axis == PROJECT_C) {
    out[0]->channels = 1;
    out[0]->channel_names = NULL;
  }
  if (a->axis == PROJECT_T)
    out[0]->frames = 1;
  if (out[0]->type != in[0]->type || (in[0]->role == FV_RGB && a->axis == PROJECT_C)
      || (in[0]->role != FV_RGB && !chosen))
    out[0]->role = FV_IMAGE;
  out[0]->dense = false;
  return FV_OK;
}

static void
project_transform (const fv_op *op, const void *args, const fv_grid *const *inputs, const fv_grid *output,
                   uint32_t number, fv_place *transform)
{
  const project_args *a = args;
  (void) op, (void) inputs, (void) output, (void) number;
  if (a->method == PROJECT_SD || a->method == PROJECT_SUM)
    transform->values = FV_VALUES_UNIT;
}

/* ---- Pixels through the planes ---- */

/* Some pixels of a row of the result. */
typedef struct strip {
  const fv_array *in, *out;
  const project_args *args;
  project_planes planes;
  int64_t plane, y, x, n;
} strip;

static const void *
from_row (const strip *s, int64_t k)
{
  return (const char *) array_row (s->in, project_plane (&s->planes, s->plane, k), s->y)
         + s->x * (int64_t) type_bytes (s->in->grid->type);
}

static void *
to_row (const strip *s)
{
  return (char *) array_row (s->out, s->plane, s->y) + s->x * (int64_t) type_bytes (s->out->grid->type);
}

/* ---- Largest, smallest ---- */

/* NaN is taken, and stays: no comparison with it is true. */
#define DEFINE_EXTREMES(NAME, T)                                                                                       \
  VECTORISED static void larger_##NAME (T *restrict to, const T *restrict v, int64_t n)                                \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      to[i] = ((v[i] > to[i]) | (v[i] != v[i])) ? v[i] : to[i];                                                        \
  }                                                                                                                    \
                                                                                                                       \
  VECTORISED static void smaller_##NAME (T *restrict to, const T *restrict v, int64_t n)                               \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      to[i] = ((v[i] < to[i]) | (v[i] != v[i])) ? v[i] : to[i];                                                        \
  }
DEFINE_EXTREMES (u8, uint8_t)
DEFINE_EXTREMES (u16, uint16_t)
DEFINE_EXTREMES (i32, int32_t)
DEFINE_EXTREMES (f32, float)
DEFINE_EXTREMES (f64, double)

static void
find_extremes (const strip *s)
{
  fv_type type = s->in->grid->type;
  memcpy (to_row (s), from_row (s, 0), (size_t) s->n * type_bytes (type));
  for (int64_t k = 1; k < s->planes.count; k++)
    if (s->args->method == PROJECT_MAX)
      WITH_TYPE (type, larger, to_row (s), from_row (s, k), s->n)
    else
      WITH_TYPE (type, smaller, to_row (s), from_row (s, k), s->n)
}

/* ---- Sums ---- */

#define DEFINE_SUMS(NAME, T)                                                                                           \
  VECTORISED static void add_##NAME (double *restrict sum, const T *restrict v, int64_t n)                             \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      sum[i] += (double) v[i];                                                                                         \
  }                                                                                                                    \
                                                                                                                       \
  VECTORISED static void add_squares_##NAME (double *restrict sum, const double *restrict mean, const T *restrict v,   \
                                             int64_t n)                                                                \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      double d = (double) v[i] - mean[i];                                                                              \
      sum[i] += d * d;                                                                                                 \
    }                                                                                                                  \
  }                                                                                                                    \
                                                                                                                       \
  VECTORISED static void add_both_##NAME (double *restrict sum, double *restrict squares, const T *restrict first,     \
                                          const T *restrict v, int64_t n)                                              \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      double d = (double) v[i] - (double) first[i];                                                                    \
      sum[i] += d;                                                                                                     \
      squares[i] += d * d;                                                                                             \
    }                                                                                                                  \
  }
DEFINE_SUMS (u8, uint8_t)
DEFINE_SUMS (u16, uint16_t)
DEFINE_SUMS (i32, int32_t)
DEFINE_SUMS (f32, float)
DEFINE_SUMS (f64, double)

/* In one go (project.h). */
static void
find_deviation (const strip *s, double *deviation)
{
  double squares[BLOCK] = {0};
  memset (deviation, 0, (size_t) s->n * sizeof *deviation);
  for (int64_t k = 0; k < s->planes.count; k++)
    WITH_TYPE (s->in->grid->type, add_both, deviation, squares, from_row (s, 0), from_row (s, k), s->n)
  for (int64_t i = 0; i < s->n; i++)
    deviation[i] = project_sd (deviation[i], squares[i], s->planes.count, s->args->ddof);
}

static void
add_up (const strip *s, double *sum)
{
  double mean[BLOCK], count = (double) s->planes.count;
  memset (sum, 0, (size_t) s->n * sizeof *sum);
  for (int64_t k = 0; k < s->planes.count; k++)
    WITH_TYPE (s->in->grid->type, add, sum, from_row (s, k), s->n)
  if (s->args->method == PROJECT_SUM)
    return;
  for (int64_t i = 0; i < s->n; i++)
    sum[i] /= count;
  if (s->args->method == PROJECT_MEAN)
    return;
  memcpy (mean, sum, (size_t) s->n * sizeof *sum);
  memset (sum, 0, (size_t) s->n * sizeof *sum);
  for (int64_t k = 0; k < s->planes.count; k++)
    WITH_TYPE (s->in->grid->type, add_squares, sum, mean, from_row (s, k), s->n)
  for (int64_t i = 0; i < s->n; i++)
    sum[i] = sqrt (sum[i] / (count - s->args->ddof));
}

/* ---- Median ---- */

/* The key of rank `rank` is the largest that no more than `rank` keys lie below. */
#define DEFINE_MEDIAN(NAME, T, K)                                                                                      \
  VECTORISED static void count_below_##NAME (const T *restrict v, const K *restrict limit, int32_t *restrict below,    \
                                             int64_t n)                                                                \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      below[i] += key_##NAME (v[i]) < limit[i];                                                                        \
  }                                                                                                                    \
                                                                                                                       \
  /* How many keys are at most `lower`, the smallest of the others, and whether one is NaN. */                         \
  VECTORISED static void look_above_##NAME (const T *restrict v, const K *restrict lower, int32_t *restrict most,      \
                                            K *restrict above, uint8_t *restrict nan, int64_t n)                       \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      K key = key_##NAME (v[i]), other = key > lower[i] ? key : (K) -1;                                                \
      most[i] += key <= lower[i];                                                                                      \
      above[i] = other < above[i] ? other : above[i];                                                                  \
      nan[i] |= v[i] != v[i];                                                                                          \
    }                                                                                                                  \
  }                                                                                                                    \
                                                                                                                       \
  static void find_rank_##NAME (const strip *s, int64_t rank, K *restrict found)                                       \
  {                                                                                                                    \
    K limit[BLOCK];                                                                                                    \
    int32_t below[BLOCK];                                                                                              \
    memset (found, 0, (size_t) s->n * sizeof *found);                                                                  \
    for (K bit = (K) ((K) 1 << (8 * sizeof (K) - 1)); bit; bit >>= 1) {                                                \
      memset (below, 0, sizeof below);                                                                                 \
      for (int64_t i = 0; i < s->n; i++)                                                                               \
        limit[i] = found[i] | bit;                                                                                     \
      for (int64_t k = 0; k < s->planes.count; k++)                                                                    \
        count_below_##NAME (from_row (s, k), limit, below, s->n);                                                      \
      for (int64_t i = 0; i < s->n; i++)                                                                               \
        found[i] = below[i] <= rank ? limit[i] : found[i];                                                             \
    }                                                                                                                  \
  }                                                                                                                    \
                                                                                                                       \
  static void find_median_##NAME (const strip *s, double *median)                                                      \
  {                                                                                                                    \
    K lower[BLOCK], above[BLOCK];                                                                                      \
    int32_t most[BLOCK] = {0};                                                                                         \
    uint8_t nan[BLOCK] = {0};                                                                                          \
    int64_t n = s->planes.count;                                                                                       \
    memset (above, 0xff, sizeof above);                                                                                \
    find_rank_##NAME (s, (n - 1) / 2, lower);                                                                          \
    for (int64_t k = 0; k < n; k++)                                                                                    \
      look_above_##NAME (from_row (s, k), lower, most, above, nan, s->n);                                              \
    for (int64_t i = 0; i < s->n; i++)                                                                                 \
      median[i] =                                                                                                      \
        nan[i] ? NAN : middle (value_##NAME (lower[i]), value_##NAME (most[i] > n / 2 ? lower[i] : above[i]));         \
  }
DEFINE_MEDIAN (u8, uint8_t, uint8_t)
DEFINE_MEDIAN (u16, uint16_t, uint16_t)
DEFINE_MEDIAN (i32, int32_t, uint32_t)
DEFINE_MEDIAN (f32, float, uint32_t)
DEFINE_MEDIAN (f64, double, uint64_t)

/* ---- All ---- */

static void
project_strip (const strip *s)
{
  double values[BLOCK];
  switch (s->args->method) {
  case PROJECT_MAX:
  case PROJECT_MIN: find_extremes (s); return;
  case PROJECT_MEDIAN: WITH_TYPE (s->in->grid->type, find_median, s, values) break;
  case PROJECT_SD: (s->in->grid->type == FV_F64 ? add_up : find_deviation) (s, values); break;
  default: add_up (s, values);
  }
  row_from_f64 (to_row (s), s->out->grid->type, values, s->n);
}

static void
project_row (const fv_call *call, const void *planes, int64_t plane, int64_t y)
{
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const int64_t columns = array_columns (out);
  for (int64_t x = 0; x < columns; x += BLOCK)
    project_strip (&(strip){in, out, call->args, *(const project_planes *) planes, plane, y, x,
                            columns - x < BLOCK ? columns - x : BLOCK});
}

static fv_status
project_cpu (const fv_call *call, fv_error *error)
{
  const project_planes planes = project_planes_of (call->args, call->inputs[0]->grid);
  return rows_cpu (call, project_row, &planes, error);
}

static double
project_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  static const double bits[] = {8, 16, 32, 64};
  const project_args *a = args;
  fv_type type = in[0]->type;
  (void) op;
  if (a->method != PROJECT_MEDIAN)
    return a->method == PROJECT_SD ? 4 : 1;
  return bits[type == FV_U8 ? 0 : type == FV_U16 ? 1 : type == FV_F64 ? 3 : 2];
}

/* ---- The declaration ---- */

static const fv_choice methods[] = {
  {"max", "Max Intensity", "The largest value."},
  {"min", "Min Intensity", "The smallest value."},
  {"mean", "Average Intensity", "The mean."},
  {"sum", "Sum Slices", "The sum."},
  {"sd", "Standard Deviation", "The standard deviation."},
  {"median", "Median", "The value in the middle; of an even number the mean of the two in the middle."},
  {0}};

static const fv_choice axes[] = {{"z", "Slices", "The slices of a stack become one, in each channel and frame."},
                                 {"t", "Frames", "The time points become one, in each channel and slice."},
                                 {"c", "Channels", "The channels become one, in each slice and frame."},
                                 {0}};

static const fv_choice outputs[] = {
  {"float", "Float", "32-bit float, or 64-bit for an image of 64-bit float or 32-bit integers."},
  {"same", "Like input", "The input's type, rounded to nearest and limited to what it holds."},
  {0}};

const fv_op fv_op_project = {
  FV_OP (project_args),
  .key = "project",
  .menu = "Image/Stacks",
  .label = "Z Project...",
  .search = "maximum average sum intensity projection stack z time mip flatten",
  .imagej =
    (const fv_imagej[]){
      {.command = "Z Project...",
       .needs = "projection=",
       IMAGEJ_WORDS ({"projection=Max Intensity", "method=max"}, {"projection=Min Intensity", "method=min"},
                     {"projection=Average Intensity", "method=mean output=same"},
                     {"projection=Sum Slices", "method=sum"}, {"projection=Standard Deviation", "method=sd ddof=1"},
                     {"projection=Median", "method=median output=same"}, {"start=", ""}, {"stop=", ""}, {"all", ""}),
       .images = FV_IMAGEJ_GRAY,
       .area = FV_IMAGEJ_AREA_OTHER,
       .range = FV_IMAGEJ_RANGE_FOLLOWS,
       .rounded = FV_IMAGEJ_8_BIT | FV_IMAGEJ_16_BIT},
      {0}},
  .help = "Makes one plane of all slices, frames or channels: their maximum, minimum, mean, sum, standard deviation or "
          "median (NaN spreads).",
  .kind = FV_POINT,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Projection"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (project_args, method), .label = "Projection", .choices = methods,
       .help = "How values at the same position combine."},
      {FV_FIELD (project_args, axis), .label = "Over", .choices = axes, .help = "Which planes become one."},
      {FV_FIELD (project_args, first), .label = "First", .max = 1e9, .soft_max = 100, .ordinal = true,
       .help = "The first slice, frame or channel that counts."},
      {FV_FIELD (project_args, count), .label = "Count", .max = 1e9, .soft_max = 100,
       .help = "Number of planes from there on; 0: all."},
      {FV_FIELD (project_args, ddof), .label = "Less than n", .max = 1, .enabled = "method=sd", .advanced = true,
       .help = "Subtracted from the number of planes by which squares are divided: 0 as NumPy, 1 as ImageJ."},
      {FV_FIELD (project_args, output), .label = "Output", .choices = outputs, .enabled = "method=mean|sum|sd|median",
       .help = "Type of the result; a maximum or minimum always has the input's."},
      {0}},
  .grain = project_grain,
  .infer = project_infer,
  .place = project_transform,
  .values = FV_VALUES_SAME,
  .arithmetic = project_arithmetic,
  .run = {[FV_CPU] = project_cpu, [FV_CUDA] = FV_CUDA_FN (project_cuda)},
};
