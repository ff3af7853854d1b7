/* SPDX-License-Identifier: MIT
 *
 * A helper's state goes from IDLE to OFFERED, by its caller, to BUSY, by itself, and to IDLE again. A caller takes an offer back by setting
 * IDLE where it still finds OFFERED: it never waits for a thread that the system has not let begin.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "plugin/helpers.h"

#include "plugin/gate.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdalign.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { IDLE, OFFERED, BUSY };
enum { KEPT_MS = 2000 };

struct helper {
  alignas (64) gate state;
  void (*work) (void *data);
  void *data;
  int modesty;
  helper *next; /* of its list */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards what follows */
static helper *idle;

/* The threads of the parent are not here, and one of them may have held the lock. */
static void
forget (void)
{
  idle = NULL;
  pthread_mutex_init (&lock, NULL);
}

static void
forget_in_children (void)
{
  pthread_atfork (NULL, NULL, forget);
}

/* A number for the nice value and the policy of the calling thread, which threads that it starts inherit. */
static int
modesty_of_caller (void)
{
  return getpriority (PRIO_PROCESS, 0) + 64 * sched_getscheduler (0);
}

/* Removes it from the idle ones, unless a caller has just taken it. */
static bool
retire (helper *h)
{
  bool found = false;
  pthread_mutex_lock (&lock);
  for (helper **at = &idle; *at && !found; at = found ? at : &(*at)->next)
    if ((found = *at == h))
      *at = h->next;
  pthread_mutex_unlock (&lock);
  return found;
}

static void *
help (void *self)
{
  helper *h = self;
  for (;;) {
    uint32_t offered = OFFERED;
    if (atomic_compare_exchange_strong (&h->state.value, &offered, BUSY)) {
      h->work (h->data);
      gate_set (&h->state, IDLE);
    } else if (!gate_wait (&h->state, IDLE, KEPT_MS) && retire (h)) {
      free (h);
      return NULL;
    }
  }
}

/* Signals that are sent to the process are for the threads that the program started. */
static bool
start (helper *h)
{
  static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF};
  sigset_t blocked, before;
  pthread_t thread;
  sigfillset (&blocked);
  for (unsigned i = 0; i < sizeof own / sizeof *own; i++)
    sigdelset (&blocked, own[i]);
  pthread_sigmask (SIG_SETMASK, &blocked, &before);
  const bool started = !pthread_create (&thread, NULL, help, h);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  if (started) {
    pthread_setname_np (thread, "fovea-compute");
    pthread_detach (thread);
  }
  return started;
}

static helper *
helper_new (int modesty)
{
  helper *h = aligned_alloc (alignof (helper), sizeof (helper));
  if (!h)
    return NULL;
  *h = (helper){.modesty = modesty};
  if (start (h))
    return h;
  free (h);
  return NULL;
}

unsigned
helpers_take (unsigned wanted, helper **list)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  const int modesty = modesty_of_caller ();
  unsigned n = 0;
  *list = NULL;
  pthread_once (&once, forget_in_children);
  pthread_mutex_lock (&lock);
  for (helper **at = &idle; *at && n < wanted;) {
    helper *h = *at;
    if (h->modesty != modesty) {
      at = &h->next;
      continue;
    }
    *at = h->next;
    h->next = *list, *list = h;
    n++;
  }
  pthread_mutex_unlock (&lock);
  for (helper *h; n < wanted && (h = helper_new (modesty)); n++)
    h->next = *list, *list = h;
  return n;
}

void
helpers_begin (helper *list, void (*work) (void *data), void *data)
{
  for (helper *h = list; h; h = h->next) {
    h->work = work, h->data = data;
    gate_set (&h->state, OFFERED);
  }
}

void
helpers_end (helper *list)
{
  helper *last = NULL;
  for (helper *h = list; h; last = h, h = h->next) {
    uint32_t offered = OFFERED;
    if (!atomic_compare_exchange_strong (&h->state.value, &offered, IDLE))
      gate_wait (&h->state, BUSY, -1);
  }
  if (!last)
    return;
  pthread_mutex_lock (&lock);
  last->next = idle;
  idle = list;
  pthread_mutex_unlock (&lock);
}
