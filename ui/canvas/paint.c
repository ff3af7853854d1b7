/* SPDX-License-Identifier: MIT
 *
 * What a step has made on a GPU is drawn there, between the runs of the steps, and only the picture comes to the host. Everything
 * else is drawn in host memory: seen from afar a smaller version of the slice (pyramid.c), so that the time grows with the screen
 * and not with the image.
 */
#include "ui/canvas/paint.h"

#include "core/ops/args.h"
#include "core/base/error.h"
#include "ui/canvas/paint_device.h"
#include "ui/canvas/paint_fade.h"
#include "ui/view/objects.h"
#include "ui/canvas/paint_object.h"
#include "core/view/pyramid.h"

#include <math.h>
#include <string.h>

struct _Painter {
  GObject parent;
  Worker *worker;
  const Op *op;
  Device *device;
  PainterReady ready;
  gpointer data;
  guint pending;                    /* on their way */
  gint64 newest;                    /* when the last picture that came was asked for */
  int sought;                       /* the object that was looked for in all slices */
  Pyramid *pyramid, *label_pyramid; /* used by its worker alone */
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
  int object;
  gboolean seek; /* in other slices, too */
  Paint *paint;
} Request;

static void
request_free (Request *r)
{
  image_unref (r->image);
  image_unref (r->labels);
  image_unref (r->objects);
  g_object_unref (r->painter);
  g_free (r->looks);
  g_clear_pointer (&r->kept, g_bytes_unref);
  paint_free (r->paint);
  g_free (r);
}

/* ---- On a worker's thread ---- */

/* How often the slice may be halved so that a screen pixel still covers at least one of its pixels. */
static guint
level_for (double zoom)
{
  return zoom < 0.5 ? (guint) floor (-log2 (zoom)) : 0;
}

/* What channel c shows darkest and brightest. */
static Range
find_limits (const Request *r, const ImageInfo *info, gint64 c)
{
  const ViewChannel *look = &r->looks[c];
  Range limits = {look->low, look->high};
  if (look->hidden && (r->composite || info->role == FV_RGB)) /* all its values are below that: it adds nothing */
    return (Range){1e300, 2e300};
  if (look->automatic && !shown_range_known (info->type, &limits) && !r->whole)
    limits = pyramid_shown_range (r->painter->pyramid, c);
  return limits;
}

/* It looks for them where the image was made, of all channels: see paint_device(). */
static gboolean
display_finds_limits (const Request *r, const ImageInfo *info)
{
  Range known;
  return r->whole && r->looks[0].automatic && !shown_range_known (info->type, &known);
}

/* Arguments of `display` that are being set; nothing more happens after the first fault. */
typedef struct {
  const Op *op;
  gpointer args; /* NULL after a fault */
  GError **error;
} Arguments;

static void
put (Arguments *a, const char *key, double number)
{
  if (a->args && !args_put_number (a->args, args_param (a->op, key), number, a->error))
    g_clear_pointer (&a->args, g_free);
}

static void
put_word (Arguments *a, const char *key, const char *word)
{
  if (a->args && !args_set (a->op, a->args, key, word, a->error))
    g_clear_pointer (&a->args, g_free);
}

static void
put_looks (Arguments *a, const Request *r, const ImageInfo *info)
{
  g_autoptr (GString) luts = g_string_new (NULL);
  g_autofree fv_matrix *limits = g_new0 (fv_matrix, 1);
  const gint64 channels = MIN (info->channels, FV_MATRIX_MAX / 3); /* `display` says that there are too few */
  gboolean any = FALSE;
  *limits = (fv_matrix){.planes = 1, .rows = (int32_t) channels, .columns = 3};
  for (gint64 c = 0; c < info->channels; c++) {
    const ViewChannel *look = &r->looks[c];
    const Range shown = find_limits (r, info, c);
    if (c < channels)
      memcpy (&limits->v[3 * c], (const double[]){shown.low, shown.high, look->gamma}, 3 * sizeof (double));
    const char *lut = look->hidden ? "gray" : *look->lut || info->role != FV_MASK ? look->lut : "gray";
    g_string_append_printf (luts, "%s%s", c ? "," : "", lut);
    any |= *lut != 0;
  }
  if (a->args && (info->role == FV_RGB || info->role == FV_IMAGE) && !display_finds_limits (r, info)
      && !args_put (a->args, args_param (a->op, "contrast"), limits, a->error))
    g_clear_pointer (&a->args, g_free);
  if (any)
    put_word (a, "luts", luts->str);
}

