/* SPDX-License-Identifier: MIT
 *
 * substack: planes by their numbers. A list is read again for each number of it: it has few ranges.
 */
#include "kernels/image/substack.h"

#include "kernels/common/imagej.h"
#include "kernels/image/copy_planes.h"

#include <ctype.h>
#include <stdlib.h>

/* ---- Lists ---- */

/* From, to and step of a list's item, "5", "5-9" or "9-5-2"; both ends belong to it. */
typedef struct range {
  int64_t from, to, step;
} range;

static bool
read_number (const char **text, int64_t *number)
{
  char *end;
  if (!isdigit ((unsigned char) **text))
    return false;
  *number = strtoll (*text, &end, 10);
  *text = end;
  while (**text == ' ')
    (*text)++;
  return *number >= 1;
}

static bool
read_next (const char **text, char sign, int64_t *number)
{
  if (**text != sign)
    return true;
  (*text)++;
  while (**text == ' ')
    (*text)++;
  return read_number (text, number);
}

/* The range at *text, which advances to the next one. */
static bool
read_range (const char **text, range *r)
{
  while (**text == ' ')
    (*text)++;
  if (!read_number (text, &r->from))
    return false;
  r->to = r->from;
  r->step = 1;
  if (!read_next (text, '-', &r->to) || !read_next (text, '-', &r->step))
    return false;
  if (**text == ',')
    return *++*text != 0;
  return !**text;
}

static int64_t
range_length (const range *r)
{
  return llabs (r->to - r->from) / r->step + 1;
}

/* Number i of the list, from 0; -1 behind its end. all: how many there are without a list. */
static int64_t
list_at (const char *list, int64_t all, int64_t i)
{
  range r;
  if (!*list)
    return i < all ? i : -1;
  while (*list && read_range (&list, &r)) {
    if (i < range_length (&r))
      return r.from - 1 + (r.to < r.from ? -i : i) * r.step;
    i -= range_length (&r);
  }
  return -1;
}

/* How many numbers the list has, or 0 with *error. */
static int64_t
list_length (const char *key, const char *list, int64_t all, fv_error *error)
{
  enum { MOST = 1 << 30 };
  const char *text = list;
  int64_t n = 0;
  range r;
  if (!*list)
    return all;
  while (*text) {
    if (!read_range (&text, &r)) {
      fail (error, FV_BAD_ARGUMENT, key, "'%.100s' is not a list of numbers from 1 on, such as 1,3,5-9 or 1-20-2.",
            list);
      return 0;
    }
    if (r.from > all || r.to > all) {
      fail (error, FV_BAD_ARGUMENT, key, "Number %lld does not exist: the image has %lld %s.",
            (long long) (r.from > r.to ? r.from : r.to), (long long) all, key);
      return 0;
    }
    if ((n += range_length (&r)) > MOST) {
      fail (error, FV_BAD_ARGUMENT, key, "The list has more than %d numbers.", MOST);
      return 0;
    }
  }
  return n;
}

/* Whether it is numbers that follow each other upwards. */
static bool
list_is_run (const char *list, int64_t all, int64_t n)
{
  for (int64_t i = 1; i < n; i++)
    if (list_at (list, all, i) != list_at (list, all, 0) + i)
      return false;
  return true;
}

/* ---- The operation ---- */

/* All frames together only where some of them are chosen. */
static fv_grain
substack_grain (const fv_op *op, const void *args)
{
  (void) op;
  return ((const substack_args *) args)->frames[0] ? FV_SERIES : FV_FRAME;
}

static fv_status
substack_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const substack_args *a = args;
  int64_t depth = in[0]->shape[0] / (in[0]->channels * in[0]->frames);
  int64_t slices = list_length ("slices", a->slices, depth, error), channels = 0, frames = 0;
  (void) op;
  if (slices)
    channels = list_length ("channels", a->channels, in[0]->channels, error);
  if (channels)
    frames = list_length ("frames", a->frames, in[0]->frames, error);
  if (!frames)
    return error->code;
  out[0]->shape[0] = frames * channels * slices;
  out[0]->frames = frames;
  if (channels != in[0]->channels || !list_is_run (a->channels, in[0]->channels, channels)) {
    bool run = list_is_run (a->channels, in[0]->channels, channels);
    out[0]->channels = channels;
    out[0]->channel_names =
      run && in[0]->channel_names ? in[0]->channel_names + list_at (a->channels, in[0]->channels, 0) : NULL;
    out[0]->role = in[0]->role == FV_RGB ? FV_IMAGE : in[0]->role;
  }
  out[0]->dense = false;
  return FV_OK;
}

static int64_t
substack_plane (const fv_op *op, const void *args, const fv_grid *const *inputs, const fv_grid *out, int64_t plane,
                uint32_t *input)
{
  const substack_args *a = args;
  const fv_grid *in = inputs[0];
  (void) op, (void) input;
  int64_t depth = in->shape[0] / (in->channels * in->frames), slices = out->shape[0] / (out->channels * out->frames);
  int64_t z = list_at (a->slices, depth, plane % slices);
  int64_t c = list_at (a->channels, in->channels, plane / slices % out->channels);
  int64_t t = list_at (a->frames, in->frames, plane / slices / out->channels);
  return (t * in->channels + c) * depth + z;
}

const fv_op fv_op_substack = {
  FV_OP (substack_args),
  .key = "substack",
  .menu = "Image/Stacks",
  .label = "Make Substack...",
  .search = "slices frames channels keep remove delete reverse reduce duplicate split channels",
  .imagej =
    (const fv_imagej[]){{.command = "Duplicate...",
                         .needs = "duplicate",
                         IMAGEJ_WORDS ({"title=", "as="}, {"duplicate", ""}, {"range=", "slices="},
                                       {"channels=", "channels="}, {"slices=", "slices="}, {"frames=", "frames="}),
                         IMAGEJ_WHOLE},
                        {0}},
  .help = "Takes slices, channels and frames by their numbers, in any order.",
  .kind = FV_GLOBAL,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Image"}, {0}},
  .params =
    (const fv_param[]){{FV_FIELD (substack_args, slices), .label = "Slices",
                        .help = "Numbers from 1 on, as in 1,3,5-9 or 1-20-2 (every second one); nothing is all."},
                       {FV_FIELD (substack_args, channels), .label = "Channels",
                        .help = "Numbers of channels, likewise; nothing is all."},
                       {FV_FIELD (substack_args, frames), .label = "Frames",
                        .help = "Numbers of time points, likewise; nothing is all."},
                       {0}},
  .grain = substack_grain,
  .infer = substack_infer,
  .plane = substack_plane,
  .values = FV_VALUES_SAME,
  .run = {[FV_CPU] = copy_named_planes, [FV_CUDA] = FV_CUDA_FN (copy_named_planes)},
};
