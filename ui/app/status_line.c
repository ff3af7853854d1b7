/* SPDX-License-Identifier: MIT
 */
#include "ui/app/status_line.h"

#include "ui/devices/memory_bar.h"
#include "ui/widgets/scrolled_row.h"
#include "ui/widgets/steady_text.h"
#include "ui/widgets/times.h"

#include <glib/gi18n.h>

struct _StatusLine {
  GtkBox parent;
  GtkInscription *text, *work;
  GtkProgressBar *progress;
  GtkWidget *stop;
  gint64 busy_since; /* 0: not busy */
};

G_DEFINE_FINAL_TYPE (StatusLine, status_line, GTK_TYPE_BOX)

static const gint64 glance_us = 300000;

void
status_line_set_text (StatusLine *self, const char *text)
{
  steady_text_set (self->text, text);
}

static void
show_work (StatusLine *self, gboolean shown)
{
  if (gtk_widget_get_visible (self->stop) == shown)
    return;
  times_event ("progress", shown);
  gtk_widget_set_visible (GTK_WIDGET (self->work), shown);
  gtk_widget_set_visible (GTK_WIDGET (self->progress), shown);
  gtk_widget_set_visible (self->stop, shown);
}

gboolean
status_line_set_work (StatusLine *self, const char *work, double done)
{
  if (!work)
    self->busy_since = 0;
  else if (!self->busy_since)
    self->busy_since = g_get_monotonic_time ();
  gboolean shown = work && g_get_monotonic_time () - self->busy_since > glance_us;
  show_work (self, shown);
  if (shown && *work)
    steady_text_set (self->work, work);
  if (shown && done >= 0)
    gtk_progress_bar_set_fraction (self->progress, MIN (done, 1));
  else if (shown)
    gtk_progress_bar_pulse (self->progress);
  return shown;
}

void
status_line_end_work (StatusLine *self)
{
  if (!gtk_widget_get_visible (self->stop))
    self->busy_since = 0;
}

static void
status_line_class_init (StatusLineClass *class)
{
  (void) class;
}

static void
status_line_init (StatusLine *self)
{
  GtkBox *box = GTK_BOX (self);
  self->text = steady_text_new (FALSE);
  self->work = steady_text_new (TRUE);
  self->progress = GTK_PROGRESS_BAR (gtk_progress_bar_new ());
  self->stop = gtk_button_new_with_mnemonic (_ ("S_top"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->stop), "win.stop");
  gtk_widget_set_hexpand (GTK_WIDGET (self->text), TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->text), "numeric");
  steady_text_tell_all (self->text);
  gtk_widget_set_valign (GTK_WIDGET (self->progress), GTK_ALIGN_CENTER);
  gtk_box_append (box, GTK_WIDGET (self->text));
  gtk_box_append (box, GTK_WIDGET (self->work));
  gtk_box_append (box, GTK_WIDGET (self->progress));
  gtk_box_append (box, self->stop);
  gtk_widget_add_css_class (GTK_WIDGET (self), "status");
  show_work (self, FALSE);
}

GtkWidget *
status_line_new (const Modules *modules, GtkWidget *positions, GtkWidget *device)
{
  StatusLine *self = g_object_new (STATUS_LINE_TYPE, "spacing", 16, NULL);
  gtk_box_insert_child_after (GTK_BOX (self), scrolled_row_new (positions), GTK_WIDGET (self->text));
  gtk_box_append (GTK_BOX (self), memory_bar_new (modules));
  gtk_box_append (GTK_BOX (self), device);
  return GTK_WIDGET (self);
}
