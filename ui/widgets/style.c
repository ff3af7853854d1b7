/* SPDX-License-Identifier: MIT */
#include "ui/widgets/style.h"

void
style_add (void)
{
  g_autoptr (GtkCssProvider) css = gtk_css_provider_new ();
  gtk_css_provider_load_from_resource (css, "/org/fovea/Fovea/style.css");
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (css),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}

void
style_set_provisional (GtkWidget *widget, gboolean provisional)
{
  gtk_widget_set_opacity (widget, provisional ? 0.6 : 1);
}
