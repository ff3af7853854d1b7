/* SPDX-License-Identifier: MIT
 *
 * split: a chain of other operations, distance or nothing, gaussian, reconstruct_grey, label and watershed, with four passes over the
 * pixels between them; by ImageJ reconstruct_grey and label, with what split_imagej.c has.
 */
#include "kernels/objects/split_imagej.h"

#include "kernels/common/inner_call.h"
#include "kernels/filters/gaussian_args.h"
#include "kernels/morphology/distance.h"
#include "kernels/objects/split_islands.h"

extern const fv_op fv_op_distance, fv_op_gaussian, fv_op_watershed;

enum { PIXEL_BYTES = 16 }; /* of scratch, for its arrays */

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

/* At the ends of rows, and above and below the image, a pixel is its own neighbour. */
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

/* A row of the plane z. */
typedef void row_pass (const fv_call *call, const split_arrays *s, int64_t z, int64_t y);

static void
widen (const fv_call *call, const split_arrays *s, int64_t z, int64_t y)
{
  (void) call;
  WITH_TYPE (s->from->grid->type, widen, array_row (&s->wide.array, z, y), array_row (s->from, z, y),
             array_columns (s->mask))
}

static void
level (const fv_call *call, const split_arrays *s, int64_t z, int64_t y)
{
  const fv_array *mask = s->mask;
  level_row (array_row (&s->level.array, z, y), array_row (&s->peaks.array, z, y), array_row (&s->smooth.array, z, y),
             array_row (mask, z, y), (float) ((const split_args *) call->args)->h, array_columns (mask));
}

static void
lower (const fv_call *call, const split_arrays *s, int64_t z, int64_t y)
{
  const fv_array *peaks = &s->peaks.array;
  int64_t last = array_rows (peaks) - 1;
  (void) call;
  lower_row (array_row (&s->lower.array, z, y), array_row (peaks, z, y), array_row (peaks, z, y > 0 ? y - 1 : 0),
             array_row (peaks, z, y < last ? y + 1 : last), array_columns (peaks));
}

static void
mark (const fv_call *call, const split_arrays *s, int64_t z, int64_t y)
{
  (void) call;
  mark_row (array_row (&s->tops.array, z, y), array_row (&s->peaks.array, z, y), array_row (&s->lower.array, z, y),
            array_columns (s->mask));
}

static fv_status
each_row (const fv_call *call, const split_arrays *s, row_pass *pass, fv_error *error)
{
  int64_t planes = array_planes (&s->level.array), rows = array_rows (&s->level.array);
  progress p = {call, .total = planes * rows};
#pragma omp parallel for collapse(2) schedule(static, 16)
  for (int64_t z = 0; z < planes; z++)
    for (int64_t y = 0; y < rows; y++) {
      if (progress_stopped (&p))
        continue;
      pass (call, s, z, y);
      progress_step (&p, 1);
    }
  return p.stop ? cancelled (error) : FV_OK;
}

static fv_status
widen_cpu (const fv_call *call, const split_arrays *s, fv_error *error)
{
  return each_row (call, s, widen, error);
}

static fv_status
level_cpu (const fv_call *call, const split_arrays *s, fv_error *error)
{
  return each_row (call, s, level, error);
}

static fv_status
lower_cpu (const fv_call *call, const split_arrays *s, fv_error *error)
{
  return each_row (call, s, lower, error);
}

static fv_status
mark_cpu (const fv_call *call, const split_arrays *s, fv_error *error)
{
  return each_row (call, s, mark, error);
}

/* ---- The chain ---- */

/* What the operations of the chain are asked for. */
typedef struct links {
  distance_args distance;
  gaussian_args smooth;
  reconstruct_grey_args under;
  label_args number;
  watershed_args flood;
} links;

/* ImageJ knows planes. */
static bool
is_volume (const split_args *a)
{
  return a->method == SPLIT_FLOODING && a->volume;
}

