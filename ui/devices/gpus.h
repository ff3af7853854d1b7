/* SPDX-License-Identifier: MIT
 *
 * Wakes the GPUs in the background, once in the life of the program, and tells those who show devices when they are known.
 */
#ifndef UI_DEVICES_GPUS_H
#define UI_DEVICES_GPUS_H

#include "core/base/worker.h"
#include "core/ops/module.h"

#include <glib-object.h>

/* Starts to look for them. modules must live until gpus_settle(). */
void gpus_wake (Modules *modules);
/* The worker's jobs have the GPUs for themselves, while a batch works there, too. Before its first one. */
void gpus_share (Worker *worker, Modules *modules);
/* Waits until the search for GPUs ends. */
void gpus_settle (void);
/* Calls changed (object), in the main loop, when devices have been found; not after the object is gone. */
void gpus_when_found (gpointer object, void (*changed) (gpointer object));

#endif
