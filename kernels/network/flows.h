/* SPDX-License-Identifier: MIT
 *
 * flows: objects from the output of a network like Cellpose's. It has three channels: the flow along y and along x, in units of 1/5 pixel, and the
 * probability of a cell as a logit. In each plane
 *
 *     field     flow / 5 where the logit is above `probability`, else 0
 *     path      each pixel above it moves `steps` times by the field at its position, which is then clamped to the image. The field is interpolated
 *               linearly between pixels
 *     ends      how many paths end in each pixel, whose coordinates are those of the end without their fractions
 *     seeds     pixels with more than 10 ends and as many as the highest of the 5 x 5 pixels around them
 *     basins    a seed takes pixels with more than 2 ends among the 8 neighbors of those that it has, five times. Of two seeds the one with more ends
 *               takes a pixel, of equal ones the second in raster order
 *     objects   pixels whose paths end in the basin of one seed. Objects of more than 40 % of the plane are dropped
 *     error     heat spreads from the pixel of an object that is nearest to the mean of all, the first of equal ones. 2 (rows + columns + 4) times, those
 *               of its box, 1 is added there, and then each pixel becomes the mean of its 3 x 3 pixels, those outside the object being 0. Objects whose
 *               mean squared difference between the directions of this heat's gradients and the field is above `flow_error` are dropped
 *     labels    objects of fewer than `min_size` pixels are dropped. Holes of objects are filled, in the order of their first pixels, with all that lies
 *               in them. Objects with fewer pixels are dropped again. The others are numbered by their first pixels in raster order
 *
 * Equal to Cellpose (tests/golden/cellpose): paths and error are those of version 3.1.1 on the CPU with interpolation, all else is that of 4.2.1.
 * Sums have the same order and precision, but for that of squared differences, which is one of integers here and exact to 2^-32 for each pixel.
 * Different: 4.2.1 samples the field half a pixel further up and left. Its gradients at the border of an object take the heat of objects that touch it. All
 * objects have as many rounds as the largest. 3.1.1 confuses labels when it drops small objects after inconsistent ones. Flows that are not finite are 0
 * here, and of equal seeds Cellpose on a GPU may take either.
 * C. Stringer, T. Wang, M. Michaelos, M. Pachitariu, Cellpose: a generalist algorithm for cellular segmentation, Nature Methods 18 (2021) 100.
 */
#ifndef KERNELS_NETWORK_FLOWS_H
#define KERNELS_NETWORK_FLOWS_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

fv_status flows_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
