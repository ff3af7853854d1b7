/* SPDX-License-Identifier: MIT
 *
 * split: a chain of other operations, distance or nothing, gaussian, reconstruct_grey, label and watershed, with two passes over the
 * pixels between them.
 */
#include "kernels/label/split.h"

#include "kernels/common/inner_call.h"
#include "kernels/filters/gaussian.h"
#include "kernels/morphology/distance.h"

extern const fv_op fv_op_distance, fv_op_gaussian, fv_op_watershed;

/* ---- The passes ---- */

static fv_status
lower_cpu (const fv_call *call, const split_arrays *s, fv_error *error)
{
  const split_args *a = call->args;
  bool wide = s->level.grid->type == FV_F64;
  int64_t n = array_columns (&s->level);
  progress p = {call, .total = array_planes (&s->level) * array_rows (&s->level)};
#pragma omp parallel for collapse(2) schedule(static, 16)
  for (int64_t z = 0; z < array_planes (&s->level); z++)
    for (int64_t y = 0; y < array_rows (&s->level); y++) {
      const uint8_t *mask = array_row (call->inputs[SPLIT_MASK], z, y);
      void *level = array_row (&s->level, z, y), *below = array_row (&s->below, z, y);
      if (progress_stopped (&p))
        continue;
      for (int64_t x = 0; x < n; x++) {
        double v = split_level (pixel_get (level, s->level.grid->type, x), mask[x]), low = split_below (v, a->h, wide);
        if (wide)
          ((double *) level)[x] = v, ((double *) below)[x] = low;
        else
          ((float *) level)[x] = (float) v, ((float *) below)[x] = (float) low;
      }
      progress_step (&p, 1);
    }
  return p.stop ? cancelled (error) : FV_OK;
}

static fv_status
tops_cpu (const fv_call *call, const split_arrays *s, fv_error *error)
{
  const split_args *a = call->args;
  fv_type type = s->level.grid->type;
  int64_t n = array_columns (&s->level);
  progress p = {call, .total = array_planes (&s->level) * array_rows (&s->level)};
#pragma omp parallel for collapse(2) schedule(static, 16)
  for (int64_t z = 0; z < array_planes (&s->level); z++)
    for (int64_t y = 0; y < array_rows (&s->level); y++) {
      const void *level = array_row (&s->level, z, y), *below = array_row (&s->below, z, y);
      uint8_t *tops = array_row (&s->tops, z, y);
      if (progress_stopped (&p))
        continue;
      for (int64_t x = 0; x < n; x++)
        tops[x] = pixel_get (level, type, x) - pixel_get (below, type, x) >= a->h ? 255 : 0;
      progress_step (&p, 1);
    }
  return p.stop ? cancelled (error) : FV_OK;
}

/* ---- The chain ---- */

/* An array of the mask's size on the device, without gaps. */
static fv_status
make_array (const fv_call *call, fv_type type, fv_role role, fv_grid *grid, int64_t strides[3], fv_array *to, fv_error *error)
{
  const fv_array *mask = call->inputs[SPLIT_MASK];
  static const DLDataType u8 = {kDLUInt, 8, 1}, i32 = {kDLInt, 32, 1}, f32 = {kDLFloat, 32, 1}, f64 = {kDLFloat, 64, 1};
  *grid = *mask->grid;
  grid->type = type;
  grid->role = role;
  strides[0] = array_rows (mask) * array_columns (mask);
  strides[1] = array_columns (mask);
  strides[2] = 1;
  *to = (fv_array){mask->size, grid, mask->tensor};
  to->tensor.dtype = type == FV_U8 ? u8 : type == FV_I32 ? i32 : type == FV_F32 ? f32 : f64;
  to->tensor.strides = strides;
  return call->host->scratch (call, (size_t) (array_planes (mask) * strides[0]) * type_bytes (type), &to->tensor.data,
                              error);
}

