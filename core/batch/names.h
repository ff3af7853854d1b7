/* SPDX-License-Identifier: MIT
 *
 * What the outputs of a batch are called, so that no two of them are one file and none is among the inputs.
 */
#ifndef CORE_BATCH_NAMES_H
#define CORE_BATCH_NAMES_H

#include "core/batch/inputs.h"

/* For each input its {name}: its name without the ending, or with it if two outputs would be one file otherwise. patterns: a list that ends with
 * NULL, of names of outputs in the folder `out`, or of folders of such, with a '/' at the end. table: another file, or NULL. Array of char *. NULL
 * with *error (STEP_ERROR) when a pattern is wrong, or outputs would be one file, or in a folder with inputs. */
GPtrArray *batch_names_new (const BatchInputs *inputs, const char *const *patterns, const char *out, const char *table,
                            GError **error);
/* The pattern for a name and the image of that number in the file. Free with g_free(). */
char *batch_names_fill (const char *pattern, const char *name, guint series);

#endif
