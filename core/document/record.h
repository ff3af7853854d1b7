/* SPDX-License-Identifier: MIT
 *
 * What was done, line by line, as a macro that does it again: valid Lua and valid ImageJ macro language at once. Images are told apart by
 * an id of the caller's that is never looked into.
 */
#ifndef CORE_DOCUMENT_RECORD_H
#define CORE_DOCUMENT_RECORD_H

#include "core/document/document.h"
#include "core/selection/selection.h"
#include "core/view/look.h"

typedef struct Record Record;

/* modules must live longer. */
Record *record_new (const Modules *modules);
void record_free (Record *record);

/* A line about another image than the line before is preceded by one that says which, so that what was done to several images is done
 * to several again. */

/* path: NULL for an image that is of no file, which the record can only ask for by its name. info: of the image as it was opened. */
void record_opened (Record *record, gconstpointer id, const char *path, const ImageInfo *info);
void record_closed (Record *record, gconstpointer id);
/* Its text is made when it is asked for. */
void record_steps (Record *record, gconstpointer id, DocumentChange change, const Recipe *recipe);
void record_device (Record *record, const char *key);
/* verb, path, options: as in document_saved(); also "export-measured" for the table of measurements. */
void record_saved (Record *record, gconstpointer id, const char *verb, const char *path, const char *options);
/* Another plane is shown, from 0; replaces such a line directly before. */
void record_position (Record *record, gconstpointer id, PlanePosition position);
/* The display settings of the shown channel changed; limits replace such a line directly before, and so do stretches
 * and gamma. */
void record_look (Record *record, gconstpointer id, const ViewChannel *before, const ViewChannel *now);
/* The selection changed; NULL: none. Replaces such a line directly before, so that a drag records only its end. */
void record_selection (Record *record, gconstpointer id, const Selection *selection);
/* The current selection was measured, or with `kept` all that are kept, in the image of a step. Steps count as in host.h: from 1, 0 the opened one,
 * G_MAXUINT the last one. request: its number among those about the image. */
void record_measured (Record *record, gconstpointer id, guint step, gboolean kept, guint request);
/* Nothing came of that request: its line goes. */
void record_vain (Record *record, gconstpointer id, guint request);
void record_measured_cleared (Record *record, gconstpointer id);
/* What was done with the list of kept selections, as roiManager() calls it: "add", "update", "delete", "reset"; "rename", "open" and "save" with a
 * text. */
void record_kept (Record *record, gconstpointer id, const char *command, const char *text);
/* The kept selection i, from 0, was chosen. */
void record_chosen (Record *record, gconstpointer id, guint i);
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
