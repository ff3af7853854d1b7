/* SPDX-License-Identifier: MIT
 */
#include "ui/form/code_entry.h"

#include "ui/widgets/naming.h"
#include "ui/widgets/source_theme.h"

#include <gtksourceview/gtksource.h>

#define WRONG "wrong"
enum { HEIGHT = 110 };

struct _CodeEntry {
  GtkBox parent;
  GtkSourceBuffer *buffer;
};

G_DEFINE_FINAL_TYPE (CodeEntry, code_entry, GTK_TYPE_BOX)

static guint changed_signal;

char *
code_entry_text (const CodeEntry *self)
{
  GtkTextIter start, end;
  gtk_text_buffer_get_bounds (GTK_TEXT_BUFFER (self->buffer), &start, &end);
  return gtk_text_buffer_get_text (GTK_TEXT_BUFFER (self->buffer), &start, &end, TRUE);
}

void
code_entry_set_text (CodeEntry *self, const char *text)
{
  g_autofree char *had = code_entry_text (self);
  if (g_strcmp0 (had, text))
    gtk_text_buffer_set_text (GTK_TEXT_BUFFER (self->buffer), text, -1);
}

void
code_entry_mark (CodeEntry *self, int line, int column)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (self->buffer);
  GtkTextIter start, end;
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  gtk_source_buffer_remove_source_marks (self->buffer, &start, &end, WRONG);
  gtk_text_buffer_remove_tag_by_name (buffer, WRONG, &start, &end);
  if (!line)
    return;
  gtk_text_buffer_get_iter_at_line (buffer, &start, line - 1);
  gtk_source_buffer_create_source_mark (self->buffer, NULL, WRONG, &start);
  gtk_text_buffer_get_iter_at_line_index (buffer, &start, line - 1, MAX (0, column - 1)); /* columns are bytes */
  end = start;
  if (!gtk_text_iter_forward_word_end (&end) || column == 0 || gtk_text_iter_get_line (&end) != line - 1) {
    end = start;
    gtk_text_iter_forward_to_line_end (&end);
  }
  gtk_text_buffer_apply_tag_by_name (buffer, WRONG, &start, &end);
}

static void
on_changed (CodeEntry *self)
{
  g_signal_emit (self, changed_signal, 0);
}

static GtkWidget *
make_view (CodeEntry *self, const char *name)
{
  GtkWidget *view = gtk_source_view_new_with_buffer (self->buffer);
  g_autoptr (GtkSourceMarkAttributes) attributes = gtk_source_mark_attributes_new ();
  const GdkRGBA red = {0.88F, 0.1F, 0.14F, 0.25F};
  gtk_source_mark_attributes_set_background (attributes, &red);
  gtk_source_view_set_mark_attributes (GTK_SOURCE_VIEW (view), WRONG, attributes, 1);
  gtk_source_view_set_show_line_numbers (GTK_SOURCE_VIEW (view), TRUE);
  gtk_source_view_set_auto_indent (GTK_SOURCE_VIEW (view), TRUE);
  gtk_source_view_set_tab_width (GTK_SOURCE_VIEW (view), 2);
  gtk_source_view_set_insert_spaces_instead_of_tabs (GTK_SOURCE_VIEW (view), TRUE);
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (view), TRUE);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (view), FALSE); /* Tab moves to the next row, as everywhere in a form */
  naming_set (view, name);
  return view;
}

static void
code_entry_dispose (GObject *object)
{
  g_clear_object (&FOVEA_CODE_ENTRY (object)->buffer);
  G_OBJECT_CLASS (code_entry_parent_class)->dispose (object);
}

static void
code_entry_class_init (CodeEntryClass *class)
{
  G_OBJECT_CLASS (class)->dispose = code_entry_dispose;
  changed_signal = g_signal_new ("changed", CODE_ENTRY_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
code_entry_init (CodeEntry *self)
{
  GtkSourceLanguage *language =
    gtk_source_language_manager_get_language (gtk_source_language_manager_get_default (), "cpp");
  self->buffer = gtk_source_buffer_new (NULL);
  gtk_source_buffer_set_language (self->buffer, language);
  source_theme_follow (self->buffer);
  gtk_text_buffer_create_tag (GTK_TEXT_BUFFER (self->buffer), WRONG, "underline", PANGO_UNDERLINE_ERROR, NULL);
  g_signal_connect_object (self->buffer, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
}

GtkWidget *
code_entry_new (const char *name)
{
  CodeEntry *self = g_object_new (CODE_ENTRY_TYPE, "hexpand", TRUE, NULL);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), make_view (self, name));
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scrolled), HEIGHT);
  gtk_scrolled_window_set_has_frame (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_widget_set_hexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (self), scrolled);
  return GTK_WIDGET (self);
}
