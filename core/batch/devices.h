/* SPDX-License-Identifier: MIT
 *
 * The devices of a batch: chosen at its first run, then taken in turns where there are several GPUs of a kind.
 */
#ifndef CORE_BATCH_DEVICES_H
#define CORE_BATCH_DEVICES_H

#include "core/ops/module.h"
#include "core/run/run.h"

typedef struct BatchDevices BatchDevices;

/* key: as choice_device() takes it, which is called at the first of n runs; "cuda", or a GPU that "auto" chose,
 * means all GPUs of its kind. */
BatchDevices *batch_devices_new (Modules *modules, const char *key, guint64 runs);
void batch_devices_free (BatchDevices *devices);
/* Whether there is a device of that key; FALSE with *error. May wait for a GPU. */
gboolean batch_devices_check (const BatchDevices *devices, GError **error);
/* Whether one of those that were chosen is lost, see device_is_lost(). Any thread. */
gboolean batch_devices_are_lost (BatchDevices *devices);
/* Both on any thread; run: what it is wanted for. NULL with *error. One that is like those that the runs get: */
Device *batch_devices_any (BatchDevices *devices, const Run *run, GError **error);
/* The next one, which is then taken. */
Device *batch_devices_next (BatchDevices *devices, const Run *run, GError **error);

#endif
