/* SPDX-License-Identifier: MIT
 */
#include "ui/plot/plate_grid.h"

#include <glib/gi18n.h>
#include <math.h>

enum { HEADER = 22, GAP = 2 };

typedef struct {
  gboolean there;
  char *about;
  GdkPaintable *picture;
  double value;
} Well;

struct _PlateGrid {
  GtkWidget parent;
  int rows, columns, width, height; /* width, height: of a cell, at least */
  GArray *wells;                    /* Well, row by row */
  gboolean has_values;
  double low, high;
  Lut lut;
  int marked, focused; /* index of a well; -1: none */
};

G_DEFINE_FINAL_TYPE (PlateGrid, plate_grid, GTK_TYPE_WIDGET)

static guint chosen_signal;

static Well *
well_at (const PlateGrid *grid, int row, int column)
{
  return row < 0 || row >= grid->rows || column < 0 || column >= grid->columns
           ? NULL
           : &g_array_index (grid->wells, Well, row * grid->columns + column);
}

static void
clear_well (gpointer data)
{
  Well *well = data;
  g_free (well->about);
  g_clear_object (&well->picture);
}

/* "B02", as data sets name wells; of a row behind Z "AA02". */
static char *
name_of (int row, int column)
{
  return row < 26 ? g_strdup_printf ("%c%02d", 'A' + row, column + 1)
                  : g_strdup_printf ("A%c%02d", 'A' + row - 26, column + 1);
}

/* ---- Drawing ---- */

static graphene_rect_t
area_of (const PlateGrid *grid, int row, int column)
{
  const float width = (float) (gtk_widget_get_width ((GtkWidget *) grid) - HEADER) / (float) MAX (grid->columns, 1),
              height = (float) (gtk_widget_get_height ((GtkWidget *) grid) - HEADER) / (float) MAX (grid->rows, 1);
  return GRAPHENE_RECT_INIT (HEADER + (float) column * width, HEADER + (float) row * height, MAX (width - GAP, 1),
                             MAX (height - GAP, 1));
}

/* The largest rectangle of the picture's shape in the middle of an area. */
static graphene_rect_t
fit (GdkPaintable *picture, const graphene_rect_t *area)
{
  const double ratio = gdk_paintable_get_intrinsic_aspect_ratio (picture);
  const float wide = area->size.width, high = area->size.height;
  const float width = ratio > 0 ? MIN (wide, high * (float) ratio) : wide,
              height = ratio > 0 ? width / (float) ratio : high;
  return GRAPHENE_RECT_INIT (area->origin.x + (wide - width) / 2, area->origin.y + (high - height) / 2, width, height);
}

static GdkRGBA
color_of (const PlateGrid *grid, double value)
{
  const double part = grid->high > grid->low ? (value - grid->low) / (grid->high - grid->low) : 0.5;
  const guint8 *rgb = grid->lut.rgb[(int) (CLAMP (part, 0, 1) * 255 + 0.5)];
  return (GdkRGBA){rgb[0] / 255.0f, rgb[1] / 255.0f, rgb[2] / 255.0f, 1};
}

static void
draw_text (GtkSnapshot *snapshot, GtkWidget *widget, const char *text, double x, double y, const GdkRGBA *color)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, text);
  int width, height;
  pango_layout_get_pixel_size (layout, &width, &height);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) (x - width / 2.0), (float) (y - height / 2.0)));
  gtk_snapshot_append_layout (snapshot, layout, color);
  gtk_snapshot_restore (snapshot);
}

static void
draw_well (const PlateGrid *grid, GtkSnapshot *snapshot, int row, int column, const GdkRGBA *text)
{
  const Well *well = well_at (grid, row, column);
  const graphene_rect_t area = area_of (grid, row, column);
  GdkRGBA quiet = *text;
  quiet.alpha = well->there ? 0.18f : 0.06f;
  if (grid->has_values && well->there && isfinite (well->value)) {
    const GdkRGBA color = color_of (grid, well->value);
    gtk_snapshot_append_color (snapshot, &color, &area);
  } else
    gtk_snapshot_append_color (snapshot, &quiet, &area);
  if (!grid->has_values && well->picture) {
    const graphene_rect_t inside = fit (well->picture, &area);
    gtk_snapshot_save (snapshot);
    gtk_snapshot_translate (snapshot, &inside.origin);
    gdk_paintable_snapshot (well->picture, snapshot, inside.size.width, inside.size.height);
    gtk_snapshot_restore (snapshot);
  }
}

