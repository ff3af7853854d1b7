/* SPDX-License-Identifier: MIT
 *
 * Look-up tables as they are published, 0xrrggbb.
 */
#ifndef KERNELS_DISPLAY_LUT_TABLES_H
#define KERNELS_DISPLAY_LUT_TABLES_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const uint32_t lut_fire[256], lut_viridis[256], lut_cividis[256], lut_glasbey[256];

#ifdef __cplusplus
}
#endif

#endif
