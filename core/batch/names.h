/* SPDX-License-Identifier: MIT
 *
 * What the outputs of a batch are called, so that no two of them are one file and none is among the inputs.
 */
#ifndef CORE_BATCH_NAMES_H
#define CORE_BATCH_NAMES_H

#include "core/batch/inputs.h"

/* The {name} of each input, an array of char *: the name of its file without the ending. The ending stays where two outputs would be one file
 * otherwise. A NULL-terminated list `patterns` has the names of outputs in the folder `out`, or of folders of them, which end with '/'. The file
 * `table`, or NULL, is one more output. NULL with *error (STEP_ERROR) when a pattern is wrong, or outputs would be one file, or be in a folder with
 * inputs. */
GPtrArray *batch_names_new (const BatchInputs *inputs, const char *const *patterns, const char *out, const char *table,
                            GError **error);
/* The pattern for a name and the image of that number in the file. Free with g_free(). */
char *batch_names_fill (const char *pattern, const char *name, guint series);

#endif
