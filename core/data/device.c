/* SPDX-License-Identifier: MIT
 *
 * Device memory within a limit, and which images are evicted for it.
 */
#include "core/data/device.h"

#include "core/base/disk_memory.h"
#include "core/base/environment.h"
#include "core/base/error.h"
#include "core/base/fork.h"
#include "core/base/host_memory.h"
#include "core/data/device_fork.h"
#include "core/data/device_lost.h"

#include <sys/mman.h>

static const gsize kept_for_tables = (gsize) 32 << 20; /* of the memory, beside scratch */

/* ---- Blocks that are kept for the CPU; a GPU's plugin does that itself ---- */

static gboolean
keeps (const Device *device, gsize bytes)
{
  return device->fv->kind == FV_CPU && kept_blocks_are (bytes);
}

static fv_status
cpu_alloc (Device *cpu, gsize bytes, void **memory, fv_error *error)
{
  return keeps (cpu, bytes) ? kept_blocks_take (&cpu->kept, bytes, memory, error)
                            : cpu->fv->alloc (cpu->fv, cpu->stream, bytes, memory, error);
}

static void
cpu_free (Device *cpu, void *memory, gsize bytes)
{
  if (keeps (cpu, bytes))
    kept_blocks_give (&cpu->kept, memory, bytes);
  else
    cpu->fv->free (cpu->fv, cpu->stream, memory);
}

fv_status
device_alloc_host (Device *device, gsize bytes, void **memory, fv_error *error)
{
  return keeps (device, bytes) ? kept_blocks_take (&device->kept, bytes, memory, error)
                               : device->fv->host_alloc (device->fv, bytes, memory, error);
}

void
device_free_host (Device *device, void *memory, gsize bytes)
{
  if (keeps (device, bytes))
    kept_blocks_give (&device->kept, memory, bytes);
  else
    device->fv->host_free (device->fv, memory);
}

/* ---- Making and freeing ---- */

static void
trim (gpointer data)
{
  Device *device = data;
  kept_blocks_drop (&device->kept);
  /* A GPU that sleeps keeps nothing, and is not to be woken for that. */
  if (!device_is_awake (device))
    return;
  device_states_release (&device->states, device->fv, device->stream);
  if (device->fv->trim)
    device->fv->trim (device->fv);
}

/* What the parent has there is lost to the child. */
static void
forked (gpointer data)
{
  Device *device = data;
  if (device->fv->kind == FV_CPU)
    return;
  device->fv = device_forked (device->fv);
  device->stream = device->up = device->down = NULL;
  g_queue_init (&device->states.left);
}

Device *
device_new (const fv_device *fv)
{
  Device *device = g_new0 (Device, 1);
  gsize limit;
  device->fv = fv;
  device->discrete = fv->kind != FV_CPU;
  device->limit = device->discrete && environment_limit (ENVIRONMENT_DEVICE_MEMORY, &limit) ? limit : 0;
  g_mutex_init (&device->turn);
  g_mutex_init (&device->lock);
  fork_guard (&device->lock, forked, device);
  g_queue_init (&device->slots);
  device->on_disk = g_hash_table_new (NULL, NULL);
  device_states_init (&device->states);
  fork_guard (&device->kept.lock, NULL, NULL);
  host_memory_add_keeper (trim, device);
  return device;
}

static void
free_streams (const fv_device *fv, void *stream, void *up, void *down)
{
  if (down && down != stream)
    fv->stream_free (fv, down);
  if (up && up != stream)
    fv->stream_free (fv, up);
  if (stream)
    fv->stream_free (fv, stream);
}

void
device_free (Device *device)
{
  host_memory_remove_keeper (device);
  device_states_release (&device->states, device->fv, device->stream);
  kept_blocks_drop (&device->kept);
  free_streams (device->fv, device->stream, device->up, device->down);
  device_states_clear (&device->states);
  fork_unguard (&device->kept.lock);
  g_hash_table_unref (device->on_disk);
  fork_unguard (&device->lock);
  g_mutex_clear (&device->lock);
  g_mutex_clear (&device->turn);
  g_free (device);
}

gboolean
device_is_awake (Device *device)
{
  return g_atomic_pointer_get (&device->stream) != NULL;
}

/* An older plugin knows nothing of that. */
static gboolean
can_wait (const fv_device *fv)
{
  return fv->size >= offsetof (fv_device, stream_wait) + sizeof fv->stream_wait && fv->stream_wait;
}

