/* SPDX-License-Identifier: MIT
 *
 * maxima, method=peaks; see maxima.h.
 */
#ifndef KERNELS_MAXIMA_MAXIMA_PEAKS_H
#define KERNELS_MAXIMA_MAXIMA_PEAKS_H

#include "kernels/maxima/maxima_args.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Gives in *count how many maxima there are. */
fv_status maxima_peaks_cpu (const fv_call *call, double *count, fv_error *error);
fv_status maxima_peaks_cuda (const fv_call *call, fv_error *error);
int64_t maxima_peaks_bytes (const maxima_args *a, const fv_grid *image);

#ifdef __cplusplus
}
#endif

#endif
