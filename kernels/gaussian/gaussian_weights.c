/* SPDX-License-Identifier: MIT
 *
 * The weights of gaussian. They use no exp() of the C library, which differs between processors.
 */
#include "kernels/gaussian/gaussian_weights.h"

#include "kernels/common/defined.h"

void
gaussian_weights (double *w, int64_t radius, double sigma)
{
  double sum = 1;
  w[0] = 1;
  for (int64_t k = 1; k <= radius; k++)
    sum += 2 * (w[k] = defined_exp (-0.5 / (sigma * sigma) * (double) k * (double) k));
  for (int64_t k = 0; k <= radius; k++)
    w[k] /= sum;
}

static double
derivative (int32_t order, double k, double sigma)
{
  double v = sigma * sigma;
  return order == 0 ? 1 : order == 1 ? k / v : (k * k / v - 1) / v;
}

void
gaussian_axis_weights (double *w, const gaussian_args *a, const fv_grid *in, int axis)
{
  int64_t radius = gaussian_radius (a, in, axis);
  double sigma = gaussian_sigma (a, in, axis);
  gaussian_weights (w, radius, sigma);
  for (int64_t k = 0; k <= radius; k++)
    w[k] *= derivative (a->order[axis], (double) k, sigma);
}

double
gaussian_of_constant (const double *w, int64_t radius, bool odd, fv_type type, double value)
{
  double sum = 0;
  float block = 0, total = 0;
  for (int64_t t = 0; t <= 2 * radius; t++) {
    double weight = t < radius ? (odd ? -w[radius - t] : w[radius - t]) : w[t - radius];
    sum = fma (weight, value, sum);
    block = fmaf ((float) weight, (float) value, t % GAUSSIAN_BLOCK ? block : 0);
    if (t == 2 * radius || t % GAUSSIAN_BLOCK == GAUSSIAN_BLOCK - 1)
      total = t < GAUSSIAN_BLOCK ? block : total + block;
  }
  return type == FV_F32 ? total : sum;
}
