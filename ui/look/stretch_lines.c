/* SPDX-License-Identifier: MIT
 *
 * Both apply to the selected channel. A rule is applied once, to the shown plane, and is cleared when limits are set
 * otherwise. The exception is the rule of separate limits for each slice, which stays.
 */
#include "ui/look/stretch_lines.h"

#include "core/base/worker.h"
#include "core/view/contrast_limits.h"
#include "ui/widgets/naming.h"

#include <glib/gi18n.h>

#define STRETCH_LINES_TYPE (stretch_lines_get_type ())
G_DECLARE_FINAL_TYPE (StretchLines, stretch_lines, FOVEA, STRETCH_LINES, GtkBox)

struct _StretchLines {
  GtkBox parent;
  View *view;
  GtkDropDown *stretch, *rule;
  GtkSpinButton *a;
  GtkWidget *follows; /* marks limits that zscale set and not the user */
  Worker *worker;     /* finds limits */
  Range ruled;        /* those that the rule has set */
  gboolean filling;
};

G_DEFINE_FINAL_TYPE (StretchLines, stretch_lines, GTK_TYPE_BOX)

static ViewChannel
look_of (const StretchLines *self)
{
  return *view_look (self->view, view_channel (self->view));
}

static void
set_look (StretchLines *self, const ViewChannel *look)
{
  view_set_look (self->view, view_channel (self->view), look);
}

/* ---- The stretch ---- */

/* What `a` was for another stretch says nothing of this one. */
static void
on_stretch (StretchLines *self)
{
  ViewChannel look = look_of (self);
  look.stretch = (Stretch) gtk_drop_down_get_selected (self->stretch);
  look.a = 0;
  if (!self->filling)
    set_look (self, &look);
}

static void
on_a (StretchLines *self)
{
  ViewChannel look = look_of (self);
  look.a = gtk_spin_button_get_value (self->a);
  if (!self->filling)
    set_look (self, &look);
}

/* ---- Limits by a rule ---- */

enum { ZSCALE = 1, BY_PLANE = 8 };
static const struct {
  const char *name;
  double percent;
} rules[] = {{N_ ("As above"), 0},
             [ZSCALE] = {"zscale", 0},
             {"99.9 %", 99.9},
             {"99.5 %", 99.5},
             {"99 %", 99},
             {"98 %", 98},
             {"95 %", 95},
             {"90 %", 90},
             [BY_PLANE] = {N_ ("Separate for each slice"), 0}};

typedef struct {
  StretchLines *self;
  Image *image;
  gint64 channel, plane;
  double percent;
  Range limits;
  gboolean found;
} Ruling;

static gboolean
find_limits (gpointer data, Progress *progress, GError **error)
{
  Ruling *r = data;
  GError *fault = NULL;
  (void) progress;
  r->found = limits_of_plane (r->image, r->plane, r->percent, &r->limits, &fault);
  g_clear_pointer (&r->image, image_unref); /* here, where it may take its time */
  if (fault)
    g_propagate_error (error, fault);
  return !fault;
}

static void fill (StretchLines *self);

static void
found_limits (gpointer data, const GError *error)
{
  Ruling *r = data;
  StretchLines *self = r->self;
  if (!error && r->found && self->view && r->channel == view_channel (self->view)) {
    ViewChannel look = look_of (self);
    self->ruled = r->limits;
    look.automatic = look.zscale = FALSE;
    look.low = r->limits.low;
    look.high = r->limits.high;
    set_look (self, &look);
  }
  if (self->view)
    fill (self);
  image_unref (r->image);
  g_object_unref (self);
  g_free (r);
}

/* From now on limits are those of the slice that is seen. */
static void
follow_planes (StretchLines *self)
{
  ViewChannel look = look_of (self);
  look.automatic = look.by_plane = TRUE;
  look.zscale = FALSE;
  set_look (self, &look);
}

static void
on_rule (StretchLines *self)
{
  guint rule = gtk_drop_down_get_selected (self->rule);
  Image *image = view_image (self->view);
  if (self->filling || rule == 0 || rule >= G_N_ELEMENTS (rules))
    return;
  if (rule == BY_PLANE) {
    follow_planes (self);
    return;
  }
  Ruling *r = g_new (Ruling, 1);
  *r = (Ruling){.self = g_object_ref (self),
                .image = image_ref (image),
                .channel = view_channel (self->view),
                .plane = plane_number (image_info (image), view_plane (self->view)),
                .percent = rules[rule].percent};
  worker_push (self->worker, &(WorkerJob){find_limits, found_limits, r, self});
}

/* ---- Showing ---- */

