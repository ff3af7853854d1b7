/* SPDX-License-Identifier: MIT
 *
 * What is looked at follows the document: the last step when steps are added, and the nearest there is when some are removed.
 */
#include "ui/view/view.h"

#include "core/recipe/volume.h"
#include "core/preview/preview.h"
#include "core/run/shown.h"

#include <math.h>
#include <string.h>

struct _View {
  GObject parent;
  Document *document;
  int index;
  guint steps; /* how many there were */
  Image *shown;
  Image *mask; /* drawn over it, or NULL */
  ViewThreshold threshold;
  gint64 channel, slice, frame; /* as wished: an image of fewer planes shows its last one */
  gboolean channel_chosen, composite;
  GArray *settings; /* ViewChannel of each channel */
  gboolean holds;   /* limits that are set are for results that are to come */
  double overlay;
  gboolean compare;
  Image *kept_labels; /* or NULL */
  GBytes *kept;
  GArray *chosen; /* int: objects */
  guint waiting;  /* for results to take long; 0: they are there, or have taken long */
  gboolean provisional;
  char **others; /* or NULL */
};

G_DEFINE_FINAL_TYPE (View, view, G_TYPE_OBJECT)

enum { INDEX, LOOK, IMAGE, OBJECT, PROVISIONAL, OTHERS, SIGNALS };
static guint signals[SIGNALS];

/* ---- What is shown ---- */

/* So many channels at least; those that are new look as the file says, or as the program chooses. */
static void
fit_settings (View *view, gint64 channels)
{
  for (gint64 i = view->settings->len; i < channels; i++) {
    ViewChannel look = look_of_image (view->shown, i);
    g_array_append_val (view->settings, look);
  }
}

/* Limits set for other values say nothing of these, which look as at first; what was labels need not be any now. */
static void
forget_limits (View *view)
{
  for (guint i = 0; i < view->settings->len; i++) {
    ViewChannel *look = &g_array_index (view->settings, ViewChannel, i);
    const ViewChannel own = look_of_image (view->shown, i);
    look->automatic = own.automatic;
    look->zscale = own.zscale;
    look->low = own.low;
    look->high = own.high;
    if (!*look->lut || !strcmp (look->lut, LOOK_LABELS))
      strcpy (look->lut, own.lut);
  }
}

static void
show (View *view, Image *image)
{
  const ImageInfo *before = image_info (view->shown), *now = image_info (image);
  if (image == view->shown)
    return;
  const gboolean other = now->type != before->type || now->role != before->role;
  image_ref (image);
  image_unref (view->shown);
  view->shown = image;
  if (!view->holds && other)
    forget_limits (view);
  fit_settings (view, now->channels);
  g_signal_emit (view, signals[IMAGE], 0);
}

/* ---- What is still to come ---- */

gboolean
view_provisional (const View *view)
{
  return view->provisional;
}

static void
set_provisional (View *view, gboolean provisional)
{
  if (provisional == view->provisional)
    return;
  view->provisional = provisional;
  g_signal_emit (view, signals[PROVISIONAL], 0);
}

static gboolean
on_long (gpointer data)
{
  View *view = data;
  view->waiting = 0;
  set_provisional (view, document_lags (view->document));
  return G_SOURCE_REMOVE;
}

static void
on_busy (View *view)
{
  gboolean lags = document_lags (view->document);
  if (lags && !view->waiting && !view->provisional)
    view->waiting = g_timeout_add (preview_wait_ms (document_run (view->document)), on_long, view);
  else if (!lags) {
    g_clear_handle_id (&view->waiting, g_source_remove);
    set_provisional (view, FALSE);
  }
}

/* ---- What is shown after a run ---- */

static void look_changed (View *view);

