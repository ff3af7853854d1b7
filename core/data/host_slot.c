/* SPDX-License-Identifier: MIT
 */
#include "core/data/host_slot.h"

#include "core/base/disk_memory.h"
#include "core/base/host_memory.h"

#include <sys/mman.h>
#include <unistd.h>

fv_status
host_slot_map (HostSlot *slot, gsize bytes, fv_error *error)
{
  fv_status status = host_memory_map (bytes, (void **) &slot->pixels, error);
  if (!status)
    slot->bytes = bytes;
  return status;
}

fv_status
host_slot_to_disk (HostSlot *slot, gsize first, gsize bytes, fv_error *error)
{
  gsize page = (gsize) sysconf (_SC_PAGESIZE), begin = (first + page - 1) / page * page;
  gsize end = (first + bytes) / page * page;
  void *memory;
  if (begin >= end)
    return FV_OK;
  if (disk_memory_map (slot->pixels + begin, end - begin, &memory, error))
    return FV_NO_MEMORY;
  g_atomic_pointer_add (&slot->on_disk, (gssize) (end - begin));
  return FV_OK;
}

static fv_status
map_all_on_disk (HostSlot *slot, gsize bytes, fv_error *error)
{
  fv_status status = disk_memory_map (NULL, bytes, (void **) &slot->pixels, error);
  if (!status)
    slot->bytes = slot->on_disk = bytes;
  return status;
}

fv_status
host_slot_new_on_disk (HostSlot *slot, gsize bytes, gsize on_disk, fv_error *error)
{
  fv_status status;
  if (on_disk >= bytes || host_memory_reserve (bytes - on_disk, error))
    return map_all_on_disk (slot, bytes, error);
  slot->reserved = bytes - on_disk;
  if (!(status = host_slot_map (slot, bytes, error))
      && !(status = host_slot_to_disk (slot, slot->reserved, on_disk, error)))
    return FV_OK;
  host_slot_free (slot);
  *slot = (HostSlot){NULL};
  return status;
}

fv_status
host_slot_new (HostSlot *slot, gsize bytes, Device *device, fv_error *error)
{
  fv_status status = host_memory_reserve (bytes, error);
  if (status)
    return map_all_on_disk (slot, bytes, error);
  status =
    device ? device_alloc_host (device, bytes, (void **) &slot->pixels, error) : host_slot_map (slot, bytes, error);
  if (status) {
    host_memory_settle (bytes);
    return status;
  }
  slot->bytes = slot->reserved = bytes;
  slot->allocator = device;
  return FV_OK;
}

void
host_slot_settle (HostSlot *slot)
{
  if (slot->reserved)
    host_memory_settle (slot->reserved);
  slot->reserved = 0;
}

void
host_slot_free (HostSlot *slot)
{
  if (slot->give_back)
    slot->give_back (slot->lender);
  else if (slot->allocator)
    device_free_host (slot->allocator, slot->pixels, slot->bytes);
  else if (slot->pixels)
    munmap (slot->pixels, slot->bytes);
  disk_memory_gone (slot->on_disk);
  host_slot_settle (slot);
}
