/* SPDX-License-Identifier: MIT
 */
#include "ui/macro/console.h"

#include "ui/widgets/follow_end.h"

#include <glib/gi18n.h>

#define MAX_LINES 10000

struct _MacroConsole {
  GtkBox parent;
  GtkTextBuffer *buffer;
};

G_DEFINE_FINAL_TYPE (MacroConsole, macro_console, GTK_TYPE_BOX)

void
macro_console_append (MacroConsole *self, const char *lines)
{
  GtkTextIter start, end;
  gtk_text_buffer_get_end_iter (self->buffer, &end);
  gtk_text_buffer_insert (self->buffer, &end, lines, -1);
  int more = gtk_text_buffer_get_line_count (self->buffer) - 1 - MAX_LINES;
  if (more <= 0)
    return;
  gtk_text_buffer_get_start_iter (self->buffer, &start);
  gtk_text_buffer_get_iter_at_line (self->buffer, &end, more);
  gtk_text_buffer_delete (self->buffer, &start, &end);
}

void
macro_console_clear (MacroConsole *self)
{
  gtk_text_buffer_set_text (self->buffer, "", 0);
}

static void
macro_console_class_init (MacroConsoleClass *class)
{
  (void) class;
}

static void
macro_console_init (MacroConsole *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new (), *text = gtk_text_view_new ();
  self->buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (text)); /* as long as the view, which is in this box */
  g_object_set (text, "editable", FALSE, "cursor-visible", FALSE, "monospace", TRUE, "wrap-mode", GTK_WRAP_WORD_CHAR,
                "left-margin", 8, "right-margin", 8, "top-margin", 4, "bottom-margin", 4, "accepts-tab", FALSE, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (text), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Output"), -1);
  g_object_set (scroller, "child", text, "vexpand", TRUE, "hexpand", TRUE, NULL);
  follow_end (GTK_TEXT_VIEW (text));
  gtk_box_append (GTK_BOX (self), scroller);
}

GtkWidget *
macro_console_new (void)
{
  return g_object_new (MACRO_CONSOLE_TYPE, NULL);
}
