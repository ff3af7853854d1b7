/* SPDX-License-Identifier: MIT
 *
 * label: out(p) = number of the connected component of foreground that holds p, 0 in the background. Components are
 * numbered 1 ... n by their first pixels in the order planes, rows, columns, after unwanted ones are dropped. n is at most
 * 2^31 - 1, in a plane or, as volume, in all.
 */
#ifndef KERNELS_LABEL_LABEL_H
#define KERNELS_LABEL_LABEL_H

#include "kernels/label/label_args.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const fv_op fv_op_label;
extern const fv_choice label_connectivities[];

fv_status label_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
