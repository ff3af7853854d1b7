/* SPDX-License-Identifier: MIT
 *
 * The dialog of a macro: a row for each field.
 */
#ifndef UI_MACRO_DIALOG_H
#define UI_MACRO_DIALOG_H

#include "core/macro/host/host.h"

#include <gtk/gtk.h>

/* Calls answered (data, accepted) once; the fields (element-type MacroField) then have the answers.
 * They must live until then. Destroy it with gtk_window_destroy(), which does not accept. */
typedef void (*MacroAnswered) (gpointer data, gboolean accepted);
GtkWindow *macro_dialog_show (GtkWindow *parent, const char *title, GPtrArray *fields, MacroAnswered answered,
                              gpointer data);

#endif
