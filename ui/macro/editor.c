/* SPDX-License-Identifier: MIT
 */
#include "ui/macro/editor.h"

#include "ui/widgets/source_theme.h"

#include <glib/gi18n.h>
#include <gtksourceview/gtksource.h>

#define WRONG "wrong"

struct _MacroEditor {
  GtkBox parent;
  GtkSourceBuffer *buffer;
  GtkSourceView *view;
  GtkSearchBar *bar;
  GtkSearchEntry *entry;
  GtkSourceSearchContext *search;
};

G_DEFINE_FINAL_TYPE (MacroEditor, macro_editor, GTK_TYPE_BOX)

/* ---- Text ---- */

GtkTextBuffer *
macro_editor_buffer (const MacroEditor *self)
{
  return GTK_TEXT_BUFFER (self->buffer);
}

char *
macro_editor_text (const MacroEditor *self)
{
  GtkTextIter start, end;
  gtk_text_buffer_get_bounds (GTK_TEXT_BUFFER (self->buffer), &start, &end);
  return gtk_text_buffer_get_text (GTK_TEXT_BUFFER (self->buffer), &start, &end, TRUE);
}

char *
macro_editor_chosen_lines (const MacroEditor *self)
{
  GtkTextIter start, end;
  gboolean selected = gtk_text_buffer_get_selection_bounds (GTK_TEXT_BUFFER (self->buffer), &start, &end);
  GString *s = g_string_new (NULL);
  if (!selected || !gtk_text_iter_starts_line (&end)) /* a whole line is selected up to the start of the next one */
    gtk_text_iter_forward_to_line_end (&end);
  gtk_text_iter_set_line_offset (&start, 0);
  for (int i = gtk_text_iter_get_line (&start); i > 0; i--)
    g_string_append_c (s, '\n');
  g_autofree char *text = gtk_text_buffer_get_text (GTK_TEXT_BUFFER (self->buffer), &start, &end, TRUE);
  g_string_append (s, text);
  return g_string_free (s, FALSE);
}

/* ---- The line that is wrong ---- */

void
macro_editor_mark (MacroEditor *self, int line)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (self->buffer);
  GtkTextIter start, end;
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  gtk_source_buffer_remove_source_marks (self->buffer, &start, &end, WRONG);
  if (!line)
    return;
  gtk_text_buffer_get_iter_at_line (buffer, &start, line - 1);
  gtk_source_buffer_create_source_mark (self->buffer, NULL, WRONG, &start);
  gtk_text_buffer_place_cursor (buffer, &start);
  gtk_text_view_scroll_to_mark (GTK_TEXT_VIEW (self->view), gtk_text_buffer_get_insert (buffer), 0.2, FALSE, 0, 0);
}

static void
add_mark (MacroEditor *self)
{
  g_autoptr (GtkSourceMarkAttributes) attributes = gtk_source_mark_attributes_new ();
  const GdkRGBA red = {0.88F, 0.1F, 0.14F, 0.25F};
  gtk_source_mark_attributes_set_background (attributes, &red);
  gtk_source_mark_attributes_set_icon_name (attributes, "note-error-symbolic");
  gtk_source_view_set_mark_attributes (self->view, WRONG, attributes, 1);
  gtk_source_view_set_show_line_marks (self->view, TRUE);
}

/* ---- Finding ---- */

static void
go_to (MacroEditor *self, gboolean back, gboolean here)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (self->buffer);
  GtkTextIter from, to, start, end;
  gtk_text_buffer_get_selection_bounds (buffer, &from, &to);
  if (back ? !gtk_source_search_context_backward (self->search, &from, &start, &end, NULL)
           : !gtk_source_search_context_forward (self->search, here ? &from : &to, &start, &end, NULL))
    return;
  gtk_text_buffer_select_range (buffer, &start, &end);
  gtk_text_view_scroll_to_iter (GTK_TEXT_VIEW (self->view), &start, 0.2, FALSE, 0, 0);
}

