/* SPDX-License-Identifier: MIT
 *
 * What a step has made on a GPU is drawn there, between the runs of the steps, and only the picture comes to the host. Everything
 * else is drawn in host memory (paint_inputs.c), so that the time grows with the screen and not with the image.
 */
#include "ui/canvas/paint.h"

#include "core/base/error.h"
#include "core/measure/object_find.h"
#include "ui/canvas/paint_device.h"
#include "ui/canvas/paint_display.h"
#include "ui/canvas/paint_fade.h"
#include "ui/canvas/paint_inputs.h"
#include "ui/canvas/paint_object.h"
#include "ui/canvas/paint_preview.h"
#include "core/view/shown_range.h"
#include "ui/widgets/times.h"

#include <string.h>

/* Microseconds: nearly all pictures are there by then, so that there are some while the image is moved or a slider dragged. */
static const gint64 grace = 300 * 1000;

struct _Painter {
  GObject parent;
  Worker *worker;
  const Op *op;
  Device *device;
  PainterReady ready;
  gpointer data;
  guint pending;         /* on their way */
  guint previews;        /* of them */
  guint wholes;          /* those of them that are more than a preview */
  gint64 newest;         /* when the last picture that came was asked for */
  int sought;            /* the object that was looked for in all slices */
  PaintSources *sources; /* used by its worker alone, as is: */
  PreviewCache *cache;
};

G_DEFINE_FINAL_TYPE (Painter, painter, G_TYPE_OBJECT)

void
paint_free (Paint *paint)
{
  if (!paint)
    return;
  g_clear_object (&paint->texture);
  g_clear_pointer (&paint->surface, cairo_surface_destroy);
  g_free (paint);
}

/* A request, complete in itself. */
typedef struct {
  Painter *painter;
  Device *device;
  gboolean whole; /* the image is drawn where it was made, not a smaller version of its slice in host memory */
  gint64 asked;
  PaintArea area;
  Image *image, *labels;
  gint64 channel, slice, frame;
  gboolean composite;
  ViewChannel *looks;
  GBytes *kept;     /* objects that do not fade; NULL: none does */
  gboolean colours; /* it is their colours that fade */
  gboolean red;     /* the labels are the mask of a threshold */
  double overlay;
  Image *objects; /* of which one is picked, or NULL */
  Table *table;   /* of them, or NULL */
  int object;
  gboolean seek; /* in other slices, too */
  Paint *paint;
  gboolean partial;      /* more of it can be read */
  gboolean more;         /* and is being read */
  GError *fault;         /* NULL, or why something is missing in it */
  PaintPreview *preview; /* of the steps, or NULL */
  gboolean lags;         /* it is wanted, since their results are on their way */
  gboolean preview_only; /* or nothing */
  PaintPart part;        /* what it has made, in place of the images */
} Request;

static void
request_free (Request *r)
{
  image_unref (r->image);
  image_unref (r->labels);
  image_unref (r->objects);
  table_unref (r->table);
  g_object_unref (r->painter);
  g_free (r->looks);
  g_clear_pointer (&r->kept, g_bytes_unref);
  paint_free (r->paint);
  g_clear_error (&r->fault);
  paint_preview_free (r->preview);
  paint_part_clear (&r->part);
  g_free (r);
}

/* What another image looks like beside one that looks so: limits of an image of another kind say nothing of it. */
static ViewChannel *
looks_for (const ImageInfo *info, const ImageInfo *known, const ViewChannel *looks)
{
  const gboolean like = known->type == info->type && known->role == info->role;
  ViewChannel *own = g_new0 (ViewChannel, info->channels);
  for (gint64 c = 0; c < info->channels; c++)
    own[c] = like && c < known->channels ? looks[c] : (ViewChannel){.automatic = TRUE, .gamma = 1};
  return own;
}

/* ---- On a worker's thread ---- */

/* Whether anything of a channel is to be seen. */
static gboolean
is_seen (const Request *r, const ImageInfo *info, gint64 c)
{
  return r->composite || info->role == FV_RGB ? !r->looks[c].hidden : c == r->channel;
}

/* Those of the last whole image, so that the picture does not change when the whole is there; where that is another kind of image,
 * of the part. */
