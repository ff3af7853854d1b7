/* SPDX-License-Identifier: MIT
 *
 * maxima: the operation; maxima_prominent.c and maxima_peaks.c find them.
 */
#include "kernels/maxima/maxima.h"

#include "kernels/common/grain.h"
#include "kernels/common/imagej.h"
#include "kernels/morphology/footprint.h"
#include "kernels/maxima/maxima_peaks.h"
#include "kernels/maxima/maxima_prominent.h"

static fv_status
maxima_cpu (const fv_call *call, fv_error *error)
{
  const maxima_args *a = call->args;
  return a->method == MAXIMA_PEAKS ? maxima_peaks_cpu (call, call->scalars, error)
                                   : maxima_prominent_cpu (call, call->scalars, error);
}

static int64_t
maxima_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const maxima_args *a = args;
  (void) op;
  return a->method == MAXIMA_PEAKS ? maxima_peaks_bytes (a, in[0]) : maxima_prominent_bytes (in[0]);
}

static fv_status
maxima_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  (void) op, (void) args;
  if (in[0]->channels != 1)
    return fail (error, FV_BAD_INPUT, "image", "The image has %lld channels; take one of them.",
                 (long long) in[0]->channels);
  out[0]->type = FV_I32;
  out[0]->role = FV_LABELS;
  out[0]->dense = true;
  return FV_OK;
}

static const fv_choice methods[] = {
  {"prominence", "Prominence", "What rises above the saddles to anything higher, as ImageJ finds it."},
  {"peaks", "Local peaks", "The brightest pixels within a distance, as scikit-image finds them."},
  {0}};

static const fv_choice outputs[] = {{"points", "Points", "One pixel of each maximum."},
                                    {"areas", "Areas", "All pixels around it that are within the prominence."},
                                    {0}};

const fv_op fv_op_maxima = {
  FV_OP (maxima_args),
  .key = "maxima",
  .menu = "Process",
  .label = "Find Maxima...",
  .search = "peaks local maxima spots points prominence seeds markers",
  .imagej = (const fv_imagej[]){{.command = "Find Maxima...",
                                 IMAGEJ_WORDS ({"prominence=", "prominence="}, {"noise=", "prominence="},
                                               {"strict", "strict=yes"}, {"exclude", "exclude_edges=yes"},
                                               {"light", "light=yes"}, {"output=Single Points", ""},
                                               {"output=Maxima Within Tolerance", "output=areas"}),
                                 .images = FV_IMAGEJ_GRAY,
                                 .area = FV_IMAGEJ_AREA_OTHER,
                                 .slices = FV_IMAGEJ_SLICES_CURRENT,
                                 .mask = true},
                                {0}},
  .help = "Finds and counts the bright peaks of an image, or the dark ones: a label image and a table of points.",
  .kind = FV_TABLE,
  .reads_back = true,
  .inputs =
    (const fv_input[]){{"image", "Image", "The image, of one channel.", FV_ANY_TYPE | FV_WANTS_CALIBRATED, false}, {0}},
  .outputs = (const fv_output[]){{"labels", "Maxima"}, {0}},
  .scalars = (const fv_scalar[]){{"maxima", "Maxima", "How many maxima there are.", FV_COLUMN_INTEGER}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (maxima_args, method), .label = "Method", .choices = methods, .help = "What a maximum is."},
      {FV_FIELD (maxima_args, prominence), .label = "Prominence", .enabled = "method=prominence", .max = 1e12,
       .soft_max = 1000, .def = 10,
       .help = "How far a maximum must rise above everything that joins it to a higher one, in gray levels."},
      {FV_FIELD (maxima_args, strict), .label = "Strict", .enabled = "method=prominence", .advanced = true,
       .help = "Finds nothing in an image that spans no more than the prominence; at edges, whole areas count."},
      {FV_FIELD (maxima_args, distance), .label = "Distance", .unit = FV_PIXELS, .enabled = "method=peaks", .min = 1,
       .max = FOOTPRINT_RADIUS_MAX, .soft_min = 1, .soft_max = 20, .def = 1,
       .help = "How near, along rows and columns, nothing may be brighter than a peak."},
      {FV_FIELD (maxima_args, threshold), .label = "Threshold", .min = -INFINITY, .max = 1e30, .def = -INFINITY,
       .soft_max = 1000, .open = true, .help = "Only what is above it is a maximum or, on a light background, below."},
      {FV_FIELD (maxima_args, exclude_edges), .label = "Exclude edges",
       .help = "Leaves out maxima that touch the edge, or peaks that are nearer to it than the distance."},
      {FV_FIELD (maxima_args, light), .label = "Light background", .help = "Finds dark spots."},
      {FV_FIELD (maxima_args, output), .label = "Output", .enabled = "method=prominence", .choices = outputs,
       .help = "What the label image shows."},
      {FV_FIELD (maxima_args, volume), .label = "3-D (whole stack)", .enabled = "method=peaks",
       .help = "Takes the planes as one volume."},
      {0}},
  .grain = grain_frame,
  .infer = maxima_infer,
  .scratch = maxima_scratch,
  .run = {[FV_CPU] = maxima_cpu, [FV_CUDA] = FV_CUDA_FN (maxima_cuda)},
  .part = FV_PART_ALIKE,
};
