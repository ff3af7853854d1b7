/* SPDX-License-Identifier: MIT
 *
 * pieces: what clear_border, remove_small, remove_large and fill_holes share. The pieces of an image are what label finds in it: connected foreground
 * in a mask, connected pixels of one value in labels and other images, neither 0 nor NaN.
 * For clear_border, remove_small, remove_large: out(p) = in(p) where the piece that holds p is kept, else 0.
 * Reference: skimage.segmentation.clear_border, skimage.morphology.remove_small_objects.
 */
#ifndef KERNELS_MORPHOLOGY_PIECES_H
#define KERNELS_MORPHOLOGY_PIECES_H

#include "kernels/label/label_image.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether connectivity, sizes and volume go together. */
fv_status pieces_check (const label_args *args, const fv_grid *const *in, const fv_grid *out, fv_error *error);

/* The call's arguments, with what is fixed in its operation. */
label_args pieces_args (const fv_call *call);

extern const fv_input pieces_inputs[];
extern const fv_output pieces_outputs[];

fv_grain pieces_grain (const fv_op *op, const void *args);
int64_t pieces_scratch (const fv_op *op, const void *args, const fv_grid *const *in);
fv_status pieces_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out,
                        fv_error *error);
fv_status pieces_cpu (const fv_call *call, fv_error *error);
fv_status pieces_cuda (const fv_call *call, fv_error *error);

#define PIECES_CONNECTIVITY                                                                                            \
  {                                                                                                                    \
    FV_FIELD (label_args, connectivity), .label = "Connectivity", .advanced = true, .choices = label_connectivities,   \
                                         .help = "How many neighbors of a pixel are connected to it."                  \
  }
#define PIECES_VOLUME                                                                                                  \
  {                                                                                                                    \
    FV_FIELD (label_args, volume), .label = "3-D (whole stack)",                                                       \
                                   .help = "Takes the planes as one volume and connects objects across them."          \
  }

/* All of a declaration but names and parameters. BORDER: whether it drops what touches the border. */
#define PIECES_OP(BORDER)                                                                                              \
  FV_OP (label_args), .user = (void *) (intptr_t) (BORDER), .menu = "Process/Binary", .kind = FV_GLOBAL,               \
                      .reads_back = true, /* only where there can be more objects than labels */                       \
    .inputs = pieces_inputs, .outputs = pieces_outputs, .grain = pieces_grain, .infer = pieces_infer,                  \
                      .scratch = pieces_scratch, .run = {[FV_CPU] = pieces_cpu, [FV_CUDA] = FV_CUDA_FN (pieces_cuda)}, \
                      .part = FV_PART_ALIKE

#ifdef __cplusplus
}
#endif

#endif
