/* SPDX-License-Identifier: MIT
 *
 * The macros of a window: those that are open, each in a window of its own, and the one that runs.
 */
#ifndef UI_MACRO_MACROS_H
#define UI_MACRO_MACROS_H

#include "ui/shell/shell.h"
#include "ui/macro/window.h"

#define MACROS_TYPE (macros_get_type ())
G_DECLARE_FINAL_TYPE (Macros, macros, FOVEA, MACROS, GObject)

/* Adds the actions new-macro (text), open-macro, open-macro-file (path) and run-macro (path) to the shell. modules and worker must live
 * longer. */
Macros *macros_new (Shell *shell, Modules *modules, Worker *worker);
void macros_stop (Macros *macros);
/* What the macro that runs is doing, and how far it is, or -1; NULL: none runs. Free with g_free(). */
char *macros_status (const Macros *macros, double *done);
/* Asks what is to become of macros that are not saved; agreed (subject) when all are closed. */
void macros_close (Macros *macros, MacroClosed agreed, GObject *subject);
/* The shell goes. */
void macros_leave (Macros *macros);
/* When the main loop has ended: waits for the macro that still runs. */
void macros_settle (void);

#endif
