/* SPDX-License-Identifier: MIT
 *
 * One job on many images, several at a time. Failures are recorded and the others continue. Finished images are
 * recorded, so that a batch can be resumed however it ended.
 */
#ifndef CORE_BATCH_BATCH_H
#define CORE_BATCH_BATCH_H

#include "core/batch/folder.h"
#include "core/batch/inputs.h"
#include "core/batch/job.h"
#include "core/batch/journal.h"

typedef struct BatchOptions {
  const char *folder;          /* of the outputs */
  const char *const *patterns; /* of the names of outputs, see names.h; ends with NULL */
  const char *choices;         /* of saving, as files_save_as() has them; may be NULL */
  const char *work;            /* all that results depend on but the input: what was done of other work is done again */
  const char *steps;           /* of it what people want to read */
  const char *table;           /* where the table of all images goes; NULL: nowhere */
  const char *name_pattern;    /* of the inputs' names, see name_pattern.h; NULL: none */
  const char *images; /* where the table about the images goes, see batch_folder_save_images(); NULL: nowhere */
  const char *group;  /* see there; NULL: none */
  CsvFormat format;   /* of the tables */
  BatchShard shard;
  gboolean resume; /* resume an existing batch */
  guint jobs;      /* images at a time; 0: as many as there are cores */
  /* Called for each image that failed, on any thread, one at a time; or NULL. */
  void (*failed) (gpointer user, const char *file, guint series, const char *why);
  /* The same of what is to be said of an image that is done: what of its file was left out, or what was made of its slices, once for all. */
  void (*noted) (gpointer user, const char *file, guint series, const char *note);
  gpointer user;
  /* Called when a GPU has failed, so that this process can use it no more, and all is recorded: replaces the process by a fresh one that resumes
   * the batch. NULL, or when it comes back: the rest is done on the CPU, with a warning for each image. */
  void (*renew) (gpointer user);
} BatchOptions;

/* All that results depend on except the input, for `work`. Free with g_free(). The steps, or a macro, are `what`, in full. Of the n outputs `names`
 * are the results, NULL for the last image, and `patterns` those of their files. */
char *batch_work_text (const char *what, const char *const *names, const char *const *patterns, guint n,
                       CsvFormat format, const char *choices);

typedef struct Batch Batch;

/* Takes ownership of the inputs. The job must live as long as the batch. The options, except `user`, are needed only during this call. NULL with
 * *error (STEP_ERROR) when they are wrong. */
Batch *batch_new (BatchInputs *inputs, const BatchJob *job, const BatchOptions *options, GError **error);
void batch_free (Batch *batch);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Batch, batch_free)
/* Returns when all images are processed. FALSE with *error when the manifest cannot be written, or the work of the thread is cancelled. Images that
 * fail are not errors here. Call it once. */
gboolean batch_run (Batch *batch, GError **error);
/* How it stands. Any thread. */
BatchCounts batch_counts (Batch *batch);

/* An image as batch_run() would find it. */
typedef struct BatchExpected {
  const char *file;    /* as it is called in tables */
  guint series, of;    /* which image of the file, and how many it has */
  gboolean done;       /* so that it would not be processed again */
  const char *belongs; /* the file whose image it is a part of, and the rest is unset; NULL: it has its own */
  const char *fault;   /* why it would fail, as far as headers tell; NULL: nothing is known */
  const char *const
    *outputs; /* of these names below the folder; of a job that saves by itself, the folder; ends with NULL */
} BatchExpected;

/* Tells of all images of the shard, in their order, what batch_run() would do. Nothing is made, and no URL is fetched. FALSE with *error when
 * batch_run() would fail before the first image, or the work of the thread is cancelled. Not while it runs. */
gboolean batch_expect (Batch *batch, void (*tell) (gpointer user, const BatchExpected *image), gpointer user,
                       GError **error);
/* For each of so many shards whether it has something to do: an image that is not recorded in the folder, failed, or is another one since. Files
 * are looked at, not opened. Not while it runs. FALSE with *error when the folder's batch has not so many, or cannot be read. */
gboolean batch_pending (Batch *batch, guint shards, guint8 *pending, GError **error);
/* The file of input n; NULL: there are no more. */
const char *batch_input_path (const Batch *batch, gsize n);

#endif
