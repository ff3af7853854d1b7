/* SPDX-License-Identifier: MIT
 *
 * The histogram is of the plane that is seen, or of planes from all of the stack.
 */
#include "ui/look/display_panel.h"

#include "core/data/pixel_type.h"
#include "core/view/contrast.h"
#include "ui/look/channel_switches.h"
#include "ui/look/stretch_lines.h"
#include "ui/view/counter.h"
#include "ui/widgets/button.h"
#include "ui/plot/histogram.h"
#include "ui/widgets/naming.h"
#include "ui/widgets/redraw_whole.h"
#include "ui/widgets/widget_line.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

struct _DisplayPanel {
  GtkBox parent;
  View *view;
  Histogram *histogram;
  GtkWidget *contrast; /* all that is about contrast */
  GtkBox *channels;    /* their switches */
  GtkSpinButton *low, *high, *gamma;
  GtkDropDown *lut;
  GtkStringList *luts; /* names; the first one is what the program chooses */
  guint luts_serial;
  GtkCheckButton *composite;
  GtkWidget *colors;   /* all that is about LUTs */
  GtkWidget *outlines; /* with its name */
  GtkRange *overlay;
  GtkDropDown *extent; /* of what is counted: the plane or the stack */
  Counter *counter;    /* of what is seen */
  gint64 channel;      /* that it was asked for */
  ContrastAuto contrast_auto;
  gboolean filling;
  GtkWidget *estimate; /* says that some of the pixels were counted */
};

G_DEFINE_FINAL_TYPE (DisplayPanel, display_panel, GTK_TYPE_BOX)

/* ---- Counting ---- */

static void fill (DisplayPanel *panel);

static void
on_counted (DisplayPanel *panel)
{
  const Counted *counted = counter_last (panel->counter);
  if (!panel->view)
    return;
  gtk_widget_set_visible (panel->estimate, !counted->exact);
  histogram_set_counts (panel->histogram, &counted->counts);
  fill (panel);
}

static void
count (DisplayPanel *panel)
{
  Image *image = view_image (panel->view);
  const ImageInfo *info = image_info (image);
  const gint64 channel = view_channel (panel->view);
  const gboolean all = info->depth * info->frames > 1 && gtk_drop_down_get_selected (panel->extent) == 1;
  panel->channel = channel;
  counter_ask (panel->counter, image, view_plane (panel->view), all ? COUNTER_ALL : COUNTER_PLANE,
               view_look (panel->view, channel));
}

/* ---- Values ---- */

static void
set_look (DisplayPanel *panel, const ViewChannel *look)
{
  view_set_look (panel->view, view_channel (panel->view), look);
}

static void
set_limits (DisplayPanel *panel, double low, double high)
{
  ViewChannel look = *view_look (panel->view, view_channel (panel->view));
  look.automatic = look.zscale = FALSE;
  look.low = low;
  look.high = high;
  set_look (panel, &look);
}

static void
on_handles (DisplayPanel *panel)
{
  double low, high;
  histogram_limits (panel->histogram, &low, &high);
  set_limits (panel, low, high);
}

static Range
limits_now (const DisplayPanel *panel)
{
  const ViewChannel *look = view_look (panel->view, view_channel (panel->view));
  return look->automatic ? counter_last (panel->counter)->shown : (Range){look->low, look->high};
}

/* The value that was set. An entry that loses the focus would otherwise round it to the shown digits. */
static double
given (GtkSpinButton *entry, double now)
{
  const double value = gtk_spin_button_get_value (entry);
  return fabs (value - now) <= 0.5001 * pow (10, -(double) gtk_spin_button_get_digits (entry)) ? now : value;
}

static void
on_entries (DisplayPanel *panel)
{
  const Range now = limits_now (panel);
  const double low = given (panel->low, now.low), high = given (panel->high, now.high);
  if (!panel->filling && high > low && (low != now.low || high != now.high))
    set_limits (panel, low, high);
}

static void
on_gamma (DisplayPanel *panel)
{
  ViewChannel look = *view_look (panel->view, view_channel (panel->view));
  look.gamma = gtk_spin_button_get_value (panel->gamma);
  if (!panel->filling)
    set_look (panel, &look);
}

