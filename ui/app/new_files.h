/* SPDX-License-Identifier: MIT
 *
 * Names of files for what an image has, which replace none that is there.
 */
#ifndef UI_APP_NEW_FILES_H
#define UI_APP_NEW_FILES_H

#include "core/document/document.h"

/* "nuclei" of "/images/nuclei.tif". Free with g_free(). */
char *new_files_stem (const Document *document);
/* A file that is not there yet, and is not among the paths: "nuclei.steps", "nuclei-2.steps"... Not for the main loop. Free with g_free(). */
char *new_files_path (const char *folder, const char *stem, const char *ending, const GPtrArray *paths);

#endif
