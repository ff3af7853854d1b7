/* SPDX-License-Identifier: MIT
 *
 * How an image has to be turned clockwise about its middle and then moved to lie on another: as rotate does it. The angle first, by that at which the
 * sizes of the Fourier transforms of their middles correlate best; they do not change when an image is moved, and turn with it. Half turns, which
 * these do not tell, the best angles and none are tried, each moved by phase correlation in which weak frequencies count less, and that is taken with
 * which the images correlate best. All three numbers are refined together by Gauss-Newton steps for the least squares of fixed - a moved - b, with
 * the spline of Catmull and Rom between pixels. It works on images halved again and again, and at last in full size. Pixels with unusually large
 * residuals have next to no weight. What grows with the image, a device does (rigid_device); the angle is looked for on the host, on a small level.
 * References: B. S. Reddy, B. N. Chatterji, An FFT-based technique for translation, rotation, and scale-invariant image registration, IEEE Trans.
 * Image Process. 5 (1996) 1266; B. D. Lucas, T. Kanade, An iterative image registration technique with an application to stereo vision, IJCAI (1981) 674.
 */
#ifndef KERNELS_GEOMETRY_RIGID_H
#define KERNELS_GEOMETRY_RIGID_H

#include "kernels/geometry/register_plan.h"
#include "kernels/geometry/rigid_steps.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  RIGID_LEVELS = 16,
  RIGID_LEAST = 24,   /* rows and columns of a level that is used */
  RIGID_COARSE = 192, /* no more pixels along a side of what the angle is looked for in */
};

/* An image, and it at half the size again and again, one behind the other. */
typedef struct rigid_pyramid {
  rigid_level levels[RIGID_LEVELS];
  int count, coarse; /* none of an image that is too small; the level that the angle is looked for in */
  int64_t numbers;   /* of all */
} rigid_pyramid;

/* Holds the pyramids of two images. */
typedef struct rigid_device {
  void *memory;
  /* Fills a pyramid: 0 or 1. */
  fv_status (*load) (const struct rigid_device *d, int which, const register_view *from, fv_error *error);
  /* Gives the coarse level of one in memory of the host; NULL: there is nothing to see. */
  fv_status (*coarse) (const struct rigid_device *d, int which, const float **level, fv_error *error);
  fv_status (*sums) (const struct rigid_device *d, int fixed, const rigid_step *step, double sums[RIGID_SUMS],
                     fv_error *error); /* the other one moves */
} rigid_device;

rigid_pyramid rigid_pyramid_of (int64_t rows, int64_t columns);

/* On the coarse level and all larger ones. */
fv_status rigid_refine (const rigid_pyramid *p, const rigid_device *d, int fixed, rigid_pose *pose, fv_error *error);

/* First a, then b. */
rigid_pose rigid_join (rigid_pose a, rigid_pose b);

#ifdef __cplusplus
}
#endif

#endif
