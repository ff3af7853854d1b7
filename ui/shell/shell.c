/* SPDX-License-Identifier: MIT
 */
#include "ui/shell/shell.h"

G_DEFINE_INTERFACE (Shell, shell, GTK_TYPE_WINDOW)

enum { OPENED, CLOSED, FRONT, SIGNALS };
static guint signals[SIGNALS];

static void
shell_default_init (ShellInterface *interface)
{
  static const char *const names[] = {"opened", "closed"};
  (void) interface;
  for (int i = 0; i < FRONT; i++)
    signals[i] =
      g_signal_new (names[i], SHELL_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, DOCUMENT_TYPE);
  signals[FRONT] = g_signal_new ("front", SHELL_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

Page *
shell_page (Shell *shell)
{
  return FOVEA_SHELL_GET_IFACE (shell)->page (shell);
}

Document *
shell_document (Shell *shell)
{
  Page *page = shell_page (shell);
  return page ? view_document (page_view (page)) : NULL;
}

GPtrArray *
shell_documents (Shell *shell)
{
  return FOVEA_SHELL_GET_IFACE (shell)->documents (shell);
}

Page *
shell_page_of (Shell *shell, Document *document)
{
  return FOVEA_SHELL_GET_IFACE (shell)->page_of (shell, document);
}

void
shell_bring (Shell *shell, Page *page)
{
  FOVEA_SHELL_GET_IFACE (shell)->bring (shell, page);
}

void
shell_remove (Shell *shell, Page *page)
{
  FOVEA_SHELL_GET_IFACE (shell)->remove (shell, page);
}

Document *
shell_add (Shell *shell, Image *image, const char *path)
{
  return FOVEA_SHELL_GET_IFACE (shell)->add (shell, image, path);
}

void
shell_say (Shell *shell, GtkMessageType type, const char *text)
{
  Page *page = shell_page (shell);
  shell_say_about (shell, page ? view_document (page_view (page)) : NULL, type, text);
}

void
shell_say_error (Shell *shell, const GError *error)
{
  if (error)
    shell_say (shell, GTK_MESSAGE_ERROR, error->message);
}

void
shell_say_about (Shell *shell, Document *document, GtkMessageType type, const char *text)
{
  FOVEA_SHELL_GET_IFACE (shell)->say (shell, document, type, text);
}

void
shell_set_device (Shell *shell, const char *key)
{
  FOVEA_SHELL_GET_IFACE (shell)->set_device (shell, key);
}

Modules *
shell_modules (Shell *shell)
{
  return FOVEA_SHELL_GET_IFACE (shell)->modules (shell);
}

void
shell_opened (Shell *shell, Document *document)
{
  g_signal_emit (shell, signals[OPENED], 0, document);
}

void
shell_closed (Shell *shell, Document *document)
{
  g_signal_emit (shell, signals[CLOSED], 0, document);
}

void
shell_turned (Shell *shell)
{
  g_signal_emit (shell, signals[FRONT], 0);
}

void
shell_enable (Shell *shell, const char *action, gboolean enabled)
{
  GAction *found = g_action_map_lookup_action (G_ACTION_MAP (shell), action);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (found), enabled);
}
