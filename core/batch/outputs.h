/* SPDX-License-Identifier: MIT
 *
 * The files that are made of an image: saved all or none.
 */
#ifndef CORE_BATCH_OUTPUTS_H
#define CORE_BATCH_OUTPUTS_H

#include "core/batch/plan.h"

typedef struct BatchOutputs {
  GPtrArray *names; /* below the folder of all outputs; ends with NULL */
  GArray *sizes;    /* gint64 */
} BatchOutputs;

BatchOutputs *batch_outputs_new (void);
void batch_outputs_free (BatchOutputs *outputs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BatchOutputs, batch_outputs_free)
/* Saves the products of image n of the file, or gives what the job has saved in `staging` its names. FALSE with *error. */
gboolean batch_outputs_save (BatchOutputs *outputs, const BatchFile *file, guint n, const BatchPlan *plan,
                             const BatchResult *result, const char *staging, GError **error);
/* Removes those that were saved before one could not be. */
void batch_outputs_remove (const BatchOutputs *outputs, const BatchPlan *plan);
/* Whether the outputs of a record are those that the image would have now, and there. */
gboolean batch_outputs_are_there (const BatchFile *file, const BatchRecord *record, const BatchPlan *plan);

#endif
