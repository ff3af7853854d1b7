/* SPDX-License-Identifier: MIT
 *
 * stars: objects from what a network of StarDist gives. Each cell of `grid` x `grid` pixels has a probability and 32 distances to the outline, in
 * pixels. The center of its star is the first pixel of the cell.
 *
 *     candidates  cells above `probability`: all of them, as StarDist takes them, or those that are greater than the 5 x 5 cells around them,
 *                 of equal ones the first
 *     kept        by falling probability, then by row and column, each that shares at most the part `overlap` of the smaller one's pixels with each
 *                 one kept before (star_polygons.h)
 *     labels      the polygons, with distances times `part`, and their centers; of those with the same pixel the one that was kept first has it.
 *                 Numbered by their centers from the top left to the bottom right
 *
 * Distances are at most 512 pixels, and NaN is 0. StarDist takes areas of polygons where this counts pixels, so it can keep another one where an
 * overlap is near the limit.
 * U. Schmidt, M. Weigert, C. Broaddus, G. Myers, Cell Detection with Star-Convex Polygons, MICCAI 2018.
 */
#ifndef KERNELS_NETWORK_STARS_H
#define KERNELS_NETWORK_STARS_H

#include "kernels/network/segment_passes.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum stars_candidates { STARS_PEAKS, STARS_ALL } stars_candidates;

typedef struct stars_args {
  double probability, overlap, part;
  int32_t grid, candidates;
} stars_args;

fv_status stars_run (const fv_call *call, const segment_passes *passes, fv_error *error);
fv_status stars_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
