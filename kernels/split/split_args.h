/* SPDX-License-Identifier: MIT
 *
 * The arguments of split, and what both devices derive from them.
 */
#ifndef KERNELS_SPLIT_SPLIT_ARGS_H
#define KERNELS_SPLIT_SPLIT_ARGS_H

#include "kernels/common/common.h"

enum { SPLIT_MASK, SPLIT_INTENSITY };

typedef enum split_method { SPLIT_FLOODING, SPLIT_IMAGEJ } split_method;
typedef enum split_by { SPLIT_BY_DISTANCE, SPLIT_BY_INTENSITY } split_by;

typedef struct split_args {
  int32_t method; /* split_method */
  int32_t by;     /* split_by */
  double sigma;
  double h;
  int32_t units;        /* gaussian_units, distance_units */
  int32_t connectivity; /* label_connectivity */
  bool line;
  bool volume;
} split_args;

/* ImageJ knows planes. */
static inline bool
split_is_volume (const split_args *a)
{
  return a->method == SPLIT_FLOODING && a->volume;
}

/* f as it is flooded: 0 where it is NaN, which cannot be a peak. Outside the mask it is NaN. */
INLINE float
split_level (double f, uint8_t mask)
{
  float level = (float) f;
  return !mask ? (float) NAN : level - level == 0 ? level : 0;
}

/* The next lower number; NaN stays. */
INLINE float
split_next_lower (float v)
{
  int32_t bits;
  memcpy (&bits, &v, sizeof bits);
  bits = v > 0 ? bits - 1 : v < 0 ? bits + 1 : v == 0 ? INT32_MIN + 1 : bits;
  memcpy (&v, &bits, sizeof v);
  return v;
}

/* What is known of a pixel that may be a regional maximum: itself when a neighbor is higher, else the next lower number. Of the neighbors
 * those that share an edge are enough: plateaus are left to the reconstruction. */
INLINE float
split_lowered (float v, float up, float down, float left, float right)
{
  return up > v || down > v || left > v || right > v ? v : split_next_lower (v);
}

#endif
