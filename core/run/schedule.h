/* SPDX-License-Identifier: MIT
 *
 * Which steps of a run are still to be computed, and after which of them each image is freed. Known before the first begins.
 */
#ifndef CORE_RUN_SCHEDULE_H
#define CORE_RUN_SCHEDULE_H

#include "core/run/run.h"

/* Of one step. */
typedef struct ScheduleStep {
  Link inputs[OP_MAX_ARRAYS];
  gboolean runs;
  guint last[OP_MAX_ARRAYS]; /* the step after which each of its images is freed; G_MAXUINT: it stays */
} ScheduleStep;

/* For each step of the run on the device; NULL: no current result. It ends before the first step whose input is not
 * an image, *n steps long; *error says why, if so. Free with g_free(). */
ScheduleStep *schedule_new (const Run *run, const Device *device, guint *n, GError **error);

#endif
