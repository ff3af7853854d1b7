/* SPDX-License-Identifier: MIT
 *
 * The sliding paraboloid of rolling_ball. A parabola slides under the lines of the image, one direction after the other: rows, columns, rows,
 * diagonals down to the right, those down to the left, and the first again. Its height under a line of values v (i) is the lower convex hull of v (i)
 * + c i i, less c i i. Each line is a hull of its own, whose ends stay. Here c is 0.5 / radius, twice that along diagonals. Before it, `smooth` takes
 * the maximum of 3 x 3 pixels and then the mean of 3 x 3, with the edge pixel repeated outside. The mean rise by the maximum is subtracted from the
 * background. Then a corner that is higher than the edges and the diagonal there, as continued by parabolas, say in the mean is lowered to that, as
 * an object in a corner would stay.
 * Pixels that are not finite do not count; INFINITY replaces them and the outside. Reference: S. Sternberg, Biomedical image processing, IEEE
 * Computer 16 (1983) 22; M. Schmid's sliding paraboloid of ImageJ's Subtract Background.
 */
#ifndef KERNELS_FILTERS_PARABOLOID_H
#define KERNELS_FILTERS_PARABOLOID_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

int64_t paraboloid_scratch (const fv_grid *in);
fv_status paraboloid_cpu (const fv_call *call, fv_error *error);
fv_status paraboloid_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