static links
links_of (const split_args *a)
{
  return (links){
    .distance = {.metric = DISTANCE_EUCLIDEAN, .units = a->units, .volume = a->volume},
    .smooth =
      {.sigma = {1, {a->sigma, 0, 0}}, .units = a->units, .truncate = 4, .border = SPLIT_BORDER, .volume = a->volume},
    .under = {RECONSTRUCT_BY_DILATION, a->method == SPLIT_IMAGEJ ? LABEL_8 : a->connectivity, is_volume (a)},
    .number = {.connectivity = a->connectivity, .volume = is_volume (a)},
    .flood = {.connectivity = a->connectivity, .invert = true, .line = a->line, .volume = a->volume},
  };
}

void
split_lay_out (split_array *to, const fv_array *mask, fv_type type, fv_role role, void *memory)
{
  static const DLDataType types[] = {[FV_U8] = {kDLUInt, 8, 1},
                                     [FV_U16] = {kDLUInt, 16, 1},
                                     [FV_I32] = {kDLInt, 32, 1},
                                     [FV_F32] = {kDLFloat, 32, 1},
                                     [FV_F64] = {kDLFloat, 64, 1}};
  to->grid = *mask->grid;
  memcpy (to->grid.shape, mask->tensor.shape, sizeof to->grid.shape);
  to->grid.type = type;
  to->grid.role = role;
  to->strides[0] = array_rows (mask) * array_columns (mask);
  to->strides[1] = array_columns (mask);
  to->strides[2] = 1;
  to->array = (fv_array){mask->size, &to->grid, mask->tensor};
  to->array.tensor.data = memory;
  to->array.tensor.byte_offset = 0;
  to->array.tensor.dtype = types[type];
  to->array.tensor.strides = to->strides;
}

/* Two halves of scratch: wide, then level and peaks; distance, then smooth, then lower, then markers, with tops beside these two. By ImageJ: level, then
 * tops, and peaks, then stairs and seeds; distance and lower, then what is spare. */
static fv_status
make_arrays (const fv_call *call, const fv_array *mask, split_arrays *s, fv_error *error)
{
  size_t pixels = (size_t) (array_planes (mask) * array_rows (mask) * array_columns (mask));
  char *first, *second;
  fv_status status = call->host->scratch (call, pixels * PIXEL_BYTES, (void **) &first, error);
  if (status)
    return status;
  second = first + pixels * sizeof (double);
  s->mask = mask;
  split_lay_out (&s->wide, mask, FV_F64, FV_IMAGE, first);
  split_lay_out (&s->level, mask, FV_F32, FV_IMAGE, first);
  split_lay_out (&s->peaks, mask, FV_F32, FV_IMAGE, first + pixels * sizeof (float));
  split_lay_out (&s->distance, mask, FV_F32, FV_IMAGE, second);
  split_lay_out (&s->smooth, mask, FV_F64, FV_IMAGE, second);
  split_lay_out (&s->lower, mask, FV_F32, FV_IMAGE, second);
  split_lay_out (&s->markers, mask, FV_I32, FV_LABELS, second);
  split_lay_out (&s->tops, mask, FV_U8, FV_MASK, second + pixels * sizeof (int32_t));
  if (((const split_args *) call->args)->method == SPLIT_FLOODING)
    return FV_OK;
  split_lay_out (&s->lower, mask, FV_F32, FV_IMAGE, second + pixels * sizeof (float));
  split_lay_out (&s->tops, mask, FV_U8, FV_IMAGE, first);
  split_lay_out (&s->stairs, mask, FV_U8, FV_IMAGE, first + pixels * sizeof (float));
  split_lay_out (&s->seeds, mask, FV_U8, FV_IMAGE, first + pixels * (sizeof (float) + 1));
  s->spare = second;
  return call->host->scratch (call, (size_t) array_planes (mask) * sizeof *s->most, (void **) &s->most, error);
}