static gboolean
find_part_limits (const Request *r, const ImageInfo *info, gint64 c, Range *limits, GError **error)
{
  if (paint_sources_are_like (r->painter->sources, info))
    return paint_sources_range (r->painter->sources, c, limits, error);
  *limits = shown_range_of (info->type, image_plane (r->part.image, c * info->depth + r->slice, error),
                            info->rows * info->columns);
  return TRUE;
}

/* What channel c shows darkest and brightest. */
static gboolean
find_limits (const Request *r, const ImageInfo *info, gint64 c, Range *limits, GError **error)
{
  const ViewChannel *look = &r->looks[c];
  *limits = (Range){look->low, look->high};
  if (!is_seen (r, info, c)) /* all its values are below that: it adds nothing */
    *limits = (Range){1e300, 2e300};
  else if (look->automatic && !shown_range_known (info->type, limits) && !r->whole)
    return r->part.preview ? find_part_limits (r, info, c, limits, error)
                           : paint_sources_range (r->painter->sources, c, limits, error);
  return TRUE;
}

/* It looks for them where the image was made, of all channels: see paint_device(). */
static gboolean
display_finds_limits (const Request *r, const ImageInfo *info)
{
  Range known;
  return r->whole && r->looks[0].automatic && !shown_range_known (info->type, &known);
}

/* The arguments of `display`. area: in pixels of what is drawn. */
static gpointer
arguments (const Request *r, const ImageInfo *info, const PaintArea *area, GError **error)
{
  g_autofree Range *limits = g_new (Range, info->channels);
  const gboolean ranged = (info->role == FV_RGB || info->role == FV_IMAGE) && !display_finds_limits (r, info);
  for (gint64 c = 0; ranged && c < info->channels; c++)
    if (!find_limits (r, info, c, &limits[c], error))
      return NULL;
  const PaintDisplay display = {r->painter->op,
                                info,
                                area,
                                r->channel,
                                r->whole || r->part.preview ? r->slice : 0,
                                r->composite,
                                r->overlay,
                                r->looks,
                                ranged ? limits : NULL};
  return paint_display_args (&display, error);
}

/* The picked object: where it is, and its outline on the picture when it is in the slice that is seen. */
static gboolean
draw_object (Request *r, guchar *pixels, GError **error)
{
  const ObjectWanted wanted = {r->objects, r->table, r->slice, r->frame, r->object, r->seek};
  const PaintObject object = {r->objects, r->slice, r->frame, r->object};
  Paint *paint = r->paint;
  g_autoptr (GError) fault = NULL;
  ImageRegion box;
  if (!object_find (&wanted, &paint->object_slice, &box, &fault)) {
    if (fault)
      g_propagate_error (error, g_steal_pointer (&fault));
    return !*error;
  }
  graphene_rect_init (&paint->box, (float) box.column, (float) box.row, (float) box.columns, (float) box.rows);
  paint->object = r->object;
  return paint->object_slice != r->slice || paint_object_draw (&object, &box, &r->area, pixels, error);
}

/* As Cairo has its pixels, so that nothing is converted when a frame is drawn: red and blue change places. All is opaque, or
 * black and clear. */
static void
swap_colours (guint32 *pixels, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    guint32 p = GUINT32_FROM_LE (pixels[i]);
    pixels[i] = (p & 0xff00) | (p >> 16 & 0xff) | (p & 0xff) << 16 | (p & 0xff000000);
  }
}

static void
make_pixels (Paint *paint, Image *pixels)
{
  static const cairo_user_data_key_t holder;
  int width = paint->area.width, height = paint->area.height;
  gsize n = (gsize) width * (gsize) height;
  guint32 *memory = image_pixels (pixels);
  swap_colours (memory, n);
  g_autoptr (GBytes) bytes =
    g_bytes_new_with_free_func (memory, n * 4, (GDestroyNotify) image_unref, image_ref (pixels));
  paint->texture = gdk_memory_texture_new (width, height, GDK_MEMORY_DEFAULT, bytes, (gsize) width * 4);
  paint->surface =
    cairo_image_surface_create_for_data ((guchar *) memory, CAIRO_FORMAT_ARGB32, width, height, 4 * width);
  cairo_surface_set_user_data (paint->surface, &holder, image_ref (pixels), (cairo_destroy_func_t) image_unref);
}

