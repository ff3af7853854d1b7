/* SPDX-License-Identifier: MIT
 *
 * channel: copies one channel of a multi-channel or RGB image. No border, NaN is copied.
 */
#include "kernels/image/channel.h"
#include "kernels/common/grain.h"
#include "kernels/image/copy_planes.h"

#include <strings.h>

static const char *const rgb_names[] = {"red", "green", "blue"};

/* Position of the channel that the arguments name, or -1. */
static int64_t
channel_position (const channel_args *a, const fv_grid *in)
{
  const char *const *names = in->channel_names ? in->channel_names : in->role == FV_RGB ? rgb_names : NULL;
  if (!a->name[0])
    return a->index < in->channels ? a->index : -1;
  for (int64_t c = 0; names && c < in->channels; c++)
    if (names[c] && !strcasecmp (names[c], a->name))
      return c;
  return -1;
}

static fv_status
channel_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  (void) op;
  const channel_args *a = args;
  int64_t c = channel_position (a, in[0]);
  if (c < 0 && a->name[0])
    return fail (error, FV_BAD_ARGUMENT, "name", "No channel is called '%s'; the image has %lld channel%s.", a->name,
                 (long long) in[0]->channels, in[0]->channels == 1 ? "" : "s");
  if (c < 0)
    return fail (error, FV_BAD_ARGUMENT, "index", "No such channel: the image has %lld.", (long long) in[0]->channels);
  out[0]->channels = 1;
  out[0]->shape[0] = grid_depth (in[0]);
  out[0]->channel_names = in[0]->channel_names    ? in[0]->channel_names + c
                          : in[0]->role == FV_RGB ? rgb_names + c
                                                  : NULL;
  if (in[0]->role == FV_RGB)
    out[0]->role = FV_IMAGE;
  return FV_OK;
}

static int64_t
channel_plane (const fv_op *op, const void *args, const fv_grid *const *inputs, const fv_grid *out, int64_t plane,
               uint32_t *input)
{
  (void) op, (void) input;
  return channel_position (args, inputs[0]) * out->shape[0] + plane;
}

const fv_op fv_op_channel = {
  FV_OP (channel_args),
  .key = "channel",
  .menu = "Image/Color",
  .label = "Channel...",
  .search = "split channels extract colour color red green blue fluorescence",
  .traits = FV_PICKS_CHANNEL,
  .help = "Takes one channel of a multi-channel or RGB image.",
  .kind = FV_POINT,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Channel"}, {0}},
  .params = (const fv_param[]){{FV_FIELD (channel_args, index), .label = "Channel", .max = 1e6, .soft_max = 7,
                                .ordinal = true, .help = "Which channel."},
                               {FV_FIELD (channel_args, name), .label = "Name", .advanced = true,
                                .help = "The channel's name, which wins over the index."},
                               {0}},
  .grain = grain_frame,
  .infer = channel_infer,
  .plane = channel_plane,
  .values = FV_VALUES_SAME,
  .run = {[FV_CPU] = copy_named_planes, [FV_CUDA] = FV_CUDA_FN (copy_named_planes)},
};
