/* SPDX-License-Identifier: MIT
 *
 * A file of a batch, and what becomes of each of its images.
 */
#ifndef CORE_BATCH_ITEM_H
#define CORE_BATCH_ITEM_H

#include "core/batch/plan.h"

/* Of input `input`; name: what {name} is for it. */
BatchFile *batch_file_new (const BatchInputs *inputs, guint input, const char *name);
void batch_file_unref (BatchFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BatchFile, batch_file_unref)
/* Whether all images of a file, whose stamp is known, are done by what was recorded before: then it need not be opened. */
gboolean batch_file_is_done (BatchFile *file, const BatchPlan *plan);
/* Finds out how many images it has and which are done, from earlier records. A part of an image whose first file is an earlier input has none, and
 * that is recorded. FALSE with *error when it cannot be read: then it has one image, which is to be recorded as failed. */
gboolean batch_file_open (BatchFile *file, const BatchPlan *plan, GError **error);
/* Whether the job can work on image n, as far as its headers tell; FALSE with *error. */
gboolean batch_file_fits (const BatchFile *file, guint n, const BatchPlan *plan, GError **error);
/* Runs the job on image n, saves the results and records them. FALSE with *error when nothing was recorded. */
gboolean batch_file_do (const BatchFile *file, guint n, const BatchPlan *plan, GError **error);
/* What was recorded of image n for the same work when it failed; NULL: it did not. */
const BatchRecord *batch_file_failed_before (const BatchFile *file, guint n, const BatchPlan *plan);
/* Records that image n failed; suspect: see BatchRecord. */
void batch_file_record_fault (const BatchFile *file, guint n, const BatchPlan *plan, const char *why, guint suspect);

#endif
