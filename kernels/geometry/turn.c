/* SPDX-License-Identifier: MIT
 *
 * turn: rows at a time; where they become columns, in squares that stay in the cache.
 */
#include "kernels/geometry/turn.h"
#include "kernels/geometry/strided.h"

enum { SIDE = 32 };

static const fv_choice choices[] = {{"horizontally", "Flip Horizontally", "Swaps left and right."},
                                    {"vertically", "Flip Vertically", "Swaps top and bottom."},
                                    {"right", "Rotate 90 Degrees Right", "Clockwise."},
                                    {"left", "Rotate 90 Degrees Left", "Counter-clockwise."},
                                    {"half", "Rotate 180 Degrees", "Upside down."},
                                    {"transpose", "Transpose", "Rows become columns."},
                                    {0}};

turn_ways
turn_ways_of (const turn_args *a)
{
  static const turn_ways ways[] = {{false, false, true}, {false, true, false}, {true, true, false},
                                   {true, false, true},  {false, true, true},  {true, false, false}};
  return ways[a->how];
}

static fv_status
turn_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  (void) op, (void) error;
  if (!turn_ways_of (args).swapped)
    return FV_OK;
  for (int axis = 1; axis <= 2; axis++) {
    out[0]->shape[axis] = in[0]->shape[3 - axis];
    out[0]->spacing[axis] = in[0]->spacing[3 - axis];
  }
  return FV_OK;
}

static void
turn_transform (const fv_op *op, const void *args, const fv_grid *const *inputs, const fv_grid *output, uint32_t number,
                fv_place *transform)
{
  const turn_ways w = turn_ways_of (args);
  const bool reversed[] = {false, w.up, w.left};
  (void) op, (void) output, (void) number;
  for (int axis = 1; axis <= 2; axis++) {
    const int from = w.swapped ? 3 - axis : axis;
    transform->matrix[axis][axis] = 0;
    transform->matrix[axis][from] = reversed[axis] ? -1 : 1;
    transform->matrix[axis][3] = reversed[axis] ? (double) (inputs[0]->shape[axis] - 1) : 0;
  }
}

/* Some rows of the result, from y on, some columns of them at a time. */
static void
turn_rows (const fv_array *in, const fv_array *out, turn_ways w, int64_t plane, int64_t y, int64_t rows)
{
  size_t pixel = type_bytes (in->grid->type);
  int64_t columns = array_columns (out), wide = w.swapped ? SIDE : columns, down = in->tensor.strides[1];
  for (int64_t x = 0; x < columns; x += wide)
    for (int64_t i = y; i < y + rows; i++) {
      int64_t v = w.swapped ? x : i, u = w.swapped ? i : x;
      v = w.up ? array_rows (in) - 1 - v : v;
      u = w.left ? array_columns (in) - 1 - u : u;
      int64_t step = w.swapped ? (w.up ? -down : down) : w.left ? -1 : 1;
      strided_take ((char *) array_row (out, plane, i) + x * (int64_t) pixel,
                    (const char *) array_row (in, plane, v) + u * (int64_t) pixel, pixel, step,
                    columns - x < wide ? columns - x : wide);
    }
}

static fv_status
turn_cpu (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const turn_ways w = turn_ways_of (call->args);
  int64_t planes = array_planes (out), rows = array_rows (out);
  progress p = {call, .total = planes * rows};

#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t plane = 0; plane < planes; plane++)
    for (int64_t y = 0; y < rows; y += SIDE) {
      int64_t n = rows - y < SIDE ? rows - y : SIDE;
      if (progress_stopped (&p))
        continue;
      turn_rows (in, out, w, plane, y, n);
      progress_step (&p, n);
    }
  return p.stop ? cancelled (error) : FV_OK;
}

const fv_op fv_op_turn = {
  FV_OP (turn_args),
  .key = "turn",
  .menu = "Image/Transform",
  .label = "Flip or Rotate...",
  .search = "flip rotate mirror transpose 90 180 degrees",
  .help = "Flips the image, turns it by right angles, or makes rows of columns; no pixel changes its value.",
  .kind = FV_GLOBAL,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Image"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (turn_args, how), .label = "How", .choices = choices, .help = "Which way each plane is turned."}, {0}},
  .infer = turn_infer,
  .place = turn_transform,
  .values = FV_VALUES_SAME,
  .run = {[FV_CPU] = turn_cpu, [FV_CUDA] = FV_CUDA_FN (turn_cuda)},
};
