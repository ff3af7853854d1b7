/* SPDX-License-Identifier: MIT
 *
 * The plane that is seen, or planes from all of the stack, are counted in a thread; the newest request wins.
 */
#include "ui/look/display_panel.h"

#include "core/data/pixel_type.h"
#include "core/view/contrast.h"
#include "core/view/plane_sample.h"
#include "ui/look/channel_switches.h"
#include "ui/steps/adjustment.h"
#include "ui/look/histogram.h"
#include "ui/look/stretch_lines.h"
#include "ui/widgets/button.h"
#include "ui/widgets/naming.h"
#include "ui/widgets/redraw_whole.h"

#include <math.h>
#include <string.h>

static const char *const luts[] = {"default", "gray",   "inverted", "red",     "green",   "blue",    "magenta",
                                   "cyan",    "yellow", "fire",     "viridis", "cividis", "glasbey", NULL};

struct _DisplayPanel {
  GtkBox parent;
  View *view;
  Histogram *histogram;
  GtkWidget *contrast; /* all that is about contrast */
  GtkBox *channels;    /* their switches */
  GtkSpinButton *low, *high, *gamma;
  GtkDropDown *lut;
  GtkCheckButton *composite;
  GtkCheckButton *over; /* a threshold is seen over the image */
  GtkWidget *colours;   /* all that is about LUTs */
  GtkWidget *outlines;  /* with its name */
  GtkRange *overlay;
  GtkDropDown *extent; /* of what is counted: the plane or the stack */
  Counts counts;
  Range shown; /* of the plane that is seen, while no limits are set */
  ContrastAuto contrast_auto;
  gboolean filling;
  GtkWidget *estimate; /* says that some of the pixels were counted */
  Worker *worker;      /* counts */
  Image *counted;      /* or about to be; its channel and plane, or the stack */
  gint64 channel, plane;
  gboolean stack, stack_known; /* known: the counts are those of the stack */
  guint serial;                /* of image and channel */
};

G_DEFINE_FINAL_TYPE (DisplayPanel, display_panel, GTK_TYPE_BOX)

/* ---- Counting ---- */

typedef struct {
  DisplayPanel *panel;
  Image *image;
  gint64 channel, plane;
  gboolean stack, stack_known;
  guint serial;
  Counts counts;
  Range shown;
  gboolean exact; /* no plane was too large to be read for that */
} Count;

enum { MOST_PLANES = 64 }; /* of a stack */

/* Planes all over the slices and frames of a channel. */
static gboolean
count_stack (Count *count, Progress *progress, GError **error)
{
  const ImageInfo *info = image_info (count->image);
  gint64 all = info->depth * info->frames, n = MIN (all, MOST_PLANES);
  g_autofree Counts *planes = g_new (Counts, n);
  for (gint64 i = 0; i < n; i++) {
    if (progress_report (progress, i, n))
      return TRUE;
    gint64 at = i * all / n, frame = at / info->depth, slice = at % info->depth;
    g_auto (PlaneSample) sample = {0};
    if (!plane_sample_take (&sample, count->image, plane_number (info, (PlanePlace){count->channel, slice, frame}),
                            error))
      return FALSE;
    counts_of_plane (&planes[i], &sample.info, sample.pixels);
    count->exact &= sample.exact;
  }
  counts_join (&count->counts, planes, (guint) n);
  return TRUE;
}

static gboolean
count_work (gpointer data, Progress *progress, GError **error)
{
  Count *count = data;
  const ImageInfo *info = image_info (count->image);
  g_auto (PlaneSample) sample = {0};
  gboolean good = plane_sample_take (&sample, count->image, count->plane, error);
  count->exact = good && sample.exact;
  if (good && count->stack) {
    count->shown = shown_range_of (info->type, sample.pixels, sample.info.rows * sample.info.columns);
    good = count->stack_known || count_stack (count, progress, error);
  } else if (good) {
    counts_of_plane (&count->counts, &sample.info, sample.pixels);
    count->shown = count->counts.range;
  }
  g_clear_pointer (&count->image, image_unref); /* here, where it may take its time */
  return good;
}

static void fill (DisplayPanel *panel);

static void
counted (gpointer data, const GError *error)
{
  Count *count = data;
  DisplayPanel *panel = count->panel;
  if (!error && panel->view) {
    panel->shown = count->shown;
    gtk_widget_set_visible (panel->estimate, !count->exact);
    if (!count->stack_known) {
      panel->counts = count->counts;
      panel->stack_known = count->stack && count->serial == panel->serial;
      histogram_set_counts (panel->histogram, &panel->counts);
    }
    fill (panel);
  }
  image_unref (count->image);
  g_object_unref (panel);
  g_free (count);
}

static gboolean
counts_stack (const DisplayPanel *panel, const ImageInfo *info)
{
  return info->depth * info->frames > 1 && gtk_drop_down_get_selected (panel->extent) == 1;
}