gboolean
device_can_compile (const Device *device, fv_error *why)
{
  const fv_device *fv = device->fv;
  return fv->size < offsetof (fv_device, can_compile) + sizeof fv->can_compile || !fv->can_compile
         || fv->can_compile (fv, why) == FV_OK;
}

/* Whether work on one stream overlaps with that on another. */
static gboolean
overlaps (const Device *device)
{
  return device->discrete && can_wait (device->fv);
}

fv_status
device_order (const Device *device, void *before, void *after, fv_error *error)
{
  const fv_device *fv = device->fv;
  void *event;
  fv_status status;
  if (!can_wait (fv))
    return fv->synchronize (fv, before, error);
  if ((status = fv->event_new (fv, &event, error)))
    return status;
  if (!(status = fv->event_record (fv, before, event, error)))
    status = fv->stream_wait (fv, after, event, error);
  fv->event_free (fv, event);
  return status;
}

/* The lock is held. */
static void
make_streams (Device *device, fv_error *fault)
{
  const fv_device *fv = device->fv;
  void *stream = NULL, *up = NULL, *down = NULL;
  fv_status status = fv->stream_new (fv, &stream, fault);
  if (!status && overlaps (device) && !(status = fv->stream_new (fv, &up, fault)))
    status = fv->stream_new (fv, &down, fault);
  if (status) {
    free_streams (fv, stream, up, down);
    return;
  }
  device->up = up ? up : stream;
  device->down = down ? down : stream;
  g_atomic_pointer_set (&device->stream, stream);
}

gboolean
device_ready (Device *device, const char *key, GError **error)
{
  const fv_device *fv = device->fv;
  fv_error fault = FV_ERROR_INIT;
  if (fv->fault) {
    step_error_set (error, FV_DEVICE_FAULT, "device", "%s cannot be used: %s", key, fv->fault);
    return FALSE;
  }
  if (device_is_lost (fv, error))
    return FALSE;
  g_mutex_lock (&device->lock);
  if (!device->stream)
    make_streams (device, &fault);
  g_mutex_unlock (&device->lock);
  if (device->stream)
    return TRUE;
  step_error_set_from_plugin (error, fv->key, &fault);
  return FALSE;
}

/* ---- Memory ---- */

void
device_set_limit (Device *device, gsize bytes)
{
  g_mutex_lock (&device->lock);
  device->limit = bytes;
  g_mutex_unlock (&device->lock);
}

/* What was in use once, the GPU keeps for this program and does not count as free. */
gsize
device_room (Device *device)
{
  int64_t unused, total;
  fv_error fault = FV_ERROR_INIT;
  fv_status status = device->fv->memory (device->fv, &unused, &total, &fault);
  gsize room = G_MAXSIZE;
  g_mutex_lock (&device->lock);
  if (!status)
    room = MIN ((gsize) unused + device->max, (gsize) total);
  if (device->limit)
    room = MIN (room, device->limit);
  g_mutex_unlock (&device->lock);
  return room;
}

/* Of what may be used. */
static gsize
room_left (const Device *device)
{
  return device->limit > device->used ? device->limit - device->used : 0;
}

