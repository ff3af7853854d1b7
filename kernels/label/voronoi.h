/* SPDX-License-Identifier: MIT
 *
 * voronoi: out(p) = label of the object nearest to p, as expand finds it up to EXPAND_FARTHEST pixels: of each pixel the
 * object that it is the nearest to. Line: then 0 where a neighbor, corners included, has a smaller label, so that a line one pixel wide divides what
 * belongs to two objects; objects that touch are divided, too.
 */
#ifndef KERNELS_LABEL_VORONOI_H
#define KERNELS_LABEL_VORONOI_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct voronoi_args {
  bool line, volume;
} voronoi_args;

/* Writes the output: regions without what lies on lines between them. */
typedef fv_status voronoi_divide (const fv_call *call, const fv_array *regions, fv_error *error);

/* The whole operation on one kind of device. */
fv_status voronoi_run (const fv_call *call, fv_device_kind kind, voronoi_divide *divide, fv_error *error);

fv_status voronoi_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