static void
on_lut (DisplayPanel *panel)
{
  ViewChannel look = *view_look (panel->view, view_channel (panel->view));
  guint i = gtk_drop_down_get_selected (panel->lut);
  g_strlcpy (look.lut, i == 0 || i == GTK_INVALID_LIST_POSITION ? "" : gtk_string_list_get_string (panel->luts, i),
             sizeof look.lut);
  if (!panel->filling)
    set_look (panel, &look);
}

static void
on_auto (DisplayPanel *panel)
{
  const ViewChannel *look = view_look (panel->view, view_channel (panel->view));
  const Range set = {look->low, look->high};
  Range limits;
  if (contrast_auto (&panel->contrast_auto, &counter_last (panel->counter)->counts, look->automatic ? NULL : &set,
                     &limits))
    set_limits (panel, limits.low, limits.high);
}

static void
on_reset (DisplayPanel *panel)
{
  ViewChannel look = *view_look (panel->view, view_channel (panel->view));
  panel->contrast_auto = (ContrastAuto){0};
  look.automatic = TRUE;
  look.zscale = look.by_plane = FALSE;
  look.gamma = 1;
  look.stretch = STRETCH_LINEAR;
  look.a = 0;
  set_look (panel, &look);
}

static void
on_composite (DisplayPanel *panel)
{
  if (!panel->filling)
    view_set_composite (panel->view, gtk_check_button_get_active (panel->composite));
}

static void
on_overlay (DisplayPanel *panel)
{
  if (!panel->filling)
    view_set_overlay (panel->view, gtk_range_get_value (panel->overlay));
}

/* ---- Showing ---- */

static void
fill_limits (DisplayPanel *panel, const ViewChannel *look)
{
  const ImageInfo *info = image_info (view_image (panel->view));
  const Counted *counted = counter_last (panel->counter);
  const double low = limits_now (panel).low, high = limits_now (panel).high;
  fv_type type = info->type;
  /* The difference may be too large for a double. */
  double range =
           MIN (high > low ? high - low : counted->counts.range.high - counted->counts.range.low, G_MAXDOUBLE / 4),
         step = !pixel_type_is_float (type) || range <= 0 ? 1 : pow (10, round (log10 (range / 256)));
  guint digits = !pixel_type_is_float (type) || range <= 0 ? 0 : (guint) CLAMP (3 - floor (log10 (range)), 0, 8);
  gtk_spin_button_set_digits (panel->low, digits);
  gtk_spin_button_set_digits (panel->high, digits);
  gtk_spin_button_set_increments (panel->low, step, 10 * step);
  gtk_spin_button_set_increments (panel->high, step, 10 * step);
  gtk_spin_button_set_value (panel->low, low);
  gtk_spin_button_set_value (panel->high, high);
  gtk_spin_button_set_value (panel->gamma, look->gamma);
  histogram_set_limits (panel->histogram, low, high);
  histogram_set_curve (panel->histogram, look->stretch, look->a > 0 ? look->a : stretch_usual (look->stretch),
                       look->gamma);
}

/* Its index in the list of look-up tables; 0: not in it. */
static guint
index_of_lut (DisplayPanel *panel, const char *name)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (panel->luts)), index = 0;
  if (panel->luts_serial != luts_serial ()) {
    g_auto (GStrv) others = luts_others ();
    panel->luts_serial = luts_serial ();
    gtk_string_list_splice (panel->luts, 0, n, (const char *const[]){"default", NULL});
    gtk_string_list_splice (panel->luts, 1, 0, luts_shipped);
    gtk_string_list_splice (panel->luts, 1 + g_strv_length ((char **) luts_shipped), 0, (const char *const *) others);
    n = g_list_model_get_n_items (G_LIST_MODEL (panel->luts));
  }
  for (guint i = 1; i < n; i++)
    if (!strcmp (gtk_string_list_get_string (panel->luts, i), name))
      index = i;
  return index;
}