static gboolean
find_inputs (const Request *r, PaintInputs *inputs, GError **error)
{
  const ImageInfo *info = image_info (r->image);
  g_autofree gboolean *seen = g_new (gboolean, info->channels);
  for (gint64 c = 0; c < info->channels; c++)
    seen[c] = is_seen (r, info, c);
  const PaintWanted wanted = {r->image, r->labels, r->slice, r->frame, seen, r->area, r->more};
  if (!r->whole && !r->part.preview)
    return paint_inputs_find (inputs, r->painter->sources, &wanted, error);
  paint_inputs_whole (inputs, &wanted);
  if (r->part.preview)
    inputs->area = r->part.area;
  return TRUE;
}

/* What a threshold takes is red, as in ImageJ, and a little of the image is seen through it. */
static gboolean
redden (const Request *r, Image *mask, const PaintArea *area, guchar *pixels, Progress *progress, GError **error)
{
  const ImageInfo *info = image_info (mask);
  g_autofree ViewChannel *looks = g_new0 (ViewChannel, info->channels);
  Request alone = *r;
  CallResult result;
  alone.looks = looks;
  alone.composite = FALSE;
  alone.overlay = 0;
  g_autofree gpointer args = arguments (&alone, info, area, error);
  if (!args || !call_op (r->painter->op, args, (Image *[]){mask, NULL}, r->device, progress, &result, error))
    return FALSE;
  const guchar *is =
    image_on_host (result.images[0], progress, error) ? image_plane (result.images[0], 0, error) : NULL;
  for (gsize i = 0, n = (gsize) r->area.width * (gsize) r->area.height; is && i < 4 * n; i += 4)
    for (int c = 0; c < 3; c++)
      pixels[i + c] = (guchar) ((pixels[i + c] * (1020 - 3 * is[i]) + 3 * is[i] * (c == 0 ? 255 : 0)) / 1020);
  call_result_clear (&result);
  return is != NULL;
}

/* With or without the labels. */
static Image *
draw (const Request *r, PaintInputs *inputs, Progress *progress, GError **error)
{
  Painter *p = r->painter;
  Image *shown[2] = {inputs->images[0], r->red ? NULL : inputs->images[1]};
  CallResult result;
  g_autofree gpointer args = arguments (r, image_info (shown[0]), &inputs->area, error);
  if (!args || !call_op (p->op, args, shown, r->device, progress, &result, error))
    return NULL;
  g_autoptr (Image) pixels = image_ref (result.images[0]);
  call_result_clear (&result);
  const PaintFade fade = {p->op, args, shown, r->device, inputs->area, r->kept, r->colours};
  if (!image_on_host (pixels, progress, error) || (r->kept && !paint_fade (&fade, pixels, progress, error))
      || (r->red && !redden (r, inputs->images[1], &inputs->area, image_pixels (pixels), progress, error)))
    return NULL;
  return g_steal_pointer (&pixels);
}

static gboolean
make_paint (Request *r, Progress *progress, GError **error)
{
  g_auto (PaintInputs) inputs = {0};
  g_autoptr (Image) pixels = find_inputs (r, &inputs, error) ? draw (r, &inputs, progress, error) : NULL;
  if (!pixels)
    return FALSE;
  r->partial = inputs.partial;
  r->fault = g_steal_pointer (&inputs.fault);
  r->paint = g_new0 (Paint, 1);
  r->paint->area = r->area;
  r->paint->asked = r->asked;
  r->paint->provisional = r->part.preview != NULL;
  if (r->objects && !draw_object (r, image_pixels (pixels), error))
    return FALSE;
  make_pixels (r->paint, pixels);
  return TRUE;
}

static void
take (Image **to, Image *image)
{
  if (image)
    image_ref (image);
  image_unref (*to);
  *to = image;
}

