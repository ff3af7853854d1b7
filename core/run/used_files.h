/* SPDX-License-Identifier: MIT
 *
 * Files that operations have read by the names in their arguments, such as models.
 */
#ifndef CORE_RUN_USED_FILES_H
#define CORE_RUN_USED_FILES_H

#include "core/run/run.h"

/* Paths of those of all steps that are done, each once. Free with g_strfreev(). */
char **used_files (const Run *run);
/* Appends a sentence with the SHA-256 of each, unless the text has the sentence already. */
void used_files_add (GString *text, const Run *run);

#endif