static void
fill (DisplayPanel *panel)
{
  const ImageInfo *info = image_info (view_image (panel->view));
  const ViewChannel *look = view_look (panel->view, view_channel (panel->view));
  panel->filling = TRUE;
  fill_limits (panel, look);
  gtk_drop_down_set_selected (panel->lut, index_of_lut (panel, look->lut));
  gtk_check_button_set_active (panel->composite, view_composite (panel->view));
  gtk_widget_set_visible (GTK_WIDGET (panel->composite),
                          info->channels > 1 && info->channels <= LOOK_COMPOSITE && info->role != FV_RGB);
  gtk_range_set_value (panel->overlay, view_overlay (panel->view));
  gtk_widget_set_sensitive (panel->contrast, !view_is_labels (panel->view));
  gtk_widget_set_visible (panel->contrast, info->role == FV_IMAGE || info->role == FV_RGB);
  gtk_widget_set_visible (GTK_WIDGET (panel->extent), info->depth * info->frames > 1);
  gtk_widget_set_visible (panel->colors, info->role != FV_RGB);
  gtk_widget_set_sensitive (panel->outlines, view_labels (panel->view) && !view_shows_objects (panel->view));
  panel->filling = FALSE;
}

static void
on_image (DisplayPanel *panel)
{
  panel->contrast_auto = (ContrastAuto){0};
  count (panel);
  fill (panel);
}

static void
on_extent (DisplayPanel *panel)
{
  panel->contrast_auto = (ContrastAuto){0};
  count (panel);
}

/* Another plane may be seen, or another channel. */
static void
on_look (DisplayPanel *panel)
{
  if (panel->channel != view_channel (panel->view))
    panel->contrast_auto = (ContrastAuto){0};
  count (panel);
  fill (panel);
}

/* ---- The widget ---- */

enum { NUMBER_CHARS = 6 };

static GtkSpinButton *
make_limit (DisplayPanel *panel, const char *name)
{
  return number_entry_new (-G_MAXDOUBLE / 4, G_MAXDOUBLE / 4, 1, NUMBER_CHARS, name, name, G_CALLBACK (on_entries),
                           panel);
}

static GtkWidget *
make_contrast (DisplayPanel *panel)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *to = gtk_label_new ("–"), *gamma = gtk_label_new ("γ"),
            *limits;
  panel->histogram = FOVEA_HISTOGRAM (histogram_new ());
  panel->low = make_limit (panel, _ ("Shown darkest"));
  panel->high = make_limit (panel, _ ("Shown brightest"));
  panel->gamma = number_entry_new (0.1, 5, 0.05, NUMBER_CHARS, _ ("Gamma"), _ ("Gamma"), G_CALLBACK (on_gamma), panel);
  gtk_spin_button_set_digits (panel->gamma, 2);
  g_signal_connect_object (panel->histogram, "limits", G_CALLBACK (on_handles), panel, G_CONNECT_SWAPPED);
  panel->extent = GTK_DROP_DOWN (
    gtk_drop_down_new_from_strings ((const char *const[]){_ ("Of the slice"), _ ("Of the whole stack"), NULL}));
  gtk_widget_set_tooltip_text (GTK_WIDGET (panel->extent), _ ("What the histogram shows and Auto uses"));
  naming_set (GTK_WIDGET (panel->extent), _ ("Histogram of"));
  g_signal_connect_object (panel->extent, "notify::selected", G_CALLBACK (on_extent), panel, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (panel->extent));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (panel->histogram));
  panel->estimate = gtk_label_new (_ ("Estimated from a sample of the pixels"));
  gtk_label_set_xalign (GTK_LABEL (panel->estimate), 0);
  gtk_widget_set_tooltip_text (
    panel->estimate, _ ("The image is too large to read only for this; histogram and contrast are exact after a "
                        "step has read all of it"));
  gtk_widget_add_css_class (panel->estimate, "dim-label");
  gtk_widget_add_css_class (panel->estimate, "caption");
  gtk_widget_set_visible (panel->estimate, FALSE);
  gtk_box_append (GTK_BOX (box), panel->estimate);
  limits = widget_line_new (GTK_WIDGET (panel->low), to, GTK_WIDGET (panel->high), NULL);
  gtk_widget_set_direction (limits, GTK_TEXT_DIR_LTR); /* as the histogram above, which never turns round */
  gtk_box_append (GTK_BOX (box), limits);
  gtk_box_append (
    GTK_BOX (box),
    widget_line_new (
      button_with_text (_ ("A_uto"),
                        /* xgettext:no-c-format */
                        _ ("Saturates 0.35 % of the pixels; each further click stretches the contrast more, as in "
                           "ImageJ"),
                        G_CALLBACK (on_auto), panel),
      button_with_text (_ ("_Reset"), _ ("From minimum to maximum"), G_CALLBACK (on_reset), panel), gamma,
      GTK_WIDGET (panel->gamma), NULL));
  return box;
}

