/* SPDX-License-Identifier: MIT
 *
 * fill_holes: out(p) = 255 where p is foreground or in a hole, else 0. A hole is a connected component of the background that does not touch the
 * border of the image or, in 3-D, of the stack. It is not larger than max_size, unless that is 0. The connectivity is that of the background.
 * Reference: scipy.ndimage.binary_fill_holes; ImageJ's Fill Holes is connectivity 4.
 */
#ifndef KERNELS_MORPHOLOGY_FILL_HOLES_H
#define KERNELS_MORPHOLOGY_FILL_HOLES_H

#include "kernels/morphology/pieces.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What label is asked for in the background; args: a label_args. */
static inline label_args
fill_holes_args (const void *args)
{
  label_args a = *(const label_args *) args;
  if (a.connectivity == LABEL_AUTO)
    a.connectivity = a.volume ? LABEL_6 : LABEL_4;
  a.exclude_border = true;
  return a;
}

fv_status fill_holes_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