fv_status
split_distance (const fv_call *call, fv_device_kind kind, const split_array *to, fv_error *error)
{
  const links link = links_of (call->args);
  const fv_array *distance = &to->array;
  return run_inner (call, kind, &fv_op_distance, &link.distance, call->inputs, &distance, NULL, error);
}

int64_t
split_reach (const split_args *a, const fv_grid *mask, int axis)
{
  const links link = links_of (a);
  return gaussian_radius (&link.smooth, mask, axis);
}

/* level and peaks, of s->from. */
static fv_status
find_levels (const fv_call *call, const split_passes *passes, const links *link, split_arrays *s, fv_error *error)
{
  const fv_array *wide = &s->wide.array, *smooth = &s->smooth.array;
  fv_status status = passes->widen (call, s, error);
  if (!status)
    status = run_inner (call, passes->kind, &fv_op_gaussian, &link->smooth, &wide, &smooth, NULL, error);
  return status ? status : passes->level (call, s, error);
}

/* `seed` becomes its reconstruction under `limit`. */
static fv_status
reconstruct (const fv_call *call, fv_device_kind kind, const links *link, const split_array *seed,
             const split_array *limit, fv_error *error)
{
  const fv_array *arrays[] = {&seed->array, &limit->array};
  return run_inner (call, kind, &fv_op_reconstruct_grey, &link->under, arrays, arrays, NULL, error);
}

/* tops, of level and peaks. */
static fv_status
find_tops (const fv_call *call, const split_passes *passes, const links *link, const split_arrays *s, fv_error *error)
{
  fv_status status = reconstruct (call, passes->kind, link, &s->peaks, &s->level, error);
  if (!status)
    status = passes->lower (call, s, error);
  if (!status)
    status = reconstruct (call, passes->kind, link, &s->lower, &s->peaks, error);
  return status ? status : passes->mark (call, s, error);
}

fv_status
split_flood (const fv_call *call, const split_passes *passes, const split_work *work, split_arrays *s, fv_error *error)
{
  const links link = links_of (call->args);
  const fv_array *tops = &s->tops.array, *markers = &s->markers.array;
  const fv_array *flooded[] = {&s->level.array, markers, NULL};
  fv_status status = make_arrays (call, work->mask, s, error);
  s->from = work->from ? work->from : &s->distance.array;
  if (!status && !work->from)
    status = split_distance (call, passes->kind, &s->distance, error);
  if (!status)
    status = find_levels (call, passes, &link, s, error);
  if (!status)
    status = find_tops (call, passes, &link, s, error);
  if (!status)
    status = run_inner (call, passes->kind, &fv_op_label, &link.number, &tops, &markers, call->scalars, error);
  return status ? status
                : run_inner (call, passes->kind, &fv_op_watershed, &link.flood, flooded, &work->labels, NULL, error);
}

static fv_status
cut_as_imagej (const fv_call *call, const split_passes *passes, fv_error *error)
{
  const links link = links_of (call->args);
  split_arrays s;
  const fv_array *taken = &s.stairs.array;
  fv_status status = make_arrays (call, call->inputs[SPLIT_MASK], &s, error);
  if (!status)
    status = passes->near (call, &s, error);
  if (!status)
    status = passes->heights (call, &s, error);
  if (!status)
    status = find_tops (call, passes, &link, &s, error);
  if (!status)
    status = passes->stairs (call, &s, error);
  if (!status)
    status = reconstruct (call, passes->kind, &link, &s.seeds, &s.stairs, error);
  if (!status)
    status = passes->grow (call, &s, error);
  return status
           ? status
           : run_inner (call, passes->kind, &fv_op_label, &link.number, &taken, call->outputs, call->scalars, error);
}

