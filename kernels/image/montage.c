/* SPDX-License-Identifier: MIT
 *
 * montage: rows of tiles are copied; all else is filled first.
 */
#include "kernels/image/montage.h"

#include "kernels/common/imagej.h"
#include "kernels/common/row.h"
#include "kernels/common/rows.h"

montage_plan
montage_plan_of (const montage_args *a, const fv_grid *in)
{
  const project_args all = {.axis = a->axis};
  montage_plan p = {project_planes_of (&all, in), a->columns, a->rows, in->shape[1] + a->gap, in->shape[2] + a->gap};
  const int64_t n = p.planes.count;
  if (p.columns == 0)
    p.columns = p.rows > 0 ? (n + p.rows - 1) / p.rows : (int64_t) ceil (sqrt ((double) n));
  if (p.rows == 0)
    p.rows = (n + p.columns - 1) / p.columns;
  return p;
}

static fv_grain
montage_grain (const fv_op *op, const void *args)
{
  static const fv_grain grains[] = {[PROJECT_Z] = FV_STACK, [PROJECT_T] = FV_SERIES, [PROJECT_C] = FV_FRAME};
  (void) op;
  return grains[((const montage_args *) args)->axis];
}

static fv_status
montage_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const montage_args *a = args;
  const montage_plan p = montage_plan_of (a, in[0]);
  (void) op;
  if (p.rows * p.columns < p.planes.count)
    return fail (error, FV_BAD_ARGUMENT, "rows",
                 "%lld rows of %lld have room for %lld, and there are %lld: leave rows or columns at 0.",
                 (long long) p.rows, (long long) p.columns, (long long) (p.rows * p.columns),
                 (long long) p.planes.count);
  out[0]->shape[0] = in[0]->shape[0] / p.planes.length;
  out[0]->shape[1] = p.rows * p.height - a->gap;
  out[0]->shape[2] = p.columns * p.width - a->gap;
  if ((double) out[0]->shape[0] * (double) out[0]->shape[1] * (double) out[0]->shape[2] > 0x1p40)
    return fail (error, FV_BAD_ARGUMENT, a->columns > a->rows ? "columns" : "rows",
                 "The montage would have more than 2^40 pixels: make it smaller.");
  if (a->axis == PROJECT_C) {
    out[0]->channels = 1;
    out[0]->channel_names = NULL;
    out[0]->role = in[0]->role == FV_RGB ? FV_IMAGE : in[0]->role;
  }
  if (a->axis == PROJECT_T)
    out[0]->frames = 1;
  if (in[0]->role != FV_RGB)
    out[0]->role = FV_IMAGE; /* numbers of labels come again */
  out[0]->dense = false;
  return FV_OK;
}

static void
montage_transform (const fv_op *op, const void *args, const fv_grid *const *inputs, const fv_grid *output,
                   uint32_t number, fv_place *transform)
{
  (void) op, (void) args, (void) inputs, (void) output, (void) number;
  transform->affine = false;
}

static void
montage_row (const fv_call *call, const void *plan, int64_t plane, int64_t y)
{
  enum { BLOCK = 256 };
  const montage_plan *p = plan;
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const size_t pixel = type_bytes (in->grid->type), row = (size_t) array_columns (in) * pixel;
  const int64_t tiles = y / p->height * p->columns, from = y % p->height;
  char *to = array_row (out, plane, y);
  double values[BLOCK];
  for (int i = 0; i < BLOCK; i++)
    values[i] = ((const montage_args *) call->args)->value;
  for (int64_t x = 0; x < array_columns (out); x += BLOCK)
    row_from_f64 (to + (size_t) x * pixel, in->grid->type, values,
                  array_columns (out) - x < BLOCK ? array_columns (out) - x : BLOCK);
  for (int64_t i = 0; i < p->columns && tiles + i < p->planes.count && from < array_rows (in); i++)
    memcpy (to + (size_t) (i * p->width) * pixel, array_row (in, project_plane (&p->planes, plane, tiles + i), from),
            row);
}

static fv_status
montage_cpu (const fv_call *call, fv_error *error)
{
  const montage_plan plan = montage_plan_of (call->args, call->inputs[0]->grid);
  return rows_cpu (call, montage_row, &plan, error);
}

const fv_op fv_op_montage = {
  FV_OP (montage_args),
  .key = "montage",
  .menu = "Image/Stacks",
  .label = "Make Montage...",
  .search = "grid tiles contact sheet figure panels side by side",
  .imagej = (const fv_imagej[]){{.command = "Make Montage...",
                                 .needs = "columns=",
                                 IMAGEJ_WORDS ({"columns=", "columns="}, {"rows=", "rows="}, {"scale=1", ""},
                                               {"increment=1", ""}, {"border=0", ""}, {"font=", ""}),
                                 IMAGEJ_WHOLE},
                                {0}},
  .help = "Lays the slices, frames or channels out beside and below each other, in one plane.",
  .kind = FV_GLOBAL,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Montage"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (montage_args, axis), .label = "Of",
       .choices = (const fv_choice[]){{"z", "Slices", "The slices of a stack, in each channel and frame."},
                                      {"t", "Frames", "The time points, in each channel and slice."},
                                      {"c", "Channels", "The channels, in each slice and frame."},
                                      {0}},
       .help = "What is laid out."},
      {FV_FIELD (montage_args, columns), .label = "Columns", .max = 10000, .soft_max = 20,
       .help = "Number of panels in a row; 0: as many as needed, or about as many as rows."},
      {FV_FIELD (montage_args, rows), .label = "Rows", .max = 10000, .soft_max = 20,
       .help = "Number of rows; 0: as many as needed."},
      {FV_FIELD (montage_args, gap), .label = "Gap", .unit = FV_PIXELS, .max = 1000, .soft_max = 20,
       .help = "Width of what is left between them."},
      {FV_FIELD (montage_args, value), .label = "Value of gaps", .min = -1e30, .max = 1e30, .soft_max = 255,
       .advanced = true, .help = "Value of gaps and empty cells, limited to the range of the type."},
      {0}},
  .grain = montage_grain,
  .infer = montage_infer,
  .place = montage_transform,
  .values = FV_VALUES_SAME,
  .run = {[FV_CPU] = montage_cpu, [FV_CUDA] = FV_CUDA_FN (montage_cuda)},
};