/* What is flooded, smoothed; `below` is used on the way. */
static fv_status
find_level (const fv_call *call, fv_device_kind kind, const split_arrays *s, fv_error *error)
{
  const split_args *a = call->args;
  const distance_args distance = {.volume = a->volume};
  const gaussian_args smooth = {.sigma = {1, {a->sigma, 0, 0}}, .truncate = 4, .volume = a->volume};
  const fv_array *from = call->inputs[SPLIT_INTENSITY];
  if (a->by == SPLIT_DISTANCE) {
    fv_status status = run_inner (call, kind, &fv_op_distance, &distance, call->inputs,
                                  (const fv_array *[]){&s->below}, NULL, error);
    if (status)
      return status;
    from = &s->below;
  }
  return run_inner (call, kind, &fv_op_gaussian, &smooth, &from, (const fv_array *[]){&s->level}, NULL, error);
}

static fv_status
find_markers (const fv_call *call, fv_device_kind kind, const split_arrays *s, split_pass *lower, split_pass *tops,
              fv_error *error)
{
  const split_args *a = call->args;
  const reconstruct_grey_args under = {RECONSTRUCT_BY_DILATION, a->connectivity, a->volume};
  const label_args number = {.connectivity = a->connectivity, .volume = a->volume};
  fv_status status = lower (call, s, error);
  if (!status)
    status = run_inner (call, kind, &fv_op_reconstruct_grey, &under, (const fv_array *[]){&s->below, &s->level},
                        (const fv_array *[]){&s->below}, NULL, error);
  if (!status)
    status = tops (call, s, error);
  return status ? status
                : run_inner (call, kind, &fv_op_label, &number, (const fv_array *[]){&s->tops},
                             (const fv_array *[]){&s->markers}, call->scalars, error);
}

fv_status
split_run (const fv_call *call, fv_device_kind kind, split_pass *lower, split_pass *tops, fv_error *error)
{
  const split_args *a = call->args;
  const watershed_args flood = {a->connectivity, true, a->line, a->volume};
  bool wide = a->by == SPLIT_BY_INTENSITY && call->inputs[SPLIT_INTENSITY]->grid->type == FV_F64;
  fv_type type = wide ? FV_F64 : FV_F32;
  fv_grid grids[4];
  int64_t strides[4][3];
  split_arrays s;
  fv_status status = make_array (call, type, FV_IMAGE, &grids[0], strides[0], &s.level, error);
  if (status || (status = make_array (call, type, FV_IMAGE, &grids[1], strides[1], &s.below, error))
      || (status = make_array (call, FV_U8, FV_MASK, &grids[2], strides[2], &s.tops, error))
      || (status = make_array (call, FV_I32, FV_LABELS, &grids[3], strides[3], &s.markers, error))
      || (status = find_level (call, kind, &s, error))
      || (status = find_markers (call, kind, &s, lower, tops, error)))
    return status;
  return run_inner (call, kind, &fv_op_watershed, &flood, (const fv_array *[]){&s.level, &s.markers, NULL},
                    call->outputs, NULL, error);
}

static fv_status
split_cpu (const fv_call *call, fv_error *error)
{
  return split_run (call, FV_CPU, lower_cpu, tops_cpu, error);
}

/* ---- The operation ---- */

static fv_grain
split_grain (const fv_op *op, const void *args)
{
  (void) op;
  return ((const split_args *) args)->volume ? FV_STACK : FV_PLANES;
}

static int64_t
bytes_of (const fv_op *op, const void *args, const fv_grid *const *in)
{
  return op->scratch ? op->scratch (op, args, in) : 0;
}

/* Its arrays, and what each link of the chain takes. */
static int64_t
split_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const split_args *a = args;
  const gaussian_args smooth = {.sigma = {1, {a->sigma, 0, 0}}, .truncate = 4, .volume = a->volume};
  const reconstruct_grey_args under = {RECONSTRUCT_BY_DILATION, a->connectivity, a->volume};
  const label_args number = {.connectivity = a->connectivity, .volume = a->volume};
  const watershed_args flood = {a->connectivity, true, a->line, a->volume};
  const fv_grid *intensity = a->by == SPLIT_BY_INTENSITY ? in[SPLIT_INTENSITY] : NULL;
  fv_grid level = *in[SPLIT_MASK];
  const fv_grid *levels[] = {&level, &level, NULL}, *smoothed[] = {intensity ? intensity : &level};
  level.type = intensity && intensity->type == FV_F64 ? FV_F64 : FV_F32;
  level.role = FV_IMAGE;
  (void) op;
  return level.shape[0] * level.shape[1] * level.shape[2] * (int64_t) (2 * type_bytes (level.type) + 1 + 4)
         + bytes_of (&fv_op_gaussian, &smooth, smoothed) + bytes_of (&fv_op_reconstruct_grey, &under, levels)
         + bytes_of (&fv_op_label, &number, in) + bytes_of (&fv_op_watershed, &flood, levels);
}

