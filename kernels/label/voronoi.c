/* SPDX-License-Identifier: MIT
 *
 * voronoi: expand without a limit, and a pass over the pixels for lines.
 */
#include "kernels/label/voronoi.h"
#include "kernels/common/rows.h"

#include "kernels/common/inner_call.h"
#include "kernels/common/scratch_image.h"
#include "kernels/label/expand.h"

extern const fv_op fv_op_expand;

static expand_args
growth_of (const voronoi_args *a)
{
  return (expand_args){EXPAND_FARTHEST, a->volume};
}

fv_status
voronoi_run (const fv_call *call, fv_device_kind kind, voronoi_divide *divide, fv_error *error)
{
  const voronoi_args *a = call->args;
  const expand_args growth = growth_of (a);
  scratch_image grown = {.strides = {0}};
  const fv_array *to = a->line ? &grown.array : call->outputs[0];
  fv_status status = a->line ? scratch_image_take (call, call->inputs[0], FV_I32, FV_LABELS, &grown, error) : FV_OK;
  if (!status)
    status = run_inner (call, kind, &fv_op_expand, &growth, call->inputs, &to, NULL, error);
  return status || !a->line ? status : divide (call, to, error);
}

/* ---- Lines ---- */

/* Clears pixels of a row that have a neighbor of a smaller label in `beside`, a row beside it or itself. */
VECTORISED static void
divide_row (int32_t *restrict out, const int32_t *restrict row, const int32_t *restrict beside, int64_t n)
{
  for (int64_t x = 0; x < n; x++) {
    const int32_t left = beside[x > 0 ? x - 1 : 0], right = beside[x < n - 1 ? x + 1 : n - 1], middle = beside[x];
    const bool less =
      ((left > 0) & (left < row[x])) | ((middle > 0) & (middle < row[x])) | ((right > 0) & (right < row[x]));
    out[x] = less ? 0 : out[x];
  }
}

static void
divide_line (const fv_call *call, const void *of, int64_t z, int64_t y)
{
  const fv_array *regions = of;
  const int64_t deep = ((const voronoi_args *) call->args)->volume ? 1 : 0, n = array_columns (regions);
  const int32_t *row = array_row (regions, z, y);
  int32_t *out = array_row (call->outputs[0], z, y);
  memcpy (out, row, (size_t) n * sizeof *out);
  for (int64_t dz = -deep; dz <= deep; dz++)
    for (int64_t dy = -1; dy <= 1; dy++)
      if (z + dz >= 0 && z + dz < array_planes (regions) && y + dy >= 0 && y + dy < array_rows (regions))
        divide_row (out, row, array_row (regions, z + dz, y + dy), n);
}

static fv_status
divide_cpu (const fv_call *call, const fv_array *regions, fv_error *error)
{
  return rows_of (call, regions, divide_line, regions, error);
}

static fv_status
voronoi_cpu (const fv_call *call, fv_error *error)
{
  return voronoi_run (call, FV_CPU, divide_cpu, error);
}

/* ---- The operation ---- */

static fv_grain
voronoi_grain (const fv_op *op, const void *args)
{
  (void) op;
  return ((const voronoi_args *) args)->volume ? FV_STACK : FV_PLANES;
}

static int64_t
voronoi_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const voronoi_args *a = args;
  const expand_args growth = growth_of (a);
  const int64_t *shape = in[0]->shape;
  (void) op;
  return fv_op_expand.scratch (&fv_op_expand, &growth, in)
         + (a->line ? shape[0] * shape[1] * shape[2] * (int64_t) sizeof (int32_t) : 0);
}

const fv_op fv_op_voronoi = {
  FV_OP (voronoi_args),
  .key = "voronoi",
  .menu = "Analyze",
  .label = "Voronoi...",
  .search = "tessellation territories regions nearest influence zones expand grow divide lines",
  .help = "Gives each pixel to the object of a label image that is the nearest to it.",
  .kind = FV_GLOBAL,
  .inputs =
    (const fv_input[]){{"image", "Labels", "The label image: 0 is background, and each other value is an object.",
                        FV_I32 | FV_WANTS_LABELS, false},
                       {0}},
  .outputs = (const fv_output[]){{"image", "Regions"}, {0}},
  .params = (const fv_param[]){{FV_FIELD (voronoi_args, line), .label = "Line between regions",
                                .help = "Leaves a line of zeros one pixel wide between the regions of two objects."},
                               {FV_FIELD (voronoi_args, volume), .label = "3-D (whole stack)",
                                .help = "Takes the planes as one volume, in which distances go along z, too."},
                               {0}},
  .grain = voronoi_grain,
  .scratch = voronoi_scratch,
  .run = {[FV_CPU] = voronoi_cpu, [FV_CUDA] = FV_CUDA_FN (voronoi_cuda)},
  .part = FV_PART_ALIKE,
};