static void
draw_frame (const PlateGrid *grid, GtkSnapshot *snapshot, int well, const GdkRGBA *color, float width)
{
  const graphene_rect_t area = area_of (grid, well / grid->columns, well % grid->columns);
  GskRoundedRect outline;
  gsk_rounded_rect_init_from_rect (&outline, &area, 0);
  gtk_snapshot_append_border (snapshot, &outline, (float[4]){width, width, width, width},
                              (GdkRGBA[4]){*color, *color, *color, *color});
}

/* Letters and numbers of rows and columns; of small cells every second or fourth. */
static void
draw_headers (const PlateGrid *grid, GtkSnapshot *snapshot, const GdkRGBA *text)
{
  GtkWidget *widget = (GtkWidget *) grid;
  const graphene_rect_t first = area_of (grid, 0, 0);
  const int every = first.size.width < 12   ? 4
                    : first.size.width < 20 ? 2
                                            : 1,
            every_row = first.size.height < 9    ? 4
                        : first.size.height < 16 ? 2
                                                 : 1;
  for (int column = 0; column < grid->columns; column += every) {
    const graphene_rect_t area = area_of (grid, 0, column);
    g_autofree char *number = g_strdup_printf ("%d", column + 1);
    draw_text (snapshot, widget, number, area.origin.x + area.size.width / 2, HEADER / 2, text);
  }
  for (int row = 0; row < grid->rows; row += every_row) {
    const graphene_rect_t area = area_of (grid, row, 0);
    g_autofree char *name = name_of (row, 0);
    name[row < 26 ? 1 : 2] = 0;
    draw_text (snapshot, widget, name, HEADER / 2, area.origin.y + area.size.height / 2, text);
  }
}

static void
plate_grid_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  const PlateGrid *grid = FOVEA_PLATE_GRID (widget);
  GtkStyleContext *style = gtk_widget_get_style_context (widget);
  GdkRGBA text, mark;
  gtk_style_context_get_color (style, &text);
  if (!gtk_style_context_lookup_color (style, "mark_color", &mark))
    mark = text;
  for (int row = 0; row < grid->rows; row++)
    for (int column = 0; column < grid->columns; column++)
      draw_well (grid, snapshot, row, column, &text);
  draw_headers (grid, snapshot, &text);
  if (grid->marked >= 0)
    draw_frame (grid, snapshot, grid->marked, &mark, 3);
  if (grid->focused >= 0 && gtk_widget_has_visible_focus (widget))
    draw_frame (grid, snapshot, grid->focused, &text, 2);
}

static void
plate_grid_measure (GtkWidget *widget, GtkOrientation orientation, int other, int *min, int *natural, int *min_baseline,
                    int *natural_baseline)
{
  const PlateGrid *grid = FOVEA_PLATE_GRID (widget);
  (void) other;
  *min = *natural = HEADER
                    + (orientation == GTK_ORIENTATION_HORIZONTAL ? grid->columns * (grid->width + GAP)
                                                                 : grid->rows * (grid->height + GAP));
  *min_baseline = *natural_baseline = -1;
}

/* ---- Choosing ---- */

/* The well under a position; -1: none. */
static int
index_at (const PlateGrid *grid, double x, double y)
{
  const graphene_rect_t first = area_of (grid, 0, 0);
  const int column = (int) floor ((x - HEADER) / (first.size.width + GAP)),
            row = (int) floor ((y - HEADER) / (first.size.height + GAP));
  return well_at (grid, row, column) ? row * grid->columns + column : -1;
}

