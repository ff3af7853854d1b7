/* SPDX-License-Identifier: MIT
 *
 * Times one line: loads its inputs, runs it first to warm up and then `repeats` times, and keeps what it found as
 * numbers that can be compared with the peers' ("facts").
 */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "tests/bench/lines.h"
#include "core/ops/module.h"

#include <json-glib/json-glib.h>

typedef struct Bench {
  Modules *modules;
  Device *device;
  const char *data; /* folder with the inputs */
  guint repeats;
  double seconds; /* a line that takes longer is run less often, five times at least */
} Bench;

typedef struct Measurement {
  GArray *device_ms, *wall_ms; /* double, in the order of the runs */
  /* Of one run: what steps read and wrote, each input and output once; what went between host and device. */
  guint64 bytes, uploaded, downloaded;
  JsonObject *facts; /* "label.objects": 1196 */
} Measurement;

/* Why the line cannot be run: an operation is not there, or not on the device. NULL: it can. Free with g_free(). */
char *measure_obstacle (const Bench *bench, const Line *line);
/* On success *m is the caller's, to be cleared. */
gboolean measure_line (const Bench *bench, const Line *line, Measurement *m, GError **error);
void measurement_clear (Measurement *m);

#endif
