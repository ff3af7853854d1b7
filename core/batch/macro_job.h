/* SPDX-License-Identifier: MIT
 *
 * The job of a batch that runs a macro, which begins with each image opened and chosen: its first open() gives that, whatever it names. All that
 * it saves are the image's outputs. Its table is the one that the macro saves last, or else that of the image that is the current one at its end.
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
  const char *device; /* where steps run, whatever it says; NULL: where it says, or "auto" for so many images: */
  guint64 images;
  /* Takes a line that it prints on an image, which is called so; on any thread, one at a time. NULL: nobody does. */
  void (*print) (gpointer user, const char *image, const char *line);
  gpointer user;
} MacroJobOptions;

/* What options refer to is needed during this call alone, but for `user`. NULL with *error when the text is no macro. */
MacroJob *macro_job_new (Modules *modules, const MacroJobOptions *options, GError **error);
void macro_job_free (MacroJob *job);
BatchJob macro_job (MacroJob *job);

#endif
