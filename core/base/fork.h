/* SPDX-License-Identifier: MIT
 *
 * What a forked process needs to go on: locks that are free, and what they guard whole. Of all threads the child has only the one that forked.
 */
#ifndef CORE_BASE_FORK_H
#define CORE_BASE_FORK_H

#include <glib.h>

/* Called in the child, with the lock held, before its fork() returns. */
typedef void (*ForkChild) (gpointer data);

/* A fork waits until no thread holds the lock, and the child gets it unlocked. Hold it briefly: after a second the
 * fork continues, and the child gets a new lock. child: NULL, or repairs what the lost threads left unfinished. */
void fork_guard (GMutex *lock, ForkChild child, gpointer data);
/* The same for a lock of this file that lives as long as the process. */
#define FORK_GUARD_STATIC(LOCK)                                                                                        \
  static __attribute__ ((constructor)) void guard_##LOCK (void)                                                        \
  {                                                                                                                    \
    fork_guard (&LOCK, NULL, NULL);                                                                                    \
  }
/* Before the lock is cleared. */
void fork_unguard (GMutex *lock);

/* Does the work if no thread has yet, and returns what it said. Unlike with g_once_init_enter(), a fork waits for its end, and a child never does.
 * state: 0 at first. */
gboolean fork_once (int *state, gboolean (*work) (void));

#endif