static void
fill (StretchLines *self)
{
  ViewChannel look = look_of (self);
  double usual = stretch_usual (look.stretch);
  self->filling = TRUE;
  gtk_drop_down_set_selected (self->stretch, look.stretch);
  gtk_widget_set_visible (GTK_WIDGET (self->a), usual > 0);
  gtk_spin_button_set_digits (self->a, usual < 1 ? 4 : 1);
  gtk_spin_button_set_increments (self->a, usual / 10, usual);
  gtk_spin_button_set_range (self->a, usual / 100, usual < 1 ? 1 : usual * 1000);
  gtk_spin_button_set_value (self->a, look.a > 0 ? look.a : usual);
  if (look.automatic || look.low != self->ruled.low || look.high != self->ruled.high)
    gtk_drop_down_set_selected (self->rule, !look.automatic ? 0 : look.by_plane ? BY_PLANE : look.zscale ? ZSCALE : 0);
  gtk_widget_set_visible (self->follows, look.automatic && look.zscale);
  self->filling = FALSE;
}

/* ---- The widget ---- */

static void
stretch_lines_dispose (GObject *object)
{
  StretchLines *self = FOVEA_STRETCH_LINES (object);
  g_clear_object (&self->view);
  G_OBJECT_CLASS (stretch_lines_parent_class)->dispose (object);
}

static void
stretch_lines_finalize (GObject *object)
{
  worker_free (FOVEA_STRETCH_LINES (object)->worker);
  G_OBJECT_CLASS (stretch_lines_parent_class)->finalize (object);
}

static void
stretch_lines_class_init (StretchLinesClass *class)
{
  G_OBJECT_CLASS (class)->dispose = stretch_lines_dispose;
  G_OBJECT_CLASS (class)->finalize = stretch_lines_finalize;
}

static GtkDropDown *
make_choice (const char *const *names, const char *name, const char *tip, GCallback chosen, StretchLines *self)
{
  GtkWidget *choice = gtk_drop_down_new_from_strings (names);
  gtk_widget_set_tooltip_text (choice, tip);
  naming_set (choice, name);
  g_signal_connect_object (choice, "notify::selected", chosen, self, G_CONNECT_SWAPPED);
  return GTK_DROP_DOWN (choice);
}

static void
make_a (StretchLines *self)
{
  const char *name = _ ("Parameter a of the stretch");
  self->a = GTK_SPIN_BUTTON (gtk_spin_button_new_with_range (0, 1, 0.1));
  gtk_editable_set_width_chars (GTK_EDITABLE (self->a), 6);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (self->a), 6);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->a), name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->a), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect_object (self->a, "value-changed", G_CALLBACK (on_a), self, G_CONNECT_SWAPPED);
}

static void
attach_name (GtkGrid *grid, const char *name, int line)
{
  GtkWidget *label = gtk_label_new (name);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_grid_attach (grid, label, 0, line, 1, 1);
}

static void
stretch_lines_init (StretchLines *self)
{
  const char *const stretches[] = {_ ("Linear"), _ ("Logarithm"), _ ("Asinh"), _ ("Square root"), _ ("Power"), NULL};
  const char *names[G_N_ELEMENTS (rules) + 1] = {NULL};
  GtkWidget *grid = gtk_grid_new (), *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    names[i] = _ (rules[i].name);
  self->worker = worker_new_modest (WORKER_LATER);
  self->stretch =
    make_choice (stretches, _ ("Stretch"), _ ("How brightness increases from the lower limit to the upper one"),
                 G_CALLBACK (on_stretch), self);
  self->rule = make_choice (names, _ ("Limits"),
                            _ ("Sets the limits so that this fraction of the slice's values is between them, or by "
                               "IRAF's zscale"),
                            G_CALLBACK (on_rule), self);
  make_a (self);
  gtk_box_append (GTK_BOX (line), GTK_WIDGET (self->stretch));
  gtk_box_append (GTK_BOX (line), GTK_WIDGET (self->a));
  gtk_grid_set_column_spacing (GTK_GRID (grid), 6);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  attach_name (GTK_GRID (grid), _ ("Stretch"), 0);
  gtk_grid_attach (GTK_GRID (grid), line, 1, 0, 1, 1);
  attach_name (GTK_GRID (grid), _ ("Limits"), 1);
  gtk_grid_attach (GTK_GRID (grid), GTK_WIDGET (self->rule), 1, 1, 1, 1);
  gtk_widget_set_halign (GTK_WIDGET (self->rule), GTK_ALIGN_START);
  self->follows = gtk_label_new (_ ("By zscale; Reset shows the full range"));
  gtk_label_set_xalign (GTK_LABEL (self->follows), 0);
  gtk_label_set_wrap (GTK_LABEL (self->follows), TRUE);
  gtk_widget_add_css_class (self->follows, "dim-label");
  gtk_widget_add_css_class (self->follows, "caption");
  gtk_widget_set_tooltip_text (
    self->follows, _ ("Between the minimum and maximum, nearly all of this image would be black. Pixel values "
                      "do not change"));
  gtk_box_append (GTK_BOX (self), grid);
  gtk_box_append (GTK_BOX (self), self->follows);
}

GtkWidget *
stretch_lines_new (View *view)
{
  StretchLines *self = g_object_new (STRETCH_LINES_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 6, NULL);
  self->view = g_object_ref (view);
  g_signal_connect_object (view, "image", G_CALLBACK (fill), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "look", G_CALLBACK (fill), self, G_CONNECT_SWAPPED);
  fill (self);
  return GTK_WIDGET (self);
}
