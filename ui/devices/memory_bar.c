/* SPDX-License-Identifier: MIT
 *
 * The device is asked on a thread every two seconds: it may answer late while it computes.
 */
#include "ui/devices/memory_bar.h"

#include "ui/devices/gpus.h"

#include <glib/gi18n.h>

struct _MemoryBar {
  GtkBox parent;
  const Modules *modules;
  const fv_device *device;
  GtkLevelBar *level;
  GtkLabel *text;
  guint timer;
  gboolean asking;
};

G_DEFINE_FINAL_TYPE (MemoryBar, memory_bar, GTK_TYPE_BOX)

typedef struct {
  const fv_device *device;
  gint64 free, total;
} Memory;

/* ---- Asking ---- */

static void
ask_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Memory *memory = data;
  fv_error error = FV_ERROR_INIT;
  (void) source, (void) cancellable;
  g_task_return_boolean (task, memory->device->memory (memory->device, &memory->free, &memory->total, &error) == FV_OK
                                 && memory->total > 0);
}

static void
answered (GObject *object, GAsyncResult *result, gpointer data)
{
  MemoryBar *self = FOVEA_MEMORY_BAR (object);
  const Memory *memory = g_task_get_task_data (G_TASK (result));
  (void) data;
  self->asking = FALSE;
  gtk_widget_set_visible (GTK_WIDGET (self), g_task_propagate_boolean (G_TASK (result), NULL));
  if (memory->total <= 0)
    return;
  const double gigabyte = 1073741824.0, used = (double) (memory->total - memory->free);
  g_autofree char *text = g_strdup_printf ("%.1f / %.0f GB", used / gigabyte, (double) memory->total / gigabyte);
  gtk_level_bar_set_value (self->level, used / (double) memory->total);
  gtk_label_set_text (self->text, text);
}

static gboolean
ask_memory (gpointer data)
{
  MemoryBar *self = data;
  if (self->asking)
    return G_SOURCE_CONTINUE;
  g_autoptr (GTask) task = g_task_new (self, NULL, answered, NULL);
  Memory *memory = g_new0 (Memory, 1);
  memory->device = self->device;
  self->asking = TRUE;
  g_task_set_task_data (task, memory, g_free);
  g_task_run_in_thread (task, ask_thread);
  return G_SOURCE_CONTINUE;
}

/* ---- The widget ---- */

static void
memory_bar_dispose (GObject *object)
{
  g_clear_handle_id (&FOVEA_MEMORY_BAR (object)->timer, g_source_remove);
  G_OBJECT_CLASS (memory_bar_parent_class)->dispose (object);
}

static void
memory_bar_class_init (MemoryBarClass *class)
{
  G_OBJECT_CLASS (class)->dispose = memory_bar_dispose;
}

static void
memory_bar_init (MemoryBar *self)
{
  GtkWidget *level = gtk_level_bar_new (), *text = gtk_label_new (NULL);
  self->level = GTK_LEVEL_BAR (level);
  self->text = GTK_LABEL (text);
  gtk_level_bar_remove_offset_value (self->level, GTK_LEVEL_BAR_OFFSET_LOW); /* full is not good, empty not bad */
  gtk_level_bar_remove_offset_value (self->level, GTK_LEVEL_BAR_OFFSET_HIGH);
  gtk_level_bar_remove_offset_value (self->level, GTK_LEVEL_BAR_OFFSET_FULL);
  gtk_widget_set_size_request (level, 64, -1);
  gtk_widget_set_valign (level, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (text, "numeric");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), _ ("Memory of the GPU in use, by all programs"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (level), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("GPU memory in use"), -1);
  gtk_box_append (GTK_BOX (self), gtk_label_new (_ ("GPU")));
  gtk_box_append (GTK_BOX (self), level);
  gtk_box_append (GTK_BOX (self), text);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

/* Shows the first GPU. */
static void
find_gpu (gpointer bar)
{
  MemoryBar *self = bar;
  const GPtrArray *devices = modules_devices (self->modules);
  for (guint i = 0; i < devices->len && !self->device; i++) {
    const fv_device *device = ((const Device *) devices->pdata[i])->fv;
    if (device->kind != FV_CPU && !device->fault)
      self->device = device;
  }
  if (self->device && !self->timer) {
    ask_memory (self);
    self->timer = g_timeout_add_seconds (2, ask_memory, self);
  }
}

GtkWidget *
memory_bar_new (const Modules *modules)
{
  MemoryBar *self = g_object_new (MEMORY_BAR_TYPE, "spacing", 6, NULL);
  self->modules = modules;
  find_gpu (self);
  gpus_when_found (self, find_gpu);
  return GTK_WIDGET (self);
}
