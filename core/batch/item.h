/* SPDX-License-Identifier: MIT
 *
 * A file of a batch, and what becomes of each of its images.
 */
#ifndef CORE_BATCH_ITEM_H
#define CORE_BATCH_ITEM_H

#include "core/batch/job.h"
#include "core/batch/journal.h"
#include "core/batch/room.h"
#include "core/files/files.h"

/* What all files share. */
typedef struct BatchPlan {
  const BatchJob *job;
  BatchJournal *journal;
  const BatchRecords *before; /* what is recorded already, settled */
  BatchRoom *room;
  const char *folder;
  const char *const *patterns;
  const FilesTiffChoices *tiff;
  char work[BATCH_HASH];
  char separator;
} BatchPlan;

typedef struct BatchFile {
  gint references;
  const char *path, *file, *name; /* the file, what it is called, and what {name} is for it */
  BatchStamp stamp;
  FilesImages *images;
  guint count;       /* of its images */
  guint8 *done;      /* which of them are */
  const char *fault; /* why it is none; NULL: not known to be */
} BatchFile;

BatchFile *batch_file_new (const char *path, const char *file, const char *name, const char *fault);
void batch_file_unref (BatchFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BatchFile, batch_file_unref)
/* Whether all images of a file, whose stamp is known, are done by what was recorded before: then it need not be opened. */
gboolean batch_file_is_done (BatchFile *file, const BatchPlan *plan);
/* Finds out how many images it has and which are done, by what was recorded of it before. FALSE with *error when it cannot be read: then it has
 * one image, which is to be recorded as failed. */
gboolean batch_file_open (BatchFile *file, const BatchPlan *plan, GError **error);
/* Does the job on image n, saves what comes of it and records it. FALSE with *error when nothing of that is recorded. */
gboolean batch_file_do (const BatchFile *file, guint n, const BatchPlan *plan, GError **error);
/* Records that image n failed. */
void batch_file_record_fault (const BatchFile *file, guint n, const BatchPlan *plan, const GError *fault);

#endif
