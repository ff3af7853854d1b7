/* SPDX-License-Identifier: MIT
 *
 * The functions that GCC calls for the kernels' OpenMP: parallel regions, dynamic loops, barriers and critical
 * sections. They replace GNU's libgomp for three reasons. Threads of libgomp spin while they wait, controlled by a
 * variable that a program cannot set for itself, since libgomp reads it before main(). Two libraries in one process
 * share that setting. After fork(), libgomp waits for threads that the child does not have. Names and types are
 * those of libgomp's binary interface, described in its manual. They are hidden, so that another libgomp in the
 * process is unaffected. A construct that is missing here fails to link. The functions that clang calls are built on
 * these in openmp_clang.c.
 *
 * A region has `size` indices, and a free thread takes the next one. The caller does not wait for threads that have
 * not started, but does their part as well. Only a barrier needs one thread for each index, and then there are
 * enough.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "plugin/openmp.h"

#include "plugin/gate.h"
#include "plugin/helpers.h"
#include "plugin/openmp_gcc.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

typedef struct region {
  void (*work) (void *data);
  void *data;
  unsigned size;
  bool within;       /* another region */
  bool is_loop;      /* which begins with it */
  atomic_uint taken; /* indices from 1 */
  atomic_uint arrived;
  gate barrier;         /* how many times all have arrived */
  pthread_mutex_t lock; /* guards the loop while it begins */
  unsigned loops;       /* begun */
  long end, step;       /* of the loop, a chunk */
  atomic_long next;
} region;

/* What a thread does in a region. */
typedef struct part {
  region *region; /* NULL: none */
  unsigned index, loops;
  unsigned alone; /* how many inner regions, each of one thread, it is in; they have no part of their own */
  bool late;      /* its last loop ended without a barrier */
} part;

static _Thread_local part me;

static _Thread_local unsigned limit; /* 0: none */
static _Thread_local bool helps;     /* it does not belong to a caller */

/* The region whose threads the calling one shares loops and barriers with; NULL: it has none. */
static region *
team (void)
{
  return me.alone ? NULL : me.region;
}

/* ---- How many threads ---- */

static unsigned
threads_of_process (void)
{
  const char *text = getenv ("OMP_NUM_THREADS");
  const long wanted = text ? strtol (text, NULL, 10) : 0;
  cpu_set_t cores;
  if (wanted > 0)
    return wanted < 1024 ? (unsigned) wanted : 1024;
  return sched_getaffinity (0, sizeof cores, &cores) ? 1 : (unsigned) CPU_COUNT (&cores);
}

int
omp_get_max_threads (void)
{
  static atomic_uint threads;
  if (limit)
    return (int) limit;
  if (!threads)
    threads = threads_of_process ();
  return (int) threads;
}

int
omp_get_num_threads (void)
{
  return team () ? (int) team ()->size : 1;
}

int
omp_get_thread_num (void)
{
  return team () ? (int) me.index : 0;
}

void
openmp_limit (int32_t threads)
{
  limit = threads > 0 ? (unsigned) threads : 0;
}

bool
openmp_is_caller (void)
{
  return !helps;
}

/* ---- Regions ---- */

/* What the calling thread does in the region as this index. */
static void
do_part (region *r, unsigned index)
{
  const part before = me;
  me = (part){.region = r, .index = index, .loops = r->is_loop};
  r->work (r->data);
  me = before;
}

static void
take_indices (region *r)
{
  for (unsigned index; (index = 1 + atomic_fetch_add (&r->taken, 1)) < r->size;)
    do_part (r, index);
}

static void
help (void *data)
{
  helps = true;
  take_indices (data);
}

/* wanted: as many threads, 0: as many as there may be. Within a region there is one. Index 0 is the caller's. */
static void
run (region *r, unsigned wanted)
{
  helper *helpers;
  r->within = me.region && (me.region->size > 1 || me.region->within);
  const unsigned size = r->within ? 1 : wanted ? wanted : (unsigned) omp_get_max_threads ();
  r->size = 1 + helpers_take (size - 1, &helpers);
  helpers_begin (helpers, help, r);
  do_part (r, 0);
  take_indices (r);
  helpers_end (helpers);
}

