/* SPDX-License-Identifier: MIT
 *
 * A macro as a file that is written, run and saved: its text, what it has printed, and what was wrong with it.
 */
#ifndef UI_MACRO_WINDOW_H
#define UI_MACRO_WINDOW_H

#include <gtk/gtk.h>

#define MACRO_WINDOW_TYPE (macro_window_get_type ())
/* Signals: "run" (text) for all of it, or the chosen lines; "stop"; "open": another one; "saved". */
G_DECLARE_FINAL_TYPE (MacroWindow, macro_window, FOVEA, MACRO_WINDOW, GtkWindow)

/* path: of the file, or NULL while it has none; folder: in which one is proposed for it, which is made then. It goes with its parent. */
GtkWidget *macro_window_new (GtkWindow *parent, const char *path, const char *text, const char *folder);
const char *macro_window_path (const MacroWindow *w);
/* As people and errors call it: "cells.lua". */
const char *macro_window_name (const MacroWindow *w);
/* Free with g_free(). */
char *macro_window_text (const MacroWindow *w);

/* It begins to run: what the run before has printed goes. */
void macro_window_begin (MacroWindow *w);
/* Whole lines that it has printed. */
void macro_window_print (MacroWindow *w, const char *lines);
/* How the run has ended: error is NULL when all went well; its line is shown. */
void macro_window_end (MacroWindow *w, const GError *error);
/* Whether a macro runs, be it this one: only one runs at a time. */
void macro_window_set_running (MacroWindow *w, gboolean running);

void macro_window_destroy (MacroWindow *w);
gboolean macro_window_unsaved (const MacroWindow *w);
/* Asks whether to save what is not; agreed (subject) when it was closed, now or later, and never when the user thinks better of it. */
typedef void (*MacroClosed) (GObject *subject);
void macro_window_close (MacroWindow *w, MacroClosed closed, GObject *subject);

#endif
