/* SPDX-License-Identifier: MIT
 *
 * patch_match: for each pixel p of A the pixel q of B whose patch differs least, D(p, q) = sum (A_c(p + d) - B_c(q + d))^2 over
 * channels c and |d| <= radius along both axes, with the edge pixels going on outside both images; of equals the first q, row by
 * row. Exact: every q is tried. Between 8-bit images D is an integer; else it is double, which is exact for 16 bits, and
 * added up in the order channels, columns, rows. A patch of A without a finite D has no match: x = y = -1, D = NaN.
 * Reference: C. Barnes et al., PatchMatch, ACM Transactions on Graphics 28 (2009), who approximate what is exact here.
 */
#ifndef KERNELS_PATCH_PATCH_MATCH_H
#define KERNELS_PATCH_PATCH_MATCH_H

#include "kernels/patch/patch_match_args.h"

#ifdef __cplusplus
extern "C" {
#endif

fv_status patch_match_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
