/* SPDX-License-Identifier: MIT
 *
 * What a run did: per step the device, the time, the bytes moved and the results that are single numbers. For people and as
 * JSON.
 */
#ifndef COMMAND_REPORT_H
#define COMMAND_REPORT_H

#include "library/fovea.h"

typedef struct Report {
  const char *input;
  const fovea_recipe *recipe;
  const fovea_run *run;
  char *const *outputs; /* as asked for, or NULL */
  const char *table;    /* path, or NULL */
  const char *folder;   /* of the images of all steps, or NULL */
  double open_ms, run_ms, save_ms;
} Report;

/* ", 3 results on disk", or nothing. Free with g_free(). */
char *report_on_disk (unsigned results);
/* On standard output, unless quiet. */
void report_print (const Report *report);
fovea_code report_save (const Report *report, const char *path, fovea_error **error);

#endif
