/* SPDX-License-Identifier: MIT
 *
 * split: the declaration, and the passes on the CPU.
 */
#include "kernels/split/split.h"

#include "kernels/common/alike.h"
#include "kernels/common/imagej.h"
#include "kernels/common/rows.h"
#include "kernels/label/label.h"
#include "kernels/split/split_imagej.h"
#include "kernels/split/split_islands.h"

/* ---- The passes ---- */

#define DEFINE_WIDEN(NAME, T)                                                                                          \
  VECTORISED static void widen_##NAME (double *restrict to, const void *from, int64_t n)                               \
  {                                                                                                                    \
    for (int64_t x = 0; x < n; x++)                                                                                    \
      to[x] = (double) ((const T *) from)[x];                                                                          \
  }
DEFINE_WIDEN (u8, uint8_t)
DEFINE_WIDEN (u16, uint16_t)
DEFINE_WIDEN (i32, int32_t)
DEFINE_WIDEN (f32, float)
DEFINE_WIDEN (f64, double)

VECTORISED static void
level_row (float *restrict level, float *restrict peaks, const double *restrict f, const uint8_t *restrict mask,
           float h, int64_t n)
{
  for (int64_t x = 0; x < n; x++) {
    level[x] = split_level (f[x], mask[x]);
    peaks[x] = level[x] - h;
  }
}

/* At the ends of rows, and above and below the image, a pixel is its own neighbor. */
VECTORISED static void
lower_row (float *restrict lower, const float *peaks, const float *up, const float *down, int64_t n)
{
  lower[0] = split_lowered (peaks[0], up[0], down[0], peaks[0], peaks[n > 1]);
  for (int64_t x = 1; x < n - 1; x++)
    lower[x] = split_lowered (peaks[x], up[x], down[x], peaks[x - 1], peaks[x + 1]);
  if (n > 1)
    lower[n - 1] = split_lowered (peaks[n - 1], up[n - 1], down[n - 1], peaks[n - 2], peaks[n - 1]);
}

VECTORISED static void
mark_row (uint8_t *restrict tops, const float *restrict peaks, const float *restrict lower, int64_t n)
{
  for (int64_t x = 0; x < n; x++)
    tops[x] = peaks[x] > lower[x] ? 255 : 0;
}

static void
widen (const fv_call *call, const void *arrays, int64_t z, int64_t y)
{
  const split_arrays *s = arrays;
  (void) call;
  WITH_TYPE (s->from->grid->type, widen, array_row (&s->wide.array, z, y), array_row (s->from, z, y),
             array_columns (s->mask))
}

static void
level (const fv_call *call, const void *arrays, int64_t z, int64_t y)
{
  const split_arrays *s = arrays;
  const fv_array *mask = s->mask;
  level_row (array_row (&s->level.array, z, y), array_row (&s->peaks.array, z, y), array_row (&s->smooth.array, z, y),
             array_row (mask, z, y), (float) ((const split_args *) call->args)->h, array_columns (mask));
}

static void
lower (const fv_call *call, const void *arrays, int64_t z, int64_t y)
{
  const split_arrays *s = arrays;
  const fv_array *peaks = &s->peaks.array;
  int64_t last = array_rows (peaks) - 1;
  (void) call;
  lower_row (array_row (&s->lower.array, z, y), array_row (peaks, z, y), array_row (peaks, z, y > 0 ? y - 1 : 0),
             array_row (peaks, z, y < last ? y + 1 : last), array_columns (peaks));
}

static void
mark (const fv_call *call, const void *arrays, int64_t z, int64_t y)
{
  const split_arrays *s = arrays;
  (void) call;
  mark_row (array_row (&s->tops.array, z, y), array_row (&s->peaks.array, z, y), array_row (&s->lower.array, z, y),
            array_columns (s->mask));
}

static fv_status
widen_cpu (const fv_call *call, const split_arrays *s, fv_error *error)
{
  return rows_of (call, &s->level.array, widen, s, error);
}

static fv_status
level_cpu (const fv_call *call, const split_arrays *s, fv_error *error)
{
  return rows_of (call, &s->level.array, level, s, error);
}

static fv_status
lower_cpu (const fv_call *call, const split_arrays *s, fv_error *error)
{
  return rows_of (call, &s->level.array, lower, s, error);
}

static fv_status
mark_cpu (const fv_call *call, const split_arrays *s, fv_error *error)
{
  return rows_of (call, &s->level.array, mark, s, error);
}

static fv_status
split_cpu (const fv_call *call, fv_error *error)
{
  const split_passes passes = {FV_CPU,         widen_cpu,         level_cpu,        lower_cpu,     mark_cpu,
                               split_near_cpu, split_heights_cpu, split_stairs_cpu, split_grow_cpu};
  bool done = false;
  fv_status status = split_islands_cpu (call, &passes, &done, error);
  return status || done ? status : split_run (call, &passes, error);
}

