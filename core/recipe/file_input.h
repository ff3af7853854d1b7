/* SPDX-License-Identifier: MIT
 *
 * A file whose image a step takes: "file:psf.tif". It is opened when that is first wanted, once for all who have the step, and its pixels
 * are read when they are needed. Any thread.
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
/* The file's first image, which is not the caller's; NULL with *error. */
Image *file_input_image (FileInput *file, GError **error);

#endif
