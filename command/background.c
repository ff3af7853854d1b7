/* SPDX-License-Identifier: MIT
 */
#include "command/background.h"

#include "command/stop.h"

struct Background {
  fovea_task *task;
  BackgroundWork work;
  gpointer data;
  GThread *thread;
  char *fault;
  GMutex lock; /* guards what follows */
  GCond ended;
  gboolean has_ended;
};

static gpointer
run (gpointer data)
{
  Background *b = data;
  stop_asks (b->task);
  fovea_task_enter (b->task);
  b->fault = b->work (b->data);
  fovea_task_enter (NULL);
  stop_asks (NULL);
  g_mutex_lock (&b->lock);
  b->has_ended = TRUE;
  g_cond_signal (&b->ended);
  g_mutex_unlock (&b->lock);
  return NULL;
}

static void
release (Background *b)
{
  fovea_task_free (b->task);
  g_cond_clear (&b->ended);
  g_mutex_clear (&b->lock);
  g_free (b);
}

Background *
background_start (const char *name, BackgroundWork work, gpointer data, GError **error)
{
  Background *b = g_new0 (Background, 1);
  *b = (Background){.task = fovea_task_new (), .work = work, .data = data};
  g_mutex_init (&b->lock);
  g_cond_init (&b->ended);
  if ((b->thread = g_thread_try_new (name, run, b, error)))
    return b;
  release (b);
  return NULL;
}

fovea_task *
background_task (const Background *b)
{
  return b->task;
}

gboolean
background_wait (Background *b, gint64 until)
{
  gboolean ended;
  g_mutex_lock (&b->lock);
  while (!b->has_ended && g_cond_wait_until (&b->ended, &b->lock, until))
    ;
  ended = b->has_ended;
  g_mutex_unlock (&b->lock);
  return ended;
}

gboolean
background_show (Background *b, int first_ms, int every_ms, void (*show) (gpointer data))
{
  gint64 next = g_get_monotonic_time () + first_ms * G_TIME_SPAN_MILLISECOND;
  gboolean shown = FALSE;
  for (; !background_wait (b, next); next += every_ms * G_TIME_SPAN_MILLISECOND) {
    show (b->data);
    shown = TRUE;
  }
  return shown;
}

char *
background_end (Background *b)
{
  char *fault;
  g_thread_join (b->thread);
  fault = b->fault;
  release (b);
  return fault;
}