/* What a screen reader says: the well that has the focus, and what is known of it. */
static void
describe (PlateGrid *grid)
{
  const Well *well = grid->focused >= 0 ? &g_array_index (grid->wells, Well, grid->focused) : NULL;
  g_autofree char *name = well ? name_of (grid->focused / grid->columns, grid->focused % grid->columns) : g_strdup ("");
  g_autofree char *text = well && well->about ? g_strdup_printf ("%s: %s", name, well->about) : g_strdup (name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (grid), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

static void
choose (PlateGrid *grid, int index)
{
  if (index < 0 || !g_array_index (grid->wells, Well, index).there)
    return;
  grid->focused = index;
  describe (grid);
  plate_grid_mark (grid, index / grid->columns, index % grid->columns);
  g_signal_emit (grid, chosen_signal, 0, index / grid->columns, index % grid->columns);
}

static void
on_pressed (PlateGrid *grid, int n, double x, double y)
{
  (void) n;
  gtk_widget_grab_focus (GTK_WIDGET (grid));
  choose (grid, index_at (grid, x, y));
}

static gboolean
on_key (PlateGrid *grid, guint key)
{
  const int step = key == GDK_KEY_Left    ? -1
                   : key == GDK_KEY_Right ? 1
                   : key == GDK_KEY_Up    ? -grid->columns
                   : key == GDK_KEY_Down  ? grid->columns
                                          : 0;
  const int now = MAX (grid->focused, 0), to = now + step;
  if (key == GDK_KEY_Return || key == GDK_KEY_KP_Enter || key == GDK_KEY_space) {
    choose (grid, grid->focused);
    return TRUE;
  }
  if (!step || to < 0 || to >= (int) grid->wells->len
      || ((step == 1 || step == -1) && to / grid->columns != now / grid->columns))
    return FALSE;
  grid->focused = grid->focused < 0 ? 0 : to;
  describe (grid);
  gtk_widget_queue_draw (GTK_WIDGET (grid));
  return TRUE;
}

static gboolean
on_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  const PlateGrid *grid = FOVEA_PLATE_GRID (widget);
  const int index = keyboard ? grid->focused : index_at (grid, x, y);
  if (index < 0)
    return FALSE;
  const Well *well = &g_array_index (grid->wells, Well, index);
  g_autofree char *name = name_of (index / grid->columns, index % grid->columns);
  g_autofree char *text = g_strdup_printf (well->about ? "%s\n%s" : "%s", name, well->about);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

/* ---- What it shows ---- */

void
plate_grid_set_size (PlateGrid *grid, int rows, int columns)
{
  g_array_set_size (grid->wells, 0);
  g_array_set_size (grid->wells, (guint) (rows * columns));
  grid->rows = rows;
  grid->columns = columns;
  grid->marked = grid->focused = -1;
  gtk_widget_queue_resize (GTK_WIDGET (grid));
}

void
plate_grid_set_well (PlateGrid *grid, int row, int column, const char *about)
{
  Well *well = well_at (grid, row, column);
  if (!well)
    return;
  well->there = TRUE;
  g_free (well->about);
  well->about = g_strdup (about);
  gtk_widget_queue_draw (GTK_WIDGET (grid));
}

void
plate_grid_set_picture (PlateGrid *grid, int row, int column, GdkPaintable *picture)
{
  Well *well = well_at (grid, row, column);
  if (well && g_set_object (&well->picture, picture))
    gtk_widget_queue_draw (GTK_WIDGET (grid));
}

void
plate_grid_set_values (PlateGrid *grid, const double *values, double low, double high, const Lut *lut)
{
  grid->has_values = values != NULL;
  for (guint i = 0; values && i < grid->wells->len; i++)
    g_array_index (grid->wells, Well, i).value = values[i];
  grid->low = low;
  grid->high = high;
  if (lut)
    grid->lut = *lut;
  gtk_widget_queue_draw (GTK_WIDGET (grid));
}

void
plate_grid_mark (PlateGrid *grid, int row, int column)
{
  grid->marked = well_at (grid, row, column) ? row * grid->columns + column : -1;
  gtk_widget_queue_draw (GTK_WIDGET (grid));
}

/* ---- The widget ---- */

static void
plate_grid_finalize (GObject *object)
{
  g_array_unref (FOVEA_PLATE_GRID (object)->wells);
  G_OBJECT_CLASS (plate_grid_parent_class)->finalize (object);
}

static void
plate_grid_class_init (PlateGridClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);
  G_OBJECT_CLASS (class)->finalize = plate_grid_finalize;
  widget->snapshot = plate_grid_snapshot;
  widget->measure = plate_grid_measure;
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_IMG);
  chosen_signal = g_signal_new ("chosen", PLATE_GRID_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                                G_TYPE_INT, G_TYPE_INT);
}

static void
plate_grid_init (PlateGrid *grid)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();
  grid->wells = g_array_new (FALSE, TRUE, sizeof (Well));
  g_array_set_clear_func (grid->wells, clear_well);
  grid->marked = grid->focused = -1;
  gtk_widget_set_focusable (GTK_WIDGET (grid), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (grid), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (grid), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Plate"), -1);
  g_signal_connect_object (click, "pressed", G_CALLBACK (on_pressed), grid, G_CONNECT_SWAPPED);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (on_key), grid, G_CONNECT_SWAPPED);
  g_signal_connect (grid, "query-tooltip", G_CALLBACK (on_tooltip), NULL);
  gtk_widget_add_controller (GTK_WIDGET (grid), GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (GTK_WIDGET (grid), keys);
}

GtkWidget *
plate_grid_new (int width, int height)
{
  PlateGrid *grid = g_object_new (PLATE_GRID_TYPE, NULL);
  grid->width = width;
  grid->height = height;
  return GTK_WIDGET (grid);
}
