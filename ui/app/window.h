/* SPDX-License-Identifier: MIT
 *
 * The main window: tool bar, a tab for each opened image, messages, status line. Menus, keys and buttons all activate its
 * actions.
 */
#ifndef UI_APP_WINDOW_H
#define UI_APP_WINDOW_H

#include "ui/app/page.h"

#define WINDOW_TYPE (window_get_type ())
/* Signals: "opened" and "closed" (document). */
G_DECLARE_FINAL_TYPE (Window, window, FOVEA, WINDOW, GtkApplicationWindow)

GtkWidget *window_new (GtkApplication *application, Modules *modules, Worker *worker);
/* Shows an image that was opened in a new tab. */
Document *window_add (Window *window, Image *image, const char *path);
/* Reads the file in the background and shows it in a new tab. */
void window_open (Window *window, const char *path);
/* The same with these steps; hearer is told when it is there, or what hindered it. */
typedef void (*WindowOpened) (GObject *hearer, const char *fault);
void window_open_with (Window *window, const char *path, const char *steps, WindowOpened opened, GObject *hearer);
/* "auto", "cpu", "cuda:0": where steps run from now on, if there is such a device. */
void window_set_device (Window *window, const char *key);
/* Those that are open, in the order of their tabs. */
GPtrArray *window_documents (const Window *window);
/* One sentence over the image, about what is in front: GTK_MESSAGE_OTHER for what was done. See notes.h. */
void window_say (Window *window, GtkMessageType type, const char *text);
/* The same about a document, whether it is in front or not. */
void window_say_about (Window *window, Document *document, GtkMessageType type, const char *text);
const Modules *window_modules (const Window *window);
/* The page in front, or NULL. */
Page *window_page (const Window *window);

#endif
