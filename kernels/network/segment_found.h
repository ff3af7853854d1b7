/* SPDX-License-Identifier: MIT
 *
 * Stars that are found tile by tile on a device, and collected on the host.
 */
#ifndef KERNELS_NETWORK_SEGMENT_FOUND_H
#define KERNELS_NETWORK_SEGMENT_FOUND_H

#include "kernels/network/segment_passes.h"

/* All 0 at first. */
typedef struct segment_found {
  star *stars; /* on the host, to be freed by free() */
  int64_t n, size;
  star *tile; /* on the device */
  int32_t *n_tile;
} segment_found;

/* Memory of the device for up to so many stars of one tile. FV_NO_MEMORY. */
fv_status segment_found_take (segment_found *f, const fv_call *call, int64_t most, fv_error *error);

/* Adds the stars of a tile, in any order. out: what the network gives for it. FV_NO_MEMORY, or what the passes return. */
fv_status segment_found_add (segment_found *f, const fv_call *call, const segment_passes *passes,
                             const segment_plane *p, const segment_tile *t, const network_view *out, fv_error *error);

#endif
