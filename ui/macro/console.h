/* SPDX-License-Identifier: MIT
 *
 * What a macro has printed: text to be read and selected, of which the last ten thousand lines stay.
 */
#ifndef UI_MACRO_CONSOLE_H
#define UI_MACRO_CONSOLE_H

#include <gtk/gtk.h>

#define MACRO_CONSOLE_TYPE (macro_console_get_type ())
G_DECLARE_FINAL_TYPE (MacroConsole, macro_console, FOVEA, MACRO_CONSOLE, GtkBox)

GtkWidget *macro_console_new (void);
/* Whole lines, each with its line break. */
void macro_console_append (MacroConsole *console, const char *lines);
void macro_console_clear (MacroConsole *console);

#endif