static void
on_results (View *view)
{
  g_clear_handle_id (&view->waiting, g_source_remove);
  on_busy (view);
  Image *image = document_image (view->document, view->index),
        *before = view->threshold != VIEW_MASK ? shown_thresholded (document_run (view->document), view->index) : NULL;
  Image *mask = before ? image : NULL;
  gboolean other = mask != view->mask;
  if (mask)
    image_ref (mask);
  image_unref (view->mask);
  view->mask = mask;
  image = before ? before : image;
  if (image != view->shown)
    show (view, image);
  else if (other)
    look_changed (view);
  view->holds = view->holds && document_lags (view->document);
}

static void
on_steps (View *view)
{
  guint steps = recipe_length (document_recipe (view->document));
  int index = view->index;
  view->holds = FALSE;
  if (steps == view->steps + 1) /* a new one below what is looked at */
    index = MIN (index + 1, (int) steps - 1);
  else if (steps > view->steps || index >= (int) steps)
    index = (int) steps - 1;
  view->steps = steps;
  if (index != view->index)
    view_set_index (view, index);
}

Document *
view_document (const View *view)
{
  return view->document;
}

int
view_index (const View *view)
{
  return view->index;
}

void
view_set_index (View *view, int index)
{
  if (index == view->index)
    return;
  view->index = index;
  g_signal_emit (view, signals[INDEX], 0);
  on_results (view);
}

Image *
view_image (const View *view)
{
  return view->shown;
}

Image *
view_result (const View *view)
{
  return view->mask ? view->mask : view->shown;
}

Image *
view_mask (const View *view)
{
  return view->mask;
}

ViewThreshold
view_threshold (const View *view)
{
  return view->threshold;
}

double
view_upper (const View *view, const Step *step)
{
  const Run *run = document_run (view->document);
  const gboolean ran = view->index >= 0 && view->index < (int) run_length (run);
  const RunStep *result = ran ? run_result (run, (guint) view->index) : NULL;
  double low, high, found = result ? shown_found (result, image_info (view->shown), view_plane (view)) : NAN;
  return shown_band (step, result, found, &low, &high) ? high : INFINITY;
}

void
view_set_threshold (View *view, ViewThreshold threshold)
{
  if (threshold == view->threshold)
    return;
  view->threshold = threshold;
  on_results (view);
  look_changed (view);
}

Image *
view_labels (const View *view)
{
  return shown_labels (document_run (view->document), view->index, view->shown);
}

Image *
view_measured (const Run *run, guint index)
{
  const Op *op = run_result (run, index)->step->op;
  for (guint i = 0; i < op->n_outputs; i++)
    if (run_image (run, index, i) && image_info (run_image (run, index, i))->role == FV_LABELS)
      return run_image (run, index, i);
  return op->fv.inputs[0].types & FV_WANTS_LABELS ? run_input (run, index, 0) : NULL;
}

/* The last step that has made a table; -1: none. */
static int
measuring_step (const Run *run)
{
  int i = (int) run_length (run) - 1;
  while (i >= 0 && !run_result (run, (guint) i)->result.table)
    i--;
  return i;
}

Image *
view_objects (const View *view)
{
  const Run *run = document_run (view->document);
  int i = measuring_step (run);
  Image *measured = i < 0 ? view_labels (view) : view_measured (run, (guint) i);
  return measured && shown_alike (measured, view->shown) ? measured : NULL;
}

Table *
view_objects_table (const View *view)
{
  const Run *run = document_run (view->document);
  int i = measuring_step (run);
  return i >= 0 && op_has_trait (run_result (run, (guint) i)->step->op, FV_MEASURES_OBJECTS) ? run_last_table (run)
                                                                                             : NULL;
}

gboolean
view_shows_objects (const View *view)
{
  return shown_is_objects (document_run (view->document), view->index, view->shown);
}

/* ---- How ---- */

static void
look_changed (View *view)
{
  g_signal_emit (view, signals[LOOK], 0);
}

gint64
view_channel (const View *view)
{
  return MIN (view->channel, image_info (view->shown)->channels - 1);
}

gint64
view_slice (const View *view)
{
  return MIN (view->slice, image_info (view->shown)->depth - 1);
}

gint64
view_frame (const View *view)
{
  return MIN (view->frame, image_info (view->shown)->frames - 1);
}

