/* SPDX-License-Identifier: MIT
 *
 * Before a fork all locks are tried, in any order, and released again if one is taken, so that no thread waits for
 * one lock while holding another.
 */
#include "core/base/fork.h"

#include <pthread.h>

typedef struct {
  ForkChild child;
  gpointer data;
  gboolean held; /* by the thread that forks */
} Guard;

static const gint64 patience = G_USEC_PER_SEC;

static GMutex lock;        /* guards all below */
static GHashTable *guards; /* GMutex * -> Guard * */

/* Whether all locks are held now. */
static gboolean
take_all (void)
{
  GHashTableIter at;
  gpointer key, value;
  gboolean all = TRUE;
  g_hash_table_iter_init (&at, guards);
  while (g_hash_table_iter_next (&at, &key, &value)) {
    Guard *guard = value;
    guard->held = g_mutex_trylock (key);
    all &= guard->held;
  }
  return all;
}

static void
give_all (void)
{
  GHashTableIter at;
  gpointer key, value;
  g_hash_table_iter_init (&at, guards);
  while (g_hash_table_iter_next (&at, &key, &value))
    if (((Guard *) value)->held)
      g_mutex_unlock (key);
}

static void
before_fork (void)
{
  const gint64 end = g_get_monotonic_time () + patience;
  g_mutex_lock (&lock);
  while (!take_all () && g_get_monotonic_time () < end) {
    give_all ();
    g_mutex_unlock (&lock); /* who holds the other one may want it */
    g_usleep (100);
    g_mutex_lock (&lock);
  }
}

static void
after_fork (void)
{
  give_all ();
  g_mutex_unlock (&lock);
}

static void
in_child (void)
{
  GHashTableIter at;
  gpointer key, value;
  g_hash_table_iter_init (&at, guards);
  while (g_hash_table_iter_next (&at, &key, &value)) {
    const Guard *guard = value;
    if (guard->child)
      guard->child (guard->data);
    if (guard->held)
      g_mutex_unlock (key);
    else
      g_mutex_init (key);
  }
  g_mutex_unlock (&lock);
}

void
fork_guard (GMutex *guarded, ForkChild child, gpointer data)
{
  Guard *guard = g_new (Guard, 1);
  *guard = (Guard){child, data, FALSE};
  g_mutex_lock (&lock);
  if (!guards) {
    guards = g_hash_table_new_full (NULL, NULL, NULL, g_free);
    pthread_atfork (before_fork, after_fork, in_child);
  }
  g_hash_table_insert (guards, guarded, guard);
  g_mutex_unlock (&lock);
}

void
fork_unguard (GMutex *guarded)
{
  g_mutex_lock (&lock);
  g_hash_table_remove (guards, guarded);
  g_mutex_unlock (&lock);
}

static GMutex once;
FORK_GUARD_STATIC (once)

gboolean
fork_once (int *state, gboolean (*work) (void))
{
  enum { NO = 1, YES };
  if (!g_atomic_int_get (state)) {
    g_mutex_lock (&once);
    if (!*state)
      g_atomic_int_set (state, work () ? YES : NO);
    g_mutex_unlock (&once);
  }
  return g_atomic_int_get (state) == YES;
}
