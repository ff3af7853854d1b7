/* SPDX-License-Identifier: MIT
 *
 * A device of a plugin as the program uses it: one stream of work and one for each transfer direction, a count of
 * transferred bytes, and its memory. When memory is short, the least recently used images are evicted to the host.
 */
#ifndef CORE_DATA_DEVICE_H
#define CORE_DATA_DEVICE_H

#include "core/data/device_states.h"
#include "core/data/kept_blocks.h"

#include <glib.h>

typedef struct Device {
  const fv_device *fv;
  void *stream;        /* of its work; made by device_ready() */
  void *up, *down;     /* streams of what goes to it and from it; `stream` where they cannot go on beside the work */
  gboolean discrete;   /* has memory of its own; set on the CPU only by tests */
  guint64 uploaded;    /* bytes host -> device since the start */
  guint64 downloaded;  /* bytes device -> host */
  gsize limit;         /* bytes of its memory that may be used; 0: all that is free */
  GMutex turn;         /* for programs in which several threads want to work on it: theirs to lock */
  GMutex lock;         /* guards what follows, and the users of the slots */
  gsize used, max;     /* bytes; max: ever in use at a time */
  GHashTable *on_disk; /* memory that is on disk -> its bytes */
  GQueue slots;        /* of images; the one used longest ago comes first */
  DeviceStates states;
  KeptBlocks kept; /* of the CPU */
} Device;

/* A copy that may still be going on; {NULL}: none. See transfer.h. */
typedef struct Transfer {
  void *event;
} Transfer;

typedef struct Slot Slot;

/* Who keeps pixels in a slot, as a device that needs room sees it. */
typedef struct SlotOwner {
  gboolean (*ref) (gpointer owner); /* FALSE when the owner is about to be freed; called under the device's lock */
  void (*unref) (gpointer owner);
  /* The pixels go to the host, and the slot away; the caller is a user of the slot. FALSE when they cannot. */
  gboolean (*leave) (gpointer owner, Slot *slot);
} SlotOwner;

/* An image's pixels in device memory. */
struct Slot {
  const SlotOwner *calls;
  gpointer owner;
  Device *device;
  void *memory;
  gsize bytes;
  Transfer arrival;         /* the upload of the pixels */
  gint users;               /* not evicted while this is above 0 */
  GDestroyNotify give_back; /* not NULL: the memory is lent, and this returns it to the lender after its last use */
  gpointer lender;
  GList link;
};

Device *device_new (const fv_device *fv);
void device_free (Device *device);
/* Makes its stream on first use, which wakes a GPU; FALSE with *error, which calls it key, when it cannot be used.
 * Any thread. */
gboolean device_ready (Device *device, const char *key, GError **error);
/* Whether its stream is there. Never waits. */
gboolean device_is_awake (Device *device);
/* Whether operations that compile while they run can do so there; FALSE with *why. Wakes nothing; any thread. */
gboolean device_can_compile (const Device *device, fv_error *why);

/* What is asked of stream `after` from now on begins when all that was asked of stream `before` is done; never waits where the device can do
 * that. Either may be another program's. */
fv_status device_order (const Device *device, void *before, void *after, fv_error *error);

/* How many bytes of its memory may be used from now on; 0: all that is free. Any thread. */
void device_set_limit (Device *device, gsize bytes);
/* How many bytes of the memory of a device that is awake this program can have, when all its images leave; G_MAXSIZE: not known. */
gsize device_room (Device *device);
/* Memory in the order of the device's stream; images are sent to the host to make room, and on the CPU what does not fit is on
 * disk. FV_NO_MEMORY says what was needed and what there is. */
fv_status device_take (Device *device, gsize bytes, void **memory, fv_error *error);
void device_give (Device *device, void *memory, gsize bytes);
/* Host memory from which copies to the device are fast, and which the device keeps for later. */
fv_status device_take_host (Device *device, gsize bytes, void **memory, fv_error *error);
void device_give_host (Device *device, void *memory, gsize bytes);
/* The same, for memory that the caller has already reserved. */
fv_status device_alloc_host (Device *device, gsize bytes, void **memory, fv_error *error);
void device_free_host (Device *device, void *memory, gsize bytes);

#endif
