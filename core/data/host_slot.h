/* SPDX-License-Identifier: MIT
 *
 * The place of an image's pixels in host memory.
 */
#ifndef CORE_DATA_HOST_SLOT_H
#define CORE_DATA_HOST_SLOT_H

#include "core/data/device.h"

typedef struct HostSlot {
  guint8 *pixels;    /* NULL: it has no place yet */
  gsize bytes;       /* that it has addresses for */
  gsize reserved;    /* of them, which may not have been written yet */
  Device *allocator; /* whose host_alloc() made it; NULL: it was mapped */
} HostSlot;

/* Addresses alone: the system gives memory page by page as it is written. */
fv_status host_slot_map (HostSlot *slot, gsize bytes, fv_error *error);
/* Addresses and memory for all of it; from the device where copies to and from it are to be fast, which may be NULL. */
fv_status host_slot_new (HostSlot *slot, gsize bytes, Device *device, fv_error *error);
/* It has been written. */
void host_slot_settle (HostSlot *slot);
void host_slot_free (HostSlot *slot);

#endif
