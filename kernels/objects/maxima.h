/* SPDX-License-Identifier: MIT
 *
 * maxima: peaks of brightness, or of darkness with `light`, and a row of the table for each. No pixel of the least value is one.
 * By prominence: the area of p is the pixels not below v(p) - prominence that are connected to it, corners included; where none of them
 * is higher the area is a maximum, and its point that pixel of value v(p) which is nearest to the mean place of them; of equally near
 * ones the first that a breadth-first search finds from the last of them, neighbors clockwise from above. NaN is below all. Objects are
 * numbered by the first pixels of their areas. Reference: ImageJ's MaximumFinder, in 32-bit floats but for i32 and f64.
 * Peaks: v(p) = max over the square, or cube, of side 2 distance + 1, NaN spreading; of two that are equal and nearer than `distance` rows,
 * columns and planes the later one goes if the earlier one stays. Reference: skimage.feature.peak_local_max.
 */
#ifndef KERNELS_OBJECTS_MAXIMA_H
#define KERNELS_OBJECTS_MAXIMA_H

#include "kernels/common/common.h"
#include "kernels/morphology/morphology.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum maxima_method { MAXIMA_BY_PROMINENCE, MAXIMA_PEAKS } maxima_method;
typedef enum maxima_output { MAXIMA_POINTS, MAXIMA_AREAS } maxima_output;

typedef struct maxima_args {
  int32_t method; /* maxima_method */
  double prominence;
  bool strict;
  int32_t distance;
  double threshold;
  bool exclude_edges, light;
  int32_t output; /* maxima_output */
  bool volume;
} maxima_args;

/* Of a group, which is a plane or the volume: values that are numbers. */
typedef struct maxima_span {
  double least, most;
} maxima_span;

/* Neighbors of a pixel, clockwise from above. */
#define MAXIMA_AROUND_X                                                                                                \
  {                                                                                                                    \
    0, 1, 1, 1, 0, -1, -1, -1                                                                                          \
  }
#define MAXIMA_AROUND_Y                                                                                                \
  {                                                                                                                    \
    -1, -1, 0, 1, 1, 1, 0, -1                                                                                          \
  }

/* What is measured in 32-bit floats. */
static inline bool
maxima_in_f32 (fv_type type)
{
  return type == FV_U8 || type == FV_U16 || type == FV_F32;
}

/* Whether a plane of such values can have a maximum. */
static inline bool
maxima_possible (const maxima_args *a, fv_type type, maxima_span s)
{
  double range = maxima_in_f32 (type) ? (double) ((float) s.most - (float) s.least) : s.most - s.least;
  return s.most > s.least && !(a->strict && range <= a->prominence);
}

/* Whether a height, which is a value, or with `light` its negative, is beyond the threshold; an infinite one is none. */
INLINE bool
maxima_is_high (const maxima_args *a, double height)
{
  return isinf (a->threshold) || height > (a->light ? -a->threshold : a->threshold);
}

/* An image in scratch, without gaps. */
typedef struct maxima_image {
  fv_array array;
  fv_grid grid;
  int64_t strides[3];
} maxima_image;

void maxima_lay_out (maxima_image *to, const fv_array *like, fv_type type, void *memory);

/* The largest of the square or cube around each pixel or, with `light`, the least, in scratch. */
fv_status maxima_extremes (const fv_call *call, fv_device_kind kind, maxima_image *extremes, fv_error *error);
int64_t maxima_extremes_bytes (const maxima_args *a, const fv_grid *image);

/* Makes n rows of the table, and fills in one of them: a pixel, counted through all planes, its value, and the number of the object. */
fv_status maxima_new_rows (const fv_call *call, int64_t n, double **values, fv_error *error);
void maxima_put_row (const fv_call *call, double *values, int64_t n, int64_t row, int64_t at, double value,
                     int64_t number);

/* Give in *count how many maxima there are. */
fv_status maxima_prominent_cpu (const fv_call *call, double *count, fv_error *error);
fv_status maxima_peaks_cpu (const fv_call *call, double *count, fv_error *error);
int64_t maxima_prominent_bytes (const fv_grid *image);
int64_t maxima_peaks_bytes (const maxima_args *a, const fv_grid *image);

fv_status maxima_prominent_cuda (const fv_call *call, fv_error *error);
fv_status maxima_peaks_cuda (const fv_call *call, fv_error *error);
fv_status maxima_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
