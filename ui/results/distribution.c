/* SPDX-License-Identifier: MIT
 *
 * The rows are counted on a thread (core/measure/table_counts.h).
 */
#include "ui/results/distribution.h"

#include "ui/results/column_names.h"
#include "ui/widgets/button.h"
#include "ui/widgets/naming.h"
#include "ui/plot/plot_file.h"
#include "core/base/text.h"
#include "core/measure/table_counts.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

enum { WIDTH = 320, WIDTH_MIN = 200, HEIGHT = 240, HEIGHT_MIN = 112, LEFT = 64, RIGHT = 16, TOP = 12, BOTTOM = 44 };

struct _Distribution {
  GtkBox parent;
  ResultsModel *model;
  GtkDropDown *choice[2]; /* the second: no column first */
  GtkWidget *plot;
  char *headers;       /* of the columns to choose from */
  GArray *xs;          /* guint: where they are in the table; texts are not counted */
  TableCounts *counts; /* shown, or NULL */
  gboolean running, stale;
  gboolean paper; /* it is being drawn for a file */
  double start_x, start_y;
};

G_DEFINE_FINAL_TYPE (Distribution, distribution, GTK_TYPE_BOX)

enum { SAID, FAILED, SIGNALS };
static guint signals[SIGNALS];

/* ---- Counting, on its thread ---- */

static void
count_in_thread (GTask *task, gpointer self, gpointer data, GCancellable *cancellable)
{
  (void) self, (void) cancellable;
  table_counts_fill (data);
  g_task_return_boolean (task, TRUE);
}

static const TableColumn *
chosen (const Distribution *self, int axis)
{
  const Table *table = results_model_table (self->model);
  guint i = gtk_drop_down_get_selected (self->choice[axis]);
  if (i == GTK_INVALID_LIST_POSITION || (axis && i == 0))
    return NULL;
  i -= axis ? 1 : 0;
  return table && i < self->xs->len ? table_column (table, g_array_index (self->xs, guint, i)) : NULL;
}

static void start_counting (Distribution *self);

static void
made (GObject *source, GAsyncResult *result, gpointer unused)
{
  Distribution *self = FOVEA_DISTRIBUTION (source);
  (void) unused;
  table_counts_free (self->counts);
  self->counts = g_object_steal_data (G_OBJECT (result), "counts");
  self->running = FALSE;
  if (!gtk_widget_get_mapped (GTK_WIDGET (self))) /* the plot may be gone */
    return;
  gtk_widget_queue_draw (self->plot);
  if (self->stale)
    start_counting (self);
}

