/* SPDX-License-Identifier: MIT
 *
 * keep: out(c, z, y, x) = in(c, z, y, x) where inside(z, y, x) is not 0, else outside(c, z, y, x), or 0 when that is not given. A mask or an outside
 * image of one plane or one channel counts for all of them. The outside image has the type of the image, or one that the image's float type holds
 * exactly.
 */
#ifndef KERNELS_IMAGE_KEEP_H
#define KERNELS_IMAGE_KEEP_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct keep_args {
  bool invert; /* keep what is outside */
} keep_args;

enum { KEEP_IMAGE, KEEP_INSIDE, KEEP_OUTSIDE };

/* Which plane of an input goes with plane `plane` of the image. */
static inline int64_t
keep_plane (const fv_grid *input, const fv_grid *image, int64_t plane)
{
  int64_t depth = image->shape[0] / image->channels, z = input->shape[0] == input->channels ? 0 : plane % depth;
  int64_t c = input->channels == 1 ? 0 : plane / depth;
  return c * (input->shape[0] / input->channels) + z;
}

/* Whether pixels of that type are also such of the image's type. */
static inline bool
keep_holds (fv_type image, fv_type type)
{
  return image == type || image == FV_F64 || (image == FV_F32 && (type == FV_U8 || type == FV_U16));
}

fv_status keep_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
