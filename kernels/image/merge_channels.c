/* SPDX-License-Identifier: MIT
 *
 * merge_channels: planes of several images.
 */
#include "kernels/image/merge_channels.h"
#include "kernels/common/alike.h"
#include "kernels/common/grain.h"
#include "kernels/image/copy_planes.h"

static fv_status
check_input (const fv_op *op, int i, const fv_grid *grid, const fv_grid *first, fv_error *error)
{
  if (check_alike (grid, op->inputs[i].key, first, "the first image", ALIKE_IN_CHANNEL, error))
    return error->code;
  if (grid->type != first->type)
    return fail (error, FV_BAD_INPUT, op->inputs[i].key,
                 "%s is of the type %s, the first image of %s: convert makes them alike.", op->inputs[i].key,
                 type_words (grid->type), type_words (first->type));
  return FV_OK;
}

static fv_status
merge_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const merge_channels_args *a = args;
  int64_t channels = 0;
  for (int i = 0; i < MERGE_INPUTS; i++) {
    if (!in[i])
      continue;
    if (check_input (op, i, in[i], in[0], error))
      return error->code;
    channels += in[i]->channels;
  }
  if (a->rgb && (channels != 3 || in[0]->type != FV_U8))
    return fail (error, FV_BAD_ARGUMENT, "rgb", "RGB has three channels of 8-bit; here are %lld of %s.",
                 (long long) channels, type_words (in[0]->type));
  if (channels == in[0]->channels && a->rgb == (in[0]->role == FV_RGB))
    return FV_OK;
  out[0]->channels = channels;
  out[0]->shape[0] = channels * grid_depth (in[0]);
  out[0]->channel_names = NULL;
  out[0]->role = a->rgb ? FV_RGB : in[0]->role == FV_RGB ? FV_IMAGE : in[0]->role;
  for (int i = 1; i < MERGE_INPUTS; i++)
    if (in[i] && in[i]->role != in[0]->role && !a->rgb)
      out[0]->role = FV_IMAGE;
  out[0]->dense = false;
  return FV_OK;
}

static int64_t
merge_plane (const fv_op *op, const void *args, const fv_grid *const *inputs, const fv_grid *out, int64_t plane,
             uint32_t *input)
{
  uint32_t i = 0;
  (void) op, (void) args, (void) out;
  while (!inputs[i] || plane >= inputs[i]->shape[0])
    plane -= inputs[i] ? inputs[i]->shape[0] : 0, i++;
  *input = i;
  return plane;
}

const fv_op fv_op_merge_channels = {
  FV_OP (merge_channels_args),
  .key = "merge_channels",
  .menu = "Image/Color",
  .label = "Merge Channels...",
  .search = "composite combine colors colours rgb stack",
  .help = "Makes one image of several, whose channels follow each other.",
  .kind = FV_POINT,
  .inputs = (const fv_input[]){{"c1", "Image 1", "The first channel, or channels.", FV_ANY_TYPE, false},
                               {"c2", "Image 2", "What follows, of the same type and size.", FV_ANY_TYPE, true},
                               {"c3", "Image 3", "What follows then.", FV_ANY_TYPE, true},
                               {"c4", "Image 4", "What follows then.", FV_ANY_TYPE, true},
                               {"c5", "Image 5", "What follows then.", FV_ANY_TYPE, true},
                               {"c6", "Image 6", "What follows then.", FV_ANY_TYPE, true},
                               {"c7", "Image 7", "What follows then.", FV_ANY_TYPE, true},
                               {0}},
  .outputs = (const fv_output[]){{"image", "Image"}, {0}},
  .params = (const fv_param[]){{FV_FIELD (merge_channels_args, rgb), .label = "RGB",
                                .help = "Takes three channels of 8-bit as red, green and blue of one color image."},
                               {0}},
  .grain = grain_frame,
  .infer = merge_infer,
  .plane = merge_plane,
  .values = FV_VALUES_SAME,
  .run = {[FV_CPU] = copy_named_planes, [FV_CUDA] = FV_CUDA_FN (copy_named_planes)},
};