void
view_set_position (View *view, gint64 channel, gint64 slice, gint64 frame)
{
  const ImageInfo *info = image_info (view->shown);
  channel = CLAMP (channel, 0, info->channels - 1);
  slice = CLAMP (slice, 0, info->depth - 1);
  frame = CLAMP (frame, 0, info->frames - 1);
  if (channel == view_channel (view) && slice == view_slice (view) && frame == view_frame (view))
    return;
  view->channel_chosen |= channel != view_channel (view);
  view->channel = channel == view_channel (view) ? view->channel : channel;
  view->slice = slice == view_slice (view) ? view->slice : slice;
  view->frame = frame == view_frame (view) ? view->frame : frame;
  look_changed (view);
}

PlanePosition
view_plane (const View *view)
{
  return (PlanePosition){view_channel (view), view_slice (view), view_frame (view)};
}

PlanePosition
view_wish (const View *view)
{
  return (PlanePosition){view->channel, view->slice, view->frame};
}

void
view_set_wish (View *view, PlanePosition wish)
{
  view->channel_chosen |= wish.channel != view->channel;
  view->channel = wish.channel;
  view->slice = wish.slice;
  view->frame = wish.frame;
  look_changed (view);
}

gboolean
view_channel_chosen (const View *view)
{
  return view->channel_chosen;
}

gboolean
view_composite (const View *view)
{
  return view->composite && image_info (view_image (view))->channels <= LOOK_COMPOSITE;
}

void
view_set_composite (View *view, gboolean composite)
{
  if (composite == view->composite)
    return;
  view->composite = composite;
  look_changed (view);
}

const ViewChannel *
view_look (const View *view, gint64 channel)
{
  static const ViewChannel usual = {.automatic = TRUE, .gamma = 1};
  return channel < view->settings->len ? &g_array_index (view->settings, ViewChannel, channel) : &usual;
}

void
view_set_look (View *view, gint64 channel, const ViewChannel *look)
{
  ViewChannel *to = &g_array_index (view->settings, ViewChannel, channel);
  if (look_equal (to, look))
    return;
  *to = *look;
  look_changed (view);
}

gboolean
view_is_labels (const View *view)
{
  const ImageInfo *info = image_info (view->shown);
  return info->role == FV_LABELS
         || look_is_labels (view_look (view, 0), info, view_composite (view), view_channel (view));
}

void
view_redraw (View *view)
{
  look_changed (view);
}

const char *
view_lut (const View *view, gint64 channel)
{
  static const char *const usual[] = {"magenta", "green", "cyan", "yellow", "red", "blue", "gray"}; /* of `display` */
  const char *lut = view_look (view, channel)->lut;
  const gboolean together = view_composite (view) && image_info (view->shown)->channels > 1;
  return *lut ? lut : together ? usual[channel % G_N_ELEMENTS (usual)] : "gray";
}

void
view_keep_look (View *view, gint64 channel, const ViewChannel *look)
{
  fit_settings (view, channel + 1);
  view->holds = document_lags (view->document);
  view_set_look (view, channel, look);
}

char *
view_display_settings (const View *view)
{
  return look_format ((const ViewChannel *) (const void *) view->settings->data, view->settings->len);
}

gboolean
view_set_display_settings (View *view, const char *text)
{
  g_autoptr (GArray) settings = look_parse (text);
  for (guint i = 0; settings && i < settings->len; i++) {
    ViewChannel *look = &g_array_index (settings, ViewChannel, i);
    if (!luts_known (look->lut)) /* its file has gone */
      *look->lut = 0;
    view_keep_look (view, i, look);
  }
  return settings != NULL;
}

double
view_overlay (const View *view)
{
  return view->overlay;
}

void
view_set_overlay (View *view, double opacity)
{
  if (opacity == view->overlay)
    return;
  view->overlay = opacity;
  look_changed (view);
}

gboolean
view_compare (const View *view)
{
  return view->compare;
}