static void
count (DisplayPanel *panel)
{
  Image *image = view_image (panel->view);
  const ImageInfo *info = image_info (image);
  gint64 channel = view_channel (panel->view), plane = plane_number (info, view_plane (panel->view));
  gboolean stack = counts_stack (panel, info), other = image != panel->counted || channel != panel->channel;
  if (!other && plane == panel->plane && stack == panel->stack)
    return;
  image_unref (panel->counted);
  panel->counted = image_ref (image);
  panel->plane = plane;
  panel->channel = channel;
  panel->stack = stack;
  panel->stack_known &= stack && !other;
  panel->serial += other;
  Count *count = g_new (Count, 1);
  *count = (Count){.panel = g_object_ref (panel),
                   .image = image_ref (image),
                   .channel = channel,
                   .plane = plane,
                   .stack = stack,
                   .stack_known = panel->stack_known,
                   .serial = panel->serial};
  worker_push (panel->worker, &(WorkerJob){count_work, counted, count, panel});
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
  look.automatic = FALSE;
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

static void
on_entries (DisplayPanel *panel)
{
  double low = gtk_spin_button_get_value (panel->low), high = gtk_spin_button_get_value (panel->high);
  if (!panel->filling && high > low)
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
  g_strlcpy (look.lut, i == 0 || i == GTK_INVALID_LIST_POSITION ? "" : luts[i], sizeof look.lut);
  if (!panel->filling)
    set_look (panel, &look);
}

static void
on_auto (DisplayPanel *panel)
{
  const ViewChannel *look = view_look (panel->view, view_channel (panel->view));
  const Range set = {look->low, look->high};
  Range limits;
  if (contrast_auto (&panel->contrast_auto, &panel->counts, look->automatic ? NULL : &set, &limits))
    set_limits (panel, limits.low, limits.high);
}

static void
on_reset (DisplayPanel *panel)
{
  ViewChannel look = *view_look (panel->view, view_channel (panel->view));
  panel->contrast_auto = (ContrastAuto){0};
  look.automatic = TRUE;
  look.gamma = 1;
  look.stretch = STRETCH_LINEAR;
  look.a = 0;
  set_look (panel, &look);
}

static void
on_over (DisplayPanel *panel)
{
  if (!panel->filling)
    view_set_over_image (panel->view, gtk_check_button_get_active (panel->over));
}

static void
on_threshold (DisplayPanel *panel, gboolean upper, double value)
{
  adjustment_set (panel->view, upper, value, NULL); /* a value of the histogram is in the range of what is allowed */
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
  double low = look->automatic ? panel->shown.low : look->low, high = look->automatic ? panel->shown.high : look->high;
  fv_type type = info->type;
  /* The difference may be too large for a double. */
  double range = MIN (panel->counts.range.high - panel->counts.range.low, G_MAXDOUBLE / 4),
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

static void
fill_threshold (DisplayPanel *panel)
{
  double low, high;
  gboolean manual;
  gtk_widget_set_visible (GTK_WIDGET (panel->over), view_has_threshold (panel->view));
  gtk_check_button_set_active (panel->over, view_over_image (panel->view));
  if (view_mask (panel->view) && adjustment_range (panel->view, &low, &high, &manual))
    histogram_set_threshold (panel->histogram, low, high, manual);
  else
    histogram_no_threshold (panel->histogram);
}

static void
fill (DisplayPanel *panel)
{
  const ImageInfo *info = image_info (view_image (panel->view));
  const ViewChannel *look = view_look (panel->view, view_channel (panel->view));
  guint lut = 0;
  for (guint i = 1; luts[i]; i++)
    if (!strcmp (luts[i], look->lut))
      lut = i;
  panel->filling = TRUE;
  fill_limits (panel, look);
  gtk_drop_down_set_selected (panel->lut, lut);
  gtk_check_button_set_active (panel->composite, view_composite (panel->view));
  fill_threshold (panel);
  gtk_widget_set_visible (GTK_WIDGET (panel->composite),
                          info->channels > 1 && info->channels <= LOOK_COMPOSITE && info->role != FV_RGB);
  gtk_range_set_value (panel->overlay, view_overlay (panel->view));
  gtk_widget_set_visible (panel->contrast, info->role == FV_IMAGE || info->role == FV_RGB);
  gtk_widget_set_visible (GTK_WIDGET (panel->extent), info->depth * info->frames > 1);
  gtk_widget_set_visible (panel->colours, info->role != FV_RGB);
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

static GtkSpinButton *
make_number (double low, double high, double step, const char *name, GCallback changed, DisplayPanel *panel)
{
  GtkWidget *spin = gtk_spin_button_new_with_range (low, high, step);
  gtk_editable_set_width_chars (GTK_EDITABLE (spin), 6);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (spin), 6);
  gtk_widget_set_tooltip_text (spin, name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (spin), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect_object (spin, "value-changed", changed, panel, G_CONNECT_SWAPPED);
  return GTK_SPIN_BUTTON (spin);
}

static GtkWidget *
make_line (GtkWidget *first, ...)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  va_list ap;
  va_start (ap, first);
  for (GtkWidget *widget = first; widget; widget = va_arg (ap, GtkWidget *))
    gtk_box_append (GTK_BOX (line), widget);
  va_end (ap);
  return line;
}

static GtkWidget *
make_contrast (DisplayPanel *panel)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *to = gtk_label_new ("–"), *gamma = gtk_label_new ("γ");
  panel->histogram = FOVEA_HISTOGRAM (histogram_new ());
  panel->low = make_number (-G_MAXDOUBLE / 4, G_MAXDOUBLE / 4, 1, "Shown darkest", G_CALLBACK (on_entries), panel);
  panel->high = make_number (-G_MAXDOUBLE / 4, G_MAXDOUBLE / 4, 1, "Shown brightest", G_CALLBACK (on_entries), panel);
  panel->gamma = make_number (0.1, 5, 0.05, "Gamma", G_CALLBACK (on_gamma), panel);
  gtk_spin_button_set_digits (panel->gamma, 2);
  g_signal_connect_object (panel->histogram, "threshold", G_CALLBACK (on_threshold), panel, G_CONNECT_SWAPPED);
  g_signal_connect_object (panel->histogram, "limits", G_CALLBACK (on_handles), panel, G_CONNECT_SWAPPED);
  panel->extent =
    GTK_DROP_DOWN (gtk_drop_down_new_from_strings ((const char *const[]){"Of the slice", "Of the whole stack", NULL}));
  gtk_widget_set_tooltip_text (GTK_WIDGET (panel->extent), "What the histogram shows and Auto takes");
  naming_set (GTK_WIDGET (panel->extent), "Histogram of");
  g_signal_connect_object (panel->extent, "notify::selected", G_CALLBACK (on_extent), panel, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (panel->extent));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (panel->histogram));
  panel->estimate = gtk_label_new ("Estimated from some of the pixels");
  gtk_label_set_xalign (GTK_LABEL (panel->estimate), 0);
  gtk_widget_set_tooltip_text (
    panel->estimate, "The image is too large to be read only for this: histogram and contrast are exact once a "
                     "step has read all of it");
  gtk_widget_add_css_class (panel->estimate, "dim-label");
  gtk_widget_add_css_class (panel->estimate, "caption");
  gtk_widget_set_visible (panel->estimate, FALSE);
  gtk_box_append (GTK_BOX (box), panel->estimate);
  gtk_box_append (GTK_BOX (box), make_line (GTK_WIDGET (panel->low), to, GTK_WIDGET (panel->high), NULL));
  gtk_box_append (
    GTK_BOX (box),
    make_line (button_with_text ("A_uto",
                                 "Saturates 0.35 % of the pixels; each further click stretches more, as in ImageJ",
                                 G_CALLBACK (on_auto), panel),
               button_with_text ("_Reset", "From the least to the greatest value", G_CALLBACK (on_reset), panel), gamma,
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
  worker_free (panel->worker);
  image_unref (panel->counted);
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
  panel->contrast = make_contrast (panel);
  panel->lut = GTK_DROP_DOWN (gtk_drop_down_new_from_strings (luts));
  panel->composite = GTK_CHECK_BUTTON (gtk_check_button_new_with_mnemonic ("Co_mposite"));
  panel->overlay = GTK_RANGE (overlay);
  gtk_widget_set_hexpand (overlay, TRUE);
  gtk_widget_set_tooltip_text (overlay, "Opacity of the objects' outlines");
  gtk_accessible_update_property (GTK_ACCESSIBLE (overlay), GTK_ACCESSIBLE_PROPERTY_LABEL, "Outlines", -1);
  gtk_widget_set_tooltip_text (GTK_WIDGET (panel->lut), "Look-up table");
  naming_set (GTK_WIDGET (panel->lut), "Look-up table");
  panel->channels = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 0));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (panel->channels));
  gtk_box_append (GTK_BOX (box), panel->contrast);
  panel->over = GTK_CHECK_BUTTON (gtk_check_button_new_with_label ("Threshold over the image"));
  gtk_widget_set_tooltip_text (GTK_WIDGET (panel->over), "Red over the image, or as the mask that the step makes");
  g_signal_connect_object (panel->over, "toggled", G_CALLBACK (on_over), panel, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (panel->over));
  panel->colours = make_line (gtk_label_new ("LUT"), GTK_WIDGET (panel->lut), GTK_WIDGET (panel->composite), NULL);
  panel->outlines = make_line (gtk_label_new ("Outlines"), overlay, NULL);
  gtk_box_append (GTK_BOX (box), panel->colours);
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
  panel->worker = worker_new_modest (WORKER_LATER);
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
