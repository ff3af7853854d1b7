/* SPDX-License-Identifier: MIT
 *
 * kymograph: pixel by pixel of the result.
 */
#include "kernels/measure/kymograph.h"

#include "kernels/common/row.h"

enum { CHUNK = 512 };

static fv_grain
kymograph_grain (const fv_op *op, const void *args)
{
  (void) op;
  return ((const kymograph_args *) args)->axis == KYMOGRAPH_FRAMES ? FV_SERIES : FV_STACK;
}

static fv_status
kymograph_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const kymograph_args *a = args;
  const fv_grid *image = in[0];
  const int64_t n = kymograph_samples (a), rows = a->axis == KYMOGRAPH_FRAMES ? image->frames : image->shape[0];
  const double length = hypot ((a->x2 - a->x1) * image->spacing[2], (a->y2 - a->y1) * image->spacing[1]);
  (void) op, (void) error;
  out[0]->shape[0] = image->shape[0] / rows;
  out[0]->shape[1] = rows;
  out[0]->shape[2] = n;
  out[0]->frames = 1;
  out[0]->type = image->type == FV_F64 || image->type == FV_I32 ? FV_F64 : FV_F32;
  out[0]->role = FV_IMAGE;
  out[0]->dense = false;
  if (n > 1)
    out[0]->spacing[2] = length / (double) (n - 1);
  if (a->axis == KYMOGRAPH_SLICES)
    out[0]->spacing[1] = image->spacing[0];
  else if (n > 1) /* time has no length: rows are as high as columns are wide */
    out[0]->spacing[1] = out[0]->spacing[2];
  return FV_OK;
}

static void
kymograph_transform (const fv_op *op, const void *args, const fv_grid *const *inputs, const fv_grid *output,
                     uint32_t number, fv_place *transform)
{
  (void) op, (void) args, (void) inputs, (void) output, (void) number;
  transform->affine = false;
}

static fv_status
kymograph_cpu (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const sampled_line line = kymograph_line_of (call->args);
  const stack_view pixels = stack_view_of (in, 0, 1);
  const int64_t planes = array_planes (out), frames = array_rows (out), pieces = (line.n + CHUNK - 1) / CHUNK;
  progress p = {call, .total = planes * frames * pieces};

#pragma omp parallel for schedule(dynamic, 4)
  for (int64_t i = 0; i < p.total; i++) {
    const int64_t row = i / pieces, plane = row / frames, frame = row % frames, first = i % pieces * CHUNK,
                  n = line.n - first < CHUNK ? line.n - first : CHUNK;
    double values[CHUNK];
    if (progress_stopped (&p))
      continue;
    for (int64_t k = 0; k < n; k++)
      values[k] =
        sampled_value (&pixels, array_rows (in), array_columns (in), &line, frame * planes + plane, first + k);
    row_from_f64 ((char *) array_row (out, plane, frame) + first * (int64_t) type_bytes (out->grid->type),
                  out->grid->type, values, n);
    progress_step (&p, 1);
  }
  return p.stop ? cancelled (error) : FV_OK;
}

static double
kymograph_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const kymograph_args *a = args;
  (void) op, (void) in;
  return 10.0 * a->width;
}

const fv_op fv_op_kymograph = {
  FV_OP (kymograph_args),
  .key = "kymograph",
  .menu = "Analyze",
  .label = "Kymograph...",
  .search = "reslice line time space motion speed transport",
  .traits = FV_TAKES_SEGMENT,
  .help = "Makes an image of the values along a line, with a row for each frame, or each slice.",
  .kind = FV_GLOBAL,
  .inputs =
    (const fv_input[]){{"image", "Image", "The image, with several frames or slices.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Kymograph"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (kymograph_args, x1), .label = "X of the start", .unit = FV_PIXELS, .min = -1e6, .max = 1e6,
       .soft_min = 0, .soft_max = 4096, .help = "Column where the line begins; the first pixel's center is at 0."},
      {FV_FIELD (kymograph_args, y1), .label = "Y of the start", .unit = FV_PIXELS, .min = -1e6, .max = 1e6,
       .soft_min = 0, .soft_max = 4096, .help = "Row where the line begins."},
      {FV_FIELD (kymograph_args, x2), .label = "X of the end", .unit = FV_PIXELS, .min = -1e6, .max = 1e6,
       .soft_min = 0, .soft_max = 4096, .help = "Column where the line ends."},
      {FV_FIELD (kymograph_args, y2), .label = "Y of the end", .unit = FV_PIXELS, .min = -1e6, .max = 1e6,
       .soft_min = 0, .soft_max = 4096, .help = "Row where the line ends."},
      {FV_FIELD (kymograph_args, width), .label = "Width", .unit = FV_PIXELS, .def = 1, .min = 1, .max = 1000,
       .soft_min = 1, .soft_max = 50, .help = "How many pixels across the line are averaged."},
      {FV_FIELD (kymograph_args, axis), .label = "Rows",
       .choices = (const fv_choice[]){{"t", "Frames", "A row for each time point."},
                                      {"z", "Slices", "A row for each slice: the stack is cut along the line."},
                                      {0}},
       .help = "What has a row of its own."},
      {0}},
  .grain = kymograph_grain,
  .infer = kymograph_infer,
  .place = kymograph_transform,
  .values = FV_VALUES_SAME,
  .arithmetic = kymograph_arithmetic,
  .run = {[FV_CPU] = kymograph_cpu, [FV_CUDA] = FV_CUDA_FN (kymograph_cuda)},
};
