/* SPDX-License-Identifier: MIT
 *
 * A picture is a small figure of the middle slice. Those of images that have scrolled away are dropped, the oldest first, and made again.
 */
#include "ui/folder/thumbnails.h"

#include "core/base/error.h"
#include "core/base/worker.h"
#include "core/figure/figure.h"
#include "core/files/files.h"
#include "ui/view/shown_value.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>

enum { MAX_KEPT = 512 };
#define LARGEST ((gsize) 512 << 20) /* bytes of a slice that is read for a picture */

struct Thumbnails {
  Modules *modules;
  Worker *worker;
  GQueue asked; /* FolderImage, the newest first */
  GQueue kept;  /* FolderImage with a picture, the newest first; each with a reference */
  gboolean busy;
};

typedef struct {
  Thumbnails *thumbnails;
  FolderImage *image;
  char *path, *about;       /* about: made */
  cairo_surface_t *picture; /* made; NULL: the image is too large */
} Job;

/* ---- On the worker ---- */

static char *
about (const char *path, const ImageInfo *info)
{
  g_autofree char *size = shown_image (info), *bytes = NULL;
  GStatBuf file;
  if (g_stat (path, &file))
    return g_steal_pointer (&size);
  bytes = g_format_size ((guint64) file.st_size);
  return g_strdup_printf ("%s\n%s", size, bytes);
}

/* Whether a picture can be had without reading very much. */
static gboolean
is_small (Image *image)
{
  ImageLevel level;
  return image_level (image, 1, &level)
         || image_info_plane_bytes (image_info (image)) * (gsize) image_info (image)->channels <= LARGEST;
}

static gboolean
draw (Job *job, Image *image, Progress *progress, GError **error)
{
  const ImageInfo *info = image_info (image);
  const FigureInputs inputs = {job->thumbnails->modules, image, NULL};
  g_autofree FigureChoices *choices = figure_choices_new ();
  const double zoom =
    MIN ((double) THUMBNAIL_WIDTH / (double) info->columns, (double) THUMBNAIL_HEIGHT / (double) info->rows);
  choices->bar = FALSE;
  choices->objects = FIGURE_NO_OBJECTS;
  choices->slice = (gint32) (info->depth / 2);
  choices->width = MAX (1, zoom * (double) info->columns);
  job->picture = figure_picture (&inputs, choices, progress, error);
  return job->picture != NULL;
}

static gboolean
work (gpointer data, Progress *progress, GError **error)
{
  Job *job = data;
  progress_enter (progress);
  FilesImages *images = folder_image_images (job->image);
  g_autoptr (Image) image =
    images ? files_images_open (images, folder_image_series (job->image), error) : files_open (job->path, 0, error);
  gboolean good = image != NULL;
  if (good) {
    job->about = about (job->path, image_info (image));
    good = !is_small (image) || draw (job, image, progress, error);
  }
  progress_enter (NULL);
  return good;
}

/* ---- In the main loop ---- */

static GdkPaintable *
paintable (cairo_surface_t *surface)
{
  const int columns = cairo_image_surface_get_width (surface), rows = cairo_image_surface_get_height (surface);
  const gsize stride = (gsize) cairo_image_surface_get_stride (surface);
  g_autoptr (GBytes) bytes = g_bytes_new (cairo_image_surface_get_data (surface), stride * (gsize) rows);
  return GDK_PAINTABLE (gdk_memory_texture_new (columns, rows, GDK_MEMORY_DEFAULT, bytes, stride));
}

static gboolean
is_asked (const Thumbnails *t, const FolderImage *image)
{
  return g_queue_find ((GQueue *) &t->asked, image) != NULL;
}

static void
keep (Thumbnails *t, FolderImage *image)
{
  g_queue_push_head (&t->kept, g_object_ref (image));
  if (g_queue_get_length (&t->kept) > MAX_KEPT) {
    g_autoptr (FolderImage) oldest = g_queue_pop_tail (&t->kept);
    folder_image_set (oldest, FOLDER_IMAGE_NEW, NULL, folder_image_about (oldest));
  }
}

static void
clear (gpointer thumbnails)
{
  g_queue_clear_full (&((Thumbnails *) thumbnails)->kept, g_object_unref);
}

static void next (Thumbnails *t);

static void
finished (gpointer data, const GError *error)
{
  Job *job = data;
  Thumbnails *t = job->thumbnails;
  if (step_error_is_cancelled (error)) /* no longer requested */
    folder_image_set (job->image, FOLDER_IMAGE_NEW, NULL, "");
  else if (error)
    folder_image_set (job->image, FOLDER_IMAGE_BAD, NULL, error->message);
  else if (!job->picture)
    folder_image_set (job->image, FOLDER_IMAGE_LARGE, NULL, job->about);
  else {
    g_autoptr (GdkPaintable) picture = paintable (job->picture);
    folder_image_set (job->image, FOLDER_IMAGE_SEEN, picture, job->about);
    keep (t, job->image);
  }
  t->busy = FALSE;
  g_clear_pointer (&job->picture, cairo_surface_destroy);
  g_object_unref (job->image);
  g_free (job->path);
  g_free (job->about);
  g_free (job);
  if (t->worker)
    next (t);
  g_rc_box_release_full (t, clear);
}

static void
next (Thumbnails *t)
{
  FolderImage *image = t->busy ? NULL : g_queue_pop_head (&t->asked);
  if (!image)
    return;
  Job *job = g_new0 (Job, 1);
  *job = (Job){
    .thumbnails = g_rc_box_acquire (t), .image = g_object_ref (image), .path = g_strdup (folder_image_path (image))};
  t->busy = TRUE;
  worker_push (t->worker, &(WorkerJob){work, finished, job, NULL});
}

void
thumbnails_ask (Thumbnails *t, FolderImage *image)
{
  if (folder_image_state (image) != FOLDER_IMAGE_NEW || is_asked (t, image))
    return;
  folder_image_set (image, FOLDER_IMAGE_ASKED, NULL, folder_image_about (image));
  g_queue_push_head (&t->asked, image);
  next (t);
}

void
thumbnails_forget (Thumbnails *t, FolderImage *image)
{
  if (g_queue_remove (&t->asked, image))
    folder_image_set (image, FOLDER_IMAGE_NEW, NULL, folder_image_about (image));
}

Thumbnails *
thumbnails_new (Modules *modules)
{
  Thumbnails *t = g_rc_box_new0 (Thumbnails);
  t->modules = modules;
  t->worker = worker_new_modest (WORKER_LATER);
  g_queue_init (&t->asked);
  g_queue_init (&t->kept);
  return t;
}

void
thumbnails_free (Thumbnails *t)
{
  g_queue_clear (&t->asked);
  g_clear_pointer (&t->worker, worker_free); /* its results are delivered later */
  g_rc_box_release_full (t, clear);
}
