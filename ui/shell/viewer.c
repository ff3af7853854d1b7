/* SPDX-License-Identifier: MIT
 */
#include "ui/shell/viewer.h"

#include "ui/shell/opening.h"

#include <string.h>

typedef struct {
  char *path, *steps, *settings;
  guint series;
  int label;
  gint64 channel, slice, frame;
  gboolean unsaved;
} Wish;

struct _Viewer {
  GObject parent;
  Shell *shell; /* NULL: it has gone */
  Wish *wish;   /* the newest that waits until another is opened; NULL: none */
  gboolean opening;
  GWeakRef shown; /* the document that was opened here last */
};

G_DEFINE_FINAL_TYPE (Viewer, viewer, G_TYPE_OBJECT)

static guint failed;

static Wish *
wish_new (const ViewerWish *from)
{
  Wish *wish = g_new (Wish, 1);
  *wish = (Wish){g_strdup (from->path),
                 g_strdup (from->steps),
                 g_strdup (from->settings),
                 from->series,
                 from->label,
                 from->channel,
                 from->slice,
                 from->frame,
                 from->unsaved};
  return wish;
}

static void
wish_free (gpointer data)
{
  Wish *wish = data;
  g_free (wish->path);
  g_free (wish->steps);
  g_free (wish->settings);
  g_free (wish);
}

/* ---- One that is open ---- */

static gboolean
is_of (Document *document, const Wish *wish)
{
  return !g_strcmp0 (document_path (document), wish->path) && !strcmp (document_text (document), wish->steps)
         && image_info (document_source (document))->number == wish->series;
}

static Page *
page_of (const Viewer *viewer, const Wish *wish)
{
  g_autoptr (GPtrArray) documents = shell_documents (viewer->shell);
  for (guint i = 0; i < documents->len; i++)
    if (is_of (documents->pdata[i], wish))
      return shell_page_of (viewer->shell, documents->pdata[i]);
  return NULL;
}

/* Where the wish says; before the results are there, too. */
static void
look_there (View *view, const Wish *wish)
{
  const PlanePosition now = view_wish (view);
  view_set_wish (view,
                 (PlanePosition){wish->channel < 0 ? now.channel : wish->channel,
                                 wish->slice < 0 ? now.slice : wish->slice, wish->frame < 0 ? now.frame : wish->frame});
}

static void
light (Page *page, const Wish *wish)
{
  View *view = page_view (page);
  if (!wish->label)
    return;
  look_there (view, wish);
  view_set_object (view, wish->label);
}

/* ---- Opening ---- */

/* The image opened before, if it was not changed since. */
static void
remove_before (const Viewer *viewer, Document *before, const char *steps)
{
  Page *page = before ? shell_page_of (viewer->shell, before) : NULL;
  if (page && !strcmp (document_text (before), steps) && !selections_current (page_selections (page))
      && !selections_length (page_selections (page)) && !measurements_table (page_measurements (page)))
    shell_remove (viewer->shell, page);
}

static void
show_opened (Viewer *viewer, Image *image, const Wish *wish)
{
  g_autoptr (Document) before = g_weak_ref_get (&viewer->shown);
  g_autoptr (GError) error = NULL;
  Document *document = shell_add (viewer->shell, image, wish->path);
  g_weak_ref_set (&viewer->shown, document);
  remove_before (viewer, before, wish->steps);
  Page *page = shell_page_of (viewer->shell, document);
  if (!wish->unsaved)
    document_set_kept (document, wish->steps);
  if (wish->settings)
    view_set_display_settings (page_view (page), wish->settings);
  look_there (page_view (page), wish);
  if (document_set_steps (document, wish->steps, NULL, &error))
    light (page, wish);
  else
    shell_say_about (viewer->shell, document, GTK_MESSAGE_ERROR, error->message);
}

static void
open_thread (GTask *task, gpointer viewer, gpointer data, GCancellable *cancellable)
{
  const Wish *wish = data;
  GError *error = NULL;
  Image *image = opening_read (wish->path, wish->series, &error);
  (void) viewer, (void) cancellable;
  if (image)
    g_task_return_pointer (task, image, (GDestroyNotify) image_unref);
  else
    g_task_return_error (task, error);
}

static void show_wish (Viewer *viewer);

static void
opened (GObject *object, GAsyncResult *result, gpointer data)
{
  Viewer *viewer = FOVEA_VIEWER (object);
  const Wish *wish = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autoptr (Image) image = g_task_propagate_pointer (G_TASK (result), &error);
  (void) data;
  viewer->opening = FALSE;
  if (!viewer->shell)
    return;
  if (viewer->wish) /* no longer requested */
    show_wish (viewer);
  else if (image)
    show_opened (viewer, image, wish);
  else
    g_signal_emit (viewer, failed, 0, wish->path, error->message);
}

static void
show_wish (Viewer *viewer)
{
  Wish *wish = g_steal_pointer (&viewer->wish);
  Page *page = page_of (viewer, wish);
  if (page) {
    shell_bring (viewer->shell, page);
    light (page, wish);
    wish_free (wish);
    return;
  }
  g_autoptr (GTask) task = g_task_new (viewer, NULL, opened, NULL);
  viewer->opening = TRUE;
  g_task_set_task_data (task, wish, wish_free);
  g_task_run_in_thread (task, open_thread);
}

void
viewer_show (Viewer *viewer, const ViewerWish *wish)
{
  g_clear_pointer (&viewer->wish, wish_free);
  viewer->wish = wish_new (wish);
  if (!viewer->opening)
    show_wish (viewer);
}

void
viewer_leave (Viewer *viewer)
{
  viewer->shell = NULL;
}

/* ---- The object ---- */

static void
viewer_finalize (GObject *object)
{
  Viewer *viewer = FOVEA_VIEWER (object);
  g_clear_pointer (&viewer->wish, wish_free);
  g_weak_ref_clear (&viewer->shown);
  G_OBJECT_CLASS (viewer_parent_class)->finalize (object);
}

static void
viewer_class_init (ViewerClass *class)
{
  G_OBJECT_CLASS (class)->finalize = viewer_finalize;
  failed = g_signal_new ("failed", VIEWER_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_STRING,
                         G_TYPE_STRING);
}

static void
viewer_init (Viewer *viewer)
{
  g_weak_ref_init (&viewer->shown, NULL);
}

Viewer *
viewer_new (Shell *shell)
{
  Viewer *viewer = g_object_new (VIEWER_TYPE, NULL);
  viewer->shell = shell;
  return viewer;
}
