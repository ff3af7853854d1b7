/* SPDX-License-Identifier: MIT
 *
 * fill_holes: the operation label finds the holes, in the background that the output holds meanwhile.
 */
#include "kernels/morphology/fill_holes.h"

#include "kernels/common/imagej.h"
#include "kernels/common/rows.h"
#include "kernels/label/planes.h"

VECTORISED static void
background_row (const fv_call *call, const void *rule, int64_t plane, int64_t y)
{
  const int64_t n = array_columns (call->inputs[0]);
  const uint8_t *restrict from = array_row (call->inputs[0], plane, y);
  uint8_t *restrict to = array_row (call->outputs[0], plane, y);
  (void) rule;
  for (int64_t i = 0; i < n; i++)
    to[i] = from[i] ? 0 : 255;
}

/* All but the background outside holes. */
static void
fill_rows (const plane_group *s, int64_t from, int64_t to)
{
  for (int64_t row = from; row < to; row++) {
    uint8_t *pixels = array_row (s->out, s->first + row / s->rows, row % s->rows);
    memset (pixels, 255, (size_t) s->columns);
    for (label_run run = label_first_run (s, row); label_next_run (s, row, &run);)
      if (!run.label)
        memset (pixels + run.from, 0, (size_t) (run.to - run.from));
  }
}

static fv_status
fill_holes_cpu (const fv_call *call, fv_error *error)
{
  const label_args args = fill_holes_args (call->args);
  const fv_array *out = call->outputs[0];
  double *counts;
  fv_status status = rows_cpu (call, background_row, NULL, error);
  if (!status)
    status = call->host->scratch (call, (size_t) array_planes (out) * sizeof *counts, (void **) &counts, error);
  return status ? status : label_planes (call, out, out, &args, counts, fill_rows, error);
}

static fv_status
fill_holes_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  label_args a = fill_holes_args (args);
  (void) op;
  out[0]->role = FV_MASK;
  out[0]->dense = false;
  return pieces_check (&a, in, out[0], error);
}

static const fv_choice connectivities[] = {{"auto", "Edges or faces", "4 neighbors in planes, 6 in volumes."},
                                           {"4", "4", "In planes: pixels that share an edge."},
                                           {"8", "8", "In planes: pixels that share an edge or a corner."},
                                           {"6", "6", "In volumes: voxels that share a face."},
                                           {"18", "18", "In volumes: voxels that share a face or an edge."},
                                           {"26", "26", "In volumes: voxels that share a face, an edge or a corner."},
                                           {0}};

const fv_op fv_op_fill_holes = {
  FV_OP (label_args),
  .key = "fill_holes",
  .menu = "Process/Binary",
  .label = "Fill Holes",
  .search = "close gaps holes background",
  .imagej = (const fv_imagej[]){{.command = "Fill Holes", IMAGEJ_WORDS (IMAGEJ_STACK), IMAGEJ_MASK_OTHER}, {0}},
  .help = "Fills holes: turns enclosed background into foreground.",
  .kind = FV_GLOBAL,
  .reads_back = true, /* only where there can be more holes than labels */
  .inputs = (const fv_input[]){{"image", "Image", "The mask.", FV_U8 | FV_WANTS_MASK, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Mask"}, {0}},
  .params = (const fv_param[]){{FV_FIELD (label_args, max_size), .label = "Largest hole", .unit = FV_PIXEL_COUNT,
                                .max = INT32_MAX, .soft_max = 10000, .help = "Holes of more pixels stay; 0: no limit."},
                               {FV_FIELD (label_args, connectivity), .label = "Connectivity", .advanced = true,
                                .choices = connectivities,
                                .help = "How many neighbors of a pixel of the background are connected to it."},
                               {FV_FIELD (label_args, volume), .label = "3-D (whole stack)",
                                .help = "Takes the planes as one volume, in which holes are closed on all sides."},
                               {0}},
  .grain = pieces_grain,
  .infer = fill_holes_infer,
  .scratch = pieces_scratch,
  .run = {[FV_CPU] = fill_holes_cpu, [FV_CUDA] = FV_CUDA_FN (fill_holes_cuda)},
  .part = FV_PART_ALIKE,
};
