/* SPDX-License-Identifier: MIT
 *
 * What a batch writes into its output folder in addition to the outputs: the manifest, and the rows of all tables.
 * Records are collected until they are committed: first all bytes of outputs and rows go to the disk, then the
 * manifest records them.
 */
#ifndef CORE_BATCH_JOURNAL_H
#define CORE_BATCH_JOURNAL_H

#include "core/batch/manifest.h"

/* Which part of a batch: shard 0 of 1 is all of it. */
typedef struct BatchShard {
  guint number, of; /* from 0 */
} BatchShard;

typedef struct BatchJournal BatchJournal;

/* Makes the folder when there is none, and takes it for this process. resume: there may be a manifest of the shard, else there must be none.
 * NULL with *error. */
BatchJournal *batch_journal_open (const char *folder, BatchShard shard, gboolean resume, GError **error);
/* What is not committed is lost. */
void batch_journal_close (BatchJournal *journal);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BatchJournal, batch_journal_close)
/* What batch_journal_open() would find, with its errors, but nothing is made or changed. */
BatchRecords *batch_journal_look (const char *folder, BatchShard shard, gboolean resume, GError **error);
/* What was in the manifest when it was opened, settled. */
const BatchRecords *batch_journal_before (const BatchJournal *journal);
/* Of the folder: outputs in its file system are synced by batch_journal_commit(). */
dev_t batch_journal_device (const BatchJournal *journal);
int batch_journal_folder (const BatchJournal *journal); /* a descriptor */
/* Where jobs of the shard save before their outputs get their names, see staging.h; at first it is empty. Free with g_free(). */
char *batch_journal_staging (const BatchJournal *journal);

/* Any thread. Puts rows, CSV with a header, where the record will say they are. FALSE with *error when they cannot be written. */
gboolean batch_journal_add_rows (BatchJournal *journal, BatchRecord *record, const GString *rows, GError **error);
/* Any thread. */
void batch_journal_add (BatchJournal *journal, const BatchRecord *record);
void batch_journal_add_header (BatchJournal *journal, const BatchHeader *header);
/* Makes safe what was added before. One thread. FALSE with *error when it cannot be, or when the folder has gone. */
gboolean batch_journal_commit (BatchJournal *journal, GError **error);
/* Whether something can be written into the folder at all; FALSE with *error. */
gboolean batch_journal_probe (const BatchJournal *journal, GError **error);

/* The names of a shard's files below a folder of outputs. Free with g_free(). */
char *batch_journal_manifest (const char *folder, BatchShard shard);
char *batch_journal_parts (const char *folder, BatchShard shard);
/* How many shards the manifests in a folder are of: 1 for a batch in one piece, 0 without any. FALSE with *error where they are of different
 * numbers of them. */
gboolean batch_journal_shards (const char *path, guint *shards, GError **error);

#endif
