/* SPDX-License-Identifier: MIT
 *
 * reslice: rows that are copied, or columns that become rows, some planes at a time so that what they share stays in the cache.
 */
#include "kernels/geometry/reslice.h"

#include "kernels/common/imagej.h"
#include "kernels/geometry/strided.h"

enum { SIDE = 32 };

static fv_grain
reslice_grain (const fv_op *op, const void *args)
{
  (void) op, (void) args;
  return FV_STACK;
}

static fv_status
reslice_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const int planes = reslice_upright (args) ? 2 : 1, axes[3] = {planes, 0, 3 - planes};
  (void) op, (void) error;
  for (int axis = 0; axis < 3; axis++) {
    out[0]->shape[axis] = in[0]->shape[axes[axis]];
    out[0]->spacing[axis] = in[0]->spacing[axes[axis]];
  }
  return FV_OK;
}

static void
reslice_transform (const fv_op *op, const void *args, const fv_grid *const *inputs, const fv_grid *output,
                   uint32_t number, fv_place *transform)
{
  const reslice_args *a = args;
  const int cut = reslice_upright (a) ? 2 : 1;
  const double first = (double) reslice_cut (a, 0, output->shape[0]),
               depth = (double) reslice_depth (a, 0, output->shape[1]);
  (void) op, (void) inputs, (void) number;
  memset (transform->matrix, 0, sizeof transform->matrix);
  transform->matrix[0][1] = depth > 0 ? -1 : 1;
  transform->matrix[0][3] = depth;
  transform->matrix[cut][0] = first > 0 ? -1 : 1;
  transform->matrix[cut][3] = first;
  transform->matrix[3 - cut][2] = 1;
}

static void
reslice_row (const fv_call *call, int64_t plane, int64_t y)
{
  const reslice_args *a = call->args;
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const size_t pixel = type_bytes (in->grid->type);
  const int64_t cut = reslice_cut (a, plane, array_planes (out)), z = reslice_depth (a, y, array_rows (out));
  if (reslice_upright (a))
    strided_take (array_row (out, plane, y), (const char *) array_row (in, z, 0) + cut * (int64_t) pixel, pixel,
                  in->tensor.strides[1], array_columns (out));
  else
    memcpy (array_row (out, plane, y), array_row (in, z, cut), (size_t) array_columns (out) * pixel);
}

static fv_status
reslice_cpu (const fv_call *call, fv_error *error)
{
  const fv_array *out = call->outputs[0];
  const int64_t planes = array_planes (out), rows = array_rows (out);
  progress p = {call, .total = planes * rows};

#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t first = 0; first < planes; first += SIDE)
    for (int64_t y = 0; y < rows; y++) {
      const int64_t end = planes - first < SIDE ? planes : first + SIDE;
      if (progress_stopped (&p))
        continue;
      for (int64_t plane = first; plane < end; plane++)
        reslice_row (call, plane, y);
      progress_step (&p, end - first);
    }
  return p.stop ? cancelled (error) : FV_OK;
}

const fv_op fv_op_reslice = {
  FV_OP (reslice_args),
  .key = "reslice",
  .menu = "Image/Stacks",
  .label = "Reslice...",
  .search = "orthogonal views xz yz side cut transpose axes volume",
  .imagej = (const fv_imagej[]){{.command = "Reslice [/]...",
                                 .needs = "avoid",
                                 /* else slices are interpolated */
                                 IMAGEJ_WORDS ({"output=", ""}, {"start=Top", ""}, {"start=Left", "start=left"},
                                               {"start=Bottom", "start=bottom"}, {"start=Right", "start=right"},
                                               {"flip", "flip=yes"}, {"avoid", ""}),
                                 IMAGEJ_WHOLE},
                                {0}},
  .help =
    "Cuts a stack the other way: its slices become the rows of new ones, which look from above or from the side; no "
    "pixel changes its value.",
  .kind = FV_GLOBAL,
  .inputs = (const fv_input[]){{"image", "Image", "The stack.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Resliced"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (reslice_args, start), .label = "Start at",
       .choices = (const fv_choice[]){{"top", "Top", "A slice for each row, from the first on: x and z."},
                                      {"left", "Left", "A slice for each column, from the first on: y and z."},
                                      {"bottom", "Bottom", "A slice for each row, from the last on."},
                                      {"right", "Right", "A slice for each column, from the last on."},
                                      {0}},
       .help = "Where the first new slice lies."},
      {FV_FIELD (reslice_args, flip), .label = "Flip vertically", .help = "The last slice becomes the first row."},
      {0}},
  .grain = reslice_grain,
  .infer = reslice_infer,
  .place = reslice_transform,
  .values = FV_VALUES_SAME,
  .run = {[FV_CPU] = reslice_cpu, [FV_CUDA] = FV_CUDA_FN (reslice_cuda)},
};
