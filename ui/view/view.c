/* SPDX-License-Identifier: MIT
 *
 * What is looked at follows the document: the last step when steps are added, and the nearest there is when some are removed.
 */
#include "ui/view/view.h"

#include <string.h>

struct _View {
  GObject parent;
  Document *document;
  int place;
  guint steps; /* how many there were */
  Image *shown;
  Image *mask; /* drawn over it, or NULL */
  gboolean over;
  gint64 channel, slice, frame; /* as wished: an image of fewer planes shows its last one */
  gboolean channel_chosen, composite;
  GArray *looks; /* ViewChannel of each channel */
  double overlay;
  gboolean compare;
  Image *kept_labels; /* or NULL */
  GBytes *kept;
  int object;
};

G_DEFINE_FINAL_TYPE (View, view, G_TYPE_OBJECT)

enum { PLACE, LOOK, IMAGE, OBJECT, SIGNALS };
static guint signals[SIGNALS];

/* ---- What is shown ---- */

/* Channels that are new look as the file says, or as the program chooses. */
static void
fit_looks (View *view)
{
  const ImageInfo *info = image_info (view->shown);
  for (gint64 i = view->looks->len; i < info->channels; i++) {
    ViewChannel look = {.automatic = TRUE, .gamma = 1};
    if (info->display_ranges) {
      look.automatic = FALSE;
      look.low = info->display_ranges[2 * i];
      look.high = info->display_ranges[2 * i + 1];
    }
    g_array_append_val (view->looks, look);
  }
}

/* Limits set for other values say nothing of these. */
static void
forget_limits (View *view)
{
  for (guint i = 0; i < view->looks->len; i++)
    g_array_index (view->looks, ViewChannel, i).automatic = TRUE;
}

static void
show (View *view, Image *image)
{
  const ImageInfo *before = image_info (view->shown), *now = image_info (image);
  if (image == view->shown)
    return;
  if (now->type != before->type || now->role != before->role)
    forget_limits (view);
  image_ref (image);
  image_unref (view->shown);
  view->shown = image;
  fit_looks (view);
  g_signal_emit (view, signals[IMAGE], 0);
}

/* What the step that is looked at made a mask of by a threshold; NULL when it did not. */
static Image *
thresholded (const View *view)
{
  const Run *run = document_run (view->document);
  guint place = (guint) view->place;
  if (view->place < 0 || place >= run_length (run) || !run_result (run, place)->done)
    return NULL;
  const Op *op = run_result (run, place)->step->op;
  Image *from = run_input (run, place, 0), *mask = run_image (run, place, 0);
  if (!from || !mask || !op->n_scalars || strcmp (op->fv.scalars[0].key, "threshold"))
    return NULL;
  const ImageInfo *a = image_info (from), *b = image_info (mask);
  return b->role == FV_MASK && a->rows == b->rows && a->columns == b->columns && a->depth == b->depth
             && a->frames == b->frames && a->channels == b->channels
           ? from
           : NULL;
}

static void look_changed (View *view);

static void
on_results (View *view)
{
  Image *image = document_image (view->document, view->place), *before = view->over ? thresholded (view) : NULL;
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
}

static void
on_steps (View *view)
{
  guint steps = recipe_length (document_recipe (view->document));
  int place = view->place;
  if (steps == view->steps + 1) /* a new one below what is looked at */
    place = MIN (place + 1, (int) steps - 1);
  else if (steps > view->steps || place >= (int) steps)
    place = (int) steps - 1;
  view->steps = steps;
  if (place != view->place)
    view_set_place (view, place);
}

Document *
view_document (const View *view)
{
  return view->document;
}

int
view_place (const View *view)
{
  return view->place;
}

