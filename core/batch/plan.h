/* SPDX-License-Identifier: MIT
 *
 * What the files of a batch share, and what is known of each.
 */
#ifndef CORE_BATCH_PLAN_H
#define CORE_BATCH_PLAN_H

#include "core/base/file_source.h"
#include "core/batch/job.h"
#include "core/batch/journal.h"
#include "core/batch/reads.h"
#include "core/batch/room.h"
#include "core/batch/sets.h"
#include "core/files/files.h"

typedef struct BatchFile BatchFile;

typedef struct BatchPlan {
  const BatchJob *job;
  BatchJournal *journal;      /* NULL: it is only asked what would be done */
  const BatchRecords *before; /* what is recorded already, settled */
  BatchRoom *room;
  BatchReads *reads;
  BatchSets *sets;
  const BatchInputs *inputs;
  const char *folder;
  const char *const *patterns;
  const char *choices; /* of saving */
  char work[FILE_HASH_TEXT];
  const char
    *on_cpu; /* why all images run on the CPU, regardless of the job's device: a warning for each; NULL: they do not */
  CsvFormat format; /* of tables */
  /* Hears of what is to be said of an image that is done. Any thread. */
  void (*noted) (gpointer batch, const BatchFile *file, guint n, const char *note);
  gpointer batch;
  gboolean resume; /* what is there may be of a part of the batch that was not recorded, and is replaced */
} BatchPlan;

struct BatchFile {
  gint references;
  guint input;
  const char *path, *file, *name; /* the file, what it is called, and what {name} is for it */
  FileSource *source;             /* whose the path is; NULL: not opened yet */
  BatchStamp stamp;
  FilesImages *images;
  guint count;         /* of its images; 0: it is a part of another one's */
  const char *belongs; /* to this input's image; NULL: its images are its own */
  guint8 *done;        /* which of them are */
  const char *fault;   /* why it is none; NULL: not known to be */
};

#endif
