/* SPDX-License-Identifier: MIT
 *
 * noise: pixel i, counted frame by frame, plane by plane and row by row, has the random numbers of counter i and key `seed` (philox.h).
 * Normal ones are added. Or a value v becomes a number of photons of mean v x photons, over photons. Or, with a chance of density / 2 each,
 * v becomes the smallest or the largest value of the type, 0 or 1 for floats. Rounded, and clamped to the type. NaN and infinities stay. A
 * number of photons is found by adding up chances where fewer than 10 are expected, else by rejection; where more than 2^31 are, it is a
 * rounded normal number.
 * Reference: W. Hoermann, The transformed rejection method for generating Poisson random variables, Insurance Math. Econom. 12 (1993), 39 (PTRS).
 */
#ifndef KERNELS_FIELDS_NOISE_H
#define KERNELS_FIELDS_NOISE_H

#include "kernels/common/philox.h"
#include "kernels/common/defined.h"

typedef enum noise_method { NOISE_GAUSSIAN, NOISE_POISSON, NOISE_SALT_AND_PEPPER } noise_method;

typedef struct noise_args {
  int32_t method;
  double sigma, photons, density; /* density: % */
  int32_t seed;
} noise_args;

typedef struct noise_rule {
  noise_args args;
  double pepper, salt;
} noise_rule;

static inline noise_rule
noise_rule_of (const fv_call *call)
{
  const fv_type type = call->outputs[0]->grid->type;
  noise_rule r = {*(const noise_args *) call->args, type == FV_I32 ? -2147483648.0 : 0,
                  type == FV_U8    ? 255
                  : type == FV_U16 ? 65535
                  : type == FV_I32 ? 2147483647.0
                                   : 1};
  return r;
}

/* The number of the first pixel of a call, which is for one frame. */
static inline int64_t
noise_first (const fv_call *call)
{
  const int64_t *shape = call->outputs[0]->tensor.shape;
  return call->frame * shape[0] * shape[1] * shape[2];
}

/* ---- Photons ---- */

/* log k!: Stirling's series of log gamma (x), x = k + 1, which is made at least 10. */
INLINE double
noise_log_factorial (double k)
{
  double x = k + 1, product = 1;
  while (x < 10)
    product *= x++;
  const double s = 1 / (x * x);
  return (x - 0.5) * defined_log (x) - x + 0.91893853320467274178 + (1 / 12.0 - s * (1 / 360.0 - s / 1260)) / x
         - defined_log (product);
}

INLINE double
noise_few_photons (double mean, const uint32_t v[4])
{
  double chance = defined_exp (-mean), left = philox_uniform (v[0]) + philox_uniform (v[1]) / 4294967296.0, k = 0;
  while (left > chance && k < 100) {
    left -= chance;
    chance *= mean / ++k;
  }
  return k;
}

/* Transformed rejection with a squeeze; v has the numbers of the first attempt. */
INLINE double
noise_many_photons (double mean, int64_t i, uint32_t seed, uint32_t v[4])
{
  const double b = 0.931 + 2.53 * sqrt (mean), a = -0.059 + 0.02483 * b, squeeze = 0.9277 - 3.6224 / (b - 2);
  for (uint32_t attempt = 1;; philox ((uint64_t) i, attempt++, seed, v)) {
    const double u = philox_uniform (v[0]) - 0.5, w = philox_uniform (v[1]), edge = 0.5 - fabs (u);
    const double k = floor ((2 * a / edge + b) * u + mean + 0.43);
    if (edge >= 0.07 && w <= squeeze)
      return k;
    if (k < 0 || (edge < 0.013 && w > edge))
      continue;
    if (defined_log (w * (1.1239 + 1.1328 / (b - 3.4)) / (a / (edge * edge) + b))
        <= k * defined_log (mean) - mean - noise_log_factorial (k))
      return k;
  }
}

INLINE double
noise_photons (double mean, int64_t i, uint32_t seed, uint32_t v[4])
{
  if (!(mean > 0))
    return 0;
  if (mean < 10)
    return noise_few_photons (mean, v);
  return mean < 2147483648.0 ? noise_many_photons (mean, i, seed, v) : rint (mean + sqrt (mean) * philox_normal (v));
}

/* ---- A pixel ---- */

/* Of pixel i, whose value is v. */
INLINE double
noise_value (const noise_rule *r, int64_t i, double v)
{
  const uint32_t seed = (uint32_t) r->args.seed;
  uint32_t words[4];
  if (isnan (v) || isinf (v))
    return v;
  philox ((uint64_t) i, 0, seed, words);
  if (r->args.method == NOISE_GAUSSIAN)
    return v + r->args.sigma * philox_normal (words);
  if (r->args.method == NOISE_POISSON)
    return noise_photons (v * r->args.photons, i, seed, words) / r->args.photons;
  const double share = philox_uniform (words[0]), wrong = r->args.density / 100;
  return share < wrong / 2 ? r->pepper : share < wrong ? r->salt : v;
}

#ifdef __cplusplus
extern "C" {
#endif

fv_status noise_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
