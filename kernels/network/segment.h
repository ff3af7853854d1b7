/* SPDX-License-Identifier: MIT
 *
 * segment: nuclei by a network. Each plane is normalized: percentile 0.5 becomes 0, percentile 99.9 becomes 1; dark objects in the negative. Where nuclei
 * are smaller than 14 pixels or larger than 60 it is scaled so that they have 28. It is continued to multiples of the network's grid by reflection. The
 * network gives, for each cell of 2 x 2 pixels, the probability of an object, 32 distances to its outline, and the probability of foreground
 * (network.h). Then
 *
 *     stars    cells above `probability` that are greater than the 5 x 5 cells around them; of equal ones the first. Of stars that overlap by more than
 *              `overlap`, the one with the highest probability is kept (star_polygons.h).
 *              Stars with less than the part `contrast` of the median contrast are dropped. A contrast is the mean less that of the background,
 *              which lies up to 1.5 times the distances and 2 pixels around a star
 *     seeds    the stars at half their size, and their centers
 *     mask     pixels above `foreground` that are at most 3 pixels outside a star, and the seeds
 *     labels   watershed of the object's probability from the seeds within the mask; objects of fewer than 12 scaled pixels are dropped
 *
 * A tile is computed with all pixels that its results depend on, so the bits of the result depend on neither the tiles nor the device.
 * Network and post-processing: models/nuclei/CARD.md.
 */
#ifndef KERNELS_NETWORK_SEGMENT_H
#define KERNELS_NETWORK_SEGMENT_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

fv_status segment_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
