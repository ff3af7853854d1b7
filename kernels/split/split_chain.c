/* SPDX-License-Identifier: MIT
 *
 * split: distance or nothing, gaussian, reconstruct_grey, label and watershed, with four passes over the pixels between them; by ImageJ
 * reconstruct_grey and label, with passes of its own.
 */
#include "kernels/split/split_chain.h"

#include "kernels/common/inner_call.h"
#include "kernels/gaussian/gaussian_args.h"
#include "kernels/label/watershed.h"
#include "kernels/morphology/distance.h"
#include "kernels/morphology/reconstruct_grey.h"

extern const fv_op fv_op_distance, fv_op_gaussian, fv_op_watershed;

enum { PIXEL_BYTES = 16 }; /* of scratch, for its arrays */

/* What the operations of the chain are asked for. */
typedef struct links {
  distance_args distance;
  gaussian_args smooth;
  reconstruct_grey_args under;
  label_args number;
  watershed_args flood;
} links;

static links
links_of (const split_args *a)
{
  return (links){
    .distance = {.metric = DISTANCE_EUCLIDEAN, .units = a->units, .volume = a->volume},
    .smooth =
      {.sigma = {1, {a->sigma, 0, 0}}, .units = a->units, .truncate = 4, .border = SPLIT_BORDER, .volume = a->volume},
    .under = {RECONSTRUCT_BY_DILATION, a->method == SPLIT_IMAGEJ ? LABEL_8 : a->connectivity, split_is_volume (a)},
    .number = {.connectivity = a->connectivity, .volume = split_is_volume (a)},
    .flood = {.connectivity = a->connectivity, .invert = true, .line = a->line, .volume = a->volume},
  };
}

/* Two halves of scratch: wide, then level and peaks; distance, then smooth, then lower, then markers, with tops beside these two. By ImageJ: level, then
 * tops, and peaks, then stairs and seeds; distance and lower, then what is spare. */
static fv_status
make_arrays (const fv_call *call, const fv_array *mask, split_arrays *s, fv_error *error)
{
  size_t pixels = (size_t) (array_planes (mask) * array_rows (mask) * array_columns (mask));
  char *first, *second;
  fv_status status = call->host->scratch (call, pixels * PIXEL_BYTES, (void **) &first, error);
  if (status)
    return status;
  second = first + pixels * sizeof (double);
  s->mask = mask;
  scratch_image_like (&s->wide, mask, FV_F64, FV_IMAGE, first);
  scratch_image_like (&s->level, mask, FV_F32, FV_IMAGE, first);
  scratch_image_like (&s->peaks, mask, FV_F32, FV_IMAGE, first + pixels * sizeof (float));
  scratch_image_like (&s->distance, mask, FV_F32, FV_IMAGE, second);
  scratch_image_like (&s->smooth, mask, FV_F64, FV_IMAGE, second);
  scratch_image_like (&s->lower, mask, FV_F32, FV_IMAGE, second);
  scratch_image_like (&s->markers, mask, FV_I32, FV_LABELS, second);
  scratch_image_like (&s->tops, mask, FV_U8, FV_MASK, second + pixels * sizeof (int32_t));
  if (((const split_args *) call->args)->method == SPLIT_FLOODING)
    return FV_OK;
  scratch_image_like (&s->lower, mask, FV_F32, FV_IMAGE, second + pixels * sizeof (float));
  scratch_image_like (&s->tops, mask, FV_U8, FV_IMAGE, first);
  scratch_image_like (&s->stairs, mask, FV_U8, FV_IMAGE, first + pixels * sizeof (float));
  scratch_image_like (&s->seeds, mask, FV_U8, FV_IMAGE, first + pixels * (sizeof (float) + 1));
  s->spare = second;
  return call->host->scratch (call, (size_t) array_planes (mask) * sizeof *s->most, (void **) &s->most, error);
}

fv_status
split_distance (const fv_call *call, fv_device_kind kind, const scratch_image *to, fv_error *error)
{
  const links link = links_of (call->args);
  const fv_array *distance = &to->array;
  return run_inner (call, kind, &fv_op_distance, &link.distance, call->inputs, &distance, NULL, error);
}

int64_t
split_reach (const split_args *a, const fv_grid *mask, int axis)
{
  const links link = links_of (a);
  return gaussian_radius (&link.smooth, mask, axis);
}

/* level and peaks, of s->from. */
static fv_status
find_levels (const fv_call *call, const split_passes *passes, const links *link, split_arrays *s, fv_error *error)
{
  const fv_array *wide = &s->wide.array, *smooth = &s->smooth.array;
  fv_status status = passes->widen (call, s, error);
  if (!status)
    status = run_inner (call, passes->kind, &fv_op_gaussian, &link->smooth, &wide, &smooth, NULL, error);
  return status ? status : passes->level (call, s, error);
}

/* `seed` becomes its reconstruction under `limit`. */
static fv_status
reconstruct (const fv_call *call, fv_device_kind kind, const links *link, const scratch_image *seed,
             const scratch_image *limit, fv_error *error)
{
  const fv_array *arrays[] = {&seed->array, &limit->array};
  return run_inner (call, kind, &fv_op_reconstruct_grey, &link->under, arrays, arrays, NULL, error);
}

