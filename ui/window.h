/* SPDX-License-Identifier: MIT
 *
 * The main window: tool bar, a tab for each opened image, messages, status line. Menus, keys and buttons all activate its
 * actions.
 */
#ifndef UI_WINDOW_H
#define UI_WINDOW_H

#include "page.h"

#define WINDOW_TYPE (window_get_type ())
G_DECLARE_FINAL_TYPE (Window, window, FOVEA, WINDOW, GtkApplicationWindow)

GtkWidget *window_new (GtkApplication *application, Modules *modules, Worker *worker);
/* Reads the file in the background and shows it in a new tab. */
void window_open (Window *window, const char *path);
/* One sentence above the images, until it is closed or replaced. */
void window_say (Window *window, GtkMessageType type, const char *text);
/* The page in front, or NULL. */
Page *window_page (const Window *window);

#endif