/* ---- The operation ---- */

static fv_grain
split_grain (const fv_op *op, const void *args)
{
  (void) op;
  return split_is_volume (args) ? FV_STACK : FV_PLANES;
}

static int64_t
split_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op;
  return split_chain_bytes (args, in);
}

static fv_status
split_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const split_args *a = args;
  const fv_grid *mask = in[SPLIT_MASK], *intensity = in[SPLIT_INTENSITY];
  (void) op;
  if (label_check_connectivity (a->connectivity, split_is_volume (a), error) || split_check_sigma (a, mask, error))
    return error->code;
  if (a->method == SPLIT_FLOODING && a->by == SPLIT_BY_INTENSITY && !intensity)
    return fail (error, FV_BAD_INPUT, "intensity",
                 "To split by intensity an image of it is needed; or use by=distance.");
  if (check_alike (intensity, "intensity", mask, "the mask", ALIKE, error))
    return error->code;
  out[0]->type = FV_I32;
  out[0]->role = FV_LABELS;
  out[0]->dense = !a->line && a->method == SPLIT_FLOODING;
  return FV_OK;
}

const fv_op fv_op_split = {
  FV_OP (split_args),
  .key = "split",
  .menu = "Process/Binary",
  .label = "Split Touching Objects...",
  .search = "watershed touching clumps declump separate cut binary nuclei cells",
  .imagej =
    (const fv_imagej[]){
      {.command = "Watershed", .args = "method=imagej", IMAGEJ_WORDS (IMAGEJ_STACK), IMAGEJ_MASK_WHOLE, .mask = true},
      {0}},
  .help = "Labels the objects of a mask, cut at the necks between their peaks of distance or intensity.",
  .cite = "P. Soille, Morphological Image Analysis, 2nd ed. (2003), 9.2",
  .kind = FV_GLOBAL,
  .reads_back = true, /* as the operations that it is made of */
  .inputs =
    (const fv_input[]){
      {"image", "Image", "A mask: every value but 0 and NaN is an object.", FV_U8 | FV_WANTS_MASK, false},
      {"intensity", "Intensity", "The image whose bright peaks are objects, with by=intensity; NaN counts as 0.",
       FV_ANY_TYPE, true},
      {0}},
  .outputs = (const fv_output[]){{"labels", "Labels"}, {0}},
  .scalars = (const fv_scalar[]){{"objects", "Objects", "How many objects there are.", FV_COLUMN_INTEGER}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (split_args, method), .label = "Method",
       .choices = (const fv_choice[]){{"flooding", "Flooding", "From each peak down to where objects meet."},
                                      {"imagej", "ImageJ's Watershed",
                                       "The same lines as ImageJ's, one pixel wide, by distances in each plane."},
                                      {0}},
       .help = "How objects are cut."},
      {FV_FIELD (split_args, by), .label = "Split by", .enabled = "method=flooding",
       .choices = (const fv_choice[]){{"distance", "Distance", "Peaks of the distance to the background."},
                                      {"intensity", "Intensity", "Peaks of an image."},
                                      {0}},
       .help = "Whose peaks become objects."},
      {FV_FIELD (split_args, sigma), .label = "Smoothing", .enabled = "method=flooding", .def = 1, .max = 1000,
       .soft_max = 10, .help = "Standard deviation of a Gaussian that smooths it before; 0: none."},
      {FV_FIELD (split_args, h), .label = "Least height of a peak", .def = 0.5, .min = 1e-9, .max = 1e9,
       .soft_min = 0.1, .soft_max = 10,
       .help = "How far a peak rises over the neck to a higher one, at least, to be an object of its own; 0: every "
               "peak is one."},
      {FV_FIELD (split_args, line), .label = "Line between objects", .enabled = "method=flooding",
       .help = "Leaves a line of zeros one pixel wide where objects touch."},
      {FV_FIELD (split_args, units), .label = "Units", .advanced = true, .enabled = "method=flooding",
       .choices = (const fv_choice[]){{"pixel", "Pixels", "A pixel is one long, high and deep."},
                                      {"physical", "Scaled units", "A pixel is as large as the image says."},
                                      {0}},
       .help = "Whether distances and smoothing count pixels or are lengths in the image's unit."},
      {FV_FIELD (split_args, connectivity), .label = "Connectivity", .advanced = true, .choices = label_connectivities,
       .help = "How many neighbors of a pixel are connected to it."},
      {FV_FIELD (split_args, volume), .label = "3-D (whole stack)", .enabled = "method=flooding",
       .help = "Takes the planes as one volume and splits objects across them."},
      {0}},
  .grain = split_grain,
  .infer = split_infer,
  .scratch = split_scratch,
  .run = {[FV_CPU] = split_cpu, [FV_CUDA] = FV_CUDA_FN (split_cuda)},
  .part = FV_PART_ALIKE,
};
