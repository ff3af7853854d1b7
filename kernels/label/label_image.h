/* SPDX-License-Identifier: MIT
 *
 * Labels that another operation needs, in scratch.
 */
#ifndef KERNELS_LABEL_LABEL_IMAGE_H
#define KERNELS_LABEL_LABEL_IMAGE_H

#include "kernels/common/scratch_image.h"
#include "kernels/label/label.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How many numbers label gives of an image: one for each plane, or for the volume. */
static inline int64_t
label_n_groups (const fv_grid *image, const label_args *args)
{
  return args->volume ? 1 : image->shape[0];
}

/* Labels an image on a device of that kind. */
fv_status label_image (const fv_call *call, fv_device_kind kind, const fv_array *image, const label_args *args,
                       scratch_image *labels, fv_error *error);
/* Bytes that it takes. */
int64_t label_image_bytes (const fv_grid *image, const label_args *args);

#ifdef __cplusplus
}
#endif

#endif
