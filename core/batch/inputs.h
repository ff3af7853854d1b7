/* SPDX-License-Identifier: MIT
 *
 * The files of a batch: what people name, a file, a folder or a pattern, each file once, in natural order.
 */
#ifndef CORE_BATCH_INPUTS_H
#define CORE_BATCH_INPUTS_H

#include "core/batch/journal.h"

#include <glib.h>

typedef struct BatchInput {
  char *path;  /* absolute, without links among its folders; or a URL */
  char *fault; /* why it cannot be listed, so that it is not an image; NULL: it can */
} BatchInput;

typedef struct BatchInputs {
  char *folder;  /* that all are in or below, with a '/' at its end */
  GArray *files; /* BatchInput */
} BatchInputs;

/* names: a list that ends with NULL. An existing path is a file, or a folder. A folder that is an image is taken like a file. Of other folders and their
 * subfolders all files with the ending of an image are taken, except hidden ones, the folder `out`, and folders with the manifest of a batch. Any other path with *, ? or [ is a pattern. A URL is a file. What is
 * neither is an input with a fault, so that it is not forgotten. NULL with *error (STEP_ERROR) when a pattern matches nothing, a
 * folder is `out` itself, or has such a manifest and out is not "". The same when nothing is found, or the work of the thread shall stop. */
BatchInputs *batch_inputs_new (const char *const *names, const char *out, GError **error);
/* The same of names that all are files, as batch_input() gives them: nothing is looked at. */
BatchInputs *batch_inputs_of_files (const char *const *names, GError **error);
void batch_inputs_free (BatchInputs *inputs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BatchInputs, batch_inputs_free)
const BatchInput *batch_input (const BatchInputs *inputs, guint i);
/* The path below the folder: what it is called in tables and for people. */
const char *batch_input_name (const BatchInputs *inputs, guint i);
/* The number of the input of that name; FALSE: there is none. */
gboolean batch_inputs_find (const BatchInputs *inputs, const char *name, guint *number);
/* How many fall to a shard: every so many of them. */
guint batch_inputs_of_shard (const BatchInputs *inputs, BatchShard shard);
/* Of all names; FILE_HASH_TEXT bytes. */
void batch_inputs_hash (const BatchInputs *inputs, char *hash);
/* The path without links among its folders. Free with g_free(). */
char *batch_inputs_resolve (const char *path);

#endif