/* The arguments of `display`. level: how often the slice was halved. */
static gpointer
arguments (const Request *r, const ImageInfo *info, guint level, GError **error)
{
  const Op *op = r->painter->op;
  double smaller = ldexp (1, (int) level);
  Arguments a = {op, args_new (op, error), error};
  put_word (&a, "mode", r->composite || info->role == FV_RGB ? "composite" : "single");
  put_word (&a, "overlay_mode", "outline");
  put (&a, "channel", (double) r->channel);
  put (&a, "z", r->whole ? (double) r->slice : 0);
  put (&a, "x", r->area.x / smaller);
  put (&a, "y", r->area.y / smaller);
  put (&a, "zoom", r->area.zoom * smaller);
  put (&a, "width", r->area.width);
  put (&a, "height", r->area.height);
  put (&a, "overlay_alpha", r->overlay);
  put_looks (&a, r, info);
  return a.args;
}

/* The picked object: where it is, and its outline on the picture when it is in the slice that is seen. */
static gboolean
draw_object (Request *r, guchar *pixels, Progress *progress, GError **error)
{
  const Painter *p = r->painter;
  g_autoptr (Image) labels = objects_labels (r->objects, p->op->modules, p->device, progress, error);
  PaintObject object = {labels, r->slice, r->frame, r->object};
  Paint *paint = r->paint;
  if (!labels || !paint_object_find (&object, r->seek, &paint->object_slice, &paint->box))
    return labels != NULL;
  paint->object = r->object;
  if (paint->object_slice == r->slice)
    paint_object_draw (&object, &paint->box, &r->area, pixels);
  return TRUE;
}

