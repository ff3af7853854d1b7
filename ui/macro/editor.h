/* SPDX-License-Identifier: MIT
 *
 * The text of a macro, colored as Lua, in light or dark as the program is, with line numbers, something to find text, and a line that can
 * be marked as wrong.
 */
#ifndef UI_MACRO_EDITOR_H
#define UI_MACRO_EDITOR_H

#include <gtk/gtk.h>

#define MACRO_EDITOR_TYPE (macro_editor_get_type ())
G_DECLARE_FINAL_TYPE (MacroEditor, macro_editor, FOVEA, MACRO_EDITOR, GtkBox)

GtkWidget *macro_editor_new (const char *text);
GtkTextBuffer *macro_editor_buffer (const MacroEditor *editor);
/* All of it. Free with g_free(). */
char *macro_editor_text (const MacroEditor *editor);
/* The lines in which something is selected, or in which the cursor is, preceded by as many empty ones as there are lines before: so what
 * is wrong in them has its number. Free with g_free(). */
char *macro_editor_chosen_lines (const MacroEditor *editor);
/* Marks a line, from 1, and goes there; 0: none. */
void macro_editor_mark (MacroEditor *editor, int line);
/* Opens the field for the text to be found. */
void macro_editor_find (MacroEditor *editor);

#endif
