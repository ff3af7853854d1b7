/* SPDX-License-Identifier: MIT
 *
 * A file that a step takes: an image, "file:psf.tif", or selections, "file:cells.geojson". It is opened when that is first wanted, once for all who have
 * the step, and pixels are read when they are needed. Any thread.
 */
#ifndef CORE_RECIPE_FILE_INPUT_H
#define CORE_RECIPE_FILE_INPUT_H

#include "core/data/image.h"

/* What an input that is a file begins with; behind it is the path. */
#define FILE_INPUT "file:"

typedef struct FileInput FileInput;

/* text: the value of the input. NULL when it is not a file. */
FileInput *file_input_new (const char *text);
/* A new one of its path with another image, a part of its own, for steps that are run once. Takes a reference. */
FileInput *file_input_with_image (const FileInput *file, Image *image);
FileInput *file_input_ref (FileInput *file);
void file_input_unref (FileInput *file);
/* A number that its image alone has, in the caches of previews; no result of a run has it. */
guint64 file_input_id (const FileInput *file);
const char *file_input_path (const FileInput *file);
/* Whether both are of one path, and it was the same file, untouched, when they were made. Either may be NULL. */
gboolean file_input_equal (const FileInput *a, const FileInput *b);
/* Whether its name is one of a file of selections, from which each run draws an image of its own. */
gboolean file_input_is_selections (const FileInput *file);
/* (element-type Selection) Not the caller's; NULL with *error. *left_out: NULL, or messages about what the file has and they have not. */
const GPtrArray *file_input_selections (FileInput *file, const char **left_out, GError **error);
/* The file's first image, which is not the caller's; NULL with *error. */
Image *file_input_image (FileInput *file, GError **error);
/* Opens it, an image or selections; FALSE with *error. */
gboolean file_input_open (FileInput *file, GError **error);

#endif
