/* SPDX-License-Identifier: MIT
 *
 * What a step has made on a GPU is drawn there, between the runs of the steps, and only the picture comes to the host. Everything
 * else is drawn in host memory: seen from afar a smaller version of the slice (planes.c), so that the time grows with the screen
 * and not with the image.
 */
#include "ui/canvas/paint.h"

#include "core/ops/args.h"
#include "core/base/error.h"
#include "ui/canvas/paint_device.h"
#include "ui/canvas/paint_fade.h"
#include "ui/view/objects.h"
#include "ui/canvas/paint_object.h"
#include "ui/canvas/planes.h"
#include "core/base/text.h"

#include <math.h>
#include <string.h>

struct _Painter {
  GObject parent;
  Worker *worker;
  const Op *op;
  Device *device;
  PainterReady ready;
  gpointer data;
  guint wishes;                  /* on their way */
  gint64 newest;                 /* when the last picture that came was asked for */
  int sought;                    /* the object that was looked for in all slices */
  Planes *planes, *label_planes; /* used by its worker alone */
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

/* A wish, complete in itself. */
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
} Wish;

static void
wish_free (Wish *w)
{
  image_unref (w->image);
  image_unref (w->labels);
  image_unref (w->objects);
  g_object_unref (w->painter);
  g_free (w->looks);
  g_clear_pointer (&w->kept, g_bytes_unref);
  paint_free (w->paint);
  g_free (w);
}

/* ---- On a worker's thread ---- */

/* How often the slice may be halved so that a screen pixel still covers at least one of its pixels. */
static guint
level_for (double zoom)
{
  return zoom < 0.5 ? (guint) floor (-log2 (zoom)) : 0;
}

/* What channel c shows darkest and brightest; colours of a file are shown as they are unless they are given limits. */
static void
find_limits (const Wish *w, const ImageInfo *info, gint64 c, double *low, double *high)
{
  const ViewChannel *look = &w->looks[c];
  *low = look->low;
  *high = look->high;
  if (info->role == FV_RGB && look->automatic) {
    *low = 0;
    *high = 255;
  } else if (look->automatic && !w->whole)
    planes_range (w->painter->planes, c, low, high);
  if (look->hidden && (w->composite || info->role == FV_RGB)) { /* all its values are below that: it adds nothing */
    *low = 1e300;
    *high = 2e300;
  }
}

static void
append_looks (const Wish *w, const ImageInfo *info, GString *step)
{
  g_autoptr (GString) limits = g_string_new (NULL), luts = g_string_new (NULL);
  gboolean any = FALSE;
  for (gint64 c = 0; c < info->channels; c++) {
    const ViewChannel *look = &w->looks[c];
    double low, high;
    find_limits (w, info, c, &low, &high);
    g_autofree char *a = text_from_number (low), *b = text_from_number (high), *g = text_from_number (look->gamma);
    g_string_append_printf (limits, "%s%s %s %s", c ? "; " : "", a, b, g);
    const char *lut = look->hidden ? "gray" : *look->lut || info->role != FV_MASK ? look->lut : "gray";
    g_string_append_printf (luts, "%s%s", c ? "," : "", lut);
    any |= *lut != 0;
  }
  if (info->role == FV_RGB || (info->role == FV_IMAGE && !(w->whole && w->looks[0].automatic)))
    g_string_append_printf (step, " contrast=\"%s\"", limits->str);
  if (any)
    g_string_append_printf (step, " luts=\"%s\"", luts->str);
}

/* The arguments of `display`. level: how often the slice was halved. */
static gpointer
arguments (const Wish *w, const ImageInfo *info, guint level, GError **error)
{
  double smaller = ldexp (1, (int) level);
  g_autoptr (GString) text = g_string_new (NULL);
  g_auto (GStrv) words = NULL;
  gpointer args = args_new (w->painter->op, error);
  g_autofree char *x = text_from_number (w->area.x / smaller), *y = text_from_number (w->area.y / smaller);
  g_autofree char *zoom = text_from_number (w->area.zoom * smaller), *alpha = text_from_number (w->overlay);
  g_string_printf (text,
                   "mode=%s channel=%d z=%d x=%s y=%s zoom=%s width=%d height=%d overlay_alpha=%s overlay_mode=outline",
                   w->composite || info->role == FV_RGB ? "composite" : "single", (int) w->channel,
                   w->whole ? (int) w->slice : 0, x, y, zoom, w->area.width, w->area.height, alpha);
  append_looks (w, info, text);
  words = text_words (text->str, error);
  for (char **word = words; word && *word && args; word++) {
    char *equals = strchr (*word, '=');
    *equals = 0;
    if (!args_set (w->painter->op, args, *word, equals + 1, error))
      g_clear_pointer (&args, g_free);
  }
  return args;
}

