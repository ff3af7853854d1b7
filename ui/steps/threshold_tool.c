/* SPDX-License-Identifier: MIT
 *
 * Values and mask are counted in threads while the tool is on the screen. A limit that is dragged is set by hand from then on.
 */
#include "ui/steps/threshold_tool.h"

#include "core/base/worker.h"
#include "core/ops/args.h"
#include "core/run/shown.h"
#include "core/view/plane_sample.h"
#include "ui/steps/adjustment.h"
#include "ui/view/counter.h"
#include "ui/plot/histogram.h"
#include "ui/widgets/naming.h"

#include <glib/gi18n.h>
#include <math.h>

struct _ThresholdTool {
  GtkBox parent;
  View *view;
  Histogram *histogram;
  GtkLabel *range, *share;
  GtkDropDown *look;
  Counter *counter; /* of the step's input */
  Worker *worker;   /* counts in the mask */
  Image *mask;      /* counted, or about to be; or NULL */
  gint64 plane;     /* of it */
};

G_DEFINE_FINAL_TYPE (ThresholdTool, threshold_tool, GTK_TYPE_BOX)

static guint failed_signal;

/* ---- The share that it takes ---- */

typedef struct {
  ThresholdTool *tool;
  Image *mask;
  gint64 plane;
  double share;
  gboolean exact;
} Share;

static gboolean
share_work (gpointer data, Progress *progress, GError **error)
{
  Share *share = data;
  g_auto (PlaneSample) sample = {0};
  (void) progress;
  const gboolean good = plane_sample_take (&sample, share->mask, share->plane, error);
  if (good) {
    const guint8 *is = sample.pixels;
    const gint64 n = sample.info.rows * sample.info.columns;
    gint64 in = 0;
    for (gint64 i = 0; i < n; i++)
      in += is[i] != 0;
    share->share = (double) in / (double) n;
    share->exact = sample.exact;
  }
  g_clear_pointer (&share->mask, image_unref); /* here, where it may take its time */
  return good;
}

static void
share_found (gpointer data, const GError *error)
{
  Share *share = data;
  ThresholdTool *tool = share->tool;
  if (!error && tool->view) {
    g_autofree char *text = g_strdup_printf ("%s%.2f %%", share->exact ? "" : "≈ ", 100 * share->share);
    gtk_label_set_text (tool->share, text);
  }
  image_unref (share->mask);
  g_object_unref (tool);
  g_free (share);
}

static void
find_share (ThresholdTool *tool, Image *mask, gint64 plane)
{
  if (mask == tool->mask && plane == tool->plane)
    return;
  image_ref (mask);
  image_unref (tool->mask);
  tool->mask = mask;
  tool->plane = plane;
  Share *share = g_new0 (Share, 1);
  *share = (Share){.tool = g_object_ref (tool), .mask = image_ref (mask), .plane = plane};
  worker_push (tool->worker, &(WorkerJob){share_work, share_found, share, tool});
}

/* ---- What it shows ---- */

static gboolean
is_of_stack (const Step *step)
{
  const fv_param *param = args_param (step->op, "volume");
  g_autofree char *value = param ? args_get (step->args, param) : NULL;
  return value && *value == 'y' && args_enabled (step->op, step->args, param);
}

/* A lower limit that was found is below all that is taken. */
static char *
range_text (const Step *step, double low, double high)
{
  g_autofree char *from = g_strdup_printf ("%.6g", low), *to = g_strdup_printf ("%.6g", high);
  if (isfinite (low) && isfinite (high))
    return g_strdup_printf ("%s – %s", from, to);
  if (isfinite (low))
    return g_strdup_printf ("%s %s", shown_is_by_hand (step) ? "≥" : ">", from);
  return isfinite (high) ? g_strdup_printf ("≤ %s", to) : g_strdup (_ ("all values"));
}

static void
fill (ThresholdTool *tool)
{
  const Step *step = adjustment_step (tool->view);
  double low, high;
  gtk_widget_set_visible (GTK_WIDGET (tool), step != NULL);
  if (!step || !gtk_widget_get_mapped (GTK_WIDGET (tool)))
    return;
  Image *taken = adjustment_taken (tool->view), *mask = view_result (tool->view);
  const PlanePosition plane = plane_within (image_info (taken), view_plane (tool->view));
  counter_ask (tool->counter, taken, plane, is_of_stack (step) ? COUNTER_STACK : COUNTER_PLANE, &LOOK_USUAL);
  if (image_info (mask)->role == FV_MASK && image_info (mask)->type == FV_U8)
    find_share (tool, mask, plane_number (image_info (mask), plane_within (image_info (mask), plane)));
  if (adjustment_range (tool->view, &low, &high)) {
    g_autofree char *text = range_text (step, low, high);
    gtk_label_set_text (tool->range, text);
    histogram_set_threshold (tool->histogram, low, high);
  }
  gtk_drop_down_set_selected (tool->look, view_threshold (tool->view));
}

static void
on_counted (ThresholdTool *tool)
{
  histogram_set_counts (tool->histogram, &counter_last (tool->counter)->counts);
}

/* ---- What is done with it ---- */