static fv_status
split_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const split_args *a = args;
  const fv_grid *mask = in[SPLIT_MASK], *intensity = in[SPLIT_INTENSITY];
  (void) op;
  if (label_check_connectivity (a->connectivity, a->volume, error))
    return error->code;
  if (a->by == SPLIT_BY_INTENSITY && !intensity)
    return fail (error, FV_BAD_INPUT, "intensity", "To split by intensity an image of it is needed; or use by=distance.");
  if (intensity && memcmp (intensity->shape, mask->shape, sizeof mask->shape))
    return fail (error, FV_BAD_INPUT, "intensity", "The image is %lld x %lld x %lld, the mask is %lld x %lld x %lld.",
                 (long long) intensity->shape[2], (long long) intensity->shape[1], (long long) intensity->shape[0],
                 (long long) mask->shape[2], (long long) mask->shape[1], (long long) mask->shape[0]);
  out[0]->type = FV_I32;
  out[0]->role = FV_LABELS;
  out[0]->dense = !a->line;
  return FV_OK;
}

const fv_op fv_op_split = {
  FV_OP (split_args),
  .key = "split",
  .menu = "Process/Binary",
  .label = "Split Touching Objects...",
  .help = "Labels the objects of a mask, cut at the necks between their peaks of distance or intensity (NaN counts as 0).",
  .kind = FV_GLOBAL,
  .reads_back = true, /* as the operations that it is made of */
  .inputs =
    (const fv_input[]){
      {"image", "Image", "A mask: every value but 0 and NaN is an object.", FV_U8 | FV_WANTS_MASK, false},
      {"intensity", "Intensity", "The image whose bright peaks are objects, with by=intensity.", FV_ANY_TYPE, true},
      {0}},
  .outputs = (const fv_output[]){{"labels", "Labels"}, {0}},
  .scalars = (const fv_scalar[]){{"objects", "Objects", "How many objects there are.", FV_COLUMN_INTEGER}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (split_args, by), .label = "Split by",
       .choices = (const fv_choice[]){{"distance", "Distance", "Peaks of the distance to the background."},
                                      {"intensity", "Intensity", "Peaks of an image."},
                                      {0}},
       .help = "Of what a peak makes an object."},
      {FV_FIELD (split_args, sigma), .label = "Smoothing", .unit = FV_PIXELS, .def = 1, .max = 1000, .soft_max = 10,
       .help = "Standard deviation of a Gaussian that smooths it before; 0: none."},
      {FV_FIELD (split_args, h), .label = "Least height of a peak", .def = 0.5, .max = 1e9, .soft_max = 10,
       .help = "How far a peak rises over the neck to a higher one, at least, to be an object of its own."},
      {FV_FIELD (split_args, line), .label = "Line between objects",
       .help = "Leaves a line of zeros one pixel wide where objects touch."},
      {FV_FIELD (split_args, connectivity), .label = "Connectivity", .advanced = true,
       .choices = label_connectivities,
       .help = "How many neighbors of a pixel are connected to it."},
      {FV_FIELD (split_args, volume), .label = "3-D (whole stack)",
       .help = "Takes the planes as one volume and splits objects across them."},
      {0}},
  .grain = split_grain,
  .infer = split_infer,
  .scratch = split_scratch,
  .run = {[FV_CPU] = split_cpu, [FV_CUDA] = FV_CUDA_FN (split_cuda)},
  .part = FV_PART_ALIKE,
};
