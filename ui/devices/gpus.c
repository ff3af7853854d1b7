/* SPDX-License-Identifier: MIT
 *
 * A thread that ends when the first GPU is ready for work.
 */
#include "ui/devices/gpus.h"

static GThread *thread;
static GSList *listeners; /* Listener * */

typedef struct {
  GWeakRef object;
  void (*changed) (gpointer object);
} Listener;

static gboolean
tell (gpointer data)
{
  (void) data;
  for (GSList *l = listeners; l; l = l->next) {
    Listener *listener = l->data;
    g_autoptr (GObject) object = g_weak_ref_get (&listener->object);
    if (object)
      listener->changed (object);
  }
  return G_SOURCE_REMOVE;
}

static gpointer
wake (gpointer data)
{
  const GPtrArray *devices = modules_find_devices (data);
  g_idle_add (tell, NULL);
  for (guint i = 0; i < devices->len; i++) {
    Device *device = devices->pdata[i];
    /* Errors are reported when it is used. */
    if (device->fv->kind != FV_CPU && device_ready (device, device->fv->key, NULL))
      break;
  }
  return NULL;
}

void
gpus_wake (Modules *modules)
{
  if (!thread && modules_devices_pending (modules))
    thread = g_thread_new ("gpus", wake, modules);
}

/* ---- Turns ---- */

static void
each_gpu (const GPtrArray *devices, void (*change) (GMutex *turn))
{
  for (guint i = 0; i < devices->len; i++) {
    Device *device = devices->pdata[i];
    if (device->discrete)
      change (&device->turn);
  }
}

/* Those that are known now, which is what comes back. */
static gpointer
take_turns (gpointer modules)
{
  const GPtrArray *devices = modules_devices (modules);
  each_gpu (devices, g_mutex_lock);
  return (gpointer) devices;
}

static void
give_turns (gpointer devices)
{
  each_gpu (devices, g_mutex_unlock);
}

void
gpus_share (Worker *worker, Modules *modules)
{
  worker_set_turns (worker, take_turns, give_turns, modules);
}

void
gpus_settle (void)
{
  if (thread)
    g_thread_join (g_steal_pointer (&thread));
}

void
gpus_when_found (gpointer object, void (*changed) (gpointer object))
{
  Listener *listener = g_new (Listener, 1);
  listener->changed = changed;
  g_weak_ref_init (&listener->object, object);
  listeners = g_slist_append (listeners, listener);
}
