/* SPDX-License-Identifier: MIT
 */
#include "core/data/slot.h"

#include "core/data/transfer.h"

Slot *
slot_new (const SlotOwner *calls, gpointer owner, Device *device, void *memory, gsize bytes, Transfer arrival)
{
  Slot *slot = g_new0 (Slot, 1);
  *slot = (Slot){
    .calls = calls, .owner = owner, .device = device, .memory = memory, .bytes = bytes, .arrival = arrival, .users = 1};
  slot->link.data = slot;
  g_mutex_lock (&device->lock);
  g_queue_push_tail_link (&device->slots, &slot->link);
  g_mutex_unlock (&device->lock);
  return slot;
}

/* Its one user is the lender, who never goes. */
Slot *
slot_new_lent (const SlotOwner *calls, gpointer owner, Device *device, void *memory, gsize bytes,
               GDestroyNotify give_back, gpointer lender)
{
  Slot *slot = slot_new (calls, owner, device, memory, bytes, (Transfer){NULL});
  slot->give_back = give_back;
  slot->lender = lender;
  return slot;
}

void
slot_free (Slot *slot)
{
  fv_error fault = FV_ERROR_INIT; /* comes up again where the device's work is waited for */
  g_mutex_lock (&slot->device->lock);
  g_queue_unlink (&slot->device->slots, &slot->link);
  g_mutex_unlock (&slot->device->lock);
  transfer_end (&slot->arrival, slot->device, &fault);
  if (slot->give_back) {
    slot->device->fv->synchronize (slot->device->fv, slot->device->stream, &fault);
    slot->give_back (slot->lender);
  } else
    device_give (slot->device, slot->memory, slot->bytes);
  g_free (slot);
}

void *
slot_use (Slot *slot)
{
  Device *device = slot->device;
  g_mutex_lock (&device->lock);
  slot->users++;
  g_queue_unlink (&device->slots, &slot->link);
  g_queue_push_tail_link (&device->slots, &slot->link);
  g_mutex_unlock (&device->lock);
  return slot->memory;
}

gint
slot_users (Slot *slot, gint change)
{
  gint users;
  g_mutex_lock (&slot->device->lock);
  users = slot->users += change;
  g_mutex_unlock (&slot->device->lock);
  return users;
}
