/* SPDX-License-Identifier: MIT
 *
 * check_labels: of each plane the first pixel in reading order whose value is not a label. A label is an integer from 0 to 2^31 - 1, not NaN. The
 * results are pixel = row * columns + column, or -1 where all are labels, and its value, or 0.
 */
#ifndef KERNELS_IMAGE_CHECK_LABELS_H
#define KERNELS_IMAGE_CHECK_LABELS_H

#include "kernels/image/interpret.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CHECK_PIXEL, CHECK_VALUE, CHECK_SCALARS };

fv_status check_labels_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