static void
start_counting (Distribution *self)
{
  const TableColumn *x = chosen (self, 0), *y = chosen (self, 1);
  GBytes *order = results_model_order (self->model);
  g_autoptr (GTask) task = NULL;
  TableCounts *c;
  if (!x)
    g_clear_pointer (&self->counts, table_counts_free);
  self->stale = self->running;
  if (self->running || !x || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  c = table_counts_new (results_model_table (self->model), order, x, y);
  self->running = TRUE;
  task = g_task_new (self, NULL, made, NULL);
  g_object_set_data_full (G_OBJECT (task), "counts", c, (GDestroyNotify) table_counts_free);
  g_task_set_task_data (task, c, NULL);
  g_task_run_in_thread (task, count_in_thread);
}

/* ---- Drawing ---- */

typedef struct {
  double left, top, width, height;
} Area;

static Area
area_of (GtkWidget *plot)
{
  return (Area){LEFT, TOP, MAX (1, gtk_widget_get_width (plot) - LEFT - RIGHT),
                MAX (1, gtk_widget_get_height (plot) - TOP - BOTTOM)};
}

static void
set_color (const Distribution *self, cairo_t *cr, const char *name, double opacity)
{
  GtkStyleContext *style = gtk_widget_get_style_context (self->plot);
  GdkRGBA color = {0, 0, 0, 1};
  gboolean known = gtk_style_context_lookup_color (style, name, &color);
  if (self->paper && !strcmp (name, "theme_fg_color"))
    color = (GdkRGBA){0, 0, 0, 1};
  else if (!known)
    gtk_style_context_get_color (style, &color);
  color.alpha = (float) opacity;
  gdk_cairo_set_source_rgba (cr, &color);
}

static void
draw_bars (const Distribution *self, cairo_t *cr, const Area *a, const guint *counts)
{
  const TableCounts *c = self->counts;
  double width = a->width / c->x.cells;
  for (int i = 0; i < c->x.cells; i++) {
    double height = c->max ? a->height * counts[i] / c->max : 0;
    height = counts[i] ? MAX (height, 1) : 0;
    cairo_rectangle (cr, a->left + i * width, a->top + a->height - height, MAX (1, width - (width > 3 ? 1 : 0)),
                     height);
  }
  cairo_fill (cr);
}

/* The more rows, the more opaque; few rows as dots that can be seen. */
static void
draw_points (const Distribution *self, cairo_t *cr, const Area *a, const guint *counts, const char *color, double max)
{
  const TableCounts *c = self->counts;
  double width = a->width / c->x.cells, height = a->height / c->y.cells;
  double grow = table_rows (c->table) < 5000 ? 1 : 0;
  for (int y = 0; y < c->y.cells; y++)
    for (int x = 0; x < c->x.cells; x++) {
      guint n = counts[y * c->x.cells + x];
      if (!n)
        continue;
      set_color (self, cr, color, max * (0.3 + 0.7 * log (1 + n) / log (1 + c->max)));
      cairo_rectangle (cr, a->left + x * width - grow, a->top + a->height - (y + 1) * height - grow, width + 2 * grow,
                       height + 2 * grow);
      cairo_fill (cr);
    }
}

/* ---- Profiles ---- */

enum { MAX_JOINED = 20000 };

/* What a profile goes along; NULL: the table is none. Rows with a label are objects. */
static const TableColumn *
profile_along (const Table *table)
{
  static const char *const along[] = {"distance", "radius", "from", "z", "frame"};
  const TableColumn *found = NULL;
  for (guint i = 0; table && i < G_N_ELEMENTS (along) && !found && !table_find (table, "label"); i++)
    found = table_find_numbers (table, along[i]);
  return found;
}

/* Joins the rows one after the other, as long as they go along. */
static void
draw_profile (const Distribution *self, cairo_t *cr, const Area *a)
{
  const TableCounts *c = self->counts;
  const double *x = c->x.column->values, *y = c->y.column->values;
  gboolean on = FALSE;
  for (gint64 i = 0; i < table_rows (c->table); i++) {
    const double px = a->left + range_fraction (c->x.range, x[i]) * a->width,
                 py = a->top + (1 - range_fraction (c->y.range, y[i])) * a->height;
    if (on && isfinite (y[i]) && x[i] > x[i - 1])
      cairo_line_to (cr, px, py);
    else if (isfinite (y[i]))
      cairo_move_to (cr, px, py);
    on = isfinite (y[i]);
  }
  set_color (self, cr, "mark_color", 1);
  cairo_set_line_width (cr, 1.5);
  cairo_stroke (cr);
}

/* Where the limits of an axis are, 0 ... 1; FALSE: none. */
static gboolean
brushed (const Distribution *self, const TableAxis *axis, double *from, double *to)
{
  const RowRange *range = axis->column ? results_model_range (self->model, axis->column->key) : NULL;
  *from = 0;
  *to = 1;
  if (!range)
    return FALSE;
  *from = range_fraction (axis->range, range->low);
  *to = range_fraction (axis->range, range->high);
  return TRUE;
}

static void
draw_brush (const Distribution *self, cairo_t *cr, const Area *a)
{
  double from_x, to_x, from_y, to_y;
  gboolean any = brushed (self, &self->counts->x, &from_x, &to_x);
  any |= brushed (self, &self->counts->y, &from_y, &to_y);
  if (!any)
    return;
  cairo_rectangle (cr, a->left + from_x * a->width, a->top + (1 - to_y) * a->height, (to_x - from_x) * a->width,
                   (to_y - from_y) * a->height);
  set_color (self, cr, "mark_color", 0.12);
  cairo_fill_preserve (cr);
  set_color (self, cr, "mark_color", 1);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
}

/* align_x, align_y: which part of the text is at x, y: 0 left or top, 1 right or bottom. */
static void
draw_text (const Distribution *self, cairo_t *cr, const char *text, double x, double y, double align_x, double align_y)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (self->plot, text);
  int width, height;
  pango_layout_get_pixel_size (layout, &width, &height);
  cairo_move_to (cr, floor (x - align_x * width), floor (y - align_y * height));
  pango_cairo_show_layout (cr, layout);
}

static void
draw_tick (const Distribution *self, cairo_t *cr, const Area *a, double at, double value, gboolean across)
{
  g_autofree char *text = g_strdup_printf ("%.6g", value);
  if (across) {
    cairo_rectangle (cr, floor (a->left + at * a->width), a->top + a->height, 1, 4);
    draw_text (self, cr, text, a->left + at * a->width, a->top + a->height + 5, 0.5, 0);
  } else {
    cairo_rectangle (cr, a->left - 4, floor (a->top + (1 - at) * a->height), 4, 1);
    draw_text (self, cr, text, a->left - 7, a->top + (1 - at) * a->height, 1, 0.5);
  }
  cairo_fill (cr);
}

