/* SPDX-License-Identifier: MIT
 *
 * The same steps on all devices: how long each takes, by its own clock and by ours, and whether they make the same.
 */
#ifndef CORE_RUN_COMPARISON_H
#define CORE_RUN_COMPARISON_H

#include "core/ops/module.h"
#include "core/run/agreement.h"

/* Milliseconds, each the median of all runs. */
typedef struct ComparisonTimes {
  double *steps; /* of each, on the device's clock */
  double all;    /* of all steps */
  double up,
    down; /* of the source on its way there and of the results on theirs back, by themselves, on the device's clock; 0 where
                      they need not go */
  double wall; /* on the host's clock, from pixels in host memory to results there; what can overlap does */
} ComparisonTimes;

typedef struct ComparisonDevice {
  const Device *device;
  char *fault; /* why it took no part, and all below is 0; NULL: it did */
  ComparisonTimes ms;
  guint64 uploaded, downloaded; /* bytes of a run */
  GArray *agreements;           /* Agreement with the first device that took part; NULL: it is that */
} ComparisonDevice;

typedef struct Comparison {
  Recipe *recipe;
  guint repeat;
  GPtrArray *devices; /* ComparisonDevice, the CPU first */
} Comparison;

/* Runs the steps `repeat` times on the CPU and on each GPU, which are looked for, after once that does not count. Results that are
 * compared are the last image, those with names, tables and numbers. NULL with *error when the CPU fails or the work shall stop; what
 * another device fails of is its fault. Not for the main loop. */
Comparison *comparison_make (Modules *modules, const Recipe *recipe, Image *source, guint repeat, Progress *progress,
                             GError **error);
void comparison_free (Comparison *comparison);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Comparison, comparison_free)

/* All of it for people, in lines of one width font. Free with g_free(). */
char *comparison_text (const Comparison *comparison);

#endif