/* The images are those of the part from now on, whose objects have numbers of their own. */
static void
take_part (Request *r)
{
  const PaintPart *part = &r->part;
  g_autofree ViewChannel *before = g_steal_pointer (&r->looks);
  r->looks = looks_for (image_info (part->image), image_info (r->image), before);
  r->channel = MIN (r->channel, image_info (part->image)->channels - 1);
  r->red = part->mask;
  r->overlay = part->objects || part->mask ? 0 : r->preview->overlay;
  take (&r->image, part->image);
  take (&r->labels, part->mask || (part->labels != part->image && r->overlay > 0) ? part->labels : NULL);
  take (&r->objects, NULL);
  g_clear_pointer (&r->kept, g_bytes_unref);
  r->slice = image_info (part->image)->depth > 1 ? part->preview->slice : 0;
  r->frame = 0;
}

static gboolean
make_preview (Request *r, Progress *progress)
{
  progress_enter (progress);
  gboolean made = paint_preview_make (r->preview, r->painter->cache, &r->area, r->device, &r->part);
  progress_enter (NULL);
  return made;
}

/* Images that nobody else has are freed here, where that may take its time. */
static gboolean
paint_in_worker (gpointer data, Progress *progress, GError **error)
{
  Request *r = data;
  progress_set_grace (progress, grace);
  if (r->lags && make_preview (r, progress))
    take_part (r);
  else if (r->preview_only)
    return TRUE;
  gboolean made = make_paint (r, progress, error);
  if (step_error_is_cancelled (*error) || r->partial)
    return made;
  g_clear_pointer (&r->image, image_unref);
  g_clear_pointer (&r->labels, image_unref);
  g_clear_pointer (&r->objects, image_unref);
  return made;
}

/* What the next change of the step that is looked at begins with, while there is time. */
static gboolean
prepare_in_worker (gpointer data, Progress *progress, GError **error)
{
  Request *r = data;
  (void) error;
  progress_enter (progress);
  paint_preview_prepare (r->preview, r->painter->cache, &r->area);
  progress_enter (NULL);
  return TRUE;
}

static void
prepared (gpointer data, const GError *error)
{
  (void) error;
  request_free (data);
}

/* ---- In the main context ---- */

static void painted (gpointer data, const GError *error);

/* How long a preview takes is not known before it is there: results have overtaken one that is still being made. */
static void
push (Request *r, Worker *worker)
{
  Painter *p = r->painter;
  if (!r->lags && p->previews)
    worker_cancel (p->worker);
  p->pending++;
  p->previews += r->lags;
  p->wholes += !r->preview_only;
  times_event ("ask", 0);
  worker_push (worker, &(WorkerJob){paint_in_worker, painted, r, p});
}

/* Who stops the steps, stops what is drawn between them, too; but a picture there must be. */
static gboolean
draw_on_host (Request *r, const GError *error)
{
  Painter *p = r->painter;
  if (!step_error_is_cancelled (error) || p->pending > 0 || !r->whole || !p->ready)
    return FALSE;
  r->whole = FALSE;
  r->device = p->device;
  push (r, p->worker);
  return TRUE;
}

static void
hand_over (Request *r, const GError *error)
{
  Painter *p = r->painter;
  if (!p->ready || step_error_is_cancelled (error) || r->asked < p->newest || (!error && !r->paint))
    return;
  p->newest = r->asked;
  if (r->fault)
    p->ready (p->data, NULL, r->fault);
  g_clear_error (&r->fault);
  p->ready (p->data, g_steal_pointer (&r->paint), error);
}

static void
painted (gpointer data, const GError *error)
{
  Request *r = data;
  Painter *p = r->painter;
  p->pending--;
  p->previews -= r->lags;
  p->wholes -= !r->preview_only;
  times_event ("answer", g_get_monotonic_time () - r->asked);
  if (draw_on_host (r, error))
    return;
  if (!error && r->paint && !r->paint->provisional)
    p->sought = r->object;
  hand_over (r, error);
  if (!error && r->partial && p->pending == 0
      && p->ready) { /* the rest of it, unless something else is wanted by now */
    r->partial = FALSE;
    r->more = TRUE;
    push (r, p->worker);
  } else if (!error && r->preview && !r->lags && p->pending == 0 && p->ready) {
    worker_push (p->worker, &(WorkerJob){prepare_in_worker, prepared, r, p});
  } else {
    request_free (r);
  }
}

