/* SPDX-License-Identifier: MIT
 *
 * What the user does: a list of steps, each an operation with its arguments and the earlier results that it takes. Running it
 * computes only what has changed: a step keeps its result together with the inputs, arguments and device that it came from,
 * and images never change. As text: "gaussian sigma=5 | otsu as=mask | label". An input can also be a selection:
 * "keep inside=oval(10,20,100,50)".
 */
#ifndef CORE_RUN_PIPELINE_H
#define CORE_RUN_PIPELINE_H

#include "core/run/call.h"

typedef struct Step {
  const Op *op;
  gpointer args;
  char *name;       /* as=NAME: what later steps call its result; NULL */
  gboolean skipped; /* skip=yes: does nothing; its result is the image that it would take */
  char **inputs; /* for each declared input the name of an earlier result, or a selection, whose mask it then is; NULL:
                       the previous image (first input) or not given (others) */
  /* The result, or nothing; and what it was made from. */
  gboolean done;
  CallResult result;
  const Device *device;
  gpointer made_args;
  Image **made_inputs;
  struct StepShape *shapes; /* masks of selections, for each input */
} Step;

typedef struct Pipeline Pipeline;

/* Name of the opened image for from=... and the like. */
#define PIPELINE_SOURCE "source"

/* Steps from text; NULL with *error, which names the step and the word at fault. Operations are looked up in modules, which
 * must live longer. */
Pipeline *pipeline_parse (Modules *modules, const char *text, GError **error);
/* No steps. */
Pipeline *pipeline_new (void);
void pipeline_free (Pipeline *pipeline);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Pipeline, pipeline_free)
/* The text that pipeline_parse() reads back to the same steps. Free with g_free(). */
char *pipeline_format (const Pipeline *pipeline);
/* Sets what "key=value" says of a step: its name (as), whether it is skipped (skip), an input or a parameter. */
gboolean step_set (Step *step, const char *key, const char *value, GError **error);
/* One step as text. Free with g_free(). */
char *step_format (const Step *step);

guint pipeline_length (const Pipeline *pipeline);
Step *pipeline_step (const Pipeline *pipeline, guint i);

/* Takes over the results of equal steps of another pipeline, which keeps them, so that running computes only what differs. */
void pipeline_adopt (Pipeline *pipeline, const Pipeline *from);

/* Whether the step's result is what these inputs and its arguments give on the device. */
gboolean step_is_current (const Step *step, Image *const *inputs, const Device *device);
/* Makes all results current. On FALSE, *error names the step, the first that is neither done nor skipped; results that are
 * current stay. */
gboolean pipeline_run (Pipeline *pipeline, Image *source, Device *device, Progress *progress, GError **error);
/* After a run: the last image that was made (the source when none was), and the last table, or NULL. Not the caller's. */
Image *pipeline_last_image (const Pipeline *pipeline, Image *source);
Table *pipeline_last_table (const Pipeline *pipeline);

#endif