static fv_status
no_room (const Device *device, gsize bytes, fv_error *error)
{
  g_autofree char *needed = g_format_size_full (bytes, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *unused = g_format_size_full (room_left (device), G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *limit = g_format_size_full (device->limit, G_FORMAT_SIZE_IEC_UNITS);
  return error_fill (error, FV_NO_MEMORY, "Not enough memory on %s: it needs %s more, %s of the limit of %s are left.",
                     device->fv->key, needed, unused, limit);
}

/* Adds to an error of too little memory what occupies it. */
static void
say_held (Device *device, fv_error *error)
{
  gsize used, images = 0;
  g_mutex_lock (&device->lock);
  used = device->used;
  for (GList *l = device->slots.head; l; l = l->next)
    images += ((const Slot *) l->data)->give_back ? 0 : ((const Slot *) l->data)->bytes;
  g_mutex_unlock (&device->lock);
  g_autofree char *all = g_format_size_full (used, G_FORMAT_SIZE_IEC_UNITS),
                  *of_images = g_format_size_full (MIN (images, used), G_FORMAT_SIZE_IEC_UNITS),
                  *more = g_strdup_printf (" Fovea itself uses %s there, %s of them for images.", all, of_images);
  g_strlcat (error->text, more, sizeof error->text);
}

static fv_status
take_disk (Device *device, gsize bytes, void **memory, fv_error *error)
{
  if (disk_memory_map (NULL, bytes, memory, error))
    return FV_NO_MEMORY;
  g_mutex_lock (&device->lock);
  g_hash_table_insert (device->on_disk, *memory, GSIZE_TO_POINTER (bytes));
  g_mutex_unlock (&device->lock);
  return FV_OK;
}

/* Moves images out of host memory, or off its disk, when memory is short for data that cannot move, such as tables. */
static fv_status
take_host_memory (Device *device, gsize bytes, void **memory, fv_error *error)
{
  fv_error fault = FV_ERROR_INIT;
  HostRoom room;
  if (!device->discrete && !host_memory_fits (bytes + kept_for_tables, 0, &room)
      && !take_disk (device, bytes, memory, &fault))
    return FV_OK;
  fv_status status = host_memory_reserve (bytes, error);
  if (!status && (status = cpu_alloc (device, bytes, memory, error)))
    host_memory_settle (bytes);
  return status == FV_NO_MEMORY && !device->discrete ? take_disk (device, bytes, memory, error) : status;
}

static fv_status
take (Device *device, gsize bytes, void **memory, fv_error *error)
{
  fv_status status = FV_OK;
  g_mutex_lock (&device->lock);
  if (device->limit && bytes > room_left (device))
    status = no_room (device, bytes, error);
  else
    device->used += bytes;
  g_mutex_unlock (&device->lock);
  if (status)
    return status;
  status = device->fv->kind == FV_CPU ? take_host_memory (device, bytes, memory, error)
                                      : device->fv->alloc (device->fv, device->stream, bytes, memory, error);
  g_mutex_lock (&device->lock);
  if (status)
    device->used -= bytes;
  else
    device->max = MAX (device->max, device->used);
  g_mutex_unlock (&device->lock);
  return status;
}

/* Sends the image used longest ago to the host; FALSE when none can go. */
static gboolean
evict (Device *device)
{
  Slot *slot = NULL;
  gboolean left;
  g_mutex_lock (&device->lock);
  for (GList *l = device->slots.head; l && !slot; l = l->next) {
    Slot *s = l->data;
    if (s->users == 0 && s->calls->ref (s->owner))
      slot = s;
  }
  if (slot)
    slot->users++;
  g_mutex_unlock (&device->lock);
  if (!slot)
    return FALSE;
  const SlotOwner *calls = slot->calls; /* the slot may go */
  gpointer owner = slot->owner;
  left = calls->leave (owner, slot);
  calls->unref (owner);
  return left;
}

fv_status
device_take (Device *device, gsize bytes, void **memory, fv_error *error)
{
  fv_status status;
  while ((status = take (device, MAX (bytes, 1), memory, error)) == FV_NO_MEMORY && device->discrete
         && (device_states_release (&device->states, device->fv, device->stream) || evict (device)))
    ;
  if (status == FV_NO_MEMORY && device->discrete)
    say_held (device, error);
  return status;
}

/* Whether the memory was on disk. */
static gboolean
give_disk (Device *device, void *memory)
{
  gpointer bytes = NULL;
  g_mutex_lock (&device->lock);
  g_hash_table_steal_extended (device->on_disk, memory, NULL, &bytes);
  g_mutex_unlock (&device->lock);
  if (bytes) {
    munmap (memory, GPOINTER_TO_SIZE (bytes));
    disk_memory_gone (GPOINTER_TO_SIZE (bytes));
  }
  return bytes != NULL;
}

void
device_give (Device *device, void *memory, gsize bytes)
{
  if (device->fv->kind != FV_CPU)
    device->fv->free (device->fv, device->stream, memory);
  else if (!give_disk (device, memory)) {
    cpu_free (device, memory, bytes);
    host_memory_settle (bytes);
  }
  g_mutex_lock (&device->lock);
  device->used -= MAX (bytes, 1);
  g_mutex_unlock (&device->lock);
}

/* ---- Host memory ---- */

fv_status
device_take_host (Device *device, gsize bytes, void **memory, fv_error *error)
{
  fv_status status = host_memory_reserve (bytes, error);
  if (status)
    return status;
  if ((status = device_alloc_host (device, MAX (bytes, 1), memory, error)))
    host_memory_settle (bytes);
  return status;
}

void
device_give_host (Device *device, void *memory, gsize bytes)
{
  device_free_host (device, memory, bytes);
  host_memory_settle (bytes);
}
