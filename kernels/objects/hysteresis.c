/* SPDX-License-Identifier: MIT
 *
 * hysteresis: the output first holds the pixels above low, in which the operation label finds objects; those with a pixel above high are marked.
 */
#include "kernels/objects/hysteresis.h"
#include "kernels/common/rows.h"

#define DEFINE_ABOVE(NAME, T)                                                                                          \
  VECTORISED static void above_##NAME (uint8_t *restrict to, const T *restrict v, int64_t n, double low)               \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      to[i] = (double) v[i] > low ? 255 : 0;                                                                           \
  }                                                                                                                    \
                                                                                                                       \
  static void mark_##NAME (uint8_t *marks, const int32_t *labels, const T *v, int64_t n, double high)                  \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      if ((double) v[i] > high)                                                                                        \
        __atomic_store_n (&marks[labels[i]], 255, __ATOMIC_RELAXED);                                                   \
  }
DEFINE_ABOVE (u8, uint8_t)
DEFINE_ABOVE (u16, uint16_t)
DEFINE_ABOVE (i32, int32_t)
DEFINE_ABOVE (f32, float)
DEFINE_ABOVE (f64, double)

static void
keep_marked (uint8_t *to, const uint8_t *marks, const int32_t *labels, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    to[i] = marks[labels[i]];
}

typedef struct hysteresis_work {
  scratch_image labels;
  uint8_t *marks;
  int64_t stride; /* marks from one plane to the next */
} hysteresis_work;

static void
above (const fv_call *call, const void *work, int64_t z, int64_t y)
{
  const fv_array *in = call->inputs[0];
  (void) work;
  WITH_TYPE (in->grid->type, above, array_row (call->outputs[0], z, y), array_row (in, z, y), array_columns (in),
             hysteresis_low (call->args))
}

static void
mark (const fv_call *call, const void *work, int64_t z, int64_t y)
{
  const fv_array *in = call->inputs[0];
  const hysteresis_args *a = call->args;
  const hysteresis_work *w = work;
  WITH_TYPE (in->grid->type, mark, w->marks + z * w->stride, array_row (&w->labels.array, z, y), array_row (in, z, y),
             array_columns (in), a->high)
}

static void
keep (const fv_call *call, const void *work, int64_t z, int64_t y)
{
  const fv_array *out = call->outputs[0];
  const hysteresis_work *w = work;
  keep_marked (array_row (out, z, y), w->marks + z * w->stride, array_row (&w->labels.array, z, y),
               array_columns (out));
}

/* No object begins without a pixel above low, and label 0 has none above high: its mark stays 0. */
static fv_status
hysteresis_cpu (const fv_call *call, fv_error *error)
{
  const hysteresis_args *a = call->args;
  const fv_array *in = call->inputs[0];
  const label_args find = hysteresis_label_args (a);
  const int64_t marks = hysteresis_marks (in->grid, a->volume), groups = a->volume ? 1 : array_planes (in);
  hysteresis_work w = {.stride = a->volume ? 0 : marks};
  if (call->host->scratch (call, (size_t) (marks * groups), (void **) &w.marks, error)
      || rows_cpu (call, above, NULL, error) || label_image (call, FV_CPU, call->outputs[0], &find, &w.labels, error))
    return error->code;
  memset (w.marks, 0, (size_t) (marks * groups));
  return rows_cpu (call, mark, &w, error) ? error->code : rows_cpu (call, keep, &w, error);
}

/* ---- The operation ---- */

static fv_grain
hysteresis_grain (const fv_op *op, const void *args)
{
  (void) op;
  return ((const hysteresis_args *) args)->volume ? FV_STACK : FV_PLANES;
}

static int64_t
hysteresis_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const hysteresis_args *a = args;
  const label_args find = hysteresis_label_args (a);
  fv_grid mask = *in[0];
  (void) op;
  mask.type = FV_U8;
  return label_image_bytes (&mask, &find) + hysteresis_marks (in[0], a->volume) * (a->volume ? 1 : in[0]->shape[0]);
}

static fv_status
hysteresis_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const label_args find = hysteresis_label_args (args);
  (void) op;
  out[0]->type = FV_U8;
  out[0]->role = FV_MASK;
  out[0]->dense = false;
  return pieces_check (&find, in, out[0], error);
}

#define HYSTERESIS_LEVEL .min = -INFINITY, .max = INFINITY, .soft_max = 65535

const fv_op fv_op_hysteresis = {
  FV_OP (hysteresis_args),
  .key = "hysteresis",
  .menu = "Process/Threshold",
  .label = "Hysteresis Threshold...",
  .search = "double threshold canny two thresholds binarize",
  .help = "Makes a mask of what is above a low threshold and connected with something above a high one.",
  .cite = "J. Canny, A Computational Approach to Edge Detection, IEEE Trans. Pattern Anal. Mach. Intell. 8 (1986), 679",
  .kind = FV_GLOBAL,
  .reads_back = true, /* as label */
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Mask"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (hysteresis_args, low), .label = "Low", .def = 64, HYSTERESIS_LEVEL,
       .help = "An object is made of pixels above this."},
      {FV_FIELD (hysteresis_args, high), .label = "High", .def = 128, HYSTERESIS_LEVEL,
       .help = "At least one pixel of an object is above this."},
      {FV_FIELD (hysteresis_args, connectivity), .label = "Connectivity", .advanced = true,
       .choices = (const fv_choice[]){{"auto", "Edges or faces", "4 neighbors in planes, 6 in volumes."},
                                      {"4", "4", "In planes: pixels that share an edge."},
                                      {"8", "8", "In planes: pixels that share an edge or a corner."},
                                      {"6", "6", "In volumes: voxels that share a face."},
                                      {"18", "18", "In volumes: voxels that share a face or an edge."},
                                      {"26", "26", "In volumes: voxels that share a face, an edge or a corner."},
                                      {0}},
       .help = "How many neighbors of a pixel are connected to it."},
      {FV_FIELD (hysteresis_args, volume), .label = "3-D (whole stack)",
       .help = "Takes the planes as one volume and connects objects across them."},
      {0}},
  .grain = hysteresis_grain,
  .infer = hysteresis_infer,
  .scratch = hysteresis_scratch,
  .run = {[FV_CPU] = hysteresis_cpu, [FV_CUDA] = FV_CUDA_FN (hysteresis_cuda)},
  .part = FV_PART_OTHER,
};
