/* SPDX-License-Identifier: MIT
 *
 * A note is kept with its owner; the widget shows that of the one in front.
 */
#include "ui/widgets/notes.h"

#include "ui/widgets/button.h"

#include <glib/gi18n.h>

enum { SECONDS = 10 }; /* to read one that goes by itself */

typedef struct {
  GtkMessageType type;
  char *text;
} Note;

static const struct {
  const char *icon, *class, *word;
} kinds[] = {
  [GTK_MESSAGE_INFO] = {"note-information-symbolic", "note-information", N_ ("Note")},
  [GTK_MESSAGE_WARNING] = {"note-warning-symbolic", "note-warning", N_ ("Warning")},
  [GTK_MESSAGE_QUESTION] = {"note-information-symbolic", "note-information", N_ ("Question")},
  [GTK_MESSAGE_ERROR] = {"note-error-symbolic", "note-error", N_ ("Error")},
  [GTK_MESSAGE_OTHER] = {"note-done-symbolic", "note-done", N_ ("Done")},
};

struct _Notes {
  GtkBox parent;
  GtkImage *icon;
  GtkLabel *word, *text;
  GObject *front; /* weak */
  guint timer;
};

G_DEFINE_FINAL_TYPE (Notes, notes, GTK_TYPE_BOX)

static const char key[] = "fovea-note";

static void
note_free (gpointer data)
{
  Note *note = data;
  g_free (note->text);
  g_free (note);
}

static gboolean
goes (const Note *note)
{
  return note->type == GTK_MESSAGE_INFO || note->type == GTK_MESSAGE_OTHER;
}

static void
forget_notes (Notes *self, GObject *owner)
{
  if (owner)
    g_object_set_data (owner, key, NULL);
  notes_set_front (self, self->front);
}

static void
close_note (Notes *self)
{
  GtkRoot *window = gtk_widget_get_root (GTK_WIDGET (self));
  if (self->front && g_object_get_data (self->front, key))
    forget_notes (self, self->front);
  else
    forget_notes (self, window ? G_OBJECT (window) : NULL);
}

static gboolean
on_timer (gpointer data)
{
  Notes *self = data;
  self->timer = 0;
  close_note (self);
  return G_SOURCE_REMOVE;
}

static void
show_note (Notes *self, const Note *note)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    gtk_widget_remove_css_class (GTK_WIDGET (self), kinds[i].class);
  gtk_widget_add_css_class (GTK_WIDGET (self), kinds[note->type].class);
  gtk_image_set_from_icon_name (self->icon, kinds[note->type].icon);
  gtk_label_set_text (self->word, _ (kinds[note->type].word));
  gtk_label_set_text (self->text, note->text);
  if (goes (note))
    self->timer = g_timeout_add_seconds (SECONDS, on_timer, self);
}

void
notes_set_front (Notes *self, GObject *owner)
{
  const Note *note = owner ? g_object_get_data (owner, key) : NULL;
  GtkRoot *window = gtk_widget_get_root (GTK_WIDGET (self));
  if (!note && window) /* what is about the program as a whole is seen where nothing else is */
    note = g_object_get_data (G_OBJECT (window), key);
  g_set_weak_pointer (&self->front, owner);
  g_clear_handle_id (&self->timer, g_source_remove);
  gtk_widget_set_visible (GTK_WIDGET (self), note != NULL);
  if (note)
    show_note (self, note);
}

void
notes_say (Notes *self, GObject *owner, GtkMessageType type, const char *text)
{
  Note *note = g_new (Note, 1);
  *note = (Note){type, g_strdup (text)};
  g_object_set_data_full (owner, key, note, note_free);
  notes_set_front (self, self->front);
}

void
notes_move_on (Notes *self, GObject *owner)
{
  const Note *note = g_object_get_data (owner, key);
  if (note && goes (note))
    forget_notes (self, owner);
}

static void
notes_dispose (GObject *object)
{
  Notes *self = FOVEA_NOTES (object);
  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_weak_pointer (&self->front);
  G_OBJECT_CLASS (notes_parent_class)->dispose (object);
}

static void
notes_class_init (NotesClass *class)
{
  G_OBJECT_CLASS (class)->dispose = notes_dispose;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (class), GTK_ACCESSIBLE_ROLE_ALERT);
}

static void
notes_init (Notes *self)
{
  GtkWidget *box = GTK_WIDGET (self), *close = button_with_icon ("window-close-symbolic", _ ("Close the message"));
  self->icon = GTK_IMAGE (gtk_image_new ());
  self->word = GTK_LABEL (gtk_label_new (NULL));
  self->text = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->text, TRUE);
  gtk_label_set_max_width_chars (self->text, 80);
  gtk_widget_set_hexpand (GTK_WIDGET (self->text), TRUE);
  gtk_label_set_xalign (self->text, 0);
  gtk_widget_set_valign (close, GTK_ALIGN_START);
  gtk_widget_add_css_class (GTK_WIDGET (self->word), "heading");
  gtk_widget_add_css_class (box, "note");
  gtk_box_set_spacing (GTK_BOX (box), 8);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->icon));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->word));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->text));
  gtk_box_append (GTK_BOX (box), close);
  gtk_widget_set_halign (box, GTK_ALIGN_START);
  gtk_widget_set_valign (box, GTK_ALIGN_START);
  gtk_widget_set_visible (box, FALSE);
  g_signal_connect_swapped (close, "clicked", G_CALLBACK (close_note), self);
}

GtkWidget *
notes_new (void)
{
  return g_object_new (NOTES_TYPE, NULL);
}
