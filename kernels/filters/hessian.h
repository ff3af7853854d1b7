/* SPDX-License-Identifier: MIT
 *
 * hessian: an eigenvalue of the matrix of second derivatives of the image blurred with a Gaussian, each made by convolution with that derivative
 * of the Gaussian. Of a plane a = xx, b = xy, c = yy: (a + c) / 2 +- sqrt (b^2 + ((a - c) / 2)^2); of a volume by the cosines of the cubic's roots.
 * Border: as the argument says. NaN: every window that contains one gives NaN.
 * Reference: scipy.ndimage.gaussian_filter with `order`, and skimage.feature.hessian_matrix_eigvals of these.
 */
#ifndef KERNELS_FILTERS_HESSIAN_H
#define KERNELS_FILTERS_HESSIAN_H

#include "kernels/common/defined.h"
#include "kernels/gaussian/blurs.h"

typedef enum hessian_value { HESSIAN_LARGEST, HESSIAN_MIDDLE, HESSIAN_SMALLEST } hessian_value;

typedef struct hessian_args {
  gaussian_args blur; /* first: the parameters of blurs find theirs */
  int32_t value_of;   /* hessian_value */
} hessian_args;

/* d: xx, xy, yy. */
INLINE double
hessian_of_plane (const double *d, hessian_value which)
{
  double half = (d[0] - d[2]) / 2, root = sqrt (d[1] * d[1] + half * half);
  return (d[0] + d[2]) / 2 + (which == HESSIAN_LARGEST ? root : -root);
}

/* d: xx, xy, yy, xz, yz, zz. */
INLINE double
hessian_of_volume (const double *d, hessian_value which)
{
  const double third = 2.0943951023931953; /* of a circle */
  double mean = (d[0] + d[2] + d[5]) / 3, x = d[0] - mean, y = d[2] - mean, z = d[5] - mean;
  double p = sqrt ((x * x + y * y + z * z + 2 * (d[1] * d[1] + d[3] * d[3] + d[4] * d[4])) / 6);
  double r =
    (x * (y * z - d[4] * d[4]) - d[1] * (d[1] * z - d[4] * d[3]) + d[3] * (d[1] * d[4] - y * d[3])) / (2 * p * p * p);
  double angle = defined_acos (r < -1 ? -1 : r > 1 ? 1 : r) / 3;
  if (p == 0)
    return mean;
  double largest = 2 * p * defined_cos (angle), smallest = 2 * p * defined_cos (angle + third);
  return mean + (which == HESSIAN_LARGEST ? largest : which == HESSIAN_SMALLEST ? smallest : -largest - smallest);
}

#ifdef __cplusplus
extern "C" {
#endif

enum { HESSIAN_MOST = 6 };

/* How many derivatives there are, in the order in which they are named above. */
int hessian_terms (const hessian_args *a, blurs_term terms[HESSIAN_MOST]);
fv_status hessian_derivatives (const fv_call *call, fv_device_kind kind, scratch_image images[HESSIAN_MOST],
                               fv_error *error);
fv_status hessian_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