/* level: how often the inputs were halved. */
static gboolean
fade (const Request *r, gconstpointer args, Image *const *inputs, guint level, Image *picture, Progress *progress,
      GError **error)
{
  const Painter *p = r->painter;
  PaintFade f = {p->op, args, inputs, r->device, r->area, r->kept, r->colours};
  f.area.x = ldexp (f.area.x, -(int) level);
  f.area.y = ldexp (f.area.y, -(int) level);
  f.area.zoom = ldexp (f.area.zoom, (int) level);
  return paint_fade (&f, picture, progress, error);
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

/* What is drawn: the image and its labels, or smaller versions of the slice, and how often those were halved. */
static gboolean
find_inputs (const Request *r, Image **inputs, guint *level, GError **error)
{
  Painter *p = r->painter;
  *level = 0;
  inputs[0] = r->image;
  inputs[1] = r->labels;
  if (r->whole)
    return TRUE;
  if (!(inputs[0] = pyramid_level (p->pyramid, r->image, r->frame, r->slice, level_for (r->area.zoom), error)))
    return FALSE;
  while (image_info (inputs[0])->columns < image_info (r->image)->columns >> *level)
    ++*level;
  return !r->labels || (inputs[1] = pyramid_level (p->label_pyramid, r->labels, r->frame, r->slice, *level, error));
}

/* What a threshold takes is red, as in ImageJ, and a little of the image is seen through it. */
static gboolean
redden (const Request *r, Image *mask, guint level, guchar *pixels, Progress *progress, GError **error)
{
  const ImageInfo *info = image_info (mask);
  g_autofree ViewChannel *looks = g_new0 (ViewChannel, info->channels);
  Request alone = *r;
  CallResult result;
  alone.looks = looks;
  alone.composite = FALSE;
  alone.overlay = 0;
  g_autofree gpointer args = arguments (&alone, info, level, error);
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

static gboolean
make_paint (Request *r, Progress *progress, GError **error)
{
  Image *mask = NULL;
  Image *inputs[2];
  guint level;
  g_autofree gpointer args = NULL;
  CallResult result;
  if (!find_inputs (r, inputs, &level, error))
    return FALSE;
  if (r->red) {
    mask = inputs[1];
    inputs[1] = NULL;
  }
  if (!(args = arguments (r, image_info (inputs[0]), level, error))
      || !call_op (r->painter->op, args, inputs, r->device, progress, &result, error))
    return FALSE;
  g_autoptr (Image) pixels = image_ref (result.images[0]);
  call_result_clear (&result);
  if (!image_on_host (pixels, progress, error) || (r->kept && !fade (r, args, inputs, level, pixels, progress, error)))
    return FALSE;
  if (mask && !redden (r, mask, level, image_pixels (pixels), progress, error))
    return FALSE;
  r->paint = g_new0 (Paint, 1);
  r->paint->area = r->area;
  r->paint->asked = r->asked;
  if (r->objects && !draw_object (r, image_pixels (pixels), progress, error))
    return FALSE;
  make_pixels (r->paint, pixels);
  return TRUE;
}

/* Images that nobody else has are freed here, where that may take its time. */
static gboolean
paint_in_worker (gpointer data, Progress *progress, GError **error)
{
  Request *r = data;
  gboolean made = make_paint (r, progress, error);
  if (step_error_is_cancelled (*error))
    return FALSE;
  g_clear_pointer (&r->image, image_unref);
  g_clear_pointer (&r->labels, image_unref);
  g_clear_pointer (&r->objects, image_unref);
  return made;
}

/* ---- In the main context ---- */

static void painted (gpointer data, const GError *error);

static void
push (Request *r, Worker *worker)
{
  r->painter->pending++;
  worker_push (worker, &(WorkerJob){paint_in_worker, painted, r, r->painter});
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
painted (gpointer data, const GError *error)
{
  Request *r = data;
  Painter *p = r->painter;
  p->pending--;
  if (draw_on_host (r, error))
    return;
  if (!error)
    p->sought = r->object;
  if (p->ready && !step_error_is_cancelled (error) && r->asked >= p->newest) {
    p->newest = r->asked;
    p->ready (p->data, g_steal_pointer (&r->paint), error);
  }
  request_free (r);
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
  push (r, there ? document_worker (document) : r->painter->worker);
}

void
painter_ask (Painter *painter, const View *view, const PaintArea *area)
{
  Image *image = view_image (view), *labels = view_mask (view) ? NULL : view_labels (view);
  Request *r = request_new (painter, view, image, area);
  r->overlay = view_shows_objects (view) ? 0 : view_overlay (view);
  r->colours = view_shows_objects (view);
  r->object = view_object (view);
  r->seek = r->object != painter->sought;
  r->objects = r->object && view_objects (view) ? image_ref (view_objects (view)) : NULL;
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
  start (r, view);
}

void
painter_ask_before (Painter *painter, const View *view, const PaintArea *area)
{
  const ImageInfo *now = image_info (view_image (view)), *was;
  Image *before = view_before (view);
  if (!before)
    return;
  Request *r = request_new (painter, view, before, area);
  was = image_info (before);
  r->looks = g_new0 (ViewChannel, was->channels);
  for (gint64 c = 0; c < was->channels; c++)
    r->looks[c] = was->type == now->type && was->role == now->role && c < now->channels
                    ? *view_look (view, c)
                    : (ViewChannel){.automatic = TRUE, .gamma = 1};
  start (r, view);
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
  pyramid_free (painter->pyramid);
  pyramid_free (painter->label_pyramid);
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
  painter->pyramid = pyramid_new ();
  painter->label_pyramid = pyramid_new ();
}

Painter *
painter_new (Modules *modules, PainterReady ready, gpointer data)
{
  Painter *painter = g_object_new (PAINTER_TYPE, NULL);
  painter->worker = worker_new_modest ();
  painter->op = modules_op (modules, "display", NULL);
  painter->device = modules_device (modules, "cpu", NULL);
  painter->ready = ready;
  painter->data = data;
  return painter;
}
