/* SPDX-License-Identifier: MIT
 *
 * Layout: the image and below it its position sliders; beside it steps, form and display; under all the results, which appear
 * with the first table.
 */
#include "page.h"

#include "display_panel.h"
#include "op_form.h"
#include "position_bar.h"
#include "results_view.h"
#include "steps_panel.h"

#include <math.h>

struct _Page {
  GtkBox parent;
  View *view;
  Canvas *canvas;
  GtkWidget *results;
};

G_DEFINE_FINAL_TYPE (Page, page, GTK_TYPE_BOX)

enum { STATUS, FAILED, SIGNALS };
static guint signals[SIGNALS];

View *
page_view (const Page *page)
{
  return page->view;
}

Canvas *
page_canvas (const Page *page)
{
  return page->canvas;
}

/* ---- The status line ---- */

static double
value_at (const void *plane, fv_type type, gint64 i)
{
  switch (type) {
  case FV_U8: return ((const guint8 *) plane)[i];
  case FV_U16: return ((const guint16 *) plane)[i];
  case FV_I32: return ((const gint32 *) plane)[i];
  case FV_F32: return (double) ((const float *) plane)[i];
  default: return ((const double *) plane)[i];
  }
}

/* The values of all channels under a position: "value 12" or "values 12, 40, 7". */
static void
append_values (const Page *page, GString *s, gint64 x, gint64 y)
{
  Image *image = view_image (page->view);
  const ImageInfo *info = image_info (image);
  gint64 shown = MIN (info->channels, 6);
  g_string_append (s, shown > 1 ? "   values " : "   value ");
  for (gint64 c = 0; c < shown; c++) {
    gint64 plane = (view_frame (page->view) * info->channels + c) * info->depth + view_slice (page->view);
    const void *pixels = image_plane (image, plane, NULL);
    if (pixels)
      g_string_append_printf (s, "%s%.6g", c ? ", " : "", value_at (pixels, info->type, y * info->columns + x));
  }
}

/* How long the last run took on the device, all steps together. */
static double
run_ms (const Document *document)
{
  const Pipeline *results = document_results (document);
  double ms = 0;
  for (guint i = 0; i < pipeline_length (results); i++)
    if (pipeline_step (results, i)->done)
      ms += pipeline_step (results, i)->result.ms;
  return ms;
}

char *
page_status (const Page *page)
{
  const ImageInfo *info = image_info (view_image (page->view));
  const Document *document = view_document (page->view);
  const Device *device = document_device (document);
  GString *s = g_string_new (NULL);
  gint64 x, y;
  if (canvas_pointer (page->canvas, &x, &y)) {
    g_string_append_printf (s, "x %" G_GINT64_FORMAT "  y %" G_GINT64_FORMAT, x, y);
    if (*info->units[2])
      g_string_append_printf (s, "  (%.5g, %.5g %s)", (double) x * info->spacing[2], (double) y * info->spacing[1],
                              info->units[2]);
    append_values (page, s, x, y);
    g_string_append (s, "   ");
  }
  g_string_append_printf (s, "%.4g %%", canvas_zoom (page->canvas) * 100);
  if (device && pipeline_length (document_results (document)))
    g_string_append_printf (s, "   %.3g ms on %s", run_ms (document), device->fv->key);
  return g_string_free (s, FALSE);
}

static void
status_changed (Page *page)
{
  g_signal_emit (page, signals[STATUS], 0);
}

static void
fail (Page *page, const char *text)
{
  g_signal_emit (page, signals[FAILED], 0, text);
}

/* ---- Layout ---- */

static void
show_results (Page *page)
{
  if (pipeline_last_table (document_results (view_document (page->view))))
    gtk_widget_set_visible (page->results, TRUE);
  status_changed (page);
}

static GtkWidget *
make_side (Page *page)
{
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_VERTICAL), *lower = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *steps = steps_panel_new (page->view), *scroller = gtk_scrolled_window_new ();
  gtk_box_append (GTK_BOX (lower), op_form_new (page->view));
  gtk_box_append (GTK_BOX (lower), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (lower), display_panel_new (page->view));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), lower);
  gtk_paned_set_start_child (GTK_PANED (paned), steps);
  gtk_paned_set_end_child (GTK_PANED (paned), scroller);
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_position (GTK_PANED (paned), 260);
  gtk_widget_set_size_request (paned, 340, -1);
  g_signal_connect_object (steps, "failed", G_CALLBACK (fail), page, G_CONNECT_SWAPPED);
  return paned;
}

static GtkWidget *
make_picture (Page *page)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (page->canvas));
  gtk_box_append (GTK_BOX (box), position_bar_new (page->view));
  return box;
}

static void
lay_out (Page *page)
{
  GtkWidget *across = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL), *down = gtk_paned_new (GTK_ORIENTATION_VERTICAL);
  gtk_paned_set_start_child (GTK_PANED (across), make_picture (page));
  gtk_paned_set_end_child (GTK_PANED (across), make_side (page));
  gtk_paned_set_resize_end_child (GTK_PANED (across), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (across), FALSE);
  page->results = results_view_new (page->view);
  gtk_widget_set_size_request (page->results, -1, 160);
  gtk_widget_set_visible (page->results, FALSE);
  gtk_paned_set_start_child (GTK_PANED (down), across);
  gtk_paned_set_end_child (GTK_PANED (down), page->results);
  gtk_paned_set_resize_end_child (GTK_PANED (down), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (down), FALSE);
  gtk_widget_set_vexpand (down, TRUE);
  gtk_box_append (GTK_BOX (page), down);
}

static void
page_dispose (GObject *object)
{
  g_clear_object (&FOVEA_PAGE (object)->view);
  G_OBJECT_CLASS (page_parent_class)->dispose (object);
}

static void
page_class_init (PageClass *class)
{
  G_OBJECT_CLASS (class)->dispose = page_dispose;
  signals[STATUS] = g_signal_new ("status", PAGE_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[FAILED] =
    g_signal_new ("failed", PAGE_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
page_init (Page *page)
{
  (void) page;
}

GtkWidget *
page_new (Modules *modules, Document *document)
{
  Page *page = g_object_new (PAGE_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, NULL);
  page->view = view_new (document);
  page->canvas = FOVEA_CANVAS (canvas_new (modules, page->view));
  lay_out (page);
  g_signal_connect_object (document, "results", G_CALLBACK (show_results), page, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "busy", G_CALLBACK (status_changed), page, G_CONNECT_SWAPPED);
  g_signal_connect_object (page->canvas, "pointer", G_CALLBACK (status_changed), page, G_CONNECT_SWAPPED);
  g_signal_connect_object (page->canvas, "zoomed", G_CALLBACK (status_changed), page, G_CONNECT_SWAPPED);
  g_signal_connect_object (page->canvas, "failed", G_CALLBACK (fail), page, G_CONNECT_SWAPPED);
  return GTK_WIDGET (page);
}
