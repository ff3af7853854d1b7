/* SPDX-License-Identifier: MIT
 *
 * Layout: the image with its tools at the left. Next to both are steps, display and selections, as tabs. Below all but these, or next to the image,
 * are the tables and plots, which appear with their first table or when they are asked for.
 */
#include "ui/shell/page.h"

#include "core/base/text.h"
#include "core/data/plane.h"
#include "core/data/value_calibration.h"
#include "ui/canvas/edit_bar.h"
#include "ui/results/scatter.h"
#include "ui/results/view.h"
#include "ui/selection/panel.h"
#include "ui/selection/profile.h"
#include "ui/shell/foot.h"
#include "ui/shell/panel_sides.h"
#include "ui/shell/side_panel.h"
#include "ui/shell/toolbar.h"
#include "ui/view/pixel_reader.h"
#include "ui/widgets/placed_line.h"
#include "ui/widgets/scrolled_row.h"
#include "ui/widgets/times.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>
#include <malloc.h>
#include <math.h>
#include <string.h>

struct _Page {
  GtkBox parent;
  View *view;
  Canvas *canvas;
  Worker *worker; /* for what is looked at: profile, wand, measurements */
  PixelReader *pixels;
  Selections *selections;
  Measurements *measurements;
  GtkWidget *tools, *profile, *scatter;
  GtkOverlay *over;    /* the image */
  GtkWidget *edit_bar; /* over it while objects are edited, else NULL */
  gboolean alone;      /* the image is, without panels */
  gboolean resting;    /* hidden */
  GtkPaned *across;    /* all but the side, and the side */
  SidePanel *side;
  Foot *foot; /* tables and the profile */
  ResultsView *results, *measured;
  guint measuring; /* how many steps did when the tables were last shown */
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

Selections *
page_selections (const Page *page)
{
  return page->selections;
}

Measurements *
page_measurements (const Page *page)
{
  return page->measurements;
}

GtkWidget *
page_part (const Page *page, PagePart part)
{
  GtkWidget *const parts[] = {[PAGE_WHOLE] = GTK_WIDGET (page),
                              [PAGE_IMAGE] = GTK_WIDGET (page->canvas),
                              [PAGE_STEPS] = side_panel_pane (page->side, SIDE_STEPS),
                              [PAGE_FORM] = side_panel_pane (page->side, SIDE_FORM),
                              [PAGE_SELECTIONS] = side_panel_pane (page->side, SIDE_SELECTIONS),
                              [PAGE_BAR] = foot_bar (page->foot)};
  return parts[part];
}

/* ---- Which panels are seen ---- */

static void
show_panels (Page *page)
{
  gboolean shown = !page->alone;
  gtk_widget_set_visible (GTK_WIDGET (page->side), shown);
  gtk_widget_set_visible (gtk_widget_get_ancestor (page->tools, GTK_TYPE_SCROLLED_WINDOW), shown);
  foot_set_away (page->foot, page->alone);
}

void
page_set_alone (Page *page, gboolean alone)
{
  page->alone = alone;
  show_panels (page);
  if (alone)
    gtk_widget_grab_focus (GTK_WIDGET (page->canvas));
}

/* Requesting one panel shows all again. */
static void
want_panels (Page *page)
{
  if (page->alone)
    gtk_widget_activate_action (GTK_WIDGET (page), "win.panels", NULL);
  show_panels (page);
}

void
page_show_selections (Page *page)
{
  want_panels (page);
  side_panel_bring (page->side, SIDE_SELECTIONS);
}

void
page_rename_selection (Page *page)
{
  page_show_selections (page);
  selection_panel_rename (FOVEA_SELECTION_PANEL (side_panel_pane (page->side, SIDE_SELECTIONS)));
}

void
page_show_results (Page *page)
{
  want_panels (page);
  foot_bring (page->foot, GTK_WIDGET (page->results), TRUE);
}

void
page_toggle_profile (Page *page)
{
  gboolean shown = page->alone || !gtk_widget_get_visible (page->profile);
  want_panels (page);
  foot_set_there (page->foot, page->profile, shown);
  if (shown)
    foot_bring (page->foot, page->profile, TRUE);
}

void
page_show_display (Page *page)
{
  want_panels (page);
  side_panel_bring (page->side, SIDE_DISPLAY);
  gtk_widget_child_focus (side_panel_pane (page->side, SIDE_DISPLAY), GTK_DIR_TAB_FORWARD);
}

/* ---- The status line ---- */

/* The values of all channels under a position: "value 12" or "values 12, 40, 7"; calibrated ones with those that are stored: "value -471.5 °C
 * (221)". */
static void
append_values (const Page *page, GString *s, gint64 x, gint64 y)
{
  double values[PIXEL_READER_CHANNELS];
  const ImageInfo *info = image_info (view_image (page->view));
  const gboolean calibrated = value_is_calibrated (info);
  gint64 shown = MIN (info->channels, PIXEL_READER_CHANNELS);
  gboolean known = pixel_reader_values (page->pixels, x, y, shown, values);
  g_string_append_printf (s, "   %s ", ngettext ("value", "values", (gulong) shown));
  for (gint64 c = 0; known && c < shown; c++)
    g_string_append_printf (s, c ? ", %.6g" : "%.6g", value_of_stored (info, values[c]));
  if (known && calibrated) {
    g_string_append_printf (s, " %s (", value_unit (info));
    for (gint64 c = 0; c < shown; c++)
      g_string_append_printf (s, c ? ", %.6g" : "%.6g", values[c]);
    g_string_append_c (s, ')');
  }
  if (!known)
    g_string_append (s, "…");
}

/* What is selected, with its box or its length. */
static void
append_selection (const Page *page, GString *s)
{
  const Selection *selection = selections_current (page->selections);
  PlaneScale scale = plane_scale (image_info (view_image (page->view)));
  SelectionPoint low, high;
  if (!selection)
    return;
  selection_bounds (selection, &low, &high);
  g_string_append_printf (s, "   %s", words_shown (selection_shape_name (selection->shape)));
  if (selection->shape == SELECTION_ANGLE)
    g_string_append_printf (s, " %.5g°", selection_angle (selection, scale.width, scale.height));
  else if (selection_is_line (selection))
    g_string_append_printf (s, " %.5g %s", selection_length (selection, scale.width, scale.height), scale.unit);
  else if (selection_is_area (selection))
    g_string_append_printf (s, _ (" %g × %g at %g, %g"), high.x - low.x, high.y - low.y, low.x, low.y);
}

char *
page_status (const Page *page)
{
  const ImageInfo *info = image_info (view_image (page->view));
  const Document *document = view_document (page->view);
  const Device *device = run_device (document_run (document));
  GString *s = g_string_new (NULL);
  gint64 x, y;
  if (canvas_pointer (page->canvas, &x, &y)) {
    g_string_append_printf (s, "x %" G_GINT64_FORMAT "  y %" G_GINT64_FORMAT, x, y);
    const PlaneScale scale = plane_scale (info);
    if (strcmp (scale.unit, "px"))
      g_string_append_printf (s, "  (%.5g, %.5g %s)", (double) x * scale.width, (double) y * scale.height, scale.unit);
    append_values (page, s, x, y);
    g_string_append (s, "   ");
  }
  double percent = canvas_zoom (page->canvas) * 100;
  g_string_append_printf (s, percent < 1000 ? "%.4g %%" : "%.0f %%", percent);
  append_selection (page, s);
  if (device && run_length (document_run (document))) {
    g_autofree char *time = text_from_ms (run_ms (document_run (document)));
    g_string_append_printf (s, _ ("   %s on %s"), time, device->fv->key);
  }
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

/* ---- Tables ---- */

/* How many steps measure, even if they have failed this time. */
static guint
count_measuring (const Page *page)
{
  const Recipe *recipe = document_recipe (view_document (page->view));
  guint n = 0;
  for (guint i = 0; i < recipe_length (recipe); i++)
    n += recipe_step (recipe, i)->op->fv.kind == FV_TABLE;
  return n;
}

static void
show_tables (Page *page)
{
  gboolean had = gtk_widget_get_visible (GTK_WIDGET (page->results)),
           has = measurements_table (page->measurements) != NULL;
  guint results = count_measuring (page);
  foot_set_there (page->foot, GTK_WIDGET (page->measured), has);
  foot_set_there (page->foot, GTK_WIDGET (page->results), results > 0);
  foot_set_there (page->foot, page->scatter, scatter_pays (FOVEA_SCATTER (page->scatter)));
  if (results > page->measuring || (results && !had)) /* a new step that measures brings its table forward */
    foot_bring (page->foot, GTK_WIDGET (page->results), FALSE);
  page->measuring = results;
}

static void
on_results (Page *page)
{
  times_event ("results", 0);
  results_view_set_table (page->results, run_last_table (document_run (view_document (page->view))));
  show_tables (page);
  status_changed (page);
}

static void
on_measured (Page *page)
{
  results_view_set_table (page->measured, measurements_table (page->measurements));
  show_tables (page);
  if (gtk_widget_get_visible (GTK_WIDGET (page->measured)))
    foot_bring (page->foot, GTK_WIDGET (page->measured), TRUE);
}

static void
on_wanted (Page *page, ResultsView *table)
{
  foot_bring (page->foot, GTK_WIDGET (table), TRUE);
}

static ResultsView *
add_table (Page *page, const char *title)
{
  ResultsView *table = FOVEA_RESULTS_VIEW (results_view_new (page->view, title));
  foot_add (page->foot, title, GTK_WIDGET (table), results_view_foot (table));
  g_signal_connect_object (table, "wanted", G_CALLBACK (on_wanted), page, G_CONNECT_SWAPPED);
  return table;
}

static void
fill_foot (Page *page)
{
  page->results = add_table (page, _ ("Results"));
  page->measured = add_table (page, _ ("Measurements"));
  page->scatter = scatter_new (page->view, page->worker);
  foot_add (page->foot, _ ("Scatter Plot"), page->scatter, scatter_foot (FOVEA_SCATTER (page->scatter)));
  page->profile = profile_new (page->view, page->selections, page->worker);
  foot_add (page->foot, _ ("Line Profile"), page->profile, profile_foot (FOVEA_PROFILE (page->profile)));
  g_signal_connect_object (page->profile, "close", G_CALLBACK (page_toggle_profile), page, G_CONNECT_SWAPPED);
}

/* What is free goes back to the system, which the heap of C leaves undone. */
static gboolean
trim_in_worker (gpointer data, Progress *progress, GError **error)
{
  (void) data, (void) progress, (void) error;
  malloc_trim (0);
  return TRUE;
}

static void
trimmed (gpointer data, const GError *error)
{
  (void) data, (void) error;
}

void
page_rest (Page *page, gboolean resting)
{
  if (page->resting == resting)
    return;
  page->resting = resting;
  canvas_rest (page->canvas, resting);
  results_view_rest (page->results, resting);
  results_view_rest (page->measured, resting);
  if (resting)
    worker_push (page->worker, &(WorkerJob){trim_in_worker, trimmed, NULL, NULL});
}

static void
on_saved (Page *page, const char *verb)
{
  if (!strcmp (verb, "export-measured"))
    measurements_saved (page->measurements);
}

gboolean
page_unsaved (const Page *page, PageUnsaved *unsaved)
{
  *unsaved = (PageUnsaved){document_unsaved (view_document (page->view)), selections_unsaved (page->selections),
                           measurements_unsaved (page->measurements)};
  return unsaved->steps || unsaved->selections || unsaved->measurements;
}

gboolean
page_settled (const Page *page)
{
  return !document_busy (view_document (page->view)) && canvas_settled (page->canvas)
         && results_view_settled (page->results);
}

/* ---- Layout ---- */

/* Elsewhere Tab moves the focus. */
static void
add_tab_key (GtkWidget *canvas)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();
  gtk_shortcut_controller_add_shortcut (
    GTK_SHORTCUT_CONTROLLER (keys),
    gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Tab, 0), gtk_named_action_new ("win.panels")));
  gtk_widget_add_controller (canvas, keys);
}

