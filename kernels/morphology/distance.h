/* SPDX-License-Identifier: MIT
 *
 * distance: out(p) = distance from p to the nearest background pixel, infinity where there is none. Euclidean: sqrt of the sum over
 * the axes of (step * difference)^2, where a step is one pixel or its physical size; city: sum of |difference|; chessboard: the largest.
 * All three are found axis by axis: D(x) = least over i of d(D'(i), |x - i|), from the distances D' within the axes before.
 * Outside the image is nothing; NaN is background. Reference: scipy.ndimage.distance_transform_edt, distance_transform_cdt.
 */
#ifndef KERNELS_MORPHOLOGY_DISTANCE_H
#define KERNELS_MORPHOLOGY_DISTANCE_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum distance_metric { DISTANCE_EUCLIDEAN, DISTANCE_CITY, DISTANCE_CHESSBOARD } distance_metric;
typedef enum distance_units { DISTANCE_PIXELS, DISTANCE_PHYSICAL } distance_units;

typedef struct distance_args {
  int32_t metric; /* distance_metric */
  int32_t units;  /* distance_units */
  bool volume;
} distance_args;

/* A column's pixel that has no background above or below it counts so many pixels. */
#define DISTANCE_NONE INT32_MAX

/* What a pixel costs, its square in the Euclidean metric, when one that costs c is `away` from it along an axis. */
INLINE double
distance_cost (distance_metric metric, double c, double away)
{
  return metric == DISTANCE_EUCLIDEAN ? c + away * away : metric == DISTANCE_CITY ? c + away : c > away ? c : away;
}

/* The distance of a cost. */
INLINE float
distance_root (distance_metric metric, double cost)
{
  return metric == DISTANCE_EUCLIDEAN ? sqrtf ((float) cost) : (float) cost;
}

/* What a pixel costs that is `count` pixels from background in its column. */
INLINE double
distance_of_count (distance_metric metric, int32_t count, double step)
{
  return count == DISTANCE_NONE ? (double) INFINITY : distance_cost (metric, 0, count * step);
}

/* From one pixel to the next along z, y, x. */
static inline void
distance_steps (const distance_args *a, const fv_grid *image, double step[3])
{
  for (int axis = 0; axis < 3; axis++)
    step[axis] = a->units == DISTANCE_PHYSICAL ? image->spacing[axis] : 1;
}

fv_status distance_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
