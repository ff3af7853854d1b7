/* SPDX-License-Identifier: MIT
 *
 * Files that together form one image, such as the OME-TIFF files of a stack: the first of them among the inputs
 * processes it for all. Files are identified by device and inode, not by name. Any thread.
 */
#ifndef CORE_BATCH_SETS_H
#define CORE_BATCH_SETS_H

#include "core/batch/inputs.h"
#include "core/files/files.h"

typedef struct BatchSets BatchSets;

BatchSets *batch_sets_new (const BatchInputs *inputs);
void batch_sets_free (BatchSets *sets);
/* The input that owns these images of an input: an earlier one whose image is also read from this file, otherwise the input itself. */
guint batch_sets_owner (BatchSets *sets, guint input, const FilesImages *images);
/* The names of the other inputs that they are read from, a list that ends with NULL; NULL: they are read from one file. Free with g_free(). */
const char **batch_sets_names (BatchSets *sets, guint input, const FilesImages *images);

#endif
