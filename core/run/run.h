/* SPDX-License-Identifier: MIT
 *
 * A recipe on one image: its results, where they were made and how long that took. It computes only what has changed since the run
 * that it continues, because images never change; and what nobody wants any more it lets go at once.
 */
#ifndef CORE_RUN_RUN_H
#define CORE_RUN_RUN_H

#include "core/recipe/link.h"
#include "core/run/call.h"

/* Which images stay when no later step takes them any more: all, or the last one and those that have names. Tables, numbers and
 * times always do. */
typedef enum RunKeep { RUN_KEEP_ALL, RUN_KEEP_NAMED } RunKeep;

/* What became of one step. */
typedef struct RunStep {
  const Step *step;
  gboolean done;
  CallResult result;    /* an image that was let go is NULL */
  const Device *device; /* on which it was done */
  guint64 id;           /* of its first image; its others, of which there are fewer than OP_MAX_ARRAYS, come after it */
  guint64 *from;        /* of what it took */
  Image **masks;        /* of selections that it takes; of other inputs NULL */
} RunStep;

typedef struct Run Run;

/* Nothing is computed yet. Refers to both. */
Run *run_new (const Recipe *recipe, Image *source, RunKeep keep);
void run_free (Run *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Run, run_free)
/* Takes over the results of equal steps of another run on the same source, which keeps them. To be called before it begins. */
void run_continue (Run *run, const Run *before);
/* Makes all results current on the device. On FALSE, *error names the step at fault, which is run_place(); results that are current
 * stay. Not for the main loop. */
gboolean run_execute (Run *run, Device *device, Progress *progress, GError **error);

const Recipe *run_recipe (const Run *run);
Image *run_source (const Run *run);
/* Other sources have other ones. */
guint64 run_source_id (const Run *run);
RunKeep run_keep (const Run *run);
/* Where it was executed last; NULL: nowhere yet. */
const Device *run_device (const Run *run);
guint run_length (const Run *run);
const RunStep *run_result (const Run *run, guint i);
/* The first step that is neither done nor skipped, or the number of steps. */
guint run_place (const Run *run);
/* On the device, all steps together. */
double run_ms (const Run *run);

/* None of these is the caller's. An image that step i made, and one that it took: NULL when there is none, or when it was let go. */
Image *run_image (const Run *run, guint i, guint output);
Image *run_input (const Run *run, guint i, guint input);
/* The last image that was made, or the source; and the last table, or NULL. */
Image *run_last_image (const Run *run);
Table *run_last_table (const Run *run);

#endif
