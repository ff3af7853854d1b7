/* SPDX-License-Identifier: MIT
 *
 * The main window: tool bar, a tab for each opened image, messages, status line. Menus, keys and buttons all activate its
 * actions.
 */
#ifndef UI_APP_WINDOW_H
#define UI_APP_WINDOW_H

#include "ui/shell/shell.h"

#define WINDOW_TYPE (window_get_type ())
/* A Shell. */
G_DECLARE_FINAL_TYPE (Window, window, FOVEA, WINDOW, GtkApplicationWindow)

GtkWidget *window_new (GtkApplication *application, Modules *modules, Worker *worker);

#endif
