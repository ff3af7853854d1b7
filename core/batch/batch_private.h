/* SPDX-License-Identifier: MIT
 *
 * What the files of a Batch share: batch.c makes and runs it, workers.c processes images, expect.c says what would be done.
 */
#ifndef CORE_BATCH_BATCH_PRIVATE_H
#define CORE_BATCH_BATCH_PRIVATE_H

#include "core/base/progress.h"
#include "core/batch/folder.h"
#include "core/batch/inputs.h"
#include "core/batch/item.h"
#include "core/batch/job.h"
#include "core/batch/journal.h"

/* Groups of images, in the order in which they are processed. A suspect was in work when a GPU failed. */
typedef enum BatchTurn {
  BATCH_TURN_SUSPECTS, /* one at a time */
  BATCH_TURN_OTHERS,
  BATCH_TURN_GUILTY, /* failed a GPU alone; on the CPU */
  N_BATCH_TURNS
} BatchTurn;

typedef struct Batch Batch;
struct Batch {
  BatchInputs *inputs;
  GPtrArray *names;
  BatchJob job;
  char *folder, **patterns, *steps, *table, *images, *pattern, *group;
  char *choices; /* of saving */
  BatchShard shard;
  gboolean resume;
  guint at_a_time; /* images, as it was asked for; 0: as many as there are cores */
  guint jobs;      /* of the turn */
  void (*failed) (gpointer user, const char *file, guint series, const char *why);
  void (*noted) (gpointer user, const char *file, guint series, const char *note);
  void (*renew) (gpointer user);
  gpointer user;
  GMutex telling;      /* it */
  BatchTurn turn;      /* changes while no thread works */
  gboolean all_on_cpu; /* since a GPU was lost, and a new process was not started */
  BatchPlan plan;
  BatchRoom room;
  BatchReads reads;
  Progress progress;
  GMutex lock; /* guards all below */
  GCond change;
  guint next;     /* input */
  guint opening;  /* files of which it is not known yet how many images they have */
  guint working;  /* threads */
  GQueue further; /* Further */
  BatchCounts counts;
  GError *fault; /* why it cannot go on */
  gboolean lost; /* a GPU, in this round */
};

/* The images of all turns, on threads of their own. What is finished is committed meanwhile. FALSE with *error, not when a GPU is lost. */
gboolean batch_work (Batch *batch, GError **error);

#endif
