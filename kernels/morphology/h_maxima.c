/* SPDX-License-Identifier: MIT
 *
 * h_maxima: the lowered image is made and reconstructed in one array of scratch, by the operation reconstruct_grey.
 */
#include "kernels/morphology/h_maxima.h"

#include "kernels/common/inner_call.h"
#include "kernels/morphology/pieces.h"

/* ---- The array below the image ---- */

static reconstruct_grey_args
inner_args (const h_maxima_args *a)
{
  return (reconstruct_grey_args){RECONSTRUCT_BY_DILATION, a->connectivity, a->volume};
}

static int64_t
below_bytes (const fv_grid *image)
{
  return (image->shape[0] * image->shape[1] * image->shape[2] * (int64_t) type_bytes (image->type) + 7) / 8 * 8;
}

int64_t
h_maxima_groups (const fv_call *call)
{
  return ((const h_maxima_args *) call->args)->volume ? 1 : array_planes (call->inputs[0]);
}

fv_status
h_maxima_room (const fv_call *call, scratch_image *below, void **spans, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  void *memory;
  fv_status status =
    call->host->scratch (call, (size_t) (below_bytes (in->grid) + h_maxima_groups (call) * 16), &memory, error);
  if (status)
    return status;
  scratch_image_like (below, in, in->grid->type, in->grid->role, memory);
  *spans = (char *) memory + below_bytes (in->grid);
  return FV_OK;
}

fv_status
h_maxima_reconstruct (const fv_call *call, fv_device_kind kind, const scratch_image *below, fv_error *error)
{
  const reconstruct_grey_args args = inner_args (call->args);
  return run_inner (call, kind, &fv_op_reconstruct_grey, &args, (const fv_array *[]){&below->array, call->inputs[0]},
                    (const fv_array *[]){&below->array}, NULL, error);
}

/* ---- Rows ---- */

#define DEFINE_ROWS(NAME, T, LEAST, MOST)                                                                              \
  VECTORISED static void lower_##NAME (T *restrict to, const T *restrict from, double h, int64_t n)                    \
  {                                                                                                                    \
    for (int64_t x = 0; x < n; x++)                                                                                    \
      to[x] = h_maxima_lower_##NAME (from[x], h);                                                                      \
  }                                                                                                                    \
                                                                                                                       \
  VECTORISED static void tops_##NAME (uint8_t *restrict to, const T *restrict from, const T *restrict below, double h, \
                                      int64_t n)                                                                       \
  {                                                                                                                    \
    for (int64_t x = 0; x < n; x++)                                                                                    \
      to[x] = h_maxima_is_top_##NAME (from[x], below[x], h) ? 255 : 0;                                                 \
  }                                                                                                                    \
                                                                                                                       \
  VECTORISED static void span_##NAME (const T *from, int64_t n, double *least, double *most)                           \
  {                                                                                                                    \
    T low = (MOST), high = (LEAST);                                                                                    \
    for (int64_t x = 0; x < n; x++) {                                                                                  \
      low = from[x] < low ? from[x] : low;                                                                             \
      high = from[x] > high ? from[x] : high;                                                                          \
    }                                                                                                                  \
    *least = (double) low;                                                                                             \
    *most = (double) high;                                                                                             \
  }
DEFINE_ROWS (u8, uint8_t, 0, UINT8_MAX)
DEFINE_ROWS (u16, uint16_t, 0, UINT16_MAX)
DEFINE_ROWS (i32, int32_t, INT32_MIN, INT32_MAX)
DEFINE_ROWS (f32, float, -INFINITY, INFINITY)
DEFINE_ROWS (f64, double, -INFINITY, INFINITY)

/* ---- The operation ---- */

/* What the CPU version knows. A group is a plane, or the volume. */
typedef struct h_work {
  const fv_call *call;
  const h_maxima_args *args;
  scratch_image below;
  bool *flat; /* [groups]: no peaks */
  int64_t groups, rows, columns;
  progress p;
} h_work;

