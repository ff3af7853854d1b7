/* SPDX-License-Identifier: MIT
 *
 * stack: planes of several images.
 */
#include "kernels/image/stack.h"
#include "kernels/image/copy_planes.h"

/* Of slices, frames and channels: how many an image has. */
static void
lengths_of (const fv_grid *g, int64_t lengths[3])
{
  lengths[STACK_Z] = g->shape[0] / (g->channels * g->frames);
  lengths[STACK_T] = g->frames;
  lengths[STACK_C] = g->channels;
}

static fv_grain
stack_grain (const fv_op *op, const void *args)
{
  (void) op;
  return ((const stack_args *) args)->axis == STACK_T ? FV_SERIES : FV_FRAME;
}

static fv_status
check_input (const fv_op *op, int axis, int i, const fv_grid *grid, const fv_grid *first, fv_error *error)
{
  static const char *const names[] = {"slices", "frames", "channels"};
  const char *key = op->inputs[i].key;
  int64_t its[3], wanted[3];
  if (grid->shape[1] != first->shape[1] || grid->shape[2] != first->shape[2])
    return fail (error, FV_BAD_INPUT, key,
                 "%s has %lld x %lld pixels, the first image %lld x %lld: crop, pad or resize makes them alike.", key,
                 (long long) grid->shape[2], (long long) grid->shape[1], (long long) first->shape[2],
                 (long long) first->shape[1]);
  if (grid->type != first->type)
    return fail (error, FV_BAD_INPUT, key, "%s is of the type %s, the first image of %s: convert makes them alike.",
                 key, type_words (grid->type), type_words (first->type));
  lengths_of (grid, its);
  lengths_of (first, wanted);
  for (int other = 0; other < 3; other++)
    if (other != axis && its[other] != wanted[other])
      return fail (error, FV_BAD_INPUT, key, "%s has %lld %s, the first image %lld.", key, (long long) its[other],
                   names[other], (long long) wanted[other]);
  return FV_OK;
}

static fv_status
stack_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const int axis = ((const stack_args *) args)->axis;
  int64_t all = 0, lengths[3];
  for (int i = 0; i < STACK_INPUTS; i++) {
    if (!in[i])
      continue;
    if (check_input (op, axis, i, in[i], in[0], error))
      return error->code;
    lengths_of (in[i], lengths);
    all += lengths[axis];
    if (in[i]->role != in[0]->role)
      out[0]->role = FV_IMAGE;
  }
  lengths_of (in[0], lengths);
  if (all == lengths[axis])
    return FV_OK;
  out[0]->shape[0] = in[0]->shape[0] / lengths[axis] * all;
  out[0]->dense = false;
  if (axis == STACK_T)
    out[0]->frames = all;
  if (axis == STACK_C) {
    out[0]->channels = all;
    out[0]->channel_names = NULL;
    out[0]->role = out[0]->role == FV_RGB ? FV_IMAGE : out[0]->role;
  }
  return FV_OK;
}

/* Of each image `step` planes follow each other, as often as it is long; then those of the next come. */
static int64_t
stack_plane (const fv_op *op, const void *args, const fv_grid *const *inputs, const fv_grid *out, int64_t plane,
             uint32_t *input)
{
  const int axis = ((const stack_args *) args)->axis;
  int64_t lengths[3];
  (void) op;
  lengths_of (out, lengths);
  const int64_t step = axis == STACK_Z   ? 1
                       : axis == STACK_C ? lengths[STACK_Z]
                                         : lengths[STACK_Z] * lengths[STACK_C],
                turn = plane / (step * lengths[axis]);
  int64_t at = plane / step % lengths[axis], its[3];
  uint32_t i = 0;
  for (;; i++) {
    if (!inputs[i])
      continue;
    lengths_of (inputs[i], its);
    if (at < its[axis])
      break;
    at -= its[axis];
  }
  *input = i;
  return (turn * its[axis] + at) * step + plane % step;
}

#define NEXT(KEY, LABEL)                                                                                               \
  {                                                                                                                    \
    KEY, LABEL, "What follows then, of the same type and size.", FV_ANY_TYPE, true                                     \
  }

const fv_op fv_op_stack = {
  FV_OP (stack_args),
  .key = "stack",
  .menu = "Image/Stacks",
  .label = "Images to Stack...",
  .search = "images to stack concatenate combine join append frames slices series",
  .help = "Makes one image of several, as its slices, frames or channels.",
  .kind = FV_POINT,
  .inputs = (const fv_input[]){{"s1", "Image 1", "The first image.", FV_ANY_TYPE, false},
                               NEXT ("s2", "Image 2"),
                               NEXT ("s3", "Image 3"),
                               NEXT ("s4", "Image 4"),
                               NEXT ("s5", "Image 5"),
                               NEXT ("s6", "Image 6"),
                               NEXT ("s7", "Image 7"),
                               NEXT ("s8", "Image 8"),
                               NEXT ("s9", "Image 9"),
                               NEXT ("s10", "Image 10"),
                               NEXT ("s11", "Image 11"),
                               NEXT ("s12", "Image 12"),
                               {0}},
  .outputs = (const fv_output[]){{"image", "Stack"}, {0}},
  .params = (const fv_param[]){{FV_FIELD (stack_args, axis), .label = "Along",
                                .choices = (const fv_choice[]){{"z", "Slices", "They become slices."},
                                                               {"t", "Frames", "They become time points."},
                                                               {"c", "Channels", "They become channels."},
                                                               {0}},
                                .help = "What the images become."},
                               {0}},
  .grain = stack_grain,
  .infer = stack_infer,
  .plane = stack_plane,
  .values = FV_VALUES_SAME,
  .run = {[FV_CPU] = copy_named_planes, [FV_CUDA] = FV_CUDA_FN (copy_named_planes)},
};
