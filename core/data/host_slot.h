/* SPDX-License-Identifier: MIT
 *
 * An image's pixels in host memory, or on disk when memory is short; both are mapped to addresses.
 */
#ifndef CORE_DATA_HOST_SLOT_H
#define CORE_DATA_HOST_SLOT_H

#include "core/data/device.h"

typedef struct HostSlot {
  guint8 *pixels;    /* NULL: not allocated */
  gsize bytes;       /* that it has addresses for */
  gsize reserved;    /* of them, which may not have been written yet */
  gsize on_disk;     /* of them, whose pages are a file's */
  Device *allocator; /* whose host_alloc() made it; NULL: it was mapped or lent */
  GDestroyNotify
    give_back; /* not NULL: the pixels are lent, and this returns them to the lender after their last use */
  gpointer lender;
} HostSlot;

/* Addresses alone: the system gives memory page by page as it is written. */
fv_status host_slot_map (HostSlot *slot, gsize bytes, fv_error *error);
/* Addresses and memory for all of it; from the device where copies to and from it are to be fast, which may be NULL. What cannot be
 * had goes to the disk. */
fv_status host_slot_new (HostSlot *slot, gsize bytes, Device *device, fv_error *error);
/* The last `on_disk` bytes of it go to the disk, and all of it when there is not memory for the others. */
fv_status host_slot_new_on_disk (HostSlot *slot, gsize bytes, gsize on_disk, fv_error *error);
/* Maps the whole pages of some bytes of a reserved slot to the disk; they must be untouched. */
fv_status host_slot_to_disk (HostSlot *slot, gsize first, gsize bytes, fv_error *error);
/* It has been written. */
void host_slot_settle (HostSlot *slot);
void host_slot_free (HostSlot *slot);

#endif
