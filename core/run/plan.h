/* SPDX-License-Identifier: MIT
 *
 * What a run of steps would do, before it does it: which steps, on how many pixels, with how much memory. From sizes alone.
 */
#ifndef CORE_RUN_PLAN_H
#define CORE_RUN_PLAN_H

#include "core/call/target.h"
#include "core/run/run.h"

/* A step that would run. */
typedef struct PlanStep {
  const Op *op;
  gconstpointer args;
  Image *inputs[OP_MAX_ARRAYS]; /* as they are or will be; NULL: not given. The plan's or the run's */
  guint index;                  /* in the recipe */
  gint64 pixels;                /* of the first input or the outputs, whichever are more */
  double arithmetic;            /* products and sums for each of them */
  gsize read;                   /* bytes of what it takes */
  gsize made;         /* bytes of the images that it makes, and of those that its inputs become as labels or masks */
  gsize scratch;      /* further bytes that it needs on the CPU */
  gsize gone;         /* bytes of images made in the plan that are freed after it */
  gboolean elsewhere; /* it has a device of its own, where it costs nothing here */
  CallTarget where;   /* once plan_memory_arrange() has said it */
} PlanStep;

/* An image that a step makes. */
typedef struct PlanImage {
  Image *image;
  guint step, output; /* step: of the plan */
  gsize bytes;
  guint last; /* the step of the recipe after which it is freed; G_MAXUINT: it stays */
} PlanImage;

typedef struct Plan {
  GArray *steps;       /* PlanStep */
  GArray *images;      /* PlanImage */
  GPtrArray *promised; /* images that will be */
  GPtrArray *needed;   /* images that are there and that these steps take; not the plan's */
  GPtrArray *taken;    /* images that become labels or masks; not the plan's */
  gsize last;          /* bytes of the last image */
  GError *fault; /* what is wrong with the step where it ends; NULL: it ends with the steps, or inputs are not known */
} Plan;

/* Steps whose results are current on the device do not run; device may be NULL: none is. What cannot be known, because a step's
 * arguments or inputs are wrong, ends the plan there. */
Plan *plan_new (const Run *run, const Device *device);
void plan_free (Plan *plan);
/* What run_image_at() gives as soon as the run has been executed; without pixels where it is still to be made. Never NULL: where it
 * cannot be known, the nearest before it. The plan's or the run's. */
Image *plan_image_at (const Plan *plan, const Run *run, int index);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Plan, plan_free)

#endif