static GtkWidget *
make_picture (Page *page)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  page->tools = toolbar_new (page->view);
  add_tab_key (GTK_WIDGET (page->canvas));
  gtk_box_append (GTK_BOX (box), scrolled_column_new (page->tools));
  page->over = GTK_OVERLAY (gtk_overlay_new ());
  gtk_overlay_set_child (page->over, GTK_WIDGET (page->canvas));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (page->over));
  return box;
}

void
page_set_tool (Page *page, Tool tool)
{
  const gboolean edits = tool == TOOL_OBJECTS;
  canvas_set_tool (page->canvas, tool);
  if (edits == (page->edit_bar != NULL))
    return;
  if (edits)
    gtk_overlay_add_overlay (page->over, page->edit_bar = edit_bar_new (canvas_edit_tool (page->canvas)));
  else {
    gtk_overlay_remove_overlay (page->over, page->edit_bar);
    page->edit_bar = NULL;
    gtk_widget_grab_focus (GTK_WIDGET (page->canvas));
  }
}

static int
line_by_side (gpointer data, int size)
{
  Page *page = data;
  int natural;
  gtk_widget_measure (GTK_WIDGET (page->side), gtk_orientable_get_orientation (GTK_ORIENTABLE (page->across)), -1, NULL,
                      &natural, NULL, NULL);
  return panel_sides_of_steps () == PANEL_START ? natural : size - natural;
}

