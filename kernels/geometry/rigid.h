/* SPDX-License-Identifier: MIT
 *
 * How an image has to be turned clockwise about its middle and then moved to lie on another: as rotate does it. The angle first, by that at which the
 * sizes of the Fourier transforms of their middles correlate best; they do not change when an image is moved, and turn with it. Half turns, which these do not
 * tell, the two best angles and none are tried, each moved by phase correlation, and that is taken with which the images correlate best. All three numbers
 * are refined together, on images of half the size again and again and at last as they are, by Gauss and Newton's steps for the least squares of
 * fixed - a moved - b, with Catmull and Rom's spline between pixels; what differs by far more than most has next to no weight.
 * References: B. S. Reddy, B. N. Chatterji, An FFT-based technique for translation, rotation, and scale-invariant image registration, IEEE Trans.
 * Image Process. 5 (1996) 1266; B. D. Lucas, T. Kanade, An iterative image registration technique with an application to stereo vision, IJCAI (1981) 674.
 */
#ifndef KERNELS_GEOMETRY_RIGID_H
#define KERNELS_GEOMETRY_RIGID_H

#include "kernels/common/common.h"

/* angle: in radians. */
typedef struct rigid_pose {
  double angle, x, y;
} rigid_pose;

/* Of memory for images of that size: rigid_find() begins with `fixed` and then `moving` in it, which it changes. NaN is no pixel. */
int64_t rigid_numbers (int64_t rows, int64_t columns);
rigid_pose rigid_find (double *memory, int64_t rows, int64_t columns);

/* First a, then b. */
rigid_pose rigid_join (rigid_pose a, rigid_pose b);

#endif
