/* SPDX-License-Identifier: MIT
 *
 * Limits that the user has not set are computed on a thread.
 */
#include "ui/app/convert_shown.h"

#include "core/base/text.h"
#include "core/data/pixel_type.h"
#include "core/view/look_limits.h"
#include "core/view/shown_range.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct {
  ViewChannel look;
  gint64 plane; /* of the slice that is seen */
  Range limits;
} Channel;

typedef struct {
  View *view;
  Image *image;
  GArray *channels; /* whose limits are spread over the type; none: values stay */
  char type[8];
} Work;

static void
work_free (gpointer data)
{
  Work *w = data;
  g_object_unref (w->view);
  image_unref (w->image);
  g_array_unref (w->channels);
  g_free (w);
}

static void
find_limits (GTask *task, gpointer shell, gpointer data, GCancellable *cancellable)
{
  const Work *w = data;
  GError *error = NULL;
  (void) shell, (void) cancellable;
  for (guint i = 0; i < w->channels->len && !error; i++) {
    Channel *c = &g_array_index (w->channels, Channel, i);
    if (c->look.automatic && !shown_range_known (image_info (w->image)->type, &c->limits))
      look_limits (&c->look, w->image, c->plane, &c->limits, &error);
  }
  if (error)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

/* "low=1 high=2", or rows of both where channels differ; NULL where a channel shows one value alone. */
static char *
limits_text (const GArray *channels)
{
  const Channel *all = (const Channel *) channels->data;
  g_autoptr (GString) rows = g_string_new (NULL);
  gboolean same = TRUE;
  for (guint i = 0; i < channels->len; i++) {
    const Range *r = &all[i].limits;
    g_autofree char *low = text_from_number (r->low), *high = text_from_number (r->high);
    if (!(r->high > r->low))
      return NULL;
    same = same && r->low == all[0].limits.low && r->high == all[0].limits.high;
    g_string_append_printf (rows, "%s%s %s", i ? ";" : "", low, high);
  }
  if (!same)
    return g_strdup_printf ("limits='%s'", rows->str);
  g_autofree char *low = text_from_number (all->limits.low), *high = text_from_number (all->limits.high);
  return g_strdup_printf ("low=%s high=%s", low, high);
}

static char *
step_of (const Work *w)
{
  g_autofree char *limits = w->channels->len ? limits_text (w->channels) : NULL;
  return limits ? g_strdup_printf ("convert type=%s scale=range %s", w->type, limits)
                : g_strdup_printf ("convert type=%s", w->type);
}

static void
add_step (GObject *shell, GAsyncResult *result, gpointer data)
{
  const Work *w = data;
  g_autoptr (GError) error = NULL;
  if (g_task_propagate_boolean (G_TASK (result), &error)) {
    g_autofree char *step = step_of (w);
    document_add_step (view_document (w->view), (guint) (view_index (w->view) + 1), step, &error);
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

static void
add_channels (Work *w)
{
  const ImageInfo *info = image_info (w->image);
  PlanePosition plane = view_plane (w->view);
  for (plane.channel = 0; plane.channel < info->channels; plane.channel++) {
    const ViewChannel *look = view_look (w->view, plane.channel);
    const Channel channel = {*look, plane_number (info, plane), {look->low, look->high}};
    g_array_append_val (w->channels, channel);
  }
}

void
convert_shown (Shell *shell, View *view, const char *type)
{
  Image *image = view_image (view);
  const ImageInfo *info = image_info (image);
  if (info->type == type_of (type)) {
    shell_say (shell, GTK_MESSAGE_INFO, _ ("The image already has this type."));
    return;
  }
  Work *w = g_new (Work, 1);
  *w = (Work){
    .view = g_object_ref (view), .image = image_ref (image), .channels = g_array_new (FALSE, FALSE, sizeof (Channel))};
  if (pixel_type_holding (info->type, type_of (type)) == 0 && !view_is_labels (view))
    add_channels (w);
  g_strlcpy (w->type, type, sizeof w->type);
  g_autoptr (GTask) task = g_task_new (shell, NULL, add_step, w);
  g_task_set_task_data (task, w, work_free);
  g_task_run_in_thread (task, find_limits);
}