/* The foot sets its own position. */
static void
arrange_panels (Page *page)
{
  const gboolean high = panel_sides_of_tables () != PANEL_BELOW, low = panel_sides_of_steps () == PANEL_BELOW;
  results_view_set_high (page->results, high);
  results_view_set_high (page->measured, high);
  panel_sides_put (page->across, GTK_WIDGET (page->foot), GTK_WIDGET (page->side), panel_sides_of_steps ());
  gtk_widget_insert_before (GTK_WIDGET (page->side), GTK_WIDGET (page->across),
                            GTK_WIDGET (page->foot)); /* tables are long: they come last */
  side_panel_set_low (page->side, low);
  placed_line_keep (page->across, low ? "steps-below" : "steps");
}

static void
lay_out (Page *page)
{
  page->across = GTK_PANED (gtk_paned_new (GTK_ORIENTATION_HORIZONTAL));
  page->foot = FOVEA_FOOT (foot_new (make_picture (page)));
  fill_foot (page);
  page->side = FOVEA_SIDE_PANEL (side_panel_new (page->view, page->selections));
  g_signal_connect_object (page->side, "failed", G_CALLBACK (fail), page, G_CONNECT_SWAPPED);
  placed_line_watch (page->across, line_by_side, page);
  arrange_panels (page);
  panel_sides_connect (G_CALLBACK (arrange_panels), page);
  gtk_widget_set_vexpand (GTK_WIDGET (page->across), TRUE);
  gtk_box_append (GTK_BOX (page), GTK_WIDGET (page->across));
}

