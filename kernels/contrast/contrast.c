/* SPDX-License-Identifier: MIT
 *
 * contrast: linear.h with limits that saturate a share of the pixels, as ImageJ's Enhance Contrast with `normalize`.
 */
#include "kernels/contrast/linear.h"

#include "kernels/common/imagej.h"

static fv_grain
contrast_grain (const fv_op *op, const void *args)
{
  (void) op;
  return linear_grain_of (((const contrast_args *) args)->over);
}

static fv_status
contrast_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const contrast_args *a = args;
  (void) op, (void) error;
  full_grid (out[0], in[0], a->output == FULL_FLOAT ? full_float (in[0]->type) : in[0]->type);
  return FV_OK;
}

const fv_op fv_op_contrast = {
  FV_OP (contrast_args),
  .key = "contrast",
  .menu = "Process/Contrast",
  .label = "Enhance Contrast...",
  .search = "enhance saturated stretch levels auto brightness",
  .imagej = (const fv_imagej[]){{.command = "Enhance Contrast...",
                                 .needs = "normalize",
                                 IMAGEJ_WORDS ({"saturated=", "saturated="}, {"normalize", ""}, {"process_all", ""},
                                               {"use", "over=series"}),
                                 .images = FV_IMAGEJ_8_BIT | FV_IMAGEJ_16_BIT,
                                 .area = FV_IMAGEJ_AREA_OTHER,
                                 .slices = FV_IMAGEJ_SLICES_STACK,
                                 .range = FV_IMAGEJ_RANGE_FOLLOWS},
                                {0}},
  .help = "Stretches values over the whole range, so that a share of the pixels is black or white; NaN stays.",
  .user = (void *) "contrast",
  .kind = FV_GLOBAL,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Stretched"}, {0}},
  .scalars = LINEAR_SCALARS,
  .params = (const fv_param[]){{FV_FIELD (contrast_args, saturated), .label = "Saturated pixels", .unit = "%",
                                .def = 0.35, .max = 100, .soft_max = 5,
                                .help = "Share of the pixels that become black or white, half of them each."},
                               {FV_FIELD (contrast_args, over), .label = "Limits of", .choices = LINEAR_OVERS,
                                .help = "What has limits of its own."},
                               {FV_FIELD (contrast_args, output), .label = "Output", .advanced = true,
                                .choices = FULL_OUTPUTS, .help = "Type and range of the result."},
                               {0}},
  .grain = contrast_grain,
  .infer = contrast_infer,
  .scratch = linear_scratch,
  .run = {[FV_CPU] = linear_cpu, [FV_CUDA] = FV_CUDA_FN (linear_cuda)},
  .part = FV_PART_GIVEN,
};
