/* SPDX-License-Identifier: MIT
 *
 * What a batch says while it runs: how far it is, what fails, and what its macro prints.
 */
#ifndef COMMAND_BATCH_PROGRESS_H
#define COMMAND_BATCH_PROGRESS_H

#include "library/fovea.h"

#include <json-glib/json-glib.h>

typedef struct BatchProgress {
  fovea_batch *batch;
  gint64 started; /* by g_get_monotonic_time() */
  GMutex printing;
  guint printed, noted; /* failures, notes */
  JsonBuilder *json;    /* hears of failures; NULL: not wanted */
} BatchProgress;

fovea_batch_counts batch_progress_counts (const BatchProgress *progress);
/* A line with images, rate, time left and failures. progress: BatchProgress. */
void batch_progress_show (gpointer progress);
/* "1:02:03" or "2:03". Free with g_free(). */
char *batch_progress_duration (double seconds);

/* On any thread; `user` is the BatchProgress. Prints the first failures: of all the manifest tells. */
void batch_progress_failed (void *user, const char *file, unsigned series, const char *why);
/* Prints the first notes, of which the manifest has those about files. */
void batch_progress_noted (void *user, const char *file, unsigned series, const char *note);
/* Prints what a macro does. */
void batch_progress_print (void *user, const char *line);

#endif