fv_status
split_run (const fv_call *call, const split_passes *passes, fv_error *error)
{
  const split_args *a = call->args;
  const split_work whole = {call->inputs[SPLIT_MASK], a->by == SPLIT_BY_DISTANCE ? NULL : call->inputs[SPLIT_INTENSITY],
                            call->outputs[0]};
  split_arrays s;
  return a->method == SPLIT_IMAGEJ ? cut_as_imagej (call, passes, error)
                                   : split_flood (call, passes, &whole, &s, error);
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
  return is_volume (args) ? FV_STACK : FV_PLANES;
}

static int64_t
bytes_of (const fv_op *op, const void *args, const fv_grid *const *in)
{
  return op->scratch ? op->scratch (op, args, in) : 0;
}

/* What only flooding takes, or only ImageJ's way. */
static int64_t
method_bytes (const split_args *a, const links *link, const fv_grid *const *in)
{
  fv_grid level = *in[SPLIT_MASK], wide = level;
  const fv_grid *levels[] = {&level, &level, NULL}, *smoothed = &wide;
  level.role = wide.role = FV_IMAGE;
  if (a->method == SPLIT_IMAGEJ)
    return bytes_of (&fv_op_reconstruct_grey, &link->under, levels);
  level.type = FV_F32;
  wide.type = FV_F64;
  return bytes_of (&fv_op_distance, &link->distance, in) + bytes_of (&fv_op_gaussian, &link->smooth, &smoothed)
         + bytes_of (&fv_op_watershed, &link->flood, levels);
}

/* Its arrays, and what each link of the chain takes. */
static int64_t
split_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const links link = links_of (args);
  fv_grid level = *in[SPLIT_MASK];
  const fv_grid *levels[] = {&level, &level, NULL};
  (void) op;
  level.type = FV_F32;
  level.role = FV_IMAGE;
  return level.shape[0] * level.shape[1] * level.shape[2] * PIXEL_BYTES + method_bytes (args, &link, in)
         + 2 * bytes_of (&fv_op_reconstruct_grey, &link.under, levels) + bytes_of (&fv_op_label, &link.number, in);
}

/* Whether the image can be smoothed so far. */
static fv_status
check_sigma (const split_args *a, const fv_grid *mask, fv_error *error)
{
  const links link = links_of (a);
  fv_grid wide = *mask, smooth = *mask;
  const fv_grid *in = &wide;
  fv_grid *out = &smooth;
  wide.type = FV_F64;
  return fv_op_gaussian.infer (&fv_op_gaussian, &link.smooth, &in, &out, error);
}

static fv_status
split_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const split_args *a = args;
  const fv_grid *mask = in[SPLIT_MASK], *intensity = in[SPLIT_INTENSITY];
  (void) op;
  if (label_check_connectivity (a->connectivity, is_volume (a), error) || check_sigma (a, mask, error))
    return error->code;
  if (a->method == SPLIT_FLOODING && a->by == SPLIT_BY_INTENSITY && !intensity)
    return fail (error, FV_BAD_INPUT, "intensity",
                 "To split by intensity an image of it is needed; or use by=distance.");
  if (intensity && memcmp (intensity->shape, mask->shape, sizeof mask->shape))
    return fail (error, FV_BAD_INPUT, "intensity", "The image is %lld x %lld x %lld, the mask is %lld x %lld x %lld.",
                 (long long) intensity->shape[2], (long long) intensity->shape[1], (long long) intensity->shape[0],
                 (long long) mask->shape[2], (long long) mask->shape[1], (long long) mask->shape[0]);
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
       .choices = (const fv_choice[]){{"flooding", "Flooding", "From each peak down, to where objects meet."},
                                      {"imagej", "ImageJ's Watershed",
                                       "The same lines as ImageJ's, one pixel wide, by distances in each plane."},
                                      {0}},
       .help = "How objects are cut."},
      {FV_FIELD (split_args, by), .label = "Split by", .enabled = "method=flooding",
       .choices = (const fv_choice[]){{"distance", "Distance", "Peaks of the distance to the background."},
                                      {"intensity", "Intensity", "Peaks of an image."},
                                      {0}},
       .help = "Of what a peak makes an object."},
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
