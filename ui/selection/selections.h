/* SPDX-License-Identifier: MIT
 *
 * The selections of one opened image: the current one, and a list of kept ones with names.
 */
#ifndef UI_SELECTION_SELECTIONS_H
#define UI_SELECTION_SELECTIONS_H

#include "core/selection/selection.h"

#include <glib-object.h>

#define SELECTIONS_TYPE (selections_get_type ())
/* Signals: "current" when the current one is another one or has another shape; "list" when the kept ones, the chosen one, or whether they are shown,
 * has changed. "did" (command, text) when something was done with the list, as record_kept() calls it; "failed", with a text for the user, when one
 * could not be made. */
G_DECLARE_FINAL_TYPE (Selections, selections, FOVEA, SELECTIONS, GObject)

Selections *selections_new (void);

/* NULL: none. Valid until "current". */
const Selection *selections_current (const Selections *s);
/* Another one, or NULL; takes it. */
void selections_set_current (Selections *s, Selection *selection);
/* The same one, moved or resized; takes it. */
void selections_reshape (Selections *s, Selection *selection);
/* A new one that is still being drawn; takes it. */
void selections_draw (Selections *s, Selection *selection);
/* Whether it is being drawn. */
gboolean selections_drawing (const Selections *s);

guint selections_length (const Selections *s);
/* A kept one; valid until "list". */
const Selection *selections_kept (const Selections *s, guint i);
/* The kept one of which the current one is a copy, perhaps changed; -1: none. */
int selections_chosen (const Selections *s);
/* Makes a copy of it the current one. */
void selections_choose (Selections *s, guint i);
/* Keeps a copy of the current one, with a name as in ImageJ when it has none; -1: everywhere. */
void selections_keep (Selections *s, gint64 channel, gint64 slice, gint64 frame);
/* The chosen one gets the shape of the current one. */
void selections_update (Selections *s);
void selections_rename (Selections *s, guint i, const char *name);
void selections_remove (Selections *s, guint i);
/* The chosen one goes, and the next is chosen. */
void selections_remove_chosen (Selections *s);
/* Adds copies of what a file holds. (element-type Selection) */
void selections_extend (Selections *s, const GPtrArray *selections, const char *path);
/* Something was done with the list elsewhere, such as "save" with a path: see "did". */
void selections_did (Selections *s, const char *command, const char *text);
/* Replaces the list with copies of these. (element-type Selection) */
void selections_set_kept (Selections *s, const GPtrArray *selections);
/* Copies of the kept ones. (element-type Selection) (transfer full) */
GPtrArray *selections_copy_kept (const Selections *s);

/* How many are not in a file: of the list, which counts as a whole, and the current one where it took several clicks or a stroke (a polygon,
 * a freehand shape, several points). */
guint selections_unsaved (const Selections *s);
/* The list at this moment, immutable. (element-type Selection) (transfer full) */
GPtrArray *selections_share_kept (Selections *s);
/* Restores the list and the current one from a session, each NULL for none; they are not saved to a file. */
void selections_restore (Selections *s, const GPtrArray *kept, const Selection *current);

/* Says why one could not be made. */
void selections_fail (Selections *s, const char *text);

/* Whether the kept ones are drawn over the image. */
gboolean selections_shown (const Selections *s);
void selections_set_shown (Selections *s, gboolean shown);

#endif
