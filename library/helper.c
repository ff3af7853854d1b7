/* SPDX-License-Identifier: MIT
 *
 * A process that was forked has not the threads of the one before: what that one kept it forgets.
 */
#include "library/helper.h"

#include <unistd.h>

struct Helper {
  GThread *thread;
  pid_t process;
  GMutex lock; /* guards all below */
  GCond change;
  void (*work) (gpointer data); /* NULL: nothing is to be done */
  gpointer data;
  gboolean over;
};

static gpointer
help (gpointer self)
{
  Helper *h = self;
  g_mutex_lock (&h->lock);
  while (!h->over) {
    if (!h->work) {
      g_cond_wait (&h->change, &h->lock);
      continue;
    }
    g_mutex_unlock (&h->lock);
    h->work (h->data);
    g_mutex_lock (&h->lock);
    h->work = NULL;
    g_cond_broadcast (&h->change);
  }
  g_mutex_unlock (&h->lock);
  return NULL;
}

static Helper *
helper_new (GError **error)
{
  Helper *h = g_new0 (Helper, 1);
  h->process = getpid ();
  g_mutex_init (&h->lock);
  g_cond_init (&h->change);
  if (!(h->thread = g_thread_try_new ("fovea-run", help, h, error)))
    g_clear_pointer (&h, g_free);
  return h;
}

Helper *
helper_take (Helper **idle, GMutex *lock, GError **error)
{
  g_mutex_lock (lock);
  Helper *kept = g_steal_pointer (idle);
  g_mutex_unlock (lock);
  return kept && kept->process == getpid () ? kept : helper_new (error);
}

void
helper_begin (Helper *h, void (*work) (gpointer data), gpointer data)
{
  g_mutex_lock (&h->lock);
  h->work = work;
  h->data = data;
  g_cond_broadcast (&h->change);
  g_mutex_unlock (&h->lock);
}

gboolean
helper_wait (Helper *h, gint64 microseconds)
{
  const gint64 until = g_get_monotonic_time () + microseconds;
  g_mutex_lock (&h->lock);
  while (h->work && g_cond_wait_until (&h->change, &h->lock, until))
    ;
  const gboolean ended = !h->work;
  g_mutex_unlock (&h->lock);
  return ended;
}

void
helper_give (Helper *h, Helper **idle, GMutex *lock)
{
  g_mutex_lock (lock);
  Helper *other = *idle;
  if (!other)
    *idle = h;
  g_mutex_unlock (lock);
  if (other)
    helper_free (h);
}

void
helper_free (Helper *h)
{
  if (!h || h->process != getpid ())
    return;
  g_mutex_lock (&h->lock);
  h->over = TRUE;
  g_cond_broadcast (&h->change);
  g_mutex_unlock (&h->lock);
  g_thread_join (h->thread);
  g_cond_clear (&h->change);
  g_mutex_clear (&h->lock);
  g_free (h);
}
