/* SPDX-License-Identifier: MIT
 *
 * plain on the CPU: a row for each turn of a loop.
 */
#include "kernels/fields/plain.h"
#include "kernels/common/grain.h"
#include "kernels/common/rows.h"

static const fv_type types[] = {FV_U8, FV_U16, FV_F32};

static fv_status
plain_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  static const char *const fields[3] = {"depth", "height", "width"};
  const plain_args *a = args;
  fv_grid *made = out[0];
  int64_t channels = a->channels > 0 ? a->channels : made->channels;
  int64_t sizes[3] = {a->depth > 0 ? a->depth : grid_depth (made), a->height > 0 ? a->height : made->shape[1],
                      a->width > 0 ? a->width : made->shape[2]};
  double pixels = (double) channels;
  (void) op;
  for (int axis = 1; axis < 3 && !in[0]; axis++)
    if ((axis == 1 ? a->height : a->width) == 0)
      return fail (error, FV_BAD_ARGUMENT, fields[axis],
                   "No image is given whose size it could take: give the width and the height.");
  for (int axis = 0; axis < 3; axis++) {
    pixels *= (double) sizes[axis];
    if (pixels > 0x1p40)
      return fail (error, FV_BAD_ARGUMENT, fields[axis],
                   "The image would have more than 2^40 pixels: make it smaller.");
    made->shape[axis] = sizes[axis];
  }
  made->shape[0] *= channels;
  if (channels != made->channels)
    made->channel_names = NULL;
  made->channels = channels;
  made->type = types[a->type];
  made->role = FV_IMAGE;
  made->dense = false;
  return FV_OK;
}

#define DEFINE_ROW(NAME, T, STORED)                                                                                    \
  static void row_##NAME (const fv_call *call, const void *rule, int64_t plane, int64_t y)                             \
  {                                                                                                                    \
    const plain_rule *r = rule;                                                                                        \
    const fv_array *out = call->outputs[0];                                                                            \
    const int64_t first = plain_first (call) + (plane * array_rows (out) + y) * r->columns;                            \
    T *restrict to = array_row (out, plane, y);                                                                        \
    for (int64_t x = 0; x < r->columns; x++)                                                                           \
      to[x] = STORED (plain_value (r, first + x, x));                                                                  \
  }
DEFINE_ROW (u8, uint8_t, round_to_u8)
DEFINE_ROW (u16, uint16_t, round_to_u16)
DEFINE_ROW (f32, float, (float) )

static fv_status
plain_cpu (const fv_call *call, fv_error *error)
{
  const fv_array *out = call->outputs[0];
  const plain_rule r = plain_rule_of (call->args, out);
  const fv_type type = out->grid->type;
  return rows_cpu (call, type == FV_U8 ? row_u8 : type == FV_U16 ? row_u16 : row_f32, &r, error);
}

static double
plain_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op, (void) in;
  return ((const plain_args *) args)->fill == PLAIN_NOISE ? 60 : 2;
}

const fv_op fv_op_plain = {
  FV_OP (plain_args),
  .key = "plain",
  .menu = "Image",
  .label = "Plain Image...",
  .search = "new create generate blank black white ramp noise synthetic empty",
  .help = "Makes a new image that is black, white, a ramp or noise.",
  .kind = FV_GLOBAL,
  .inputs =
    (const fv_input[]){
      {"image", "Image", "An image of the size that the new one gets where none is given.", FV_ANY_TYPE, true}, {0}},
  .outputs = (const fv_output[]){{"image", "Image"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (plain_args, fill), .label = "Fill with",
       .choices = (const fv_choice[]){{"black", "Black", "0."},
                                      {"white", "White", "255, 65535, or 1.0 of 32-bit float."},
                                      {"ramp", "Ramp", "From black on the left to white on the right."},
                                      {"noise", "Noise", "Normal random numbers about the middle, an eighth wide."},
                                      {0}},
       .help = "What the pixels are."},
      {FV_FIELD (plain_args, type), .label = "Type",
       .choices = (const fv_choice[]){{"u8", "8-bit", "Integers from 0 to 255."},
                                      {"u16", "16-bit", "Integers from 0 to 65535."},
                                      {"f32", "32-bit float", "From 0 to 1."},
                                      {0}},
       .help = "Type of the pixels."},
      {FV_FIELD (plain_args, width), .label = "Width", .unit = FV_PIXELS, .max = 2147483647, .soft_max = 8192,
       .help = "Number of columns; 0: those of the image, which has to be there."},
      {FV_FIELD (plain_args, height), .label = "Height", .unit = FV_PIXELS, .max = 2147483647, .soft_max = 8192,
       .help = "Number of rows; 0: those of the image, which has to be there."},
      {FV_FIELD (plain_args, depth), .label = "Slices", .max = 2147483647, .soft_max = 1024,
       .help = "Number of planes of a stack; 0: those of the image, or 1."},
      {FV_FIELD (plain_args, channels), .label = "Channels", .max = 65536, .soft_max = 8,
       .help = "Number of channels; 0: those of the image, or 1."},
      {FV_FIELD (plain_args, seed), .label = "Seed", .def = 1, .max = 2147483647, .soft_max = 1000,
       .enabled = "fill=noise", .help = "Another seed makes other noise."},
      {0}},
  .grain = grain_frame,
  .infer = plain_infer,
  .arithmetic = plain_arithmetic,
  .run = {[FV_CPU] = plain_cpu, [FV_CUDA] = FV_CUDA_FN (plain_cuda)},
};