/* The part of an image, looked at as the view says; from now on the painter's. */
static Request *
request_new (Painter *painter, const View *view, Image *image, const PaintArea *area)
{
  Request *r = g_new0 (Request, 1);
  *r = (Request){.painter = g_object_ref (painter),
                 .asked = g_get_monotonic_time (),
                 .area = *area,
                 .image = image_ref (image),
                 .channel = MIN (view_channel (view), image_info (image)->channels - 1),
                 .slice = view_slice (view),
                 .frame = view_frame (view),
                 .composite = view_composite (view)};
  return r;
}

static void
start (Request *r, const View *view)
{
  Document *document = view_document (view);
  Device *there = r->kept ? NULL : paint_device (r->painter->op, r->image, r->labels, r->looks, document);
  r->whole = there != NULL;
  r->device = there ? there : r->painter->device;
  if (there)
    r->lags = FALSE; /* the results are there as soon */
  if (r->preview_only && !r->lags)
    request_free (r);
  else
    push (r, there ? document_worker (document) : r->painter->worker);
}

/* Of what the view shows. */
static Request *
request_of_view (Painter *painter, const View *view, const PaintArea *area)
{
  Image *image = view_image (view), *labels = view_mask (view) ? NULL : view_labels (view);
  Request *r = request_new (painter, view, image, area);
  r->overlay = view_shows_objects (view) ? 0 : view_overlay (view);
  r->colours = view_shows_objects (view);
  r->object = view_object (view);
  r->seek = r->object != painter->sought;
  r->objects = r->object && view_objects (view) ? image_ref (view_objects (view)) : NULL;
  r->table = r->objects && view_objects_table (view) ? table_ref (view_objects_table (view)) : NULL;
  r->looks = g_memdup2 (view_look (view, 0), (gsize) image_info (image)->channels * sizeof (ViewChannel));
  if (labels && labels != image && (r->overlay > 0 || view_kept (view, labels)))
    r->labels = image_ref (labels);
  if (labels && (r->colours || r->overlay > 0) && view_kept (view, labels))
    r->kept = g_bytes_ref (view_kept (view, labels));
  if (view_mask (view)) {
    r->labels = image_ref (view_mask (view));
    r->red = TRUE;
    r->overlay = 0;
  }
  r->preview = paint_preview_new (view);
  r->lags = document_lags (view_document (view));
  return r;
}

void
painter_ask (Painter *painter, const View *view, const PaintArea *area)
{
  start (request_of_view (painter, view, area), view);
}

void
painter_ask_preview (Painter *painter, const View *view, const PaintArea *area)
{
  Request *r = request_of_view (painter, view, area);
  r->preview_only = painter->wholes == 0; /* it takes the place of what is on its way */
  start (r, view);
}

void
painter_ask_before (Painter *painter, const View *view, const PaintArea *area)
{
  Image *before = view_before (view);
  if (!before)
    return;
  Request *r = request_new (painter, view, before, area);
  r->looks = looks_for (image_info (before), image_info (view_image (view)), view_look (view, 0));
  start (r, view);
}

gboolean
painter_previews (const Painter *painter)
{
  return painter->previews > 0;
}

gboolean
painter_idle (const Painter *painter)
{
  return painter->pending == 0;
}

void
painter_stop (Painter *painter)
{
  painter->ready = NULL;
}

static void
painter_finalize (GObject *object)
{
  Painter *painter = FOVEA_PAINTER (object);
  worker_free (painter->worker);
  paint_sources_free (painter->sources);
  preview_cache_free (painter->cache);
  G_OBJECT_CLASS (painter_parent_class)->finalize (object);
}

static void
painter_class_init (PainterClass *class)
{
  G_OBJECT_CLASS (class)->finalize = painter_finalize;
}

static void
painter_init (Painter *painter)
{
  painter->sources = paint_sources_new ();
  painter->cache = preview_cache_new ();
}

Painter *
painter_new (Modules *modules, PainterReady ready, gpointer data)
{
  Painter *painter = g_object_new (PAINTER_TYPE, NULL);
  painter->worker = worker_new_modest (WORKER_SOON);
  painter->op = modules_op (modules, "display", NULL);
  painter->device = modules_device (modules, "cpu", NULL);
  painter->ready = ready;
  painter->data = data;
  return painter;
}
