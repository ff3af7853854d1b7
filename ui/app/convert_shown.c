/* SPDX-License-Identifier: MIT
 *
 * Limits that nobody has set are found on a thread.
 */
#include "ui/app/convert_shown.h"

#include "core/base/text.h"
#include "core/data/pixel_type.h"
#include "core/view/look_limits.h"
#include "core/view/shown_range.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct {
  View *view;
  Image *image;
  gint64 plane;
  ViewChannel look;
  Range limits;
  char type[8];
  gboolean spread; /* the limits over the type */
} Work;

static void
work_free (gpointer data)
{
  Work *w = data;
  g_object_unref (w->view);
  image_unref (w->image);
  g_free (w);
}

static void
find_limits (GTask *task, gpointer shell, gpointer data, GCancellable *cancellable)
{
  Work *w = data;
  GError *error = NULL;
  (void) shell, (void) cancellable;
  if (!w->spread || !w->look.automatic || shown_range_known (image_info (w->image)->type, &w->limits)
      || look_limits (&w->look, w->image, w->plane, &w->limits, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static char *
step_of (const Work *w)
{
  g_autofree char *low = text_from_number (w->limits.low), *high = text_from_number (w->limits.high);
  if (!w->spread || !(w->limits.high > w->limits.low))
    return g_strdup_printf ("convert type=%s", w->type);
  return g_strdup_printf ("convert type=%s scale=range low=%s high=%s", w->type, low, high);
}

static void
add_step (GObject *shell, GAsyncResult *result, gpointer data)
{
  const Work *w = data;
  g_autoptr (GError) error = NULL;
  if (g_task_propagate_boolean (G_TASK (result), &error)) {
    g_autofree char *step = step_of (w);
    document_add_step (view_document (w->view), (guint) (view_place (w->view) + 1), step, &error);
  }
  shell_say_error (FOVEA_SHELL (shell), error);
}

static fv_type
type_of (const char *name)
{
  for (int i = 0; i < PIXEL_TYPES; i++)
    if (!strcmp (pixel_types[i].name, name))
      return pixel_types[i].type;
  return 0;
}

void
convert_shown (Shell *shell, View *view, const char *type)
{
  const ViewChannel *look = view_look (view, view_channel (view));
  Image *image = view_image (view);
  const ImageInfo *info = image_info (image);
  if (info->type == type_of (type)) {
    shell_say (shell, GTK_MESSAGE_INFO, _ ("The image is of this type already."));
    return;
  }
  Work *w = g_new (Work, 1);
  *w = (Work){.view = g_object_ref (view),
              .image = image_ref (image),
              .plane = plane_number (info, view_plane (view)),
              .look = *look,
              .limits = {look->low, look->high}};
  w->spread = pixel_type_holding (info->type, type_of (type)) == 0 && !view_is_labels (view);
  g_strlcpy (w->type, type, sizeof w->type);
  g_autoptr (GTask) task = g_task_new (shell, NULL, add_step, w);
  g_task_set_task_data (task, w, work_free);
  g_task_run_in_thread (task, find_limits);
}
