/* SPDX-License-Identifier: MIT
 *
 * Where steps run: on the device that was asked for, or on the one that is likely to be done first.
 */
#ifndef CORE_RUN_CHOICE_H
#define CORE_RUN_CHOICE_H

#include "core/run/run.h"

/* The device of that key for this run, as modules_device() gives it. "auto" is the CPU unless a GPU on which all of them can run is likely to be
 * faster, including its start, or the CPU lacks the memory for them: only then GPUs are searched. A GPU that lacks it, or a compiler for a step that
 * is made on it, is not chosen. With "auto" the CPU is the run's spare device, where it can run all steps. *reason says why in one line, to be freed
 * with g_free(). May wait for a GPU: not for the main loop. NULL with *error. */
Device *choice_device (Run *run, Modules *modules, const char *key, char **reason, GError **error);
/* The same for a run that is one of so many like it, without a spare device: a GPU has to be woken for the first alone. */
Device *choice_device_for_many (const Run *run, guint64 runs, Modules *modules, const char *key, char **reason,
                                GError **error);
/* The device of step i, which has one of its own: Step.device. "auto" is chosen for this step alone, with what goes there and comes back. */
Device *choice_device_of_step (const Run *run, guint i, GError **error);
/* The expected milliseconds of so many runs on one core of this machine, and on its GPU, uploads and start included. Without a GPU here they are
 * those of an average one. *gpu_ms is infinite when not all steps can run on one. Not for the main loop. */
void choice_estimate (const Run *run, guint64 runs, Modules *modules, double *core_ms, double *gpu_ms);

#endif
