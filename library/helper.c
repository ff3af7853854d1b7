/* SPDX-License-Identifier: MIT
 *
 * A process that was forked has not the threads of the one before: what that one kept it forgets. To sleep and be woken takes longer than a small
 * operation, so that both sides look for 50 us before they sleep, as the threads of plugin/gate.c do. Where that is in vain, since the work takes
 * longer or others have the cores, they look ever more rarely.
 */
#include "library/helper.h"

#include <unistd.h>

enum { LOOK_US = 50, ROUNDS = 64 /* between looks at the clock */, MAX_VAIN = 9 };

/* Of one side. */
typedef struct Patience {
  guint vain; /* looks, less those that were not */
  guint rest; /* how often it does not look */
} Patience;

struct Helper {
  GThread *thread;
  pid_t process;
  gboolean polls;               /* other cores exist, on which a job can begin */
  void (*work) (gpointer data); /* this and data change only while it is not busy */
  gpointer data;
  GMutex lock; /* guards all below */
  GCond change;
  gint busy; /* whether there is work; is read without the lock, too */
  guint sleepers;
  gboolean over;
  Patience helpers, callers; /* each is that side's alone */
};

static void
relax (void)
{
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause ();
#elif defined __aarch64__
  __asm__ volatile("yield");
#endif
}

/* Whether that has become so while this looked. */
static gboolean
look (Helper *h, gboolean busy, Patience *p)
{
  if (!h->polls || (p->rest && p->rest--))
    return FALSE;
  const gint64 until = g_get_monotonic_time () + LOOK_US;
  do
    for (int i = 0; i < ROUNDS; i++) {
      if (g_atomic_int_get (&h->busy) == busy) {
        p->vain -= p->vain > 0;
        return TRUE;
      }
      relax ();
    }
  while (g_get_monotonic_time () < until);
  p->vain = MIN (p->vain + 1, MAX_VAIN);
  p->rest = (1u << p->vain) - 1;
  return FALSE;
}

/* Sleeps until something may have changed; FALSE: the time is over, which 0 never is. The lock is held. */
static gboolean
sleep_until (Helper *h, gint64 until)
{
  gboolean in_time = TRUE;
  h->sleepers++;
  if (until)
    in_time = g_cond_wait_until (&h->change, &h->lock, until);
  else
    g_cond_wait (&h->change, &h->lock);
  h->sleepers--;
  return in_time;
}

static void
set_busy (Helper *h, gboolean busy)
{
  g_mutex_lock (&h->lock);
  g_atomic_int_set (&h->busy, busy);
  const gboolean sleepers = h->sleepers > 0;
  g_mutex_unlock (&h->lock);
  if (sleepers)
    g_cond_broadcast (&h->change);
}

static gpointer
help (gpointer self)
{
  Helper *h = self;
  for (gboolean over = FALSE; !over;) {
    look (h, TRUE, &h->helpers);
    g_mutex_lock (&h->lock);
    while (!h->busy && !h->over)
      sleep_until (h, 0);
    over = !h->busy;
    g_mutex_unlock (&h->lock);
    if (over)
      continue;
    h->work (h->data);
    set_busy (h, FALSE);
  }
  return NULL;
}

static Helper *
helper_new (GError **error)
{
  Helper *h = g_new0 (Helper, 1);
  h->process = getpid ();
  h->polls = g_get_num_processors () > 1;
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
  h->work = work;
  h->data = data;
  set_busy (h, TRUE);
}

gboolean
helper_wait (Helper *h, gint64 microseconds)
{
  const gint64 until = g_get_monotonic_time () + microseconds;
  if (look (h, FALSE, &h->callers))
    return TRUE;
  g_mutex_lock (&h->lock);
  while (h->busy && sleep_until (h, until))
    ;
  const gboolean ended = !h->busy;
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
