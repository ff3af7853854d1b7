/* SPDX-License-Identifier: MIT
 */
#include "ui/widgets/source_theme.h"

static void
set_colors (GtkSourceBuffer *buffer)
{
  g_autofree char *theme = NULL;
  gboolean dark;
  g_object_get (gtk_settings_get_default (), "gtk-theme-name", &theme, "gtk-application-prefer-dark-theme", &dark,
                NULL);
  dark = dark || (theme && g_str_has_suffix (theme, "-dark"));
  gtk_source_buffer_set_style_scheme (
    buffer, gtk_source_style_scheme_manager_get_scheme (gtk_source_style_scheme_manager_get_default (),
                                                        dark ? "Adwaita-dark" : "Adwaita"));
}

void
source_theme_follow (GtkSourceBuffer *buffer)
{
  GtkSettings *settings = gtk_settings_get_default ();
  set_colors (buffer);
  g_signal_connect_object (settings, "notify::gtk-theme-name", G_CALLBACK (set_colors), buffer, G_CONNECT_SWAPPED);
  g_signal_connect_object (settings, "notify::gtk-application-prefer-dark-theme", G_CALLBACK (set_colors), buffer,
                           G_CONNECT_SWAPPED);
}
