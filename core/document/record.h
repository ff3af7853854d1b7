/* SPDX-License-Identifier: MIT
 *
 * What was done, line by line, as text: opened, steps as in `fovea run`, undone, written. Images are told apart by an id of
 * the caller's that is never looked into.
 */
#ifndef CORE_DOCUMENT_RECORD_H
#define CORE_DOCUMENT_RECORD_H

#include "core/document/document.h"

typedef struct Record Record;

Record *record_new (void);
void record_free (Record *record);

void record_opened (Record *record, gconstpointer id, const char *path);
void record_closed (Record *record, gconstpointer id);
/* Its text is made when it is asked for. */
void record_steps (Record *record, gconstpointer id, DocumentChange change, const Recipe *recipe);
void record_device (Record *record, const char *key);
/* verb, path, options: as in document_saved(). */
void record_saved (Record *record, gconstpointer id, const char *verb, const char *path, const char *options);
/* Forgets all lines; of images that are open it still knows the path and the steps. */
void record_clear (Record *record);

guint record_length (const Record *record);
const char *record_line (Record *record, guint i);
/* All lines, each with its line break. Free with g_free(). */
char *record_text (Record *record);
/* The steps that the last line with steps led to; NULL when there is none. */
const Recipe *record_final (const Record *record);
/* For each image that was worked on, the command that does the same: its steps, and what was saved of their results. NULL
 * when there is none. Free with g_free(). */
char *record_command (const Record *record);

#endif