static void
on_next (MacroEditor *self)
{
  go_to (self, FALSE, FALSE);
}

static void
on_previous (MacroEditor *self)
{
  go_to (self, TRUE, FALSE);
}

static void
on_searched (MacroEditor *self)
{
  gtk_source_search_settings_set_search_text (gtk_source_search_context_get_settings (self->search),
                                              gtk_editable_get_text (GTK_EDITABLE (self->entry)));
  go_to (self, FALSE, TRUE);
}

static void
on_found_enough (MacroEditor *self)
{
  gtk_search_bar_set_search_mode (self->bar, FALSE);
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
}

void
macro_editor_find (MacroEditor *self)
{
  gtk_search_bar_set_search_mode (self->bar, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
}

static GtkWidget *
make_bar (MacroEditor *self)
{
  g_autoptr (GtkSourceSearchSettings) settings = gtk_source_search_settings_new ();
  gtk_source_search_settings_set_wrap_around (settings, TRUE);
  self->search = gtk_source_search_context_new (self->buffer, settings);
  self->bar = GTK_SEARCH_BAR (gtk_search_bar_new ());
  self->entry = GTK_SEARCH_ENTRY (gtk_search_entry_new ());
  gtk_widget_set_size_request (GTK_WIDGET (self->entry), 300, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Find"), -1);
  gtk_search_bar_set_child (self->bar, GTK_WIDGET (self->entry));
  g_signal_connect_object (self->entry, "search-changed", G_CALLBACK (on_searched), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->entry, "activate", G_CALLBACK (on_next), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->entry, "next-match", G_CALLBACK (on_next), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->entry, "previous-match", G_CALLBACK (on_previous), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->entry, "stop-search", G_CALLBACK (on_found_enough), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self->bar);
}

/* ---- Looks ---- */

static GtkWidget *
make_view (MacroEditor *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new (), *view = gtk_source_view_new_with_buffer (self->buffer);
  self->view = GTK_SOURCE_VIEW (view);
  g_object_set (view, "monospace", TRUE, "show-line-numbers", TRUE, "auto-indent", TRUE, "indent-width", 2, "tab-width",
                2, "insert-spaces-instead-of-tabs", TRUE, "highlight-current-line", TRUE, "top-margin", 4,
                "left-margin", 4, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Macro"), -1);
  add_mark (self);
  g_object_set (scroller, "child", view, "vexpand", TRUE, NULL);
  return scroller;
}

/* ---- The widget ---- */

static void
macro_editor_dispose (GObject *object)
{
  MacroEditor *self = FOVEA_MACRO_EDITOR (object);
  g_clear_object (&self->search);
  g_clear_object (&self->buffer);
  G_OBJECT_CLASS (macro_editor_parent_class)->dispose (object);
}

static void
macro_editor_class_init (MacroEditorClass *class)
{
  G_OBJECT_CLASS (class)->dispose = macro_editor_dispose;
}

static void
macro_editor_init (MacroEditor *self)
{
  GtkSourceLanguageManager *languages = gtk_source_language_manager_get_default ();
  self->buffer = gtk_source_buffer_new (NULL);
  gtk_source_buffer_set_language (self->buffer, gtk_source_language_manager_get_language (languages, "lua"));
  gtk_box_append (GTK_BOX (self), make_bar (self));
  gtk_box_append (GTK_BOX (self), make_view (self));
  source_theme_follow (self->buffer);
}

GtkWidget *
macro_editor_new (const char *text)
{
  MacroEditor *self = g_object_new (MACRO_EDITOR_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, NULL);
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (self->buffer);
  GtkTextIter start;
  gtk_text_buffer_begin_irreversible_action (buffer);
  gtk_text_buffer_set_text (buffer, text, -1);
  gtk_text_buffer_end_irreversible_action (buffer);
  gtk_text_buffer_get_start_iter (buffer, &start);
  gtk_text_buffer_place_cursor (buffer, &start);
  gtk_text_buffer_set_modified (buffer, FALSE);
  return GTK_WIDGET (self);
}