static void
draw_axis (const Distribution *self, cairo_t *cr, const Area *a, Range range, gboolean across)
{
  double first, step;
  int n = range_ticks (range, across ? 5 : 4, &first, &step);
  for (int k = 0; k < n; k++) {
    double value = (first + k) * step;
    draw_tick (self, cr, a, range_fraction (range, value), value, across);
  }
}

static void
draw_axes (const Distribution *self, cairo_t *cr, const Area *a)
{
  const TableCounts *c = self->counts;
  g_autofree char *x = column_names_header (c->x.column),
                  *y = c->y.column ? column_names_header (c->y.column) : g_strdup (self->paper ? "rows" : _ ("rows"));
  set_color (self, cr, "theme_fg_color", 0.7);
  cairo_rectangle (cr, a->left - 1, a->top, 1, a->height + 1);
  cairo_rectangle (cr, a->left, a->top + a->height, a->width, 1);
  cairo_fill (cr);
  draw_axis (self, cr, a, c->x.range, TRUE);
  draw_axis (self, cr, a, c->y.column ? c->y.range : (Range){0, MAX (1, c->max)}, FALSE);
  draw_text (self, cr, x, a->left + a->width / 2, a->top + a->height + BOTTOM, 0.5, 1);
  cairo_save (cr);
  cairo_rotate (cr, -G_PI / 2);
  draw_text (self, cr, y, -(a->top + a->height / 2), 0, 0.5, 0);
  cairo_restore (cr);
}

static void
draw (GtkDrawingArea *plot, cairo_t *cr, int width, int height, gpointer data)
{
  const Distribution *self = data;
  const TableCounts *c = self->counts;
  Area a = area_of (GTK_WIDGET (plot));
  (void) width, (void) height;
  if (!c)
    return;
  draw_brush (self, cr, &a);
  if (c->y.column && !c->shown && c->x.column == profile_along (c->table) && table_rows (c->table) <= MAX_JOINED)
    draw_profile (self, cr, &a);
  else if (c->y.column) {
    draw_points (self, cr, &a, c->all, c->shown ? "theme_fg_color" : "mark_color", c->shown ? 0.4 : 1);
    if (c->shown)
      draw_points (self, cr, &a, c->shown, "mark_color", 1);
  } else {
    set_color (self, cr, c->shown ? "theme_fg_color" : "mark_color", c->shown ? 0.25 : 1);
    draw_bars (self, cr, &a, c->all);
    set_color (self, cr, "mark_color", 1);
    if (c->shown)
      draw_bars (self, cr, &a, c->shown);
  }
  draw_axes (self, cr, &a);
}

/* ---- Saving ---- */

static void
draw_on_paper (cairo_t *cr, int width, int height, gpointer data)
{
  Distribution *self = data;
  self->paper = TRUE;
  draw (GTK_DRAWING_AREA (self->plot), cr, width, height, self);
  self->paper = FALSE;
}

static void
on_saved (gpointer self, const char *text, gboolean good)
{
  g_signal_emit (self, signals[good ? SAID : FAILED], 0, text);
}

static void
on_save (Distribution *self)
{
  if (self->counts)
    plot_file_ask (self->plot, "distribution", draw_on_paper, on_saved, self, table_counts_csv (self->counts));
}

/* ---- The pointer ---- */