void
view_set_compare (View *view, gboolean compare)
{
  if (compare == view->compare)
    return;
  view->compare = compare;
  look_changed (view);
}

Image *
view_before (const View *view)
{
  const Run *run = document_run (view->document);
  int last = MIN (view->index, (int) run_length (run) - 1);
  Image *before = last >= 0 && run_image (run, (guint) last, 0) ? run_input (run, (guint) last, 0) : NULL;
  return before && shown_alike (before, view->shown) ? before : NULL;
}

void
view_set_kept (View *view, Image *labels, GBytes *kept)
{
  if (labels == view->kept_labels && (kept && view->kept ? g_bytes_equal (kept, view->kept) : kept == view->kept))
    return;
  image_unref (view->kept_labels);
  g_clear_pointer (&view->kept, g_bytes_unref);
  view->kept_labels = labels ? image_ref (labels) : NULL;
  view->kept = kept ? g_bytes_ref (kept) : NULL;
  look_changed (view);
}

GBytes *
view_kept (const View *view, const Image *labels)
{
  return labels == view->kept_labels ? view->kept : NULL;
}

int
view_object (const View *view)
{
  return view->chosen->len ? g_array_index (view->chosen, int, 0) : 0;
}

void
view_set_object (View *view, int label)
{
  if (label == view_object (view) && view->chosen->len <= 1)
    return;
  g_array_set_size (view->chosen, 0);
  if (label)
    g_array_append_val (view->chosen, label);
  g_signal_emit (view, signals[OBJECT], 0);
}

const GArray *
view_chosen (const View *view)
{
  return view->chosen;
}

void
view_toggle_object (View *view, int label)
{
  guint i = 0;
  while (i < view->chosen->len && g_array_index (view->chosen, int, i) != label)
    i++;
  if (i < view->chosen->len)
    g_array_remove_index (view->chosen, i);
  else
    g_array_append_val (view->chosen, label);
  g_signal_emit (view, signals[OBJECT], 0);
}

const char *const *
view_others (const View *view)
{
  return (const char *const *) view->others;
}

void
view_set_others (View *view, const char *const *paths)
{
  g_strfreev (view->others);
  view->others = g_strdupv ((char **) paths);
  g_signal_emit (view, signals[OTHERS], 0);
}

/* ---- The object ---- */

static void
view_finalize (GObject *object)
{
  View *view = FOVEA_VIEW (object);
  g_clear_handle_id (&view->waiting, g_source_remove);
  image_unref (view->shown);
  image_unref (view->mask);
  image_unref (view->kept_labels);
  g_clear_pointer (&view->kept, g_bytes_unref);
  g_array_unref (view->settings);
  g_array_unref (view->chosen);
  g_strfreev (view->others);
  g_object_unref (view->document);
  G_OBJECT_CLASS (view_parent_class)->finalize (object);
}

static void
view_class_init (ViewClass *class)
{
  static const char *const names[] = {"index", "look", "image", "object", "provisional", "others"};
  G_OBJECT_CLASS (class)->finalize = view_finalize;
  for (int i = 0; i < SIGNALS; i++)
    signals[i] = g_signal_new (names[i], VIEW_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
view_init (View *view)
{
  view->settings = g_array_new (FALSE, TRUE, sizeof (ViewChannel));
  view->chosen = g_array_new (FALSE, FALSE, sizeof (int));
  view->index = -1;
  view->composite = TRUE;
  view->overlay = 1;
}

View *
view_new (Document *document)
{
  View *view = g_object_new (VIEW_TYPE, NULL);
  view->document = g_object_ref (document);
  view->shown = image_ref (document_source (document));
  if (volume_is_known (image_info (view->shown)))
    view->slice = image_info (view->shown)->depth / 2;
  fit_settings (view, image_info (view->shown)->channels);
  g_signal_connect_object (document, "steps", G_CALLBACK (on_steps), view, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "results", G_CALLBACK (on_results), view, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "busy", G_CALLBACK (on_busy), view, G_CONNECT_SWAPPED);
  return view;
}