void
GOMP_parallel (void (*work) (void *), void *data, unsigned wanted, unsigned flags)
{
  region r = {.work = work, .data = data, .lock = PTHREAD_MUTEX_INITIALIZER};
  (void) flags;
  run (&r, wanted);
}

void
GOMP_barrier (void)
{
  region *r = team ();
  if (!r)
    return;
  me.late = false;
  if (r->size == 1)
    return;
  const uint32_t before = atomic_load (&r->barrier.value);
  if (atomic_fetch_add (&r->arrived, 1) + 1 < r->size) {
    gate_wait (&r->barrier, before, -1);
    return;
  }
  r->arrived = 0;
  gate_set (&r->barrier, before + 1);
}

/* ---- Dynamic loops: each thread takes the next chunk ---- */

static void
set_loop (region *r, long begin, long end, long step, long chunk)
{
  atomic_store (&r->next, begin);
  r->end = end;
  r->step = step * chunk;
  r->loops++;
}

void
GOMP_parallel_loop_nonmonotonic_dynamic (void (*work) (void *), void *data, unsigned wanted, long begin, long end,
                                         long step, long chunk, unsigned flags)
{
  region r = {.work = work, .data = data, .is_loop = true, .lock = PTHREAD_MUTEX_INITIALIZER};
  (void) flags;
  set_loop (&r, begin, end, step, chunk);
  run (&r, wanted);
}

bool
GOMP_loop_nonmonotonic_dynamic_next (long *begin, long *end)
{
  region *r = team ();
  if (!r)
    return false;
  const long from = atomic_fetch_add (&r->next, r->step), left = r->end - from;
  if (r->step > 0 ? left <= 0 : left >= 0)
    return false;
  *begin = from;
  *end = (r->step > 0 ? left > r->step : left < r->step) ? from + r->step : r->end;
  return true;
}

bool
GOMP_loop_nonmonotonic_dynamic_start (long first, long last, long step, long chunk, long *begin, long *end)
{
  region *r = team ();
  if (!r) {
    *begin = first, *end = last;
    return step > 0 ? first < last : first > last;
  }
  if (me.late) /* only one thread at a time may be in the loop */
    GOMP_barrier ();
  pthread_mutex_lock (&r->lock);
  if (me.loops == r->loops)
    set_loop (r, first, last, step, chunk);
  pthread_mutex_unlock (&r->lock);
  me.loops++;
  return GOMP_loop_nonmonotonic_dynamic_next (begin, end);
}

void
GOMP_loop_end (void)
{
  GOMP_barrier ();
}

void
GOMP_loop_end_nowait (void)
{
  if (team ())
    me.late = true;
}

bool
openmp_is_end (long end)
{
  return !team () || end == me.region->end;
}

/* ---- Regions of one thread, without a function of their own ---- */

void
openmp_alone_begin (void)
{
  me.alone++;
}

void
openmp_alone_end (void)
{
  me.alone--;
}

/* ---- One thread at a time ---- */

static pthread_mutex_t critical = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

/* Another thread of the parent may have held it. */
static void
free_in_child (void)
{
  critical = (pthread_mutex_t) PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
}

static __attribute__ ((constructor)) void
free_in_children (void)
{
  pthread_atfork (NULL, NULL, free_in_child);
}

void
GOMP_critical_name_start (void **name)
{
  (void) name;
  pthread_mutex_lock (&critical);
}

void
GOMP_critical_name_end (void **name)
{
  (void) name;
  pthread_mutex_unlock (&critical);
}

void
GOMP_atomic_start (void)
{
  pthread_mutex_lock (&critical);
}

void
GOMP_atomic_end (void)
{
  pthread_mutex_unlock (&critical);
}
