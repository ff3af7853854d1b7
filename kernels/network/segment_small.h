/* SPDX-License-Identifier: MIT
 *
 * Small objects of labels on a device, dropped and not counted.
 */
#ifndef KERNELS_NETWORK_SEGMENT_SMALL_H
#define KERNELS_NETWORK_SEGMENT_SMALL_H

#include "kernels/network/segment_passes.h"

/* In each plane of a dense label image, labels of fewer than least[plane] pixels become 0. objects[plane]: the largest label, then how many are left.
 * The labels are on the device, the others on the host. FV_NO_MEMORY, or what the passes return. */
fv_status segment_small_drop (const fv_call *call, const segment_passes *passes, const fv_array *labels,
                              const int32_t *least, int64_t *objects, fv_error *error);

#endif
