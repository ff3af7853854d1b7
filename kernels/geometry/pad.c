/* SPDX-License-Identifier: MIT
 *
 * pad: the row of the image in one piece, and the padding pixel by pixel.
 */
#include "kernels/geometry/pad.h"
#include "kernels/common/row.h"
#include "kernels/common/rows.h"

static fv_status
pad_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const pad_args *a = args;
  (void) op, (void) error;
  out[0]->shape[1] = in[0]->shape[1] + a->top + a->bottom;
  out[0]->shape[2] = in[0]->shape[2] + a->left + a->right;
  if (a->border == BORDER_CONSTANT && in[0]->role != FV_RGB && a->value != 0) {
    out[0]->role = FV_IMAGE;
    out[0]->dense = false;
  }
  return FV_OK;
}

static void
pad_transform (const fv_op *op, const void *args, const fv_grid *const *inputs, const fv_grid *output, uint32_t number,
               fv_place *transform)
{
  const pad_args *a = args;
  (void) op, (void) inputs, (void) output, (void) number;
  transform->matrix[1][3] = -a->top;
  transform->matrix[2][3] = -a->left;
}

/* Columns first ... end - 1 of a row of the result. constant: a pixel; from: the row of the image, NULL: there is none. */
static void
fill (char *to, const char *from, const char *constant, size_t pixel, const pad_args *a, int64_t columns, int64_t first,
      int64_t end)
{
  for (int64_t x = first; x < end; x++) {
    int64_t at = from ? border_index (x - a->left, columns, (border) a->border) : -1;
    memcpy (to + x * (int64_t) pixel, at < 0 ? constant : from + at * (int64_t) pixel, pixel);
  }
}

static void
pad_row (const fv_call *call, const void *constant, int64_t plane, int64_t y)
{
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const pad_args *a = call->args;
  const size_t pixel = type_bytes (in->grid->type);
  const int64_t v = border_index (y - a->top, array_rows (in), (border) a->border), columns = array_columns (in),
                wide = array_columns (out);
  const char *from = v < 0 ? NULL : array_row (in, plane, v);
  char *to = array_row (out, plane, y);
  fill (to, from, constant, pixel, a, columns, 0, from ? a->left : wide);
  if (from) {
    memcpy (to + a->left * (int64_t) pixel, from, (size_t) columns * pixel);
    fill (to, from, constant, pixel, a, columns, a->left + columns, wide);
  }
}

static fv_status
pad_cpu (const fv_call *call, fv_error *error)
{
  const pad_args *a = call->args;
  double constant;
  row_from_f64 (&constant, call->inputs[0]->grid->type, &a->value, 1);
  return rows_cpu (call, pad_row, &constant, error);
}

#define SIDE(NAME, LABEL, HELP)                                                                                        \
  {                                                                                                                    \
    FV_FIELD (pad_args, NAME), .label = LABEL, .unit = FV_PIXELS, .max = 1e6, .soft_max = 1000, .help = HELP           \
  }

const fv_op fv_op_pad = {
  FV_OP (pad_args),
  .key = "pad",
  .menu = "Image/Transform",
  .label = "Pad...",
  .search = "canvas size border extend margin frame",
  .help = "Adds rows and columns around the image.",
  .kind = FV_GLOBAL,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Image"}, {0}},
  .params =
    (const fv_param[]){
      SIDE (left, "Left", "Columns that are added before the first."),
      SIDE (right, "Right", "Columns that are added behind the last."),
      SIDE (top, "Top", "Rows that are added above the first."),
      SIDE (bottom, "Bottom", "Rows that are added below the last."),
      {FV_FIELD (pad_args, border), .label = "Border", .choices = (const fv_choice[]){BORDER_CHOICES, {0}},
       .def = BORDER_CONSTANT, .help = "What the added pixels contain."},
      {FV_FIELD (pad_args, value), .label = "Value", .min = -INFINITY, .max = INFINITY, .soft_max = 255,
       .enabled = "border=constant", .help = "The constant, rounded and limited to what the type holds."},
      {0}},
  .infer = pad_infer,
  .place = pad_transform,
  .values = FV_VALUES_SAME,
  .run = {[FV_CPU] = pad_cpu, [FV_CUDA] = FV_CUDA_FN (pad_cuda)},
};
