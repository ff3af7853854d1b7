/* SPDX-License-Identifier: MIT
 *
 * fovea batch --dry-run: what a batch would do, for people and as JSON.
 */
#ifndef COMMAND_BATCH_EXPECT_H
#define COMMAND_BATCH_EXPECT_H

#include "command/command.h"

typedef struct BatchExpect {
  fovea_batch *batch;
  const char *folder, *table, *images; /* where outputs and tables would be; the tables may be NULL */
  gboolean json, quiet;
} BatchExpect;

/* Says it, and returns the exit status: COMMAND_FAILED when something is wrong. */
int batch_expect_print (const BatchExpect *asked);

#endif