/* ---- Panes ---- */

enum { PANES = SIDE_PANES + 5 };

gboolean
page_next_pane (Page *page, int by)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (page)));
  GtkWidget *panes[PANES] = {GTK_WIDGET (page->canvas), page->edit_bar};
  int at = by > 0 ? -1 : PANES;
  for (int i = 0; i < SIDE_PANES; i++)
    panes[2 + i] = side_panel_pane (page->side, i);
  panes[PANES - 3] = foot_body (page->foot);
  panes[PANES - 2] = foot_bar (page->foot);
  panes[PANES - 1] = page->tools;
  for (int i = 0; i < PANES; i++)
    if (focus && panes[i] && (focus == panes[i] || gtk_widget_is_ancestor (focus, panes[i])))
      at = i;
  for (at += by; at >= 0 && at < PANES; at += by)
    if (panes[at] && gtk_widget_get_mapped (panes[at])
        && (gtk_widget_grab_focus (panes[at]) || gtk_widget_child_focus (panes[at], GTK_DIR_TAB_FORWARD)))
      return TRUE;
  return FALSE;
}

static void
page_dispose (GObject *object)
{
  Page *page = FOVEA_PAGE (object);
  if (page->measurements)
    measurements_end (page->measurements);
  g_clear_pointer (&page->worker, worker_free);
  g_clear_object (&page->pixels);
  g_clear_object (&page->selections);
  g_clear_object (&page->measurements);
  g_clear_object (&page->view);
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
  page->worker = worker_new_modest (WORKER_LATER);
  page->pixels = pixel_reader_new (page->view, page->worker);
  page->selections = selections_new ();
  page->measurements = measurements_new (page->worker);
  page->canvas = FOVEA_CANVAS (canvas_new (modules, page->view, page->selections, page->worker));
  lay_out (page);
  g_signal_connect_object (page->pixels, "read", G_CALLBACK (status_changed), page, G_CONNECT_SWAPPED);
  g_signal_connect_object (page->selections, "current", G_CALLBACK (status_changed), page, G_CONNECT_SWAPPED);
  g_signal_connect_object (page->selections, "failed", G_CALLBACK (fail), page, G_CONNECT_SWAPPED);
  g_signal_connect_object (page->measurements, "changed", G_CALLBACK (on_measured), page, G_CONNECT_SWAPPED);
  g_signal_connect_object (page->measurements, "failed", G_CALLBACK (fail), page, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "results", G_CALLBACK (on_results), page, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "busy", G_CALLBACK (status_changed), page, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "saved", G_CALLBACK (on_saved), page, G_CONNECT_SWAPPED);
  g_signal_connect_object (page->canvas, "pointer", G_CALLBACK (status_changed), page, G_CONNECT_SWAPPED);
  g_signal_connect_object (page->canvas, "zoomed", G_CALLBACK (status_changed), page, G_CONNECT_SWAPPED);
  g_signal_connect_object (page->canvas, "failed", G_CALLBACK (fail), page, G_CONNECT_SWAPPED);
  return GTK_WIDGET (page);
}
