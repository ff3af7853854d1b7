/* SPDX-License-Identifier: MIT
 *
 * What a scatter plot of two channels shows: what the step `colocalize` looked at, and what it found.
 */
#ifndef UI_RESULTS_SCATTER_JOB_H
#define UI_RESULTS_SCATTER_JOB_H

#include "core/measure/channel_scatter.h"
#include "ui/view/view.h"

typedef struct ScatterJob {
  gpointer owner;
  ChannelScatterOf of;
  char *names[2];                                  /* of the channels */
  double pearson, slope, intercept, thresholds[2]; /* NaN: there is none */
  ChannelScatter *made;                            /* NULL: not yet */
} ScatterJob;

/* Whether one of the steps is `colocalize`. */
gboolean scatter_job_pays (const View *view);
/* Of the last one that is done, in the frame that is looked at; NULL: there is none. */
ScatterJob *scatter_job_new (const View *view);
void scatter_job_free (ScatterJob *job);

#endif
