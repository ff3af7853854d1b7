/* SPDX-License-Identifier: MIT
 *
 * texture: Haralick's features of each object, or of each whole plane. Values become levels, the bins of histogram over the whole channel; what lies
 * beyond given ends is at the ends. G (i, j) counts the pairs of pixels of one object, of levels i and j, that are round (distance sin angle) rows
 * and round (distance cos angle) columns apart. P = (G + its transpose) / their sum, mu = sum i P, var = sum P (i - mu)^2. Contrast = sum P (i -
 * j)^2, dissimilarity = sum P |i - j|, homogeneity = sum P / (1 + (i - j)^2), asm = sum P^2, energy = sqrt asm, correlation = sum P (i - mu)(j - mu)
 * / var (1 where var is 0), entropy = - sum P ln P. Each is the mean over the angles, 0, 45, 90 and 135 degrees or one of them, for which there are
 * pairs. Oracle: graycomatrix and graycoprops of scikit-image. Reference: R. M. Haralick et al., IEEE Trans. SMC 3 (1973) 610.
 */
#ifndef KERNELS_MEASURE_TEXTURE_H
#define KERNELS_MEASURE_TEXTURE_H

#include "kernels/measure/histogram.h"
#include "kernels/common/defined.h"
#include "kernels/regions/regions.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TEXTURE_IMAGE, TEXTURE_LABELS }; /* inputs */
enum {
  TEXTURE_ANGLES = 4,
  TEXTURE_MOST_LEVELS = 128,
  TEXTURE_NONE = 255 /* the level of a pixel that does not count */
};

typedef struct texture_args {
  int32_t levels, distance;
  int32_t angle; /* 0: all; else 45 degrees times what it is more than 1 */
  double low, high;
} texture_args;

/* The angles as steps. */
typedef struct texture_steps {
  int32_t n, rows[TEXTURE_ANGLES], columns[TEXTURE_ANGLES];
} texture_steps;

texture_steps texture_steps_of (const texture_args *a);
histogram_args texture_bins_of (const texture_args *a);

/* Columns of the table, after those that say where. */
enum { TEXTURE_FEATURES = 8 };
typedef struct texture_features {
  double v[TEXTURE_FEATURES];
} texture_features;

INLINE uint8_t
texture_level (const histogram_range *r, double v)
{
  if (!(fabs (v) <= DBL_MAX))
    return TEXTURE_NONE;
  v = v < r->low ? r->low : v > r->high ? r->high : v;
  return (uint8_t) histogram_bin (r, v);
}

/* Sums over all cells. */
enum { TEXTURE_SUMS = 7 };
typedef struct texture_sums {
  double v[TEXTURE_SUMS];
} texture_sums;

INLINE void
texture_add (texture_sums *s, double i, double j, double p, double mean)
{
  const double d = i - j;
  s->v[0] += p * d * d;
  s->v[1] += p * fabs (d);
  s->v[2] += p / (1 + d * d);
  s->v[3] += p * p;
  s->v[4] -= p > 0 ? p * defined_log (p) : 0;
  s->v[5] += p * (i - mean) * (i - mean);
  s->v[6] += p * (i - mean) * (j - mean);
}

INLINE void
texture_add_features (texture_features *f, const texture_sums *s)
{
  const double var = s->v[5];
  const double now[TEXTURE_FEATURES] = {
    s->v[0], s->v[1], s->v[2], s->v[3], sqrt (s->v[3]), var > 1e-12 ? s->v[6] / var : 1, s->v[4], var};
  for (int k = 0; k < TEXTURE_FEATURES; k++)
    f->v[k] += now[k];
}

/* n: of how many angles there were pairs. */
INLINE void
texture_average (texture_features *f, int32_t n)
{
  for (int k = 0; k < TEXTURE_FEATURES; k++)
    f->v[k] = n ? f->v[k] / n : NAN;
}

/* The table: of each object its plane of the stack and its label, and [channels][objects] features. */
fv_status texture_table (const fv_call *call, int64_t objects, const int32_t *planes, const int32_t *labels,
                         const texture_features *features, fv_error *error);

fv_status texture_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
