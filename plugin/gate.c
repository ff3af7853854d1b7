/* SPDX-License-Identifier: MIT
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "plugin/gate.h"

#include <linux/futex.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* How long to look before sleeping: so many rounds, and no longer than that. */
static uint64_t max_rounds = UINT64_MAX, max_ns = 50000;

static void
read_wishes (void)
{
  const char *policy = getenv ("OMP_WAIT_POLICY"), *rounds = getenv ("GOMP_SPINCOUNT");
  if (rounds && *rounds >= '0' && *rounds <= '9')
    max_rounds = strtoull (rounds, NULL, 10), max_ns = UINT64_MAX;
  else if (policy && !strcasecmp (policy, "passive"))
    max_rounds = 0;
  else if (policy && !strcasecmp (policy, "active"))
    max_ns = UINT64_MAX;
}

static uint64_t
now_ns (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
}

static inline void
relax (void)
{
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause ();
#elif defined __aarch64__
  __asm__ volatile("yield");
#endif
}

/* Whether the value has changed while this looked. */
static bool
look (gate *g, uint32_t value)
{
  enum { BETWEEN = 16 }; /* rounds between two looks at the clock */
  uint64_t end = 0;
  for (uint64_t i = 0; i < max_rounds; i++) {
    if (atomic_load_explicit (&g->value, memory_order_acquire) != value)
      return true;
    relax ();
    if (i % BETWEEN == BETWEEN - 1 && max_ns < UINT64_MAX) {
      const uint64_t now = now_ns ();
      if (!end)
        end = now + max_ns;
      else if (now >= end)
        break;
    }
  }
  return atomic_load (&g->value) != value;
}

void
gate_set (gate *g, uint32_t value)
{
  atomic_store (&g->value, value);
  if (atomic_load (&g->sleepers))
    syscall (SYS_futex, &g->value, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

bool
gate_wait (gate *g, uint32_t value, int milliseconds)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  const struct timespec limit = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  pthread_once (&once, read_wishes);
  if (look (g, value))
    return true;
  const uint64_t end = now_ns () + (uint64_t) milliseconds * 1000000u;
  atomic_fetch_add (&g->sleepers, 1);
  while (atomic_load (&g->value) == value && (milliseconds < 0 || now_ns () < end))
    syscall (SYS_futex, &g->value, FUTEX_WAIT_PRIVATE, value, milliseconds < 0 ? NULL : &limit, NULL, 0);
  atomic_fetch_sub (&g->sleepers, 1);
  return atomic_load (&g->value) != value;
}
