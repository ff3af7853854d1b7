/* SPDX-License-Identifier: MIT
 *
 * calibrate: the same pixels, of another size. On a GPU the device itself copies, in its stream. NaN is copied.
 */
#include "kernels/image/calibrate.h"
#include "kernels/image/copy_planes.h"

#include <strings.h>

static bool
is_pixels (const char *unit)
{
  return !*unit || !strcasecmp (unit, "px") || !strcasecmp (unit, "pixel") || !strcasecmp (unit, "pixels");
}

static fv_status
calibrate_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const calibrate_args *a = args;
  bool none = is_pixels (a->unit);
  double height = a->height > 0 ? a->height : a->width, depth = a->depth > 0 ? a->depth : a->width;
  (void) op, (void) in;
  if (none && (a->width != 1 || height != 1 || depth != 1))
    return fail (error, FV_BAD_ARGUMENT, "unit", "A pixel of another size than 1 needs a unit, such as µm.");
  out[0]->spacing[0] = depth;
  out[0]->spacing[1] = height;
  out[0]->spacing[2] = a->width;
  snprintf (out[0]->unit, sizeof out[0]->unit, "%s", none ? "" : a->unit);
  return FV_OK;
}

static plane_source
same_plane (const fv_call *call, int64_t plane)
{
  return (plane_source){call->inputs[0], plane, 0, 0};
}

static fv_status
calibrate_run (const fv_call *call, fv_error *error)
{
  return copy_planes (call, same_plane, error);
}

const fv_op fv_op_calibrate = {
  FV_OP (calibrate_args),
  .key = "calibrate",
  .label = "Calibrate...",
  .search = "set scale pixel size micron calibration unit",
  .traits = FV_CALIBRATES,
  .help = "Sets the size of a pixel; the pixels stay as they are.",
  .kind = FV_POINT,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Image"}, {0}},
  .params = (const fv_param[]){{FV_FIELD (calibrate_args, width), .label = "Pixel width", .def = 1, .min = 1e-12,
                                .max = 1e12, .soft_min = 0.01, .soft_max = 100, .scale = FV_LOG,
                                .help = "Size of a pixel along x, in the unit below."},
                               {FV_FIELD (calibrate_args, height), .label = "Pixel height", .max = 1e12, .soft_max = 10,
                                .help = "Size of a pixel along y; 0 is the same as along x."},
                               {FV_FIELD (calibrate_args, depth), .label = "Voxel depth", .max = 1e12, .soft_max = 10,
                                .help = "Distance of the slices of a stack; 0 is the same as along x."},
                               {FV_FIELD (calibrate_args, unit), .label = "Unit",
                                .help = "Unit of length, such as µm; nothing or pixel removes the calibration."},
                               {0}},
  .infer = calibrate_infer,
  .values = FV_VALUES_SAME,
  .run = {[FV_CPU] = calibrate_run, [FV_CUDA] = FV_CUDA_FN (calibrate_run)},
};
