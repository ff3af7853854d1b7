/* SPDX-License-Identifier: MIT
 *
 * reconstruct on the CPU: pixel by pixel, threads over rows.
 */
#include "kernels/patch/reconstruct.h"

#include "kernels/common/grain.h"
#include "kernels/common/row.h"
#include "kernels/common/rows.h"

/* One pixel of a channel; `plane` is that of B, z that of the field. */
static double
pixel_of (const fv_call *call, int64_t plane, int64_t z, int64_t y, int64_t x)
{
  const fv_array *to_x = call->inputs[0], *to_y = call->inputs[1], *b = call->inputs[2];
  int64_t radius = ((const reconstruct_args *) call->args)->radius, rows = array_rows (b), columns = array_columns (b),
          n = 0;
  double sum = 0;
  for (int64_t v = y - radius; v <= y + radius; v++)
    for (int64_t u = x - radius; u <= x + radius; u++) {
      if (v < 0 || v >= array_rows (to_x) || u < 0 || u >= array_columns (to_x))
        continue;
      int64_t bx = ((const int32_t *) array_row (to_x, z, v))[u], by = ((const int32_t *) array_row (to_y, z, v))[u];
      if (bx < 0 || bx >= columns || by < 0 || by >= rows)
        continue;
      const void *row = array_row (b, plane, border_index (by + y - v, rows, BORDER_NEAREST));
      sum += pixel_get (row, b->grid->type, border_index (bx + x - u, columns, BORDER_NEAREST));
      n++;
    }
  return sum / (double) n;
}

static void
reconstruct_row (const fv_call *call, const void *rule, int64_t plane, int64_t y)
{
  const fv_array *b = call->inputs[2], *out = call->outputs[0];
  const int64_t depth = grid_depth (out->grid), z = plane % depth,
                from = plane / depth * grid_depth (b->grid) + reconstruct_plane (b->grid, z);
  (void) rule;
  for (int64_t x = 0; x < array_columns (out); x++) {
    const double v = pixel_of (call, from, z, y, x);
    row_from_f64 ((char *) array_row (out, plane, y) + x * (int64_t) type_bytes (out->grid->type), out->grid->type, &v,
                  1);
  }
}

static fv_status
reconstruct_cpu (const fv_call *call, fv_error *error)
{
  return rows_cpu (call, reconstruct_row, NULL, error);
}

static fv_status
reconstruct_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const fv_grid *x = in[0], *y = in[1], *b = in[2];
  (void) op, (void) args;
  if (x->channels != 1)
    return fail (error, FV_BAD_INPUT, "x", "It has %d channels: a field has one plane of columns and one of rows.",
                 (int) x->channels);
  if (memcmp (x->shape, y->shape, sizeof x->shape) || y->channels != 1)
    return fail (error, FV_BAD_INPUT, "y", "Its size is not that of the columns: both must come from one patch_match.");
  if (grid_depth (b) != 1 && grid_depth (b) != x->shape[0])
    return fail (error, FV_BAD_INPUT, "patches", "It has %d slices and the field %d: give it one, or as many.",
                 (int) grid_depth (b), (int) x->shape[0]);
  out[0]->type = b->type;
  out[0]->role = b->role == FV_LABELS || b->role == FV_MASK ? FV_IMAGE : b->role;
  out[0]->dense = false;
  out[0]->channels = b->channels;
  out[0]->channel_names = b->channel_names;
  out[0]->shape[0] = b->channels * x->shape[0];
  return FV_OK;
}

/* A patch is read for each of its pixels. */
static double
reconstruct_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  double span = 2.0 * ((const reconstruct_args *) args)->radius + 1;
  (void) op, (void) in;
  return 8 * span * span;
}

const fv_op fv_op_reconstruct = {
  FV_OP (reconstruct_args),
  .key = "reconstruct",
  .menu = "Process/Patches",
  .label = "Reconstruct from Patches...",
  .search = "texture synthesis rebuild patches",
  .help =
    "Makes an image of patches of another, laid where patch_match has found them, with their mean where they overlap.",
  .kind = FV_GLOBAL,
  .inputs =
    (const fv_input[]){{"x", "Columns", "The first image that patch_match makes.", FV_I32, false},
                       {"y", "Rows", "The second image that patch_match makes.", FV_I32, false},
                       {"patches", "Patches from", "The image in which the patches were found.", FV_ANY_TYPE, false},
                       {0}},
  .outputs = (const fv_output[]){{"image", "Image"}, {0}},
  .params = (const fv_param[]){{FV_FIELD (reconstruct_args, radius), .label = "Radius", .unit = FV_PIXELS, .def = 1,
                                .max = 7, .help = "Pixels that patches reach to each side; 0 takes single pixels."},
                               {0}},
  .grain = grain_frame,
  .infer = reconstruct_infer,
  .arithmetic = reconstruct_arithmetic,
  .values = FV_VALUES_SAME,
  .run = {[FV_CPU] = reconstruct_cpu, [FV_CUDA] = FV_CUDA_FN (reconstruct_cuda)},
};