static void
on_limit (ThresholdTool *tool, gboolean upper, double value)
{
  g_autoptr (GError) error = NULL;
  if (!adjustment_set (tool->view, upper, value, &error))
    g_signal_emit (tool, failed_signal, 0, error->message);
}

static void
on_look (ThresholdTool *tool)
{
  view_set_threshold (tool->view, (ViewThreshold) gtk_drop_down_get_selected (tool->look));
}

static void
on_log (ThresholdTool *tool, GParamSpec *property, GtkCheckButton *log)
{
  (void) property;
  histogram_set_linear (tool->histogram, !gtk_check_button_get_active (log));
}

/* ---- The widget ---- */

static GtkWidget *
make_numbers (ThresholdTool *tool)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *log = gtk_check_button_new_with_label (_ ("Log"));
  GtkWidget *range = gtk_label_new (NULL), *share = gtk_label_new (NULL);
  tool->range = GTK_LABEL (range);
  tool->share = GTK_LABEL (share);
  gtk_label_set_xalign (tool->range, 0);
  gtk_label_set_ellipsize (tool->range, PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (range, TRUE);
  gtk_widget_set_tooltip_text (range, _ ("The selected range of values"));
  gtk_widget_set_tooltip_text (share, _ ("Share of the slice"));
  gtk_widget_add_css_class (range, "numeric");
  gtk_widget_add_css_class (share, "numeric");
  gtk_check_button_set_active (GTK_CHECK_BUTTON (log), TRUE);
  gtk_widget_set_tooltip_text (log, _ ("Logarithmic counts, so that small classes are visible"));
  g_signal_connect_object (log, "notify::active", G_CALLBACK (on_log), tool, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (line), range);
  gtk_box_append (GTK_BOX (line), share);
  gtk_box_append (GTK_BOX (line), log);
  return line;
}

static GtkWidget *
make_look (ThresholdTool *tool)
{
  const char *const modes[] = {_ ("Red"), _ ("Over/Under"), _ ("Black & White"), NULL}; /* ViewThreshold */
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *label = gtk_label_new (_ ("Seen as"));
  GtkWidget *look = gtk_drop_down_new_from_strings (modes);
  tool->look = GTK_DROP_DOWN (look);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_width_chars (GTK_LABEL (label), 11);
  gtk_widget_set_hexpand (look, TRUE);
  gtk_widget_set_tooltip_text (
    look, _ ("Show pixels over the threshold in red, or blue below and green above the limits, or the "
             "resulting mask"));
  naming_set (look, _ ("Seen as"));
  g_signal_connect_object (look, "notify::selected", G_CALLBACK (on_look), tool, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (line), label);
  gtk_box_append (GTK_BOX (line), look);
  return line;
}

static void
threshold_tool_dispose (GObject *object)
{
  g_clear_object (&FOVEA_THRESHOLD_TOOL (object)->view);
  G_OBJECT_CLASS (threshold_tool_parent_class)->dispose (object);
}

static void
threshold_tool_finalize (GObject *object)
{
  ThresholdTool *tool = FOVEA_THRESHOLD_TOOL (object);
  worker_free (tool->worker);
  g_object_unref (tool->counter);
  image_unref (tool->mask);
  G_OBJECT_CLASS (threshold_tool_parent_class)->finalize (object);
}

static void
threshold_tool_class_init (ThresholdToolClass *class)
{
  G_OBJECT_CLASS (class)->dispose = threshold_tool_dispose;
  G_OBJECT_CLASS (class)->finalize = threshold_tool_finalize;
  failed_signal =
    g_signal_new ("failed", THRESHOLD_TOOL_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
threshold_tool_init (ThresholdTool *tool)
{
  GtkBox *box = GTK_BOX (tool);
  tool->histogram = FOVEA_HISTOGRAM (histogram_new_of_threshold ());
  tool->counter = counter_new ();
  tool->worker = worker_new_modest (WORKER_LATER);
  gtk_box_append (box, GTK_WIDGET (tool->histogram));
  gtk_box_append (box, make_numbers (tool));
  gtk_box_append (box, make_look (tool));
  g_signal_connect_object (tool->counter, "counted", G_CALLBACK (on_counted), tool, G_CONNECT_SWAPPED);
  g_signal_connect_object (tool->histogram, "threshold", G_CALLBACK (on_limit), tool, G_CONNECT_SWAPPED);
}

GtkWidget *
threshold_tool_new (View *view)
{
  ThresholdTool *tool = g_object_new (THRESHOLD_TOOL_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 6, NULL);
  Document *document = view_document (view);
  tool->view = g_object_ref (view);
  g_signal_connect_object (document, "steps", G_CALLBACK (fill), tool, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "results", G_CALLBACK (fill), tool,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER); /* the view has heard of them */
  g_signal_connect_object (view, "index", G_CALLBACK (fill), tool, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "look", G_CALLBACK (fill), tool, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "image", G_CALLBACK (fill), tool, G_CONNECT_SWAPPED);
  g_signal_connect (tool, "map", G_CALLBACK (fill), NULL);
  fill (tool);
  return GTK_WIDGET (tool);
}
