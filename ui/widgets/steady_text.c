/* SPDX-License-Identifier: MIT
 *
 * A GtkLabel measures itself for each new text, and so do its parents; a GtkInscription does not.
 */
#include "ui/widgets/steady_text.h"

GtkInscription *
steady_text_new (gboolean whole)
{
  GtkInscription *line = GTK_INSCRIPTION (gtk_inscription_new (NULL));
  gtk_inscription_set_min_chars (line, whole);
  gtk_widget_set_valign (GTK_WIDGET (line), GTK_ALIGN_CENTER);
  gtk_inscription_set_text_overflow (line, GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_END);
  return line;
}

void
steady_text_set (GtkInscription *line, const char *text)
{
  guint characters = (guint) g_utf8_strlen (text, -1);
  if (!g_strcmp0 (text, gtk_inscription_get_text (line)))
    return;
  if (characters > gtk_inscription_get_nat_chars (line))
    gtk_inscription_set_nat_chars (line, characters);
  if (characters > gtk_inscription_get_min_chars (line) && gtk_inscription_get_min_chars (line))
    gtk_inscription_set_min_chars (line, characters);
  gtk_inscription_set_text (line, text);
}

static gboolean
on_tooltip (GtkInscription *line, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  const char *text = gtk_inscription_get_text (line);
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (line), text);
  int width;
  (void) x, (void) y, (void) keyboard;
  pango_layout_get_pixel_size (layout, &width, NULL);
  gtk_tooltip_set_text (tooltip, text);
  return width > gtk_widget_get_width (GTK_WIDGET (line));
}

void
steady_text_tell_all (GtkInscription *line)
{
  gtk_widget_set_has_tooltip (GTK_WIDGET (line), TRUE);
  g_signal_connect (line, "query-tooltip", G_CALLBACK (on_tooltip), NULL);
}
