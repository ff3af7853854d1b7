/* SPDX-License-Identifier: MIT
 *
 * Some lines of C++ in a form: colored, with line numbers, and a position that can be marked as wrong.
 */
#ifndef UI_FORM_CODE_ENTRY_H
#define UI_FORM_CODE_ENTRY_H

#include <gtk/gtk.h>

#define CODE_ENTRY_TYPE (code_entry_get_type ())
/* Signal "changed" when the text has changed. */
G_DECLARE_FINAL_TYPE (CodeEntry, code_entry, FOVEA, CODE_ENTRY, GtkBox)

/* name: what accessibility calls it. */
GtkWidget *code_entry_new (const char *name);
/* Free with g_free(). */
char *code_entry_text (const CodeEntry *entry);
void code_entry_set_text (CodeEntry *entry, const char *text);
/* Marks the line, from 1, and underlines what begins at the column, from 1; line 0: nothing is wrong, column 0: all of the line. */
void code_entry_mark (CodeEntry *entry, int line, int column);

#endif