/* What the cell under the pointer holds. */
static gboolean
on_tooltip (GtkWidget *plot, int x, int y, gboolean keyboard, GtkTooltip *tooltip, Distribution *self)
{
  const TableCounts *c = self->counts;
  Area a = area_of (plot);
  if (!c)
    return FALSE;
  if (keyboard || c->y.column || x < a.left || x >= a.left + a.width || y < a.top || y > a.top + a.height) {
    gtk_tooltip_set_text (tooltip, _ ("Drag over the plot to filter; click to clear"));
    return TRUE;
  }
  int i = MIN (c->x.cells - 1, (int) ((x - a.left) / a.width * c->x.cells));
  double low = range_value (c->x.range, (double) i / c->x.cells),
         high = range_value (c->x.range, (i + 1.0) / c->x.cells);
  g_autofree char *rows = words_count (c->all[i], "row", "rows");
  g_autofree char *text = c->shown ? g_strdup_printf (_ ("%.5g … %.5g: %u of %s"), low, high, c->shown[i], rows)
                                   : g_strdup_printf ("%.5g … %.5g: %s", low, high, rows);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

/* The values between two positions on an axis, 0 ... 1, with no more digits than the pointer resolves. */
static void
set_range (Distribution *self, const TableAxis *axis, double from, double to)
{
  double min = MIN (from, to), max = MAX (from, to);
  double step = pow (10, floor (log10 ((axis->range.high - axis->range.low) / 200)));
  double low = range_value (axis->range, min), high = range_value (axis->range, max);
  if (isnormal (step)) {
    low = round (low / step) * step;
    high = round (high / step) * step;
  }
  low = min <= 0 ? -INFINITY : low;
  high = max >= 1 ? INFINITY : high;
  results_model_set_range (self->model, axis->column->key, low, high);
}

static void
on_drag_begin (Distribution *self, double x, double y)
{
  self->start_x = x;
  self->start_y = y;
}

static void
on_drag (Distribution *self, double dx, double dy)
{
  const TableCounts *c = self->counts;
  Area a = area_of (self->plot);
  double x = (self->start_x - a.left) / a.width, y = 1 - (self->start_y - a.top) / a.height;
  if (!c || hypot (dx, dy) < 3)
    return;
  set_range (self, &c->x, x, x + dx / a.width);
  if (c->y.column)
    set_range (self, &c->y, y, y - dy / a.height);
}

/* A click takes the limits away. */
static void
on_drag_end (Distribution *self, double dx, double dy)
{
  const TableCounts *c = self->counts;
  if (!c || hypot (dx, dy) >= 3)
    return;
  results_model_set_range (self->model, c->x.column->key, -INFINITY, INFINITY);
  if (c->y.column)
    results_model_set_range (self->model, c->y.column->key, -INFINITY, INFINITY);
}

/* ---- Columns ---- */

/* Where the column is among those to choose from; -1: it is none of them. */
static int
x_of (const Distribution *self, const Table *table, const TableColumn *column)
{
  for (guint i = 0; column && i < self->xs->len; i++)
    if (table_column (table, g_array_index (self->xs, guint, i)) == column)
      return (int) i;
  return -1;
}

/* What is shown first: of a profile its mean, value or number of pixels; else "area" is more telling than the label, which comes first. */
static void
choose_first (Distribution *self, const Table *table)
{
  static const char *const upwards[] = {"mean", "value", "pixels"};
  const TableColumn *found = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (upwards) && !found; i++)
    found = table_find_numbers (table, upwards[i]);
  int x = x_of (self, table, profile_along (table)), y = x_of (self, table, found);
  gboolean profile = x >= 0 && y >= 0;
  for (guint i = 0; !profile && i < self->xs->len; i++)
    if (strcmp (table_column (table, g_array_index (self->xs, guint, i))->key, "label")) {
      x = (int) i;
      break;
    }
  gtk_drop_down_set_selected (self->choice[0], (guint) MAX (x, 0));
  gtk_drop_down_set_selected (self->choice[1], profile ? (guint) y + 1 : 0);
}

void
distribution_choose (Distribution *self, const char *key)
{
  const Table *table = results_model_table (self->model);
  int x = table ? x_of (self, table, table_find_numbers (table, key)) : -1;
  if (x < 0)
    return;
  gtk_drop_down_set_selected (self->choice[0], (guint) x);
  gtk_drop_down_set_selected (self->choice[1], 0);
}

static void
on_changed (Distribution *self)
{
  const Table *table = results_model_table (self->model);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *headers = NULL;
  g_array_set_size (self->xs, 0);
  for (guint j = 0; table && j < table_columns (table); j++)
    if (table_column (table, j)->type != FV_COLUMN_TEXT) {
      g_ptr_array_add (names, column_names_header (table_column (table, j)));
      g_array_append_val (self->xs, j);
    }
  g_ptr_array_add (names, NULL);
  headers = g_strjoinv ("\t", (char **) names->pdata);
  if (*headers && g_strcmp0 (headers, self->headers)) {
    GtkStringList *x = gtk_string_list_new ((const char *const *) names->pdata);
    GtkStringList *y = gtk_string_list_new ((const char *[]){_ ("Number of rows"), NULL});
    gtk_string_list_splice (y, 1, 0, (const char *const *) names->pdata);
    gtk_drop_down_set_model (self->choice[0], G_LIST_MODEL (x));
    gtk_drop_down_set_model (self->choice[1], G_LIST_MODEL (y));
    choose_first (self, table);
    g_object_unref (x);
    g_object_unref (y);
    g_free (self->headers);
    self->headers = g_steal_pointer (&headers);
  }
  start_counting (self);
}

