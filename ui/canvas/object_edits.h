/* SPDX-License-Identifier: MIT
 *
 * What a hand does to the objects of an image: each deed is one more command of the step `edit` behind the step that has made them, and
 * is undone as one.
 */
#ifndef UI_CANVAS_OBJECT_EDITS_H
#define UI_CANVAS_OBJECT_EDITS_H

#include "core/base/worker.h"
#include "ui/view/view.h"

#define OBJECT_EDITS_TYPE (object_edits_get_type ())
/* Signal: "failed" (text) when there is nothing to do it to. */
G_DECLARE_FINAL_TYPE (ObjectEdits, object_edits, FOVEA, OBJECT_EDITS, GObject)

/* worker must live longer. */
ObjectEdits *object_edits_new (View *view, Worker *worker);
/* What is missing before the objects that are seen can be edited, as a sentence; NULL: nothing. Free with g_free(). */
char *object_edits_lack (const ObjectEdits *edits);
/* "delete", "merge" or "fill" those that are picked. */
void object_edits_picked (ObjectEdits *edits, const char *verb);
/* "split", "draw" or "erase" along these points: see stroke_points(). An edit that finds no object is undone. */
void object_edits_at (ObjectEdits *edits, const char *verb, const char *positions);

#endif
