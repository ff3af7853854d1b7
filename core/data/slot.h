/* SPDX-License-Identifier: MIT
 *
 * An image's pixels in device memory, and their lifetime.
 */
#ifndef CORE_DATA_SLOT_H
#define CORE_DATA_SLOT_H

#include "core/data/device.h"

/* With one user; the device can ask the owner to leave from then on. Takes the memory, and the arrival of its pixels. */
Slot *slot_new (const SlotOwner *calls, gpointer owner, Device *device, void *memory, gsize bytes, Transfer arrival);
/* The same for borrowed memory. The lender orders its earlier work before later work on the device's stream; it is
 * never evicted. */
Slot *slot_new_lent (const SlotOwner *calls, gpointer owner, Device *device, void *memory, gsize bytes,
                     GDestroyNotify give_back, gpointer lender);
/* Gives the memory back, when the pixels have come; what is lent when the work on the device is done. */
void slot_free (Slot *slot);
/* One more user, and the one used last; its memory. */
void *slot_use (Slot *slot);
/* How many use it after `change` of them more. */
gint slot_users (Slot *slot, gint change);

#endif