/* tops, of level and peaks. */
static fv_status
find_tops (const fv_call *call, const split_passes *passes, const links *link, const split_arrays *s, fv_error *error)
{
  fv_status status = reconstruct (call, passes->kind, link, &s->peaks, &s->level, error);
  if (!status)
    status = passes->lower (call, s, error);
  if (!status)
    status = reconstruct (call, passes->kind, link, &s->lower, &s->peaks, error);
  return status ? status : passes->mark (call, s, error);
}

fv_status
split_flood (const fv_call *call, const split_passes *passes, const split_work *work, split_arrays *s, fv_error *error)
{
  const links link = links_of (call->args);
  const fv_array *tops = &s->tops.array, *markers = &s->markers.array;
  const fv_array *flooded[] = {&s->level.array, markers, NULL};
  fv_status status = make_arrays (call, work->mask, s, error);
  s->from = work->from ? work->from : &s->distance.array;
  if (!status && !work->from)
    status = split_distance (call, passes->kind, &s->distance, error);
  if (!status)
    status = find_levels (call, passes, &link, s, error);
  if (!status)
    status = find_tops (call, passes, &link, s, error);
  if (!status)
    status = run_inner (call, passes->kind, &fv_op_label, &link.number, &tops, &markers, call->scalars, error);
  return status ? status
                : run_inner (call, passes->kind, &fv_op_watershed, &link.flood, flooded, &work->labels, NULL, error);
}

static fv_status
cut_as_imagej (const fv_call *call, const split_passes *passes, fv_error *error)
{
  const links link = links_of (call->args);
  split_arrays s;
  const fv_array *taken = &s.stairs.array;
  fv_status status = make_arrays (call, call->inputs[SPLIT_MASK], &s, error);
  if (!status)
    status = passes->near (call, &s, error);
  if (!status)
    status = passes->heights (call, &s, error);
  if (!status)
    status = find_tops (call, passes, &link, &s, error);
  if (!status)
    status = passes->stairs (call, &s, error);
  if (!status)
    status = reconstruct (call, passes->kind, &link, &s.seeds, &s.stairs, error);
  if (!status)
    status = passes->grow (call, &s, error);
  return status
           ? status
           : run_inner (call, passes->kind, &fv_op_label, &link.number, &taken, call->outputs, call->scalars, error);
}

fv_status
split_run (const fv_call *call, const split_passes *passes, fv_error *error)
{
  const split_args *a = call->args;
  const split_work whole = {call->inputs[SPLIT_MASK], a->by == SPLIT_BY_DISTANCE ? NULL : call->inputs[SPLIT_INTENSITY],
                            call->outputs[0]};
  split_arrays s;
  return a->method == SPLIT_IMAGEJ ? cut_as_imagej (call, passes, error)
                                   : split_flood (call, passes, &whole, &s, error);
}

/* ---- Before it runs ---- */

static int64_t
bytes_of (const fv_op *op, const void *args, const fv_grid *const *in)
{
  return op->scratch ? op->scratch (op, args, in) : 0;
}

/* What only flooding takes, or only ImageJ's way. */
static int64_t
method_bytes (const split_args *a, const links *link, const fv_grid *const *in)
{
  fv_grid level = *in[SPLIT_MASK], wide = level;
  const fv_grid *levels[] = {&level, &level, NULL}, *smoothed = &wide;
  level.role = wide.role = FV_IMAGE;
  if (a->method == SPLIT_IMAGEJ)
    return bytes_of (&fv_op_reconstruct_grey, &link->under, levels);
  level.type = FV_F32;
  wide.type = FV_F64;
  return bytes_of (&fv_op_distance, &link->distance, in) + bytes_of (&fv_op_gaussian, &link->smooth, &smoothed)
         + bytes_of (&fv_op_watershed, &link->flood, levels);
}

/* Its arrays, and what each link of the chain takes. */
int64_t
split_chain_bytes (const split_args *a, const fv_grid *const *in)
{
  const links link = links_of (a);
  fv_grid level = *in[SPLIT_MASK];
  const fv_grid *levels[] = {&level, &level, NULL};
  level.type = FV_F32;
  level.role = FV_IMAGE;
  return level.shape[0] * level.shape[1] * level.shape[2] * PIXEL_BYTES + method_bytes (a, &link, in)
         + 2 * bytes_of (&fv_op_reconstruct_grey, &link.under, levels) + bytes_of (&fv_op_label, &link.number, in);
}

fv_status
split_check_sigma (const split_args *a, const fv_grid *mask, fv_error *error)
{
  const links link = links_of (a);
  fv_grid wide = *mask, smooth = *mask;
  const fv_grid *in = &wide;
  fv_grid *out = &smooth;
  wide.type = FV_F64;
  return fv_op_gaussian.infer (&fv_op_gaussian, &link.smooth, &in, &out, error);
}
