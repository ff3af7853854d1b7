/* SPDX-License-Identifier: MIT
 *
 * The step that a dialog edits. It is in the document while the dialog is open: choices show at once and are undone
 * in one piece.
 */
#ifndef UI_SEVERAL_LIVE_STEP_H
#define UI_SEVERAL_LIVE_STEP_H

#include "core/recipe/several.h"
#include "ui/shell/shell.h"

#define LIVE_STEP_TYPE (live_step_get_type ())
/* Signals: "left" when its document was closed or the steps were changed elsewhere, so that it is an ordinary step
 * now; "results" after a run. */
G_DECLARE_FINAL_TYPE (LiveStep, live_step, FOVEA, LIVE_STEP, GObject)

LiveStep *live_step_new (Shell *shell);
/* The step is one of the document, behind the step that was looked at, and comes to the front. FALSE with *error: it is as it was. */
gboolean live_step_set (LiveStep *live, Document *document, const Step *step, const OtherImage *others, guint n,
                        GError **error);
/* The step in the document, or NULL. */
const Step *live_step_now (const LiveStep *live);
/* The document that has it, or NULL. */
Document *live_step_document (const LiveStep *live);
/* What stopped its last run, or NULL. */
const GError *live_step_fault (const LiveStep *live);
/* It goes, and all is as before. */
void live_step_take_back (LiveStep *live);

#endif