void
view_set_place (View *view, int place)
{
  if (place == view->place)
    return;
  view->place = place;
  g_signal_emit (view, signals[PLACE], 0);
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

gboolean
view_has_threshold (const View *view)
{
  return thresholded (view) != NULL;
}

gboolean
view_over_image (const View *view)
{
  return view->over;
}

void
view_set_over_image (View *view, gboolean over)
{
  if (over == view->over)
    return;
  view->over = over;
  on_results (view);
  look_changed (view);
}

static gboolean
same_planes (Image *labels, Image *image)
{
  const ImageInfo *a = image_info (labels), *b = image_info (image);
  return a->rows == b->rows && a->columns == b->columns && a->depth == b->depth && a->frames == b->frames;
}

/* The labels that step i has made, when they fit the image shown. */
static Image *
labels_of (const View *view, guint i)
{
  Image *image = run_image (document_run (view->document), i, 0);
  return image && image_info (image)->role == FV_LABELS && same_planes (image, view->shown) ? image : NULL;
}

Image *
view_labels (const View *view)
{
  int n = (int) run_length (document_run (view->document)), last = MIN (view->place, n - 1);
  Image *labels = NULL;
  for (int i = last; i >= 0 && !labels; i--)
    labels = labels_of (view, (guint) i);
  for (int i = n - 1; i > last && !labels; i--)
    labels = labels_of (view, (guint) i);
  return labels;
}

Image *
view_measured (const Run *run, guint place)
{
  const Op *op = run_result (run, place)->step->op;
  for (guint i = 0; i < op->n_outputs; i++)
    if (run_image (run, place, i) && image_info (run_image (run, place, i))->role == FV_LABELS)
      return run_image (run, place, i);
  return op->fv.inputs[0].types & FV_WANTS_LABELS ? run_input (run, place, 0) : NULL;
}

Image *
view_objects (const View *view)
{
  const Run *run = document_run (view->document);
  for (guint i = run_length (run); i--;) {
    if (run_result (run, i)->result.table) {
      Image *measured = view_measured (run, i);
      return measured && same_planes (measured, view->shown) ? measured : NULL;
    }
  }
  return view_labels (view);
}

gboolean
view_shows_objects (const View *view)
{
  const Run *run = document_run (view->document);
  int last = MIN (view->place, (int) run_length (run) - 1);
  const Image *made = last < 0 ? NULL : run_image (run, (guint) last, 0);
  const Image *from = made ? run_input (run, (guint) last, 0) : NULL;
  return image_info (view->shown)->role == FV_LABELS || (from && image_info (from)->role == FV_LABELS);
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

PlanePlace
view_plane (const View *view)
{
  return (PlanePlace){view_channel (view), view_slice (view), view_frame (view)};
}

gboolean
view_channel_chosen (const View *view)
{
  return view->channel_chosen;
}

gboolean
view_composite (const View *view)
{
  return view->composite;
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
  return &g_array_index (view->looks, ViewChannel, channel);
}

void
view_set_look (View *view, gint64 channel, const ViewChannel *look)
{
  ViewChannel *to = &g_array_index (view->looks, ViewChannel, channel);
  if (to->automatic == look->automatic && to->low == look->low && to->high == look->high && to->gamma == look->gamma
      && to->hidden == look->hidden && !strcmp (to->lut, look->lut))
    return;
  *to = *look;
  look_changed (view);
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
  int last = MIN (view->place, (int) run_length (run) - 1);
  Image *before = last >= 0 && run_image (run, (guint) last, 0) ? run_input (run, (guint) last, 0) : NULL;
  const ImageInfo *a = before ? image_info (before) : NULL, *b = image_info (view->shown);
  return a && a->rows == b->rows && a->columns == b->columns && a->depth == b->depth && a->frames == b->frames ? before
                                                                                                               : NULL;
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
  return view->object;
}

void
view_set_object (View *view, int label)
{
  if (label == view->object)
    return;
  view->object = label;
  g_signal_emit (view, signals[OBJECT], 0);
}

/* ---- The object ---- */

static void
view_finalize (GObject *object)
{
  View *view = FOVEA_VIEW (object);
  image_unref (view->shown);
  image_unref (view->mask);
  image_unref (view->kept_labels);
  g_clear_pointer (&view->kept, g_bytes_unref);
  g_array_unref (view->looks);
  g_object_unref (view->document);
  G_OBJECT_CLASS (view_parent_class)->finalize (object);
}

static void
view_class_init (ViewClass *class)
{
  static const char *const names[] = {"place", "look", "image", "object"};
  G_OBJECT_CLASS (class)->finalize = view_finalize;
  for (int i = 0; i < SIGNALS; i++)
    signals[i] = g_signal_new (names[i], VIEW_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
view_init (View *view)
{
  view->looks = g_array_new (FALSE, TRUE, sizeof (ViewChannel));
  view->place = -1;
  view->composite = TRUE;
  view->overlay = 1;
  view->over = TRUE;
}

View *
view_new (Document *document)
{
  View *view = g_object_new (VIEW_TYPE, NULL);
  view->document = g_object_ref (document);
  view->shown = image_ref (document_source (document));
  fit_looks (view);
  g_signal_connect_object (document, "steps", G_CALLBACK (on_steps), view, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "results", G_CALLBACK (on_results), view, G_CONNECT_SWAPPED);
  return view;
}
