/* SPDX-License-Identifier: MIT
 *
 * A recipe on one image: its results, the devices that made them and the times. It computes only what has changed
 * since the run that it continues, because images are immutable. Results that are no longer needed are released at
 * once.
 */
#ifndef CORE_RUN_RUN_H
#define CORE_RUN_RUN_H

#include "core/recipe/link.h"
#include "core/run/run_step.h"

/* Which images stay when no later step takes them any more: all, or the last one and those that have names. Tables, numbers and
 * times always do. */
typedef enum RunKeep { RUN_KEEP_ALL, RUN_KEEP_NAMED } RunKeep;

typedef struct Run Run;

/* Nothing is computed yet. Refers to both. source: NULL for none, which means run_nothing(). */
Run *run_new (const Recipe *recipe, Image *source, RunKeep keep);
/* The source of runs that have none: a pixel, which no step is given. Not the caller's. */
Image *run_nothing (void);
void run_free (Run *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Run, run_free)
/* Takes over the results of equal steps of another run on the same source, which keeps them. To be called before it begins. */
void run_continue (Run *run, const Run *before);
/* Of images with names only these stay, a list that ends with NULL. To be called before it begins. */
void run_want (Run *run, const char *const *names);
gboolean run_wants (const Run *run, const char *name);
/* The last image is wanted in host memory: it goes there while later steps run. To be called before it begins. */
void run_fetch_last (Run *run);
gboolean run_is_fetched (const Run *run);

/* Step i is not executed: its first image is this one. To be called before it begins. */
void run_give (Run *run, guint i, Image *image);

const Recipe *run_recipe (const Run *run);
Image *run_source (const Run *run);
/* Other sources have other ones. */
guint64 run_source_id (const Run *run);
RunKeep run_keep (const Run *run);
/* The arguments of step i: with the numbers that its derived values came to, as far as these are known. */
gconstpointer run_args (const Run *run, guint i);
/* Where it was executed last; NULL: nowhere yet. */
const Device *run_device (const Run *run);
guint run_length (const Run *run);
const RunStep *run_result (const Run *run, guint i);
/* The first step that is neither done nor skipped, or the number of steps. */
guint run_index (const Run *run);
/* How many steps have made their results on disk, because there was not memory enough; *bytes, which may be NULL: in all. */
guint run_on_disk (const Run *run, guint64 *bytes);
/* On the device, all steps together. */
double run_ms (const Run *run);

/* The run owns these: an output and an input of step i. NULL: it does not exist, or is freed. */
Image *run_image (const Run *run, guint i, guint output);
Image *run_input (const Run *run, guint i, guint input);
/* The image of step `index`, or of the nearest step before it that has one; index -1: the source. Never NULL. */
Image *run_image_at (const Run *run, int index);
/* The last image that was made, or the source; and the last table, or NULL. */
Image *run_last_image (const Run *run);
Table *run_last_table (const Run *run);

/* The number of what a step takes, by which it is known when it is gone. */
guint64 run_link_id (const Run *run, const Link *link);
/* For those who change a run, execute.c and, before it begins, preview.c: a step, what an input of it is now that it comes from there,
 * or NULL, and where it is executed. */
RunStep *run_step_at (Run *run, guint i);
Image *run_linked (const Run *run, guint i, guint input, const Link *link);
void run_set_device (Run *run, const Device *device);

/* The device for steps for which the run's own has too little memory; NULL, as at first: none, and the run fails. */
void run_set_spare (Run *run, Device *spare);
Device *run_spare (const Run *run);

#endif
