/* SPDX-License-Identifier: MIT
 *
 * The job of a batch that runs a macro. Each image is opened and current at the start: the macro's first open()
 * returns it, regardless of its argument. All files that the macro saves are outputs of the image. Its table is the
 * last one that the macro saves, otherwise that of the current image at the end.
 */
#ifndef CORE_BATCH_MACRO_JOB_H
#define CORE_BATCH_MACRO_JOB_H

#include "core/batch/job.h"
#include "core/macro/macro.h"
#include "core/ops/module.h"

typedef struct MacroJob MacroJob;

/* What the macro is given. */
typedef struct MacroJobOptions {
  const char *text;
  gsize length;
  const char *name;           /* what errors call it */
  const char *const *answers; /* of its dialogs: "NAME=VALUE", a list that ends with NULL, or NULL */
  MacroOptions macro;         /* but for the input and the folder of its outputs */
  const char *device; /* where steps run, overrides the macro; NULL: where the macro says, or "auto" for this many
                       * images: */
  guint64 images;
  /* Receives a line that the macro prints, with the name of the image; on any thread, one at a time. NULL:
   * discarded. */
  void (*print) (gpointer user, const char *image, const char *line);
  gpointer user;
} MacroJobOptions;

/* The options must live during this call only, except `user`. NULL with *error when the text is not a macro. */
MacroJob *macro_job_new (Modules *modules, const MacroJobOptions *options, GError **error);
void macro_job_free (MacroJob *job);
BatchJob macro_job (MacroJob *job);

#endif
