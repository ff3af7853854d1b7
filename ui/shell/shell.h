/* SPDX-License-Identifier: MIT
 *
 * The interface of the main window for its parts: the front page, the open documents, and messages. The window
 * implements it, so the parts need not know the window or each other.
 */
#ifndef UI_SHELL_SHELL_H
#define UI_SHELL_SHELL_H

#include "ui/shell/page.h"

#define SHELL_TYPE (shell_get_type ())
/* Signals: "opened" and "closed" (document); "front" when another page is, or none. A shell is a GtkWindow and a GActionMap. */
G_DECLARE_INTERFACE (Shell, shell, FOVEA, SHELL, GtkWindow)

struct _ShellInterface {
  GTypeInterface parent;
  Page *(*page) (Shell *shell);
  GPtrArray *(*documents) (Shell *shell);
  Page *(*page_of) (Shell *shell, Document *document);
  Document *(*add) (Shell *shell, Image *image, const char *path);
  void (*bring) (Shell *shell, Page *page);
  void (*remove) (Shell *shell, Page *page);
  void (*say) (Shell *shell, Document *document, GtkMessageType type, const char *text);
  void (*set_device) (Shell *shell, const char *key);
  Modules *(*modules) (Shell *shell);
};

/* The page in front, or NULL. */
Page *shell_page (Shell *shell);
/* What it shows, or NULL. */
Document *shell_document (Shell *shell);
/* Those that are open, in the order of their tabs. Free with g_ptr_array_unref(). */
GPtrArray *shell_documents (Shell *shell);
/* The page of a document that is open, else NULL. */
Page *shell_page_of (Shell *shell, Document *document);
/* Shows an image that was opened in a new tab, which holds the document. path: where it is from, or NULL. */
Document *shell_add (Shell *shell, Image *image, const char *path);
/* Brings the page to the front; closes it without asking. */
void shell_bring (Shell *shell, Page *page);
void shell_remove (Shell *shell, Page *page);
/* One sentence over the image, about what is in front: GTK_MESSAGE_OTHER for what was done. See notes.h. */
void shell_say (Shell *shell, GtkMessageType type, const char *text);
/* What an error says, if there is one. */
void shell_say_error (Shell *shell, const GError *error);
/* One sentence about a document, whether it is in front or not. */
void shell_say_about (Shell *shell, Document *document, GtkMessageType type, const char *text);
/* "auto", "cpu", "cuda:0": where steps run from now on, if there is such a device. */
void shell_set_device (Shell *shell, const char *key);
Modules *shell_modules (Shell *shell);
/* Switches one of the window's actions on or off. */
void shell_enable (Shell *shell, const char *action, gboolean enabled);

/* For the shell itself: a document is there, or about to go; another page is in front. */
void shell_opened (Shell *shell, Document *document);
void shell_closed (Shell *shell, Document *document);
void shell_turned (Shell *shell);

#endif