/* The image below, and the groups that are flat. */
static fv_status
lower (h_work *w, fv_error *error)
{
  const fv_array *in = w->call->inputs[0];
  const fv_type type = in->grid->type;
  const double h = w->args->h;
  int64_t lines = array_planes (in) * w->rows, each = lines / w->groups;
  for (int64_t group = 0; group < w->groups; group++) {
    double least = INFINITY, most = -INFINITY;
#pragma omp parallel for schedule(static, 64) reduction(min : least) reduction(max : most)
    for (int64_t i = group * each; i < (group + 1) * each; i++) {
      const void *from = array_row (in, i / w->rows, i % w->rows);
      void *to = array_row (&w->below.array, i / w->rows, i % w->rows);
      double low, high;
      if (progress_stopped (&w->p))
        continue;
      WITH_TYPE (type, lower, to, from, h, w->columns)
      WITH_TYPE (type, span, from, w->columns, &low, &high)
      least = low < least ? low : least;
      most = high > most ? high : most;
      progress_step (&w->p, 1);
    }
    w->flat[group] = h_maxima_is_flat (type, least, most, h);
  }
  return w->p.stop ? cancelled (error) : FV_OK;
}

static fv_status
find_tops (h_work *w, fv_error *error)
{
  const fv_array *in = w->call->inputs[0], *out = w->call->outputs[0];
  int64_t lines = array_planes (in) * w->rows, each = lines / w->groups;
#pragma omp parallel for schedule(static, 64)
  for (int64_t i = 0; i < lines; i++) {
    int64_t z = i / w->rows, y = i % w->rows;
    void *to = array_row (out, z, y);
    if (progress_stopped (&w->p))
      continue;
    if (w->flat[i / each])
      memset (to, 0, (size_t) w->columns);
    else
      WITH_TYPE (in->grid->type, tops, to, array_row (in, z, y), array_row (&w->below.array, z, y), w->args->h,
                 w->columns)
    progress_step (&w->p, 1);
  }
  return w->p.stop ? cancelled (error) : FV_OK;
}

static fv_status
h_maxima_cpu (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  void *memory;
  h_work w = {.call = call,
              .args = call->args,
              .groups = h_maxima_groups (call),
              .rows = array_rows (in),
              .columns = array_columns (in),
              .p = {call, .total = 2 * array_planes (in) * array_rows (in)}};
  fv_status status = h_maxima_room (call, &w.below, &memory, error);
  w.flat = memory;
  if (!status)
    status = lower (&w, error);
  if (!status)
    status = h_maxima_reconstruct (call, FV_CPU, &w.below, error);
  return status ? status : find_tops (&w, error);
}

static fv_grain
h_maxima_grain (const fv_op *op, const void *args)
{
  reconstruct_grey_args inner = inner_args (args);
  (void) op;
  return fv_op_reconstruct_grey.grain (&fv_op_reconstruct_grey, &inner);
}

static int64_t
h_maxima_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  reconstruct_grey_args inner = inner_args (args);
  (void) op;
  return below_bytes (in[0]) + fv_op_reconstruct_grey.scratch (&fv_op_reconstruct_grey, &inner, in);
}

static fv_status
h_maxima_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const h_maxima_args *a = args;
  const label_args neighbors = {.connectivity = a->connectivity, .volume = a->volume};
  (void) op;
  out[0]->type = FV_U8;
  out[0]->role = FV_MASK;
  out[0]->dense = false;
  return pieces_check (&neighbors, in, out[0], error);
}

const fv_op fv_op_h_maxima = {
  FV_OP (h_maxima_args),
  .key = "h_maxima",
  .menu = "Process/Binary",
  .label = "H-Maxima...",
  .search = "peaks local maxima spots markers seeds find points prominence",
  .help = "Marks the tops of peaks that rise by at least h above what joins them to a higher one; NaN and infinity are "
          "no peaks.",
  .cite = "P. Soille, Morphological Image Analysis, 2nd edition, Springer 2003, chapter 6",
  .kind = FV_GLOBAL,
  .reads_back = true, /* as reconstruct_grey */
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Mask"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (h_maxima_args, h), .label = "H", .min = 1e-12, .max = 1e12, .soft_min = 1, .soft_max = 100,
       .scale = FV_LOG, .def = 10, .help = "How far a peak must rise at least, in gray levels."},
      {FV_FIELD (h_maxima_args, connectivity), .label = "Connectivity", .advanced = true,
       .choices = label_connectivities, .help = "How many neighbors of a pixel are connected to it."},
      {FV_FIELD (h_maxima_args, volume), .label = "3-D (whole stack)", .help = "Takes the planes as one volume."},
      {0}},
  .grain = h_maxima_grain,
  .infer = h_maxima_infer,
  .scratch = h_maxima_scratch,
  .values = FV_VALUES_SAME,
  .run = {[FV_CPU] = h_maxima_cpu, [FV_CUDA] = FV_CUDA_FN (h_maxima_cuda)},
  .part = FV_PART_ALIKE,
};