static void
display_panel_dispose (GObject *object)
{
  DisplayPanel *panel = FOVEA_DISPLAY_PANEL (object);
  g_clear_object (&panel->view);
  G_OBJECT_CLASS (display_panel_parent_class)->dispose (object);
}

static void
display_panel_finalize (GObject *object)
{
  DisplayPanel *panel = FOVEA_DISPLAY_PANEL (object);
  g_object_unref (panel->counter);
  G_OBJECT_CLASS (display_panel_parent_class)->finalize (object);
}

static void
display_panel_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  redraw_whole (widget, snapshot);
  GTK_WIDGET_CLASS (display_panel_parent_class)->snapshot (widget, snapshot);
}

static void
display_panel_class_init (DisplayPanelClass *class)
{
  GTK_WIDGET_CLASS (class)->snapshot = display_panel_snapshot;
  G_OBJECT_CLASS (class)->dispose = display_panel_dispose;
  G_OBJECT_CLASS (class)->finalize = display_panel_finalize;
}

static void
display_panel_init (DisplayPanel *panel)
{
  GtkWidget *box = GTK_WIDGET (panel);
  GtkWidget *overlay = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 0, 1, 0.05);
  panel->counter = counter_new ();
  panel->contrast = make_contrast (panel);
  panel->luts = gtk_string_list_new (NULL);
  panel->luts_serial = G_MAXUINT;
  panel->lut = GTK_DROP_DOWN (gtk_drop_down_new (G_LIST_MODEL (panel->luts), NULL));
  panel->composite = GTK_CHECK_BUTTON (gtk_check_button_new_with_mnemonic (_ ("Co_mposite")));
  panel->overlay = GTK_RANGE (overlay);
  gtk_widget_set_hexpand (overlay, TRUE);
  gtk_widget_set_tooltip_text (overlay, _ ("Opacity of the objects' outlines"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (overlay), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Outlines"), -1);
  gtk_widget_set_tooltip_text (GTK_WIDGET (panel->lut), _ ("Look-up table"));
  naming_set (GTK_WIDGET (panel->lut), _ ("Look-up table"));
  panel->channels = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 0));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (panel->channels));
  gtk_box_append (GTK_BOX (box), panel->contrast);
  panel->colors =
    widget_line_new (gtk_label_new (_ ("LUT")), GTK_WIDGET (panel->lut), GTK_WIDGET (panel->composite), NULL);
  panel->outlines = widget_line_new (gtk_label_new (_ ("Outlines")), overlay, NULL);
  gtk_box_append (GTK_BOX (box), panel->colors);
  gtk_box_append (GTK_BOX (box), panel->outlines);
  gtk_widget_set_margin_start (box, 10);
  gtk_widget_set_margin_end (box, 10);
  gtk_widget_set_margin_top (box, 8);
  gtk_widget_set_margin_bottom (box, 8);
  g_signal_connect_object (panel->lut, "notify::selected", G_CALLBACK (on_lut), panel, G_CONNECT_SWAPPED);
  g_signal_connect_object (panel->composite, "toggled", G_CALLBACK (on_composite), panel, G_CONNECT_SWAPPED);
  g_signal_connect_object (overlay, "value-changed", G_CALLBACK (on_overlay), panel, G_CONNECT_SWAPPED);
}

GtkWidget *
display_panel_new (View *view)
{
  DisplayPanel *panel = g_object_new (DISPLAY_PANEL_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 6, NULL);
  g_signal_connect_object (panel->counter, "counted", G_CALLBACK (on_counted), panel, G_CONNECT_SWAPPED);
  panel->view = g_object_ref (view);
  gtk_box_append (panel->channels, channel_switches_new (view));
  gtk_box_append (GTK_BOX (panel->contrast), stretch_lines_new (view));
  g_signal_connect_object (view, "image", G_CALLBACK (on_image), panel, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "look", G_CALLBACK (on_look), panel, G_CONNECT_SWAPPED);
  g_signal_connect_object (view_document (view), "results", G_CALLBACK (fill), panel,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER); /* the view has heard of them */
  on_image (panel);
  return GTK_WIDGET (panel);
}
