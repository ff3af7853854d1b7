/* SPDX-License-Identifier: MIT
 *
 * sources: the connected objects, corners included, of pixels whose filtered value is above threshold * sigma, at least min_area of
 * them; a row of the table for each, see source.h. The image is without background. sigma is a number, an image, or, where neither is
 * given, that of sigma_clip. Hidden pixels (masked, NaN, infinite) are 0. The filter is divided by the sum of its absolute weights;
 * outside the image is 0. A matched filter h compares the signal-to-noise ratio of what looks like it with the threshold: sum (h v /
 * sigma^2) / sqrt (sum (h^2 / sigma^2)), over visible pixels whose sigma is not 0. Oracle: SEP 1.4 without deblending and cleaning.
 */
#ifndef KERNELS_SKY_SOURCES_H
#define KERNELS_SKY_SOURCES_H

#include "kernels/sky/source.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sources_filter { SOURCES_PYRAMID, SOURCES_NONE, SOURCES_MATRIX } sources_filter;
typedef enum sources_filter_type { SOURCES_CONVOLUTION, SOURCES_MATCHED } sources_filter_type;

typedef struct sources_args {
  double threshold, sigma;               /* sigma 0: not given */
  int32_t min_area, filter, filter_type; /* sources_filter, sources_filter_type */
  fv_matrix matrix, apertures;
  double kron_factor, kron_least;
} sources_args;

enum { SOURCES_IMAGE, SOURCES_RMS, SOURCES_MASK }; /* inputs */

/* The filter's weights, as they are used. */
typedef struct sources_weights {
  int rows, columns;
  double v[FV_MATRIX_MAX];
} sources_weights;

void sources_weights_of (const sources_args *a, sources_weights *w);
source_needs sources_needs_of (const sources_args *a);

/* Plane `z` of the inputs; sigma and weights are in memory of the device. */
source_image sources_plane (const fv_call *call, const sources_weights *w, int64_t z, const double *sigma,
                            const double *weights);

/* Labels the detected pixels, which are a mask like the image; `counts`: room for a number for each plane. */
fv_status sources_label (const fv_call *call, fv_device_kind kind, void *detected, double *counts, fv_error *error);

/* Columns of the table before those of source_column: label, and before it z, where there are several planes. */
static inline int
sources_first_column (const fv_call *call)
{
  return array_planes (call->inputs[SOURCES_IMAGE]) > 1 ? 2 : 1;
}

/* Makes rows of the table; values as host->table() has them. */
fv_status sources_table (const fv_call *call, int64_t rows, double **values, fv_error *error);

fv_status sources_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
