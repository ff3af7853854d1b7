/* SPDX-License-Identifier: MIT
 *
 * register: how far each frame, or slice, has to be moved to lie on the first one, on the one before or on a reference, and the image with them so
 * moved. It takes the middle of both, at most 4096 x 4096 pixels, the sum of all slices. It subtracts the mean, divides by the standard deviation,
 * fades out towards the edges by sin^2, and pads with 0 to powers of two. Their Fourier transforms A and B are those of one complex image. Where P =
 * A conj (B), with method=phase P / |P|, correlates best is looked for among whole pixels, then thrice among 5 x 5 points, a quarter as far apart
 * each time, and at last by a parabola. Frequencies that are only rounding errors do not count, nor do pixels that are not finite. A frame without
 * contrast stays where it is. With transform=rigid it is turned, too, clockwise about its middle before it is moved (rigid.h), by all of the image.
 * References: C. D. Kuglin and D. C. Hines, The phase correlation image alignment method, Proc. IEEE Conf. Cybernetics and Society (1975);
 * M. Guizar-Sicairos et al., Efficient subpixel image registration algorithms, Opt. Lett. 33 (2008).
 */
#ifndef KERNELS_GEOMETRY_REGISTER_H
#define KERNELS_GEOMETRY_REGISTER_H

#include "kernels/geometry/affine.h"
#include "kernels/geometry/register_plan.h"

#ifdef __cplusplus
extern "C" {
#endif

affine_rule register_rule (const fv_call *call, const register_plan *plan);
/* The table: x and y of each in turn, and with transform=rigid the angle. */
fv_status register_table (const fv_call *call, const register_plan *plan, const double *shifts, fv_error *error);
fv_status register_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
