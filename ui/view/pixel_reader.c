/* SPDX-License-Identifier: MIT
 *
 * The newest pixel is read; what was read last is kept until another image is shown.
 */
#include "ui/view/pixel_reader.h"

#include "core/data/pixel_type.h"

#include <string.h>

typedef struct {
  PixelReader *reader;
  Image *image;
  PlanePosition position;
  gint64 x, y, n;
  double values[PIXEL_READER_CHANNELS];
} Pixel;

struct _PixelReader {
  GObject parent;
  View *view; /* not owned: the owner of the view owns this reader, too */
  Worker *worker;
  Pixel *newest; /* that was asked for, or NULL */
  gboolean known;
};

G_DEFINE_FINAL_TYPE (PixelReader, pixel_reader, G_TYPE_OBJECT)

static void
pixel_free (Pixel *pixel)
{
  image_unref (pixel->image);
  g_object_unref (pixel->reader);
  g_free (pixel);
}

static gboolean
is_same (const Pixel *a, const Pixel *b)
{
  return a->image == b->image && a->x == b->x && a->y == b->y && a->n == b->n && a->position.slice == b->position.slice
         && a->position.frame == b->position.frame;
}

static gboolean
read_in_worker (gpointer data, Progress *progress, GError **error)
{
  Pixel *p = data;
  const ImageInfo *info = image_info (p->image);
  const ImageRegion region = {p->y, p->x, 1, 1};
  double pixel; /* of any type */
  (void) progress;
  for (p->position.channel = 0; p->position.channel < p->n; p->position.channel++) {
    if (!image_read (p->image, 0, plane_number (info, p->position), &region, &pixel, sizeof pixel, error))
      return FALSE;
    p->values[p->position.channel] = pixel_type_value (info->type, &pixel, 0);
  }
  return TRUE;
}

static void
forget (PixelReader *reader)
{
  g_clear_pointer (&reader->newest, g_free);
  reader->known = FALSE;
}

static void
have_read (gpointer data, const GError *error)
{
  Pixel *p = data;
  PixelReader *reader = p->reader;
  if (!error && reader->newest && is_same (p, reader->newest)) {
    *reader->newest = *p;
    reader->known = TRUE;
    g_signal_emit_by_name (reader, "read");
  }
  pixel_free (p);
}

gboolean
pixel_reader_values (PixelReader *reader, gint64 x, gint64 y, gint64 n, double *values)
{
  Image *image = view_image (reader->view);
  const ImageInfo *info = image_info (image);
  const Pixel wanted = {
    .reader = reader, .image = image, .position = view_plane (reader->view), .x = x, .y = y, .n = n};
  PlanePosition position = wanted.position;
  for (position.channel = 0; position.channel < n; position.channel++) {
    const void *pixels = image_plane_now (image, plane_number (info, position));
    if (!pixels)
      break;
    values[position.channel] = pixel_type_value (info->type, pixels, y * info->columns + x);
  }
  if (position.channel == n)
    return TRUE;
  if (!reader->newest || !is_same (reader->newest, &wanted)) {
    Pixel *p = g_memdup2 (&wanted, sizeof wanted);
    image_ref (image);
    g_object_ref (reader);
    forget (reader);
    reader->newest = g_memdup2 (&wanted, sizeof wanted);
    worker_push (reader->worker, &(WorkerJob){read_in_worker, have_read, p, reader});
  }
  if (reader->known)
    memcpy (values, reader->newest->values, (gsize) n * sizeof *values);
  return reader->known;
}

/* ---- The object ---- */

static void
pixel_reader_finalize (GObject *object)
{
  forget (FOVEA_PIXEL_READER (object));
  G_OBJECT_CLASS (pixel_reader_parent_class)->finalize (object);
}

static void
pixel_reader_class_init (PixelReaderClass *class)
{
  G_OBJECT_CLASS (class)->finalize = pixel_reader_finalize;
  g_signal_new ("read", PIXEL_READER_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
pixel_reader_init (PixelReader *reader)
{
  (void) reader;
}

PixelReader *
pixel_reader_new (View *view, Worker *worker)
{
  PixelReader *reader = g_object_new (PIXEL_READER_TYPE, NULL);
  reader->view = view;
  reader->worker = worker;
  g_signal_connect_object (view, "image", G_CALLBACK (forget), reader, G_CONNECT_SWAPPED);
  return reader;
}
