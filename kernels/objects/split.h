/* SPDX-License-Identifier: MIT
 *
 * split: cuts the objects of a mask where they touch. What is flooded is f: the distance to the background, or an intensity, smoothed.
 * Markers are the regional maxima, inside the mask, of R = the reconstruction by dilation of f - h under f: the peaks of f that rise by h
 * over every saddle to a higher one, and the highest of each object. Then the watershed of f, bright first, within the mask. No object of
 * the mask is lost. Where one has no background around it its distances are infinite: it stays whole, as where f is NaN.
 * f is smoothed in 64 bits and then rounded to 32, so that every device finds the same ties, and the same objects.
 * P. Soille, Morphological Image Analysis, 2nd ed. (2003), 6.3.4 and 9.2. With method=imagej the lines are those of ImageJ (split_imagej.h), plane by plane.
 */
#ifndef KERNELS_OBJECTS_SPLIT_H
#define KERNELS_OBJECTS_SPLIT_H

#include "kernels/label/watershed.h"
#include "kernels/morphology/reconstruct_grey.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/* f as it is flooded: 0 where it is no number, since a peak there would be none. Outside the mask it is NaN. */
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

/* What is known of a pixel that may be a regional maximum: itself when a neighbour is higher, else the next lower number. Of the neighbours
 * those that share an edge are enough: plateaus are left to the reconstruction. */
INLINE float
split_lowered (float v, float up, float down, float left, float right)
{
  return up > v || down > v || left > v || right > v ? v : split_next_lower (v);
}

/* An array in scratch of the device, as large as the mask, without gaps. */
typedef struct split_array {
  fv_array array;
  fv_grid grid;
  int64_t strides[3];
} split_array;

typedef struct split_arrays {
  const fv_array *mask, *from; /* from: what is smoothed */
  split_array distance, wide, smooth, level, peaks, lower, tops, markers;
  split_array stairs,
    seeds;     /* by ImageJ: steps of the distance, and those of the areas alone; what was taken is in stairs then */
  float *most; /* the greatest distance of each plane */
  void *spare; /* 8 bytes for each pixel, when nothing but stairs and seeds is needed any more */
} split_arrays;

/* Beyond the image, where it is smoothed. */
#define SPLIT_BORDER BORDER_NEAREST

/* An array as large as the mask in memory that is there. */
void split_lay_out (split_array *to, const fv_array *mask, fv_type type, fv_role role, void *memory);
/* The distances of the call's mask. */
fv_status split_distance (const fv_call *call, fv_device_kind kind, const split_array *to, fv_error *error);
/* How many pixels away what is smoothed counts, along z, y or x. */
int64_t split_reach (const split_args *a, const fv_grid *mask, int axis);

/* A pass over the pixels. */
typedef fv_status split_pass (const fv_call *call, const split_arrays *s, fv_error *error);

/* The passes on one kind of device. */
typedef struct split_passes {
  fv_device_kind kind;
  split_pass *widen; /* wide is `from` */
  split_pass *level; /* level is f, of smooth; peaks is f - h */
  split_pass *lower; /* lower is peaks where a neighbour of them is higher, else the next number below */
  split_pass *mark;  /* tops is 255 where lower, which was reconstructed, still is below peaks, else 0 */
  split_pass *near, *heights, *stairs,
    *grow; /* by ImageJ: distance and most; level and peaks; stairs and seeds; stairs */
} split_passes;

/* What is flooded: the call's image, or a smaller one. */
typedef struct split_work {
  const fv_array *mask, *from, *labels; /* from: NULL for the distances of the call's mask */
} split_work;

/* Floods the objects of a mask: `labels` has those of all pixels, s->markers those of the peaks, and the call's scalar how many there are. */
fv_status split_flood (const fv_call *call, const split_passes *passes, const split_work *work, split_arrays *s,
                       fv_error *error);
/* The whole operation. */
fv_status split_run (const fv_call *call, const split_passes *passes, fv_error *error);

fv_status split_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
