/* SPDX-License-Identifier: MIT
 *
 * What became of one step of a run.
 */
#ifndef CORE_RUN_RUN_STEP_H
#define CORE_RUN_RUN_STEP_H

#include "core/recipe/step.h"
#include "core/call/result.h"
#include "core/call/target.h"

enum { RUN_STEP_RESULTS = OP_MAX_ARRAYS + 1 };

/* What derived values of a step came to. */
typedef struct RunDerived {
  gpointer args; /* with those of the first plane */
  CallEach each; /* planes is 1 where all planes have the same */
} RunDerived;

typedef struct RunStep {
  const Step *step;
  gboolean done;
  gboolean fixed;       /* its image was given, by run_give() */
  CallResult result;    /* an image that was freed is NULL */
  const Device *device; /* on which it was done */
  gboolean spared;      /* that is the run's spare one; see run_set_spare() */
  gboolean one_object;  /* it has measured a mask as a label image: all of it is one object */
  guint64 id;           /* of its first image; see run_step_ids() */
  guint64 *from;        /* of what it took: of each input, and of each step whose number it took */
  RunDerived *derived;  /* NULL: the step has none, or they are not known yet */
  Image **masks;        /* of selections that it takes; of other inputs NULL */
  double *given;        /* NULL, or the scalars that it takes instead of finding them: see core/call/target.h */
} RunStep;

void run_derived_unref (RunDerived *derived);
/* It is not done. */
void run_step_forget (RunStep *step);
/* A number for its first image and, one after the other, for its others and, the last, for its table: never used twice. */
guint64 run_step_ids (void);

#endif
