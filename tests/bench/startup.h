/* SPDX-License-Identifier: MIT
 *
 * How long a fresh process takes to its first result on a device, and what with. To be called first thing in a process.
 */
#ifndef BENCH_STARTUP_H
#define BENCH_STARTUP_H

#include "core/ops/module.h"

#include <json-glib/json-glib.h>

/* Adds an object with the milliseconds of each part. started: when the process was asked for, in microseconds of the
 * monotonic clock; entered: when main() began. FALSE with *error. */
gboolean startup_measure (JsonBuilder *b, const char *plugin, const char *device, const char *data, gint64 started,
                          gint64 entered, GError **error);

#endif
