/* SPDX-License-Identifier: MIT
 *
 * crop: a rectangle of all planes.
 */
#include "kernels/image/crop.h"
#include "kernels/image/copy_planes.h"

/* How many pixels are taken along an axis of n of them. */
static fv_status
extent (const char *from_key, int64_t from, const char *size_key, int64_t size, int64_t n, int64_t *taken,
        fv_error *error)
{
  if (from >= n)
    return fail (error, FV_BAD_ARGUMENT, from_key, "%s is %lld, and has to be less than %lld, the %s of the image.",
                 from_key, (long long) from, (long long) n, size_key);
  if (size > n - from)
    return fail (error, FV_BAD_ARGUMENT, size_key,
                 "%lld from %s = %lld on is beyond the image: at most %lld, or 0 for all.", (long long) size, from_key,
                 (long long) from, (long long) (n - from));
  *taken = size > 0 ? size : n - from;
  return FV_OK;
}

static fv_status
crop_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const crop_args *a = args;
  (void) op;
  if (extent ("x", a->x, "width", a->width, in[0]->shape[2], &out[0]->shape[2], error))
    return error->code;
  out[0]->dense = false;
  return extent ("y", a->y, "height", a->height, in[0]->shape[1], &out[0]->shape[1], error);
}

static void
crop_transform (const fv_op *op, const void *args, const fv_grid *const *inputs, const fv_grid *output, uint32_t number,
                fv_place *transform)
{
  const crop_args *a = args;
  (void) op, (void) inputs, (void) output, (void) number;
  transform->matrix[1][3] = a->y;
  transform->matrix[2][3] = a->x;
}

static plane_source
crop_source (const fv_call *call, int64_t plane)
{
  const crop_args *a = call->args;
  return (plane_source){call->inputs[0], plane, a->y, a->x};
}

static fv_status
crop_run (const fv_call *call, fv_error *error)
{
  return copy_planes (call, crop_source, error);
}

const fv_op fv_op_crop = {
  FV_OP (crop_args),
  .key = "crop",
  .menu = "Image",
  .label = "Crop...",
  .search = "cut trim region of interest roi rectangle smaller",
  .traits = FV_TAKES_BOX,
  .help = "Takes a rectangle of the image, of all its channels, slices and frames.",
  .kind = FV_GLOBAL,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Image"}, {0}},
  .params = (const fv_param[]){{FV_FIELD (crop_args, x), .label = "X", .unit = FV_PIXELS, .max = 1e9, .soft_max = 4096,
                                .help = "First column, from 0."},
                               {FV_FIELD (crop_args, y), .label = "Y", .unit = FV_PIXELS, .max = 1e9, .soft_max = 4096,
                                .help = "First row, from 0."},
                               {FV_FIELD (crop_args, width), .label = "Width", .unit = FV_PIXELS, .max = 1e9,
                                .soft_max = 4096, .help = "Columns; 0 is all to the right edge."},
                               {FV_FIELD (crop_args, height), .label = "Height", .unit = FV_PIXELS, .max = 1e9,
                                .soft_max = 4096, .help = "Rows; 0 is all to the lower edge."},
                               {0}},
  .infer = crop_infer,
  .place = crop_transform,
  .values = FV_VALUES_SAME,
  .run = {[FV_CPU] = crop_run, [FV_CUDA] = FV_CUDA_FN (crop_run)},
};
