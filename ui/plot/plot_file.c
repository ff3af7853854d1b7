/* SPDX-License-Identifier: MIT
 */
#include "ui/plot/plot_file.h"

#include "core/base/file_target.h"
#include "ui/widgets/file_dialog.h"
#include "ui/widgets/file_filters.h"

#include <cairo-svg.h>
#include <glib/gi18n.h>
#include <string.h>

typedef struct {
  GString *svg;
  char *csv;
  PlotSaid said;
  gpointer owner;
} PlotFile;

static void
plot_file_free (PlotFile *file)
{
  g_string_free (file->svg, TRUE);
  g_free (file->csv);
  g_object_unref (file->owner);
  g_free (file);
}

static cairo_status_t
append (void *svg, const unsigned char *bytes, unsigned n)
{
  g_string_append_len (svg, (const char *) bytes, n);
  return CAIRO_STATUS_SUCCESS;
}

static GString *
make_svg (GtkWidget *plot, PlotDraw draw, gpointer data)
{
  const int width = gtk_widget_get_width (plot), height = gtk_widget_get_height (plot);
  GString *svg = g_string_new (NULL);
  cairo_surface_t *surface = cairo_svg_surface_create_for_stream (append, svg, width, height);
  cairo_t *cr = cairo_create (surface);
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  draw (cr, width, height, data);
  cairo_destroy (cr);
  cairo_surface_destroy (surface); /* writes what is left */
  return svg;
}

static void
on_response (GtkFileChooserNative *native, int response, PlotFile *file)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path =
    response == GTK_RESPONSE_ACCEPT ? file_dialog_path (GTK_FILE_CHOOSER (native), ".svg", &error) : NULL;
  g_autofree char *end = path ? g_ascii_strdown (path, -1) : NULL;
  const char *text = !path                            ? NULL
                     : g_str_has_suffix (end, ".svg") ? file->svg->str
                     : g_str_has_suffix (end, ".csv") ? file->csv
                                                      : NULL;
  if (path && !text)
    file->said (file->owner, _ ("A plot can be saved as .svg, its data as .csv."), FALSE);
  else if (path && file_save_text (path, text, 0666, &error))
    file->said (file->owner, _ ("Saved."), TRUE);
  if (error)
    file->said (file->owner, error->message, FALSE);
  plot_file_free (file);
  g_object_unref (native);
}

/* A popover that goes would take the dialog with it. */
static void
show (gpointer native)
{
  gtk_native_dialog_show (native);
}

void
plot_file_ask (GtkWidget *plot, const char *name, PlotDraw draw, PlotSaid said, gpointer owner, char *csv)
{
  PlotFile *file = g_new (PlotFile, 1);
  g_autofree char *proposed = g_strconcat (name, ".svg", NULL);
  GtkWidget *popover = gtk_widget_get_ancestor (plot, GTK_TYPE_POPOVER);
  GtkFileChooserNative *native = gtk_file_chooser_native_new (_ ("Save Plot"), GTK_WINDOW (gtk_widget_get_root (plot)),
                                                              GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), _ ("_Cancel"));
  *file = (PlotFile){make_svg (plot, draw, owner), csv, said, g_object_ref (owner)};
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (native), proposed);
  file_filters_add (GTK_FILE_CHOOSER (native), _ ("Plots (SVG) and their data (CSV)"),
                    (const char *const[]){"svg", "csv", NULL});
  g_signal_connect (native, "response", G_CALLBACK (on_response), file);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (native), TRUE);
  if (popover)
    gtk_popover_popdown (GTK_POPOVER (popover));
  g_idle_add_once (show, native);
}