/* The picked object: where it is, and its outline on the picture when it is in the slice that is seen. */
static gboolean
draw_object (Wish *w, guchar *pixels, Progress *progress, GError **error)
{
  const Painter *p = w->painter;
  g_autoptr (Image) labels = objects_labels (w->objects, p->op->modules, p->device, progress, error);
  PaintObject object = {labels, w->slice, w->frame, w->object};
  Paint *paint = w->paint;
  if (!labels || !paint_object_find (&object, w->seek, &paint->object_slice, &paint->box))
    return labels != NULL;
  paint->object = w->object;
  if (paint->object_slice == w->slice)
    paint_object_draw (&object, &paint->box, &w->area, pixels);
  return TRUE;
}

/* level: how often the inputs were halved. */
static gboolean
fade (const Wish *w, gconstpointer args, Image *const *inputs, guint level, Image *picture, Progress *progress,
      GError **error)
{
  const Painter *p = w->painter;
  PaintFade f = {p->op, args, inputs, w->device, w->area, w->kept, w->colours};
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
find_inputs (const Wish *w, Image **inputs, guint *level, GError **error)
{
  Painter *p = w->painter;
  *level = 0;
  inputs[0] = w->image;
  inputs[1] = w->labels;
  if (w->whole)
    return TRUE;
  if (!(inputs[0] = planes_get (p->planes, w->image, w->frame, w->slice, level_for (w->area.zoom), error)))
    return FALSE;
  while (image_info (inputs[0])->columns < image_info (w->image)->columns >> *level)
    ++*level;
  return !w->labels || (inputs[1] = planes_get (p->label_planes, w->labels, w->frame, w->slice, *level, error));
}

/* What a threshold takes is red, as in ImageJ, and a little of the image is seen through it. */
static gboolean
redden (const Wish *w, Image *mask, guint level, guchar *pixels, Progress *progress, GError **error)
{
  const ImageInfo *info = image_info (mask);
  g_autofree ViewChannel *looks = g_new0 (ViewChannel, info->channels);
  Wish alone = *w;
  CallResult result;
  alone.looks = looks;
  alone.composite = FALSE;
  alone.overlay = 0;
  g_autofree gpointer args = arguments (&alone, info, level, error);
  if (!args || !call_op (w->painter->op, args, (Image *[]){mask, NULL}, w->device, progress, &result, error))
    return FALSE;
  const guchar *is =
    image_on_host (result.images[0], progress, error) ? image_plane (result.images[0], 0, error) : NULL;
  for (gsize i = 0, n = (gsize) w->area.width * (gsize) w->area.height; is && i < 4 * n; i += 4)
    for (int c = 0; c < 3; c++)
      pixels[i + c] = (guchar) ((pixels[i + c] * (1020 - 3 * is[i]) + 3 * is[i] * (c == 0 ? 255 : 0)) / 1020);
  call_result_clear (&result);
  return is != NULL;
}

static gboolean
make_paint (Wish *w, Progress *progress, GError **error)
{
  Image *mask = NULL;
  Image *inputs[2];
  guint level;
  g_autofree gpointer args = NULL;
  CallResult result;
  if (!find_inputs (w, inputs, &level, error))
    return FALSE;
  if (w->red) {
    mask = inputs[1];
    inputs[1] = NULL;
  }
  if (!(args = arguments (w, image_info (inputs[0]), level, error))
      || !call_op (w->painter->op, args, inputs, w->device, progress, &result, error))
    return FALSE;
  g_autoptr (Image) pixels = image_ref (result.images[0]);
  call_result_clear (&result);
  if (!image_on_host (pixels, progress, error) || (w->kept && !fade (w, args, inputs, level, pixels, progress, error)))
    return FALSE;
  if (mask && !redden (w, mask, level, image_pixels (pixels), progress, error))
    return FALSE;
  w->paint = g_new0 (Paint, 1);
  w->paint->area = w->area;
  w->paint->asked = w->asked;
  if (w->objects && !draw_object (w, image_pixels (pixels), progress, error))
    return FALSE;
  make_pixels (w->paint, pixels);
  return TRUE;
}

/* Images that nobody else has are freed here, where that may take its time. */
static gboolean
work (gpointer data, Progress *progress, GError **error)
{
  Wish *w = data;
  gboolean made = make_paint (w, progress, error);
  if (step_error_is_cancelled (*error))
    return FALSE;
  g_clear_pointer (&w->image, image_unref);
  g_clear_pointer (&w->labels, image_unref);
  g_clear_pointer (&w->objects, image_unref);
  return made;
}

/* ---- In the main context ---- */

static void finished (gpointer data, const GError *error);

static void
push (Wish *w, Worker *worker)
{
  w->painter->wishes++;
  worker_push (worker, &(WorkerJob){work, finished, w, w->painter});
}

/* Who stops the steps, stops what is drawn between them, too; but a picture there must be. */
static gboolean
draw_on_host (Wish *w, const GError *error)
{
  Painter *p = w->painter;
  if (!step_error_is_cancelled (error) || p->wishes > 0 || !w->whole || !p->ready)
    return FALSE;
  w->whole = FALSE;
  w->device = p->device;
  push (w, p->worker);
  return TRUE;
}

static void
finished (gpointer data, const GError *error)
{
  Wish *w = data;
  Painter *p = w->painter;
  p->wishes--;
  if (draw_on_host (w, error))
    return;
  if (!error)
    p->sought = w->object;
  if (p->ready && !step_error_is_cancelled (error) && w->asked >= p->newest) {
    p->newest = w->asked;
    p->ready (p->data, g_steal_pointer (&w->paint), error);
  }
  wish_free (w);
}

/* The part of an image, looked at as the view says; from now on the painter's. */
static Wish *
wish_new (Painter *painter, const View *view, Image *image, const PaintArea *area)
{
  Wish *w = g_new0 (Wish, 1);
  *w = (Wish){.painter = g_object_ref (painter),
              .asked = g_get_monotonic_time (),
              .area = *area,
              .image = image_ref (image),
              .channel = MIN (view_channel (view), image_info (image)->channels - 1),
              .slice = view_slice (view),
              .frame = view_frame (view),
              .composite = view_composite (view)};
  return w;
}

static void
start (Wish *w, const View *view)
{
  Document *document = view_document (view);
  Device *there = w->kept ? NULL : paint_device (w->painter->op, w->image, w->labels, w->looks, document);
  w->whole = there != NULL;
  w->device = there ? there : w->painter->device;
  push (w, there ? document_worker (document) : w->painter->worker);
}

void
painter_ask (Painter *painter, const View *view, const PaintArea *area)
{
  Image *image = view_image (view), *labels = view_mask (view) ? NULL : view_labels (view);
  Wish *w = wish_new (painter, view, image, area);
  w->overlay = view_shows_objects (view) ? 0 : view_overlay (view);
  w->colours = view_shows_objects (view);
  w->object = view_object (view);
  w->seek = w->object != painter->sought;
  w->objects = w->object && view_objects (view) ? image_ref (view_objects (view)) : NULL;
  w->looks = g_memdup2 (view_look (view, 0), (gsize) image_info (image)->channels * sizeof (ViewChannel));
  if (labels && labels != image && (w->overlay > 0 || view_kept (view, labels)))
    w->labels = image_ref (labels);
  if (labels && (w->colours || w->overlay > 0) && view_kept (view, labels))
    w->kept = g_bytes_ref (view_kept (view, labels));
  if (view_mask (view)) {
    w->labels = image_ref (view_mask (view));
    w->red = TRUE;
    w->overlay = 0;
  }
  start (w, view);
}

void
painter_ask_before (Painter *painter, const View *view, const PaintArea *area)
{
  const ImageInfo *now = image_info (view_image (view)), *was;
  Image *before = view_before (view);
  if (!before)
    return;
  Wish *w = wish_new (painter, view, before, area);
  was = image_info (before);
  w->looks = g_new0 (ViewChannel, was->channels);
  for (gint64 c = 0; c < was->channels; c++)
    w->looks[c] = was->type == now->type && was->role == now->role && c < now->channels
                    ? *view_look (view, c)
                    : (ViewChannel){.automatic = TRUE, .gamma = 1};
  start (w, view);
}

gboolean
painter_idle (const Painter *painter)
{
  return painter->wishes == 0;
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
  planes_free (painter->planes);
  planes_free (painter->label_planes);
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
  painter->planes = planes_new ();
  painter->label_planes = planes_new ();
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