/* ---- The object ---- */

static GtkWidget *
make_choice (Distribution *self, int axis, const char *label, const char *help)
{
  GtkWidget *choice = gtk_drop_down_new (NULL, NULL);
  self->choice[axis] = GTK_DROP_DOWN (choice);
  gtk_widget_set_hexpand (choice, TRUE);
  gtk_widget_set_tooltip_text (choice, help);
  naming_set (choice, label);
  g_signal_connect_object (choice, "notify::selected", G_CALLBACK (start_counting), self, G_CONNECT_SWAPPED);
  return choice;
}

/* Beside a table it asks for no height, so that the table keeps its own. */
static void
measure_plot (GtkWidget *plot, GtkOrientation orientation, int other, int *min, int *natural, int *min_baseline,
              int *natural_baseline)
{
  const gboolean across = orientation == GTK_ORIENTATION_HORIZONTAL,
                 beside = gtk_orientable_get_orientation (GTK_ORIENTABLE (gtk_widget_get_parent (plot)))
                          == GTK_ORIENTATION_HORIZONTAL;
  (void) other;
  *min = across ? WIDTH_MIN : HEIGHT_MIN;
  *natural = across ? WIDTH : beside ? HEIGHT_MIN : HEIGHT;
  *min_baseline = *natural_baseline = -1;
}

/* There is nothing in the plot. */
static void
allocate_plot (GtkWidget *plot, int width, int height, int baseline)
{
  (void) plot, (void) width, (void) height, (void) baseline;
}

static GtkWidget *
make_plot (Distribution *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  self->plot = g_object_new (GTK_TYPE_DRAWING_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG, NULL);
  gtk_widget_set_layout_manager (self->plot, gtk_custom_layout_new (NULL, measure_plot, allocate_plot));
  gtk_widget_set_hexpand (self->plot, TRUE);
  gtk_widget_set_vexpand (self->plot, TRUE);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->plot), draw, self, NULL);
  gtk_widget_set_cursor_from_name (self->plot, "crosshair");
  gtk_widget_set_has_tooltip (self->plot, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->plot), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Distribution"), -1);
  g_signal_connect_object (self->plot, "query-tooltip", G_CALLBACK (on_tooltip), self, 0);
  g_signal_connect_object (drag, "drag-begin", G_CALLBACK (on_drag_begin), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (drag, "drag-update", G_CALLBACK (on_drag), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (drag, "drag-end", G_CALLBACK (on_drag_end), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (self->plot, GTK_EVENT_CONTROLLER (drag));
  return self->plot;
}

static void
distribution_finalize (GObject *object)
{
  Distribution *self = FOVEA_DISTRIBUTION (object);
  table_counts_free (self->counts);
  g_array_unref (self->xs);
  g_free (self->headers);
  g_object_unref (self->model);
  G_OBJECT_CLASS (distribution_parent_class)->finalize (object);
}

static void
distribution_class_init (DistributionClass *class)
{
  static const char *const names[] = {"said", "failed"};
  G_OBJECT_CLASS (class)->finalize = distribution_finalize;
  for (int i = 0; i < SIGNALS; i++)
    signals[i] =
      g_signal_new (names[i], DISTRIBUTION_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
distribution_init (Distribution *self)
{
  self->xs = g_array_new (FALSE, FALSE, sizeof (guint));
  gtk_box_set_spacing (GTK_BOX (self), 6);
}

GtkWidget *
distribution_new (ResultsModel *model)
{
  Distribution *self = g_object_new (DISTRIBUTION_TYPE, NULL);
  GtkWidget *choices = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *save =
    button_with_text (_ ("_Save…"), _ ("Saves the plot as SVG, or its data as CSV"), G_CALLBACK (on_save), self);
  self->model = g_object_ref (model);
  gtk_box_append (GTK_BOX (choices), make_choice (self, 0, _ ("Column across"), _ ("Column across")));
  gtk_box_append (GTK_BOX (choices),
                  make_choice (self, 1, _ ("Column upwards"), _ ("Choose a second column for a scatter plot")));
  gtk_widget_set_halign (save, GTK_ALIGN_END);
  gtk_box_append (GTK_BOX (choices), save);
  gtk_box_append (GTK_BOX (self), make_plot (self));
  gtk_box_append (GTK_BOX (self), choices);
  g_signal_connect_object (model, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (model, "ranges", G_CALLBACK (gtk_widget_queue_draw), self->plot, G_CONNECT_SWAPPED);
  g_signal_connect (self, "map", G_CALLBACK (start_counting), NULL);
  return GTK_WIDGET (self);
}
